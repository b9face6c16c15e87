#!/usr/bin/python3
"""Tests of Plugins/OCRTransform: Tests/Programs/Plugins/ocr_tests.py [NAME…]"""

import os
import shutil
import subprocess

from PIL import Image

from helpers import FIXTURES, TOP, PluginTests, ask_with, change, eventually, main, needed, processes
from host import Host, Refused

PROGRAM = os.path.join(TOP, "Plugins/OCRTransform/jisui-transform-ocr")
PAGES = os.path.join(FIXTURES, "ocr")


def has(*languages):
    """Skips where tesseract or a language is missing, unless JISUI_REQUIRE_TOOLS asks for all of them."""
    try:
        listed = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True).stdout.split()
    except FileNotFoundError:
        return needed("tesseract")
    return needed(*(f"the language {language}" for language in languages if language not in listed))


def gray(name):
    """A page of the fixtures as a PNM."""
    page = Image.open(os.path.join(PAGES, name)).convert("L")
    return b"P5\n%d %d\n255\n" % page.size + page.tobytes()


class OCRTestCase(PluginTests):

    def host(self, variables=None, **settings):
        host = self.running(Host(PROGRAM, variables=variables))
        self.welcome = host.hello("transform", {"ocr": "true"} | {name.replace("_", "-"): value for name, value in settings.items()})
        return host

    def tesseract(self, script):
        """Variables with which a shell script stands in for tesseract; it is asked for its languages as well."""
        listing = 'if [ "$1" = --list-langs ]; then echo "List:"; printf "%s\\n" eng jpn jpn_vert osd; exit; fi'
        return self.programs(tesseract=f"{listing}\n{script}")

    def words(self, line):
        return [word[4] for word in line["line"]]


@needed("tesseract")
class TextTests(OCRTestCase):
    def read(self, name, language, layout="auto"):
        lines, _ = ask_with(self.host(ocr_language=language, ocr_layout=layout), gray(name), "text", id=1)
        for line in lines:
            for left, top, right, bottom, _ in line["line"]:
                self.assertTrue(0 <= left < right <= 1 and 0 <= top < bottom <= 1)
        return lines

    def near(self, box, expected):
        for one, other in zip(box, expected):
            self.assertAlmostEqual(one, other, delta=0.01)

    def test_promises_of_every_program(self):
        # `plugin check` would have tesseract read hundreds of pages.
        def run(*arguments):
            return subprocess.run([PROGRAM, *arguments], capture_output=True, env={"PATH": os.environ["PATH"]})

        with open(PROGRAM + ".json", "rb") as file:
            self.assertEqual(run("manifest").stdout, file.read())
        self.assertEqual(run().returncode, 64)
        host = self.host()
        self.refused("unsupported", host.hello, "transform", versions=(999,))
        self.refused("unsupported", host.ask, "dance")
        for line in (b"no json\n", b"x" * (1 << 20) + b"\n"):
            host.send(line)
            self.assertRaises(Refused, host.answer)
        self.assertEqual(host.hello("transform", versions=(1, 999), unknown=7)["version"], 1)
        self.assertEqual(host.close(), 0)

    @has("eng")
    def test_lines_and_places(self):
        lines = self.read("english.png", "eng")
        self.assertEqual(len(lines), 7)
        self.assertEqual(self.words(lines[0]), ["The", "Project", "Gutenberg", "eBook", "of", "Alice"])
        self.assertEqual({line["direction"] for line in lines}, {"ltr"})
        self.assertTrue(all("quarterTurns" not in line for line in lines))
        # 40 and 520 of 420 × 595 points, where the PDF has it.
        self.near(lines[0]["line"][0], [40 / 420, 1 - 533 / 595, 70 / 420, 1 - 520 / 595])

    @has("eng")
    def test_pages_on_their_side(self):
        lines = self.read("english-turned.png", "eng")
        self.assertEqual(self.words(lines[0]), ["The", "Project", "Gutenberg", "eBook", "of", "Alice"])
        self.assertEqual([line.get("quarterTurns") for line in lines], [1] * 7)
        self.near(lines[0]["line"][0], [520 / 595, 40 / 420, 533 / 595, 70 / 420])

    @has("eng", "osd")
    def test_pages_upside_down(self):
        lines = self.read("english-upside-down.png", "eng", "turned")
        self.assertEqual(self.words(lines[0])[:3], ["The", "Project", "Gutenberg"])
        self.assertEqual([line.get("quarterTurns") for line in lines], [2] * 7)

    @has("jpn")
    def test_japanese_is_one_word_a_run(self):
        lines = self.read("japanese.png", "jpn")
        self.assertEqual({line["direction"] for line in lines}, {"ltr"})
        self.assertEqual(self.words(lines[1]), ["どこで生れたか頓と見当がつかぬ。"])
        self.assertEqual([len(line["line"]) for line in lines], [1] * 6)

    @has("jpn", "jpn_vert")
    def test_columns(self):
        for language in ("jpn_vert", "jpn+jpn_vert"):
            lines = [line for line in self.read("japanese-vertical.png", language) if len("".join(self.words(line))) > 3]
            self.assertEqual({line["direction"] for line in lines}, {"vertical"})
            self.assertEqual(len(lines), 6)
            self.assertEqual(self.words(lines[2]), ["何でも薄暗いじめじめした所で"])
            places = [line["line"][0][0] for line in lines]
            self.assertEqual(places, sorted(places, reverse=True))

    @has("ara")
    def test_arabic(self):
        lines = self.read("arabic.png", "ara")
        self.assertEqual({line["direction"] for line in lines}, {"rtl"})
        self.assertEqual(len(lines), 3)
        self.assertEqual(self.words(lines[1])[:3], ["ملك", "عادل", "يحب"])
        self.assertGreater(lines[1]["line"][0][0], lines[1]["line"][1][0])

    @has("eng")
    def test_pictures_without_text(self):
        host = self.host(ocr_language="eng")
        blank = b"P5\n600 800\n255\n" + b"\xf0" * 480_000
        specks = bytearray(blank)
        for number in range(0, 400):
            specks[20 + (number * 7919) % 480_000] = 0
        for picture in (blank, bytes(specks), b"P5\n1 1\n255\n\0", b"P5\n7 9000\n255\n" + bytes(63_000)):
            self.assertEqual(ask_with(host, picture, "text", id=1)[0], [])

    @has("eng")
    def test_same_page_same_text(self):
        picture = gray("english.png")
        host = self.host(ocr_language="eng")
        first = ask_with(host, picture, "text", id=1)
        self.assertEqual(ask_with(host, picture, "text", id=2), first)
        self.assertEqual(ask_with(self.host(ocr_language="eng"), picture, "text", id=1), first)
        self.assertEqual(host.close(), 0)

    def test_invalid_pictures(self):
        host = self.host()
        for picture in (b"", b"text", b"P6\n1 1\n255\n...", b"P5\n100 100\n255\n" + bytes(99)):
            self.refused("damaged", ask_with, host, picture, "text", id=1)
        self.refused("too-large", ask_with, host, b"P5\n40000 10\n255\n" + bytes(400_000), "text", id=1)
        self.assertEqual(ask_with(host, b"P5\n20 20\n255\n" + b"\xff" * 400, "text", id=1), ([], {"ok": True}))
        with Host(PROGRAM) as small:
            small.hello("transform", {"ocr": "true"}, pixels=99)
            self.refused("too-large", ask_with, small, b"P5\n10 10\n255\n" + bytes(100), "text", id=1)


class LanguageTests(OCRTestCase):
    """With a stand-in that has eng, jpn and jpn_vert, and writes down what it is asked for."""

    def setUp(self):
        super().setUp()
        self.variables = self.tesseract(f'echo "$@" "threads $OMP_THREAD_LIMIT" >>{self.folder}/calls')

    def asked(self, book, **settings):
        host = self.host(self.variables, **settings)
        change(host, [{"page": 1, "name": "a", "size": [10, 10]}], book)
        ask_with(host, b"P5\n10 10\n255\n" + bytes(100), "text", id=1)
        return self.path("calls").read_text().splitlines()[-1]

    def test_language_of_the_book_is_used(self):
        self.assertIn("-l jpn+jpn_vert ", self.asked({"language": "ja-JP"}))
        self.assertIn("-l eng ", self.asked({"language": "en"}))
        self.assertIn("-l jpn+jpn_vert ", self.asked({"language": "jpn"}))
        self.assertIn("-l eng ", self.asked({}))

    def test_asked_for(self):
        self.assertIn("-l jpn_vert+eng ", self.asked({"language": "en"}, ocr_language="jpn_vert+eng"))

    def test_layouts(self):
        for layout, mode in (("auto", 3), ("turned", 1), ("block", 6), ("sparse", 11)):
            self.assertIn(f"--psm {mode} ", self.asked({}, ocr_layout=layout))

    def test_one_thread_each(self):
        self.assertIn("threads 1", self.asked({}))

    def test_not_installed(self):
        for language, package in (("deu", "tesseract-ocr-deu"), ("eng+chi_sim", "tesseract-ocr-chi-sim"), ("script/Latin", "tesseract-ocr-script-lati")):
            refusal = self.refused("usage", self.host, self.variables, ocr_language=language)
            self.assertIn("eng, jpn, jpn_vert", refusal.message)
            self.assertIn(package, refusal.hint)
        for language in ("", "+", "osd", "--help", "eng;id", "../eng"):
            self.refused("usage", self.host, self.variables, ocr_language=language)

    def test_language_of_the_book_is_not_installed(self):
        host = self.host(self.variables)
        pages = [{"page": 1, "name": "a"}]
        refusal = self.refused("usage", change, host, pages, {"language": "de-AT"})
        self.assertIn("apt install tesseract-ocr-deu", refusal.hint)
        # The next book may be in another.
        self.assertEqual(len(change(host, pages, {"language": "en"})[0]), 1)

    def test_every_page_is_asked_for_its_text(self):
        pages = [{"page": page, "name": str(page), "size": [1, 1]} for page in (4, 2, 9)]
        for which, replaces in (("missing", False), ("all", True)):
            lines, _ = change(self.host(self.variables, ocr_pages=which), pages)
            self.assertEqual([(line["page"], line["text"], line["replaces"]) for line in lines], [(page, True, replaces) for page in (4, 2, 9)])
            self.assertEqual({line["pixels"] for line in lines}, {2000})

    def test_other_processes_are_told_the_language(self):
        host = self.host(self.variables)
        ask_with(host, b"P5\n10 10\n255\n" + bytes(100), "text", id=1, language="jpn_vert+jpn")
        self.assertIn("-l jpn_vert+jpn ", self.path("calls").read_text())

    def found(self, script=None, pages=6, texts=None, **keys):
        """The language of a book that states none, as tesseract finds a script; and the pages that were looked at."""
        said = f"printf 'Script: {script}\\nScript confidence: 5.00\\n'" if script else "exit 1"
        host = self.host(self.tesseract(f'case "$*" in *"--psm 0"*) cat >/dev/null; {said};; esac'), **keys.pop("settings", {}))
        listed = [{"page": page, "name": "a", "size": [10, 10]} | ({"text": texts} if texts else {}) for page in range(1, pages + 1)]
        _, wanted = change(host, listed, keys.pop("book", {}), lambda _: b"P5\n10 10\n255\n" + bytes(100), **keys)
        return host.end.get("language"), host.end.get("languageFrom"), [line["preview"] for line in wanted]

    def test_vertical_lines(self):
        self.assertEqual(self.found(lines_run="vertical")[:2], ("jpn_vert+jpn", "lines"))
        self.assertEqual(self.found("Japanese", lines_run="vertical")[:2], ("jpn_vert+jpn", "lines"))
        self.assertEqual(self.found("Japanese", lines_run="horizontal")[:2], ("jpn+jpn_vert", "script"))
        refusal = self.refused("usage", self.found, "Han", lines_run="vertical")
        self.assertIn("apt install tesseract-ocr-chi-sim-vert tesseract-ocr-chi-sim", refusal.hint)
        self.assertIn("tesseract-ocr-chi-tra", self.refused("usage", self.found, "HanT", lines_run="vertical", locale="zh-TW").hint)

    def test_script(self):
        refusal = self.refused("usage", self.found, "Cyrillic")
        self.assertIn("the script of the pages is Cyrillic, and rus is not installed: tesseract has eng, jpn, jpn_vert", refusal.message)
        self.assertIn("apt install tesseract-ocr-rus", refusal.hint)
        self.assertIn("tesseract-ocr-ukr", self.refused("usage", self.found, "Cyrillic", locale="uk-UA").hint)
        for latin in ("Latin", "Fraktur"):
            self.assertEqual(self.found(latin, lines_run="horizontal")[:2], ("eng", "default"))
            # The system's language is not of that script, or not installed.
            self.assertEqual(self.found(latin, locale="ja-JP")[:2], ("eng", "default"))
            self.assertEqual(self.found(latin, locale="de-AT")[:2], ("eng", "default"))
            self.assertEqual(self.found(latin, locale="en-GB")[:2], ("eng", "locale"))

    def test_nothing_shows_the_language(self):
        self.assertEqual(self.found()[:2], ("eng", "default"))
        self.assertEqual(self.found(locale="ja-JP")[:2], ("jpn", "locale"))

    def test_pages_are_looked_at_only_if_that_is_needed(self):
        self.assertEqual(self.found("Latin", 50, lines_run="horizontal")[2], [5, 35, 17])
        self.assertEqual(self.found(None, 50)[2], [5, 35, 17, 47, 29, 11, 41, 23])
        self.assertEqual(self.found("Latin", book={"language": "en"}), ("eng", "book", []))
        self.assertEqual(self.found("Latin", settings={"ocr_language": "jpn"}), ("jpn", "option", []))
        # Nothing is recognized on them, so that even a language that is not installed does not matter.
        for text, which, looked in (("invisible", "missing", []), ("visible", "all", []), ("invisible", "all", [2, 3, 4])):
            self.assertEqual(self.found("Latin", texts=text, lines_run="horizontal", settings={"ocr_pages": which})[2], looked)
        self.assertEqual(self.found(texts="visible", book={"language": "de"}), (None, None, []))

    def test_one_page_proves_no_other_script(self):
        count = self.path("count")
        said = f"echo >>{count}; [ $(wc -l <{count}) = 2 ] && echo Script: Arabic || echo Script: Latin; echo Script confidence: 5.00"
        host = self.host(self.tesseract(f'case "$*" in *"--psm 0"*) cat >/dev/null; {said};; esac'))
        change(host, [{"page": page, "name": "a"} for page in range(1, 9)], {}, lambda _: b"P5\n10 10\n255\n" + bytes(100))
        self.assertEqual(host.end["language"], "eng")

    def read_with(self, script, **confidences):
        """The language of a book, as tesseract finds a script, and reads its pages as surely in each language."""
        found = " ".join(
            f"""*"-l {language} "*) cat >/dev/null; echo '<span class="ocr_line" title="bbox 0 0 9 9"><span class="ocrx_word" """
            f"""title="bbox 0 0 9 9; x_wconf {confidence}">word</span></span>';;""" for language, confidence in confidences.items())
        osd = f'*"--psm 0"*) cat >/dev/null; echo Script: {script}; echo Script confidence: 5.00;;'
        host = self.host(self.tesseract(f'case "$*" in {osd} {found} esac'))
        pages = [{"page": page, "name": "a"} for page in range(1, 9)]
        change(host, pages, {}, lambda _: b"P5\n10 10\n255\n" + bytes(100), lines_run="horizontal")
        return host.end["language"], host.end["languageFrom"]

    def test_a_script_that_is_read_worse_is_not_taken(self):
        # Of a comic's lettering, tesseract says that it is Arabic, or Japanese.
        self.assertEqual(self.read_with("Japanese", jpn=30, eng=70), ("eng", "default"))
        self.assertEqual(self.read_with("Japanese", jpn=70, eng=30), ("jpn+jpn_vert", "script"))
        self.assertEqual(self.read_with("Arabic", eng=70), ("eng", "default"))
        self.refused("usage", self.read_with, "Arabic", eng=30)

    def test_no_tesseract(self):
        shutil.rmtree(self.path("bin"))
        self.assertIn("apt install tesseract-ocr", self.refused("unsupported", self.host, self.python_alone()).hint)


class StandInTests(OCRTestCase):
    """With a stand-in for tesseract that says what it is told to."""

    PICTURE = b"P5\n1000 1000\n255\n" + bytes(1_000_000)

    def lines(self, *words, box=(0, 0, 1000, 100), language="jpn+jpn_vert", paragraph=""):
        spans = "".join(f"<span class='ocrx_word' id='w' title='bbox {place}; x_wconf {sure}'>{text}</span>" for text, place, sure in words)
        hocr = f"<html><body><div class='ocr_page' title='image \"; bbox 1 1 1 1\"; bbox 0 0 1000 1000; ppageno 0'><p class='ocr_par' {paragraph}>" \
               f"<span class='ocr_line' title=\"bbox {' '.join(map(str, box))}; baseline 0 0\">{spans}</span></p></div></body></html>"
        variables = self.tesseract(f"cat >/dev/null; cat {self.path('page.hocr', hocr.encode())}")
        return ask_with(self.host(variables, ocr_language=language), self.PICTURE, "text", id=1)[0]

    def test_runs(self):
        # Joined up to a letter's size; further apart they are two. Digits belong to what they touch.
        line, = self.lines(("吾輩", "0 0 200 100", 90), ("は", "220 0 300 100", 90), ("猫", "500 0 600 100", 90), ("3", "605 0 650 100", 90),
                           ("and", "700 0 790 100", 90), ("cats", "795 0 900 100", 90))
        self.assertEqual(self.words(line), ["吾輩は", "猫3", "and", "cats"])
        self.assertEqual(line["line"][0][:4], [0, 0, 0.3, 0.1])

    def test_a_wrong_letter_in_a_run_stays(self):
        line, = self.lines(("吾輩は", "0 0 300 100", 95), ("猫", "300 0 400 100", 0), ("である", "400 0 700 100", 95))
        self.assertEqual(self.words(line), ["吾輩は猫である"])

    def test_garbage_goes(self):
        line, = self.lines(("good", "0 0 200 100", 90), ("gxqd", "220 0 300 100", 19), ("~", "320 0 340 100", 50), ("fair", "400 0 500 100", 21))
        self.assertEqual(self.words(line), ["good", "fair"])
        self.assertEqual(self.lines(("|", "0 0 5 100", 95), ("—", "10 50 90 55", 95)), [])
        self.assertEqual(self.lines((" ", "0 0 500 100", 95)), [])

    def test_boxes_that_reach_over_the_line(self):
        line, = self.lines(("word", "0 0 200 700", 90), ("none", "300 500 400 700", 90))
        self.assertEqual(line["line"], [[0, 0, 0.2, 0.1, "word"]])

    def test_boxes_that_reach_over_a_neighbor(self):
        line, = self.lines(("one", "0 0 100 100", 90), ("two", "20 0 300 100", 90), ("three", "320 0 400 100", 90), ("four", "350 0 500 100", 90))
        self.assertEqual([word[:3:2] for word in line["line"]], [[0, 0.1], [0.1, 0.3], [0.32, 0.4], [0.4, 0.5]])
        line, = self.lines(("one", "400 0 500 100", 90), ("two", "200 0 480 100", 90), paragraph="dir='rtl'")
        self.assertEqual([word[:3:2] for word in line["line"]], [[0.4, 0.5], [0.2, 0.4]])

    def test_text_is_not_markup(self):
        line, = self.lines(("&lt;b&gt;&amp;&#39;\x1b[31m", "0 0 200 100", 90))
        self.assertEqual(self.words(line), ["<b>&'[31m"])

    def test_lines_that_run_up(self):
        line, = self.lines(("one", "0 800 100 1000", 90), ("two", "0 500 100 700", 90), box=(0, 0, 100, 1000), language="eng")
        self.assertEqual((line["direction"], line["quarterTurns"]), ("ltr", 3))
        line, = self.lines(("one", "0 800 100 1000", 90), ("two", "0 500 100 700", 90), box=(0, 0, 100, 1000), paragraph="dir='rtl'",
                           language="eng")
        self.assertEqual((line["direction"], line["quarterTurns"]), ("rtl", 1))

    def test_long_lines_come_in_parts(self):
        words = [(f"word{number:05}", "10 10 20 20", 90) for number in range(5000)]
        lines = self.lines(*words)
        self.assertGreater(len(lines), 1)
        self.assertEqual([word for line in lines for word in self.words(line)], [word for word, *_ in words])

    def test_invalid_hocr(self):
        for text in (b"", b"<", b"\xff\xfe", b"<div class='ocr_page' title='bbox'><span class='ocrx_word' title='bbox 1 2'>x</span></div>" * 3,
                     b"<span class='ocr_line' title='bbox 9 9 1 1'><span class='ocrx_word' title='bbox 1 2 3 99999999999; x_wconf 9'>x"):
            variables = self.tesseract(f"cat >/dev/null; cat {self.path('page.hocr', text)}")
            self.assertEqual(ask_with(self.host(variables, ocr_language="eng"), self.PICTURE, "text", id=1), ([], {"ok": True}))

    def test_failures_are_named(self):
        host = self.host(self.tesseract("echo Error: \x1b[31mno model >&2; exit 1"), ocr_language="eng")
        self.assertIn("Error: [31mno model", self.refused("damaged", ask_with, host, self.PICTURE, "text", id=1).message)
        host = self.host(self.tesseract("kill -9 $$"), ocr_language="eng")
        self.assertIn("signal 9", self.refused("damaged", ask_with, host, self.PICTURE, "text", id=1).message)
        # It goes on after that.
        self.assertEqual(host.hello("transform", {"ocr": "true"})["version"], 1)

    def test_floods(self):
        host = self.host(self.tesseract("cat >/dev/null; head -c 200000000 /dev/zero >&2; cat </dev/zero"), ocr_language="eng")
        self.refused("too-large", ask_with, host, self.PICTURE, "text", id=1)
        self.assertLess(host.memory(), 300 << 20)

    def test_children_end_with_the_socket(self):
        # A time that nobody else sleeps.
        seconds = f"36{os.getpid()}"
        host = self.host(self.tesseract(f"exec sleep {seconds}"), ocr_language="eng")
        host.send({"ask": "text", "id": 1, "bytes": len(self.PICTURE)})
        self.refused("damaged", host.answer)
        os.pwrite(host.slot, self.PICTURE, 0)
        host.send({"ask": "text", "id": 1, "bytes": len(self.PICTURE)})
        eventually(self, lambda: processes("sleep", seconds))
        self.assertEqual(host.close(patience=10), 0)
        self.assertEqual(processes("sleep", seconds), [])


if __name__ == "__main__":
    main()
