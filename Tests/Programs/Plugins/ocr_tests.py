"""Tests of Plugins/OCRTransform."""

import os

import pytest
from PIL import Image

from helpers import FIXTURES, TOP, PluginTests
from host import Host

PROGRAM = TOP / "Plugins/OCRTransform/jisui-transform-ocr"
ENGLISH = ["The", "Project", "Gutenberg", "eBook", "of", "Alice"]
# Where the PDF has the first word of an English page: 40 and 520 of 420 × 595 points.
WORD = [40 / 420, 1 - 533 / 595, 70 / 420, 1 - 520 / 595]
SMALL = b"P5\n10 10\n255\n" + bytes(100)


def gray(name):
    """A page of the fixtures as a PNM."""
    page = Image.open(FIXTURES / f"ocr/{name}.png").convert("L")
    return b"P5\n%d %d\n255\n" % page.size + page.tobytes()


FRENCH = "Parfois a peine ma bougie eteinte mes yeux se fermaient si vite que je navais pas le temps de me dire".split()
GERMAN = "Im Grunde der Herzen aller Winde wohnt die Liebe und wir haben sie nicht immer in der Nacht gesehen als".split()
SPANISH = "En un lugar de la Mancha de cuyo nombre no quiero acordarme no ha mucho tiempo que vivia un hidalgo".split()
ENGLISH_WORDS = "It was the best of times and it was the worst of times it was the age of wisdom and foolishness".split()


def reading(language, words, sure):
    """The case of a shell script in which tesseract reads words in a language."""
    spans = "".join(f'<span class="ocrx_word" title="bbox 0 0 9 9; x_wconf {sure}">{word}</span>' for word in words)
    return f"""*"-l {language} "*) cat >/dev/null; echo '<span class="ocr_line" title="bbox 0 0 9 9">{spans}</span>';;"""


def words(line):
    return [word[4] for word in line["line"]]


class OCRCase(PluginTests):
    def host(self, variables=None, limits=None, **settings):
        host = self.running(Host(PROGRAM, variables=variables))
        host.hello("transform", {"ocr": "true"} | {f"ocr-{name}": value for name, value in settings.items()}, **(limits or {}))
        return host

    def tesseract(self, script, languages="eng jpn jpn_vert osd"):
        """Variables with which a shell script stands in for tesseract; it is asked for its languages as well."""
        listing = f'if [ "$1" = --list-langs ]; then echo "List:"; printf "%s\\n" {languages}; exit; fi'
        return self.programs(tesseract=f"{listing}\n{script}")


class TextTests(OCRCase):
    # A page, its language and layout; how many lines it has, how they run, and words of one of them. One word is a run of Japanese.
    @pytest.mark.parametrize("page, language, layout, count, direction, turns, number, text, box", [
        ("english", "eng", "auto", 7, "ltr", None, 0, ENGLISH, WORD),
        ("english-turned", "eng", "auto", 7, "ltr", 1, 0, ENGLISH, [520 / 595, 40 / 420, 533 / 595, 70 / 420]),
        ("english-upside-down", "eng", "turned", 7, "ltr", 2, 0, ENGLISH[:3], [1 - WORD[2], 1 - WORD[3], 1 - WORD[0], 1 - WORD[1]]),
        ("japanese", "jpn", "auto", 6, "ltr", None, 1, ["どこで生れたか頓と見当がつかぬ。"], []),
        ("japanese-vertical", "jpn_vert", "auto", 6, "vertical", None, 2, ["何でも薄暗いじめじめした所で"], []),
        ("japanese-vertical", "jpn+jpn_vert", "auto", 6, "vertical", None, 2, ["何でも薄暗いじめじめした所で"], []),
        ("arabic", "ara", "auto", 3, "rtl", None, 1, ["ملك", "عادل", "يحب"], []),
    ])
    def test_pages(self, page, language, layout, count, direction, turns, number, text, box):
        lines, _ = self.host(language=language, layout=layout).ask("text", gray(page), id=1)
        for line in lines:
            for left, top, right, bottom, _ in line["line"]:
                assert 0 <= left < right <= 1 and 0 <= top < bottom <= 1
        if direction == "vertical":  # characters beside the columns that explain others
            lines = [line for line in lines if len("".join(words(line))) > 3]
            places = [line["line"][0][0] for line in lines]
            assert places == sorted(places, reverse=True)
        assert [(line["direction"], line.get("quarterTurns")) for line in lines] == [(direction, turns)] * count
        assert words(lines[number])[:len(text)] == text
        assert lines[0]["line"][0][:len(box)] == pytest.approx(box, abs=0.01)
        if page == "japanese":
            assert [len(line["line"]) for line in lines] == [1] * 6
        if direction == "rtl":
            assert lines[1]["line"][0][0] > lines[1]["line"][1][0]

    def test_same_page_same_text(self):
        picture, host = gray("english"), self.host(language="eng")
        first = host.ask("text", picture, id=1)
        assert host.ask("text", picture, id=2) == first
        assert self.host(language="eng").ask("text", picture, id=1) == first
        assert host.close() == 0

    def test_pictures_without_text_and_invalid_ones(self):
        host = self.host(language="eng")
        blank = b"P5\n600 800\n255\n" + b"\xf0" * 480_000
        specks = bytearray(blank)
        for number in range(0, 400):
            specks[20 + (number * 7919) % 480_000] = 0
        for picture in (blank, bytes(specks), b"P5\n1 1\n255\n\0", b"P5\n7 9000\n255\n" + bytes(63_000)):
            assert host.ask("text", picture, id=1)[0] == []
        for picture in (b"", b"text", b"P6\n1 1\n255\n...", b"P5\n100 100\n255\n" + bytes(99)):
            self.refused("damaged", host.ask, "text", picture, id=1)
        self.refused("too-large", host.ask, "text", b"P5\n40000 10\n255\n" + bytes(400_000), id=1)
        assert host.ask("text", b"P5\n20 20\n255\n" + b"\xff" * 400, id=1) == ([], {"ok": True})
        self.refused("too-large", self.host(limits={"pixels": 99}).ask, "text", SMALL, id=1)


class LanguageTests(OCRCase):
    """With a stand-in that has eng, jpn and jpn_vert, and writes down what it is asked for."""

    @pytest.fixture(autouse=True)
    def prepare_tesseract(self, prepare):
        self.variables = self.tesseract(f'echo "$@" "threads $OMP_THREAD_LIMIT" >>{self.folder}/calls')

    # The language that a book states, options, and what is asked for.
    @pytest.mark.parametrize("language, settings, asked", [
        ("ja-JP", {}, "-l jpn+jpn_vert "), ("en", {}, "-l eng "), ("jpn", {}, "-l jpn+jpn_vert "), (None, {}, "-l eng "),
        ("en", {"language": "jpn_vert+eng"}, "-l jpn_vert+eng "), (None, {}, "threads 1"),
        *((None, {"layout": layout}, f"--psm {mode} ") for layout, mode in [("auto", 3), ("turned", 1), ("block", 6), ("sparse", 11)]),
    ])
    def test_what_tesseract_is_asked_for(self, language, settings, asked):
        host = self.host(self.variables, **settings)
        host.change([{"page": 1, "name": "a", "size": [10, 10]}], {"language": language} if language else {})
        host.ask("text", SMALL, id=1)
        assert asked in self.path("calls").read_text().splitlines()[-1]
        # Other processes are told the language.
        self.host(self.variables).ask("text", SMALL, id=1, language="jpn_vert+jpn")
        assert "-l jpn_vert+jpn " in self.path("calls").read_text().splitlines()[-1]

    def test_not_installed(self):
        for language, package in [("deu", "tesseract-ocr-deu"), ("eng+chi_sim", "tesseract-ocr-chi-sim"),
                                  ("script/Latin", "tesseract-ocr-script-lati")]:
            refusal = self.refused("usage", self.host, self.variables, language=language, says="eng, jpn, jpn_vert")
            assert package in refusal.hint
        for language in ("", "+", "osd", "--help", "eng;id", "../eng"):
            self.refused("usage", self.host, self.variables, language=language)
        host, pages = self.host(self.variables), [{"page": 1, "name": "a"}]
        assert "apt install tesseract-ocr-deu" in self.refused("usage", host.change, pages, {"language": "de-AT"}).hint
        # The next book may be in another.
        assert len(host.change(pages, {"language": "en"})[0]) == 1
        assert "apt install tesseract-ocr" in self.refused("unsupported", self.host, self.python_alone()).hint

    def test_every_page_is_asked_for_its_text(self):
        pages = [{"page": page, "name": str(page), "size": [1, 1]} for page in (4, 2, 9)]
        for which, replaces in [("missing", False), ("all", True)]:
            lines = self.host(self.variables, pages=which).change(pages)[0]
            assert lines == [{"page": page, "text": True, "replaces": replaces, "pixels": 2000} for page in (4, 2, 9)]

    def found(self, script=None, count=8, texts=None, book=None, settings=None, said="", cases="", languages="eng jpn jpn_vert osd",
              **keys):
        """The language of a book, as tesseract finds a script; how it is known, and the pages that were looked at."""
        said = said or (f"echo Script: {script}; echo Script confidence: 5.00" if script else "exit 1")
        host = self.host(self.tesseract(f'case "$*" in *"--psm 0"*) cat >/dev/null; {said};; {cases} esac', languages), **settings or {})
        pages = [{"page": page, "name": "a", "size": [10, 10]} | ({"text": texts} if texts else {}) for page in range(1, count + 1)]
        _, wanted, end = host.change(pages, book, lambda _: SMALL, **keys)
        return end.get("language"), end.get("languageFrom"), [line["preview"] for line in wanted]

    @pytest.mark.parametrize("script, keys, language, origin", [
        (None, {"lines_run": "vertical"}, "jpn_vert+jpn", "lines"), ("Japanese", {"lines_run": "vertical"}, "jpn_vert+jpn", "lines"),
        ("Japanese", {"lines_run": "horizontal"}, "jpn+jpn_vert", "script"),
        (None, {}, "eng", "default"), (None, {"locale": "ja-JP"}, "jpn", "locale"),
        # The system's language is not of that script, or not installed.
        *((latin, {"locale": locale}, "eng", origin) for latin in ("Latin", "Fraktur")
          for locale, origin in [(None, "default"), ("ja-JP", "default"), ("de-AT", "default"), ("en-GB", "locale")]),
    ])
    def test_language_of_a_script_and_of_vertical_lines(self, script, keys, language, origin):
        assert self.found(script, **keys)[:2] == (language, origin)

    @pytest.mark.parametrize("script, keys, message, hint", [
        ("Han", {"lines_run": "vertical"}, "", "apt install tesseract-ocr-chi-sim-vert tesseract-ocr-chi-sim"),
        ("HanT", {"lines_run": "vertical", "locale": "zh-TW"}, "", "tesseract-ocr-chi-tra"),
        ("Cyrillic", {}, "the script of the pages is Cyrillic, and rus is not installed: tesseract has eng, jpn, jpn_vert",
         "apt install tesseract-ocr-rus"),
        ("Cyrillic", {"locale": "uk-UA"}, "", "tesseract-ocr-ukr"),
    ])
    def test_script_whose_language_is_not_installed(self, script, keys, message, hint):
        assert hint in self.refused("usage", self.found, script, says=message, **keys).hint

    def test_pages_are_looked_at_only_if_that_is_needed(self):
        run = {"lines_run": "horizontal"}
        for arguments, keys, looked in [
            (("Latin", 50), run, [5, 35, 17]), ((None, 50), {}, [5, 35, 17, 47, 29, 11, 41, 23]),
            # Nothing is recognized on them, so that even a language that is not installed does not matter.
            *((("Latin", 6, text), run | {"settings": {"pages": which}}, looked)
              for text, which, looked in [("invisible", "missing", []), ("visible", "all", []), ("invisible", "all", [2, 3, 4])]),
        ]:
            assert self.found(*arguments, **keys)[2] == looked
        assert self.found("Latin", book={"language": "en"}) == ("eng", "book", [])
        assert self.found("Latin", settings={"language": "jpn"}) == ("jpn", "option", [])
        assert self.found(texts="visible", book={"language": "de"}) == (None, None, [])

    def test_a_script_of_one_page_or_read_worse_is_not_taken(self):
        count = self.path("count")
        said = f"echo >>{count}; [ $(wc -l <{count}) = 2 ] && echo Script: Arabic || echo Script: Latin; echo Script confidence: 5.00"
        assert self.found(said=said)[0] == "eng"

        def read(script, **confidences):
            cases = " ".join(reading(language, ["word"], sure) for language, sure in confidences.items())
            return self.found(script, cases=cases, lines_run="horizontal")[:2]

        # Of a comic's lettering, tesseract says that it is Arabic, or Japanese.
        assert read("Japanese", jpn=30, eng=70) == ("eng", "default")
        assert read("Japanese", jpn=70, eng=30) == ("jpn+jpn_vert", "script")
        assert read("Arabic", eng=70) == ("eng", "default")
        self.refused("usage", read, "Arabic", eng=30)


    # Words as they are read in English, how sure tesseract is of them, and the language that they are in.
    @pytest.mark.parametrize("words, sure, language, origin", [
        (FRENCH, 90, "fra", "words"), (GERMAN, 90, "deu", "words"), (ENGLISH_WORDS, 90, "eng", "words"),
        # Spanish is not installed; and words that are not sure, or few, tell nothing.
        (SPANISH, 90, "eng", "default"), (FRENCH, 50, "eng", "default"), (FRENCH[:3], 90, "eng", "default"),
    ])
    def test_language_of_words(self, words, sure, language, origin):
        keys = {"cases": reading("eng", words, sure), "languages": "eng fra deu jpn osd", "lines_run": "horizontal"}
        assert self.found("Latin", **keys)[:2] == (language, origin)
        # The words are read in the language of the system, if it is installed. This stand-in then finds none.
        assert self.found("Latin", locale="de-AT", **keys)[:2] == ("deu", "locale")


class StandInTests(OCRCase):
    """With a stand-in for tesseract that says what it is told to."""

    PICTURE = b"P5\n1000 1000\n255\n" + bytes(1_000_000)

    def lines(self, found, box="0 0 1000 100", paragraph="", language="jpn+jpn_vert"):
        """The lines of a page with one line of (text, place, confidence), or with HOCR as it is given."""
        if not isinstance(found, bytes):
            head = "<html><body><div class='ocr_page' title='image \"; bbox 1 1 1 1\"; bbox 0 0 1000 1000; ppageno 0'>" \
                   f"<p class='ocr_par' {paragraph}><span class='ocr_line' title=\"bbox {box}; baseline 0 0\">"
            spans = (f"<span class='ocrx_word' id='w' title='bbox {place}; x_wconf {sure}'>{text}</span>" for text, place, sure in found)
            found = f"{head}{''.join(spans)}</span></p></div></body></html>".encode()
        variables = self.tesseract(f"cat >/dev/null; cat {self.path('page.hocr', found)}")
        return self.host(variables, language=language).ask("text", self.PICTURE, id=1)[0]

    # The words of a line, each with its left and right edge in thousandths and its confidence, and the words that are given.
    @pytest.mark.parametrize("_, found, expected", [
        ("runs are joined up to a letter's size, and with digits that they touch",
         [("吾輩", 0, 200, 90), ("は", 220, 300, 90), ("猫", 500, 600, 90), ("3", 605, 650, 90), ("and", 700, 790, 90),
          ("cats", 795, 900, 90)],
         [(0, 0.3, "吾輩は"), (0.5, 0.65, "猫3"), (0.7, 0.79, "and"), (0.795, 0.9, "cats")]),
        ("a wrong letter in a run stays", [("吾輩は", 0, 300, 95), ("猫", 300, 400, 0), ("である", 400, 700, 95)],
         [(0, 0.7, "吾輩は猫である")]),
        ("garbage goes", [("good", 0, 200, 90), ("gxqd", 220, 300, 19), ("~", 320, 340, 50), ("fair", 400, 500, 21)],
         [(0, 0.2, "good"), (0.4, 0.5, "fair")]),
        ("lines and dashes go", [("|", 0, 5, 95), ("—", 10, 90, 95)], []), ("blanks go", [(" ", 0, 500, 95)], []),
        ("boxes do not reach over a neighbor",
         [("one", 0, 100, 90), ("two", 20, 300, 90), ("three", 320, 400, 90), ("four", 350, 500, 90)],
         [(0, 0.1, "one"), (0.1, 0.3, "two"), (0.32, 0.4, "three"), (0.4, 0.5, "four")]),
        ("text is not markup", [("&lt;b&gt;&amp;&#39;\x1b[31m", 0, 200, 90)], [(0, 0.2, "<b>&'[31m")]),
    ])
    def test_words(self, _, found, expected):
        lines = self.lines([(text, f"{left} 0 {right} 100", sure) for text, left, right, sure in found])
        assert [tuple(word) for line in lines for word in line["line"]] == [(left, 0, right, 0.1, text) for left, right, text in expected]

    def test_lines(self):
        # Boxes that reach over the line; lines that run to the left, or up.
        line, = self.lines([("word", "0 0 200 700", 90), ("none", "300 500 400 700", 90)])
        assert line["line"] == [[0, 0, 0.2, 0.1, "word"]]
        line, = self.lines([("one", "400 0 500 100", 90), ("two", "200 0 480 100", 90)], paragraph="dir='rtl'")
        assert [word[:3:2] for word in line["line"]] == [[0.4, 0.5], [0.2, 0.4]]
        for paragraph, expected in [("", ("ltr", 3)), ("dir='rtl'", ("rtl", 1))]:
            line, = self.lines([("one", "0 800 100 1000", 90), ("two", "0 500 100 700", 90)], "0 0 100 1000", paragraph, "eng")
            assert (line["direction"], line["quarterTurns"]) == expected
        # Long lines come in parts.
        found = [(f"word{number:05}", "10 10 20 20", 90) for number in range(5000)]
        lines = self.lines(found)
        assert len(lines) > 1
        assert [word for line in lines for word in words(line)] == [word for word, *_ in found]
        # Invalid HOCR has none.
        for text in (b"", b"<", b"\xff\xfe",
                     b"<div class='ocr_page' title='bbox'><span class='ocrx_word' title='bbox 1 2'>x</span></div>" * 3,
                     b"<span class='ocr_line' title='bbox 9 9 1 1'><span class='ocrx_word' title='bbox 1 2 3 99999999999; x_wconf 9'>x"):
            assert self.lines(text, language="eng") == []

    @pytest.mark.parametrize("script, code, message", [
        ("echo Error: \x1b[31mno model >&2; exit 1", "damaged", "Error: [31mno model"), ("kill -9 $$", "damaged", "signal 9"),
        ("cat >/dev/null; head -c 200000000 /dev/zero >&2; cat </dev/zero", "too-large", ""),
    ])
    def test_failures_are_named(self, script, code, message):
        host = self.host(self.tesseract(script), language="eng")
        self.refused(code, host.ask, "text", self.PICTURE, id=1, says=message)
        assert host.usage()[0] < 300 << 20
        # It goes on after that.
        assert host.hello("transform", {"ocr": "true"})["version"] == 1

    def test_children_end_with_the_socket(self):
        seconds = f"36{os.getpid()}"
        host = self.host(self.tesseract(f"exec sleep {seconds}"), language="eng")
        # Less in the slot than is told.
        self.refused("damaged", host.ask, "text", id=1, bytes=len(self.PICTURE))
        host.show(self.PICTURE)
        host.send({"ask": "text", "id": 1, "bytes": len(self.PICTURE)})
        self.sleeps_until(seconds, is_there=True)
        assert host.close(patience=10) == 0
        self.sleeps_until(seconds, is_there=False, within=0)
