"""Outside plug-ins from end to end: jisui, started as people start it, with plug-ins that keep or break the protocol."""

import json
import os
import re
import shutil
import subprocess

from helpers import FIXTURES, JISUI, TOP

ENGLISH, UPSIDE_DOWN = (FIXTURES / f"ocr/english{name}.png" for name in ("", "-upside-down"))
OCR = "Plugins/OCRTransform/jisui-transform-ocr"


def format_of(case, name):
    return json.loads(case.jisui("info", "--json", name).stdout)["format"]


def test_a_source_is_like_those_of_jisui(case):
    case.faulty()
    book = case.path("book.faulty").read_bytes()
    outputs = set()
    for jobs in ("1", "2", "8"):
        case.convert("book.faulty", "-o", f"{jobs}.cbz", "--jobs", jobs, "--report", "report.json", "--force")
        outputs.add(case.path(f"{jobs}.cbz").read_bytes())
        ways = [page["treatment"] for page in case.read("report.json")["pages"]]
        assert ways == ["verbatim", "verbatim", "verbatim", "lossless", "rendered"]
    assert len(outputs) == 1, "other bytes with other lanes"
    assert all(page in book for page in case.pages("1.cbz")[:2]), "pages of the input were changed"
    assert format_of(case, "book.faulty") == "faulty", "read by another"
    shown = case.jisui("formats").stdout
    assert "--faulty-pages" in shown and "books for tests" in shown
    assert "--faulty-pages" in case.jisui("help", "convert").stdout, "no help"
    case.convert("book.faulty", "-o", "two.cbz", "--faulty-pages", "2")
    assert len(case.pages("two.cbz")) == 2, "the option did nothing"
    case.convert("book.faulty", "-o", "x.cbz", "--faulty-pages", "1000", status=64, says="1 to 100")


def test_plugin_claims_to_built_in_formats_are_reported(case):
    case.faulty()
    magic = [{"at": 0, "text": "FAULTY\n"}, {"at": 0, "hex": "89504e47"}, {"at": 0, "text": "PK"}]
    case.change_card("source-faulty", extensions=["faulty", "jpg", "png", "zip"], magic=magic)
    told = "jisui itself reads .jpg, .png, .zip, zip data, PNG data; use --from faulty"
    for arguments in (["list"], ["add", "plugins/jisui-source-faulty"]):
        ended = case.jisui("plugin", *arguments)
        assert ended.returncode == 0 and told in ended.stdout
    case.convert("book.faulty", "-o", "book.cbz")
    case.path("page.png", case.pages("book.cbz")[0])
    shutil.copy(case.path("book.cbz"), case.path("book.zip"))
    formats = [format_of(case, name) for name in ("page.png", "book.zip", "book.faulty")]
    assert formats == ["picture", "archive", "faulty"]


def test_plugin_that_crashes_once_is_restarted(case):
    case.faulty("read-crashes-once")
    case.convert("book.faulty", "-o", "book.cbz", "--jobs", "1")
    assert len(case.pages("book.cbz")) == 5, "a page is missing"


def test_examples_are_used(case):
    """An example with a name or an option of jisui's own would be listed as not used."""
    names = [name for name in os.listdir(TOP / "Examples/Plugins") if re.fullmatch("jisui-[a-z-]+", name)]
    assert len(names) > 4
    for name in names:
        case.copy(f"Examples/Plugins/{name}")
    listed = json.loads(case.jisui("plugin", "list", "--json").stdout)["plugins"]
    states = {f"jisui-{plugin['name']}": plugin["state"] for plugin in listed if plugin["program"].startswith(str(case.plugins))}
    assert states == dict.fromkeys(names, "usable")
    case.faulty()
    case.convert("book.faulty", "-o", "out/", "--to", "gallery")
    assert "index.html" in os.listdir(case.path("out")), "no page"
    case.convert("book.faulty", "-o", "all.cbz")
    assert len(case.pages("all.cbz")) == 5, "applied unasked"
    case.convert("book.faulty", "-o", "x.cbz", "--skip-blank-ink", "3", status=64, says="--skip-blank")
    case.path("recipe.json", b'{"skip-blank": true, "skip-blank-ink": 3}')
    without = ("--recipe", "recipe.json", "--recipe-without", "skip-blank")
    case.convert("book.faulty", "-o", "x.cbz", *without, says="--recipe-without also left out --skip-blank-ink\n")
    # The fifth page is of one gray.
    case.convert("book.faulty", "-o", "some.cbz", "--skip-blank")
    assert len(case.pages("some.cbz")) < 5, "the blank page stayed"
    ended = case.convert("book.faulty", "-o", "white.cbz", "--white-point", "--white-point-tolerance", "24", "-v")
    assert "changed by jisui-transform-white-point" in ended.stdout + ended.stderr


def test_a_transform_changes_images(case):
    case.faulty()
    case.faulty("image")
    note = "changed by jisui-transform-faulty"

    def converted(name, changed, *more, status=0):
        """The pages, of which so many have the note. One line can be about several."""
        ended = case.convert("book.faulty", "-o", name, "-v", *more, status=status)
        lines = re.findall(rf"^ *(\d+)(?:-(\d+))? .*{note}", ended.stdout + ended.stderr, re.MULTILINE)
        assert sum(int(last or first) - int(first) + 1 for first, last in lines) == changed, f"{more}: {lines}"
        return case.pages(name) if case.path(name).exists() else None

    plain = converted("plain.cbz", 0)
    changed = converted("changed.cbz", 5, "--faulty", "--jobs", "1", "--verify")
    assert len(changed) == 5 and not set(changed) & set(plain), "a page stayed as it was"
    assert converted("again.cbz", 5, "--faulty", "--jobs", "4", "--isolate", "all") == changed, "another run gives other pages"
    # Its own changes come first: the trimmed page is a part of the negative.
    converted("trimmed.cbz", 5, "--faulty", "--trim", status=(0, 3))
    assert converted("x.cbz", 5, "--faulty", "--dry-run") is None, "a dry run wrote a book"
    case.convert("book.faulty", "-o", "x.cbz", "--faulty", "--lossless", status=1, says=note)


def test_text_that_no_output_holds_is_not_added(case):
    case.copy("Examples/Plugins/jisui-transform-skip-blank")
    case.change_card("transform-skip-blank", features=["text"])
    case.faulty()
    case.convert("book.faulty", "-o", "x.cbz", "--skip-blank", status=64, says="cbz cannot store this: text")
    assert not case.path("x.cbz").exists(), "written"
    # Of the page that is skipped a warning tells: a link led to it. A folder for browsers holds text, whatever lies beside it.
    for output in (["x.pdf"], ["web", "--to", "web", "--with", "cbz"]):
        case.convert("book.faulty", "-o", *output, "--skip-blank", status=3)


def test_text_is_read_as_pages_are_turned_and_split(case):
    case.copy(OCR)
    ocr = ("--ocr", "--ocr-language", "eng")

    def places(name):
        """Of each page: the shares of the page's width at which the word "Gutenberg" begins."""
        found = subprocess.run(["pdftotext", "-cropbox", "-bbox", case.path(name), "-"], capture_output=True, text=True, check=True)
        pages = found.stdout.split("<page ")[1:]
        return [[round(float(left) / float(re.search('width="(.*?)"', page)[1]), 2)
                 for left in re.findall('xMin="([^"]*)"[^>]*>Gutenberg<', page)] for page in pages]

    case.convert(ENGLISH, "-o", "page.pdf", *ocr)
    [expected] = places("page.pdf")
    assert len(expected) == 1, "nothing is read"
    # It stands on its head in the source, whether its picture or its page is kept.
    case.convert(UPSIDE_DOWN, "-o", "plain.pdf")
    for source in (UPSIDE_DOWN, "plain.pdf"):
        case.convert(source, "-o", "turned.pdf", "--rotate", "180", "--force", *ocr)
        assert places("turned.pdf") == [expected], f"{source}: {places('turned.pdf')}, not {expected}"
    case.convert(ENGLISH, ENGLISH, "-o", "wide.pdf", "--combine", "--spreads", "merge", "--cover", "paired")
    for more in ((), ("--rebuild",)):
        ended = case.convert("wide.pdf", "-o", "halves.pdf", "--spreads", "split", "--fold", "50%", "--force", "-v", *more, *ocr)
        assert places("halves.pdf") == [expected, expected], f"{more}: {places('halves.pdf')}"
        assert ended.stderr.count("with recognized text") == 3
    # What has a text keeps it, and what has none is not said to have got one.
    ended = case.convert("halves.pdf", "-o", "again.pdf", "-v", *ocr)
    assert ended.stderr.count("with its own text") == 2
    ended = case.jisui(FIXTURES / "good/Imaging/baseline.jpg", "-o", "none.pdf", "-v", *ocr)
    assert "with recognized text" not in ended.stderr
    assert "--ocr did not apply: no text was found on the pages" in ended.stderr


# Operators of a PDF between BT and ET. The font's line is longer than the page, as an old layer in a wrong font may be.
STAMP = "0 Tr 1 0 0 1 20 8 Tm (Source library) Tj"
LINE = "1 0 0 1 40 {} Tm (oldword " + "and rubbish " * 7 + ") Tj "
OVER, BELOW = ("".join(map(LINE.format, places)) for places in (range(380, 540, 5), range(60, 260, 20)))
# Its cause depends on the languages that tesseract has.
ASSUMED = "recognized 1 page in English, because "
STATED = "recognized 1 page in English, the language of the book; use"
ALL = ("--ocr-pages", "all")
OLD = ("no OCR: 1 page has text already, such as 'oldword and rubbish", "; use --ocr-pages all")
KEPT, SHOWN = [0, 32, 1], [0, 32, 0]
# The text over a page of text, options, the words of messages, and how often the output has "Gutenberg", "oldword" and "Source".
RECOGNIZED = [
    # A library's line is no text of the page. It stays, and is not there twice where it is recognized, too.
    *((STAMP, more, [ASSUMED], [1, 0, 1]) for more in ((), ("--rebuild",), ALL)),
    # An old layer is kept until another one is asked for. The visible text stays.
    (f"3 Tr {OVER} {STAMP}", (), OLD, KEPT),
    *((f"3 Tr {OVER} {STAMP}", (*ALL, "--language", "en", *more), [STATED], [1, 0, 1])
      for more in ((), ("--rebuild",), ("--page-size", "a4"), ("--rotate", "180", "--ocr-layout", "turned"))),
    # A page that shows its text is not recognized, and no option changes that.
    *((f"0 Tr {OVER}", more, ["no OCR: 1 page has text already"], SHOWN) for more in ((), ALL)),
    # Text below the scan's own lines does not make these searchable. It is not there twice.
    (f"0 Tr {BELOW}", (), ["recognized 1 page"], [1, 10, 0]),
]


def test_pages_are_recognized_unless_text_covers_their_lines(case):
    case.copy(OCR)
    for text, more, messages, expected in RECOGNIZED:
        # A page of 420 by 595 points that is a gray picture with text over it.
        page = f"%%MediaBox 0 0 420 595\n%%Font F Helvetica\n%%Image I {ENGLISH}\nq 420 0 0 595 0 0 cm /I Do Q BT /F 8 Tf {text} ET\n"
        subprocess.run(["mutool", "create", "-o", case.path("in.pdf"), "/dev/stdin"], input=page, text=True, check=True)
        said = case.convert("in.pdf", "-o", "out.pdf", "--force", "--ocr", *more, LC_ALL="C").stderr
        assert all(message in said for message in messages), f"{more}: {said}"
        assert expected != SHOWN or "--ocr-pages" not in said, f"{more}: {said}"
        found = subprocess.run(["pdftotext", case.path("out.pdf"), "-"], capture_output=True, text=True, check=True).stdout.split()
        found = [found.count(word) for word in ("Gutenberg", "oldword", "Source")]
        assert found == expected, f"{more}: {found}"
        if more[:2] == ALL and expected == [1, 0, 1]:
            case.convert("in.pdf", "-o", "web", "--to", "web", "--force", "--ocr", *ALL, "--ocr-language", "eng")
            texts = b"".join(path.read_bytes() for path in case.path("web").rglob("*") if path.is_file())
            assert b"Gutenberg" in texts and b"Source" in texts and b"oldword" not in texts


def test_unsafe_plugins_are_not_run(case):
    case.faulty()
    program = case.plugins / "jisui-source-faulty"
    os.chmod(program, 0o775)
    case.convert("book.faulty", "-o", "book.cbz", "--from", "faulty", status=64, says="can be written by other users")
    os.chmod(program, 0o755)
    # Neither the current folder, nor the input's, nor those of PATH, nor a relative one.
    shutil.copy(case.path("book.faulty"), case.plugins)
    for variables in ({"JISUI_PLUGIN_PATH": ""}, {"JISUI_PLUGIN_PATH": ".:plugins"},
                      {"JISUI_PLUGIN_PATH": "", "PATH": f"{case.plugins}:{os.environ['PATH']}"}):
        case.convert("book.faulty", "-o", "../book.cbz", folder=case.plugins, status=1, says="unrecognized format", **variables)


def test_plugins_next_to_an_installed_program_are_found(case):
    case.faulty()
    shutil.copytree(case.plugins, case.path("prefix/lib/jisui/plugins"))
    case.path("prefix/bin").mkdir()
    program = shutil.copy(JISUI, case.path("prefix/bin"))
    case.convert("book.faulty", "-o", "book.cbz", program=program, JISUI_PLUGIN_PATH="")


def test_plugins_are_added_and_removed(case):
    case.faulty()
    program = case.plugins / "jisui-source-faulty"
    for status, words, *arguments in [
        (0, "source-faulty is added", "plugin", "add", program), (0, "", "book.faulty", "-o", "book.cbz"),
        (1, "", "plugin", "add", program), (0, "", "plugin", "add", program, "--force"),
        (0, "", "plugin", "remove", "source-faulty"), (64, "", "plugin", "remove", "source-faulty"),
        (0, "No plug-ins are in", "plugin", "list"),
    ]:
        ended = case.jisui(*arguments, JISUI_PLUGIN_PATH="")
        assert ended.returncode == status and words in ended.stdout, f"{arguments}: {ended.returncode} {ended.stdout}{ended.stderr}"
