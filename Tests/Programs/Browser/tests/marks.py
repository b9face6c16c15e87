"""Clips, bookmarks and their files; and the dialogs that lead to pages, print them, and choose settings."""

import base64
import io
import json
import pathlib
import re
import subprocess
import tempfile

from PIL import Image

from books import HOSTILE, PAGE, book, ltr, png, rtl, shelf
from reader import NOTED, chromium_test, chromium_tests, compare, test, tests

from .text import WEB, texted

beside = book("beside", [PAGE] * 2, "--with", "cbz,epub", "--title", HOSTILE)
marked = shelf("marked", ["One", "Two", "Three"])
# Pixels of a page in a pixel of the window, where a page is as high as the window.
SCALE = 440 / 600
ENTER = """
document.getElementById("goto").value = "１２";
document.getElementById("goto").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", isComposing: arguments[0], bubbles: true}));
"""
# A file of marks for the open book, read five seconds ago. One of its clips is larger than the page.
FILE = """window.given = JSON.stringify({jisui: "marks", books: [{
  book: book.id, page: 7, read: Date.now() - 5000, settings: {direction: "rtl"},
  bookmarks: [{page: 2, note: ""}], clips: [{page: 2, rect: [0, 0, 9999, 10], note: ""}],
}]});"""
LOAD = "return load('files.js').then(() => loadMarks(new File([given], 'marks.json')))"
# Gives a file of marks to a field, as a person does who chooses it.
CHOOSE = """
const input = document.getElementById(arguments[0]), data = new DataTransfer();
data.items.add(new File([arguments[1]], "marks.json"));
input.files = data.files;
input.dispatchEvent(new Event("change", {bubbles: true}));
"""
# Where the picture of a clip has its whole page, and the size of both.
CLIP = """(([clip, page]) => [page.left - clip.left, page.top - clip.top, page.width, page.height, clip.width, clip.height])(
  $all("#clips .clip, #clips .clip > :first-child").map(element => element.getBoundingClientRect()))"""
SHEETS = "$all('#print .part').map(part => Number(part.dataset.page))"
FOCUS = "[document.activeElement.ariaLabel ?? document.activeElement.textContent, mark.bookmarks.length]"
DOWNLOADS = """$all("#downloads a").map(link =>
  [link.textContent, link.getAttribute("href"), link.download, link.offsetHeight >= 44])"""
BOOKMARKS = "$stored().bookmarks.map(({page, note}) => page + note)"
# Another tab keeps these bookmarks. Its event, which may come late, does not come.
OTHER_TAB = """
const bookmarks = arguments[0].map(text => ({page: Number(text[0]), note: text.slice(1)}));
localStorage.setItem(keyOf(book.id), JSON.stringify({...memoryOf(book.id), bookmarks}));
"""
EVENT = "dispatchEvent(new StorageEvent('storage', {key: keyOf(book.id), newValue: 'new'}))"
NAMELESS = """$all("button, input, select, dialog, [role=group]").filter(element => !(element.ariaLabel || element.textContent.trim()
  || element.labels?.length || element.getAttribute("aria-labelledby"))).map(element => element.outerHTML)"""
SMALL = "$all('.bar button').filter(button => button.offsetParent && Math.min(button.offsetWidth, button.offsetHeight) < 44)"

tests({
    "a clip is the exact rectangle": lambda reader: reader.open(rtl, "#p=4", touch=False)
        .press("c").drag((490, 60), 200, 120).gives("$stored().clips.map(({page}) => page)", [3])
        .gives("$stored().clips[0].rect", [40 * SCALE, 60 * SCALE, 200 * SCALE, 120 * SCALE], within=1)
        .note("(([x, y, ...size]) => [-x, -y, 300, 440, ...size])($stored().clips[0].rect)").press("k").gives(CLIP, NOTED, within=0.5)
        # With the keyboard: half as large as the page at first, moved and sized, and kept by Enter.
        .press("Escape", "c", "Left", ("Shift", "Down"), "Enter")
        .gives("$stored().clips[1]", {"page": 3, "rect": [72, 110, 150, 223], "note": ""}),
    "marks keep the focus in their list": lambda reader: reader.open(ltr, touch=False)
        .press("b", "Right", "b", "k").do("document.querySelector('#bookmarks input').focus()")
        .press("x", "Tab").advance(1000).gives(FOCUS, ["Remove", 2]).gives("mark.bookmarks[0].note", "x")
        .press("Enter").gives(FOCUS, ["Remove", 1]).press("Enter").gives(FOCUS, ["Close", 0]),
    "a file of marks brings its place unless pages were turned since": lambda reader: reader.open(ltr, touch=False)
        .do(FILE).do(LOAD).sees(9, 8).gives("mark.clips.length", 0).press("Home").do(LOAD).sees(1),
    "marks of two tabs are merged": lambda reader: reader.open(rtl, "#p=4", touch=False).press("b").gives(BOOKMARKS, ["3"])
        # One tab saves its place and keeps the mark of the other, and removes a mark and keeps the note of the other.
        .do(OTHER_TAB, ["3", "7"]).press("Left").advance(1000).gives(BOOKMARKS, ["3", "7"])
        .do(OTHER_TAB, ["3first", "7"]).press("Left").sees(9, 8).press("b").gives(BOOKMARKS, ["3first"])
        # A mark that the other adds and removes comes and goes, by saving or by an event.
        .do(OTHER_TAB, ["1", "3first"]).do(EVENT).gives("mark.bookmarks.map(({page}) => page)", [1, 3])
        .do(OTHER_TAB, ["3first"]).press("Left").advance(1000).gives(BOOKMARKS, ["3first"]),
    "an input method has its own Enter": lambda reader: reader.open(ltr, touch=False)
        .press("g").do(ENTER, True).sees(1, dialog="contents").do(ENTER, False).sees(12, 13, dialog=None),
    "numbers, thumbnails and the slider lead to pages": lambda reader: reader.open(rtl)
        .press("g").do("byId('goto').value = ''; byId('goto').focus()").press("1", "0", "Enter").sees(11, 10)
        .press("t").gives("$all('#thumbs [aria-current]').map(button => button.dataset.page)", ["10", "11"])
        .click("#thumbs [data-page='6']").sees(7, 6)
        .fill("#slider", 9).sees(9, 8).gives("byId('slider').ariaValueText", "Pages 8 and 9 of 12"),
    "the browser's own command prints the pages that are seen": lambda reader: reader.open(ltr, "#p=2", touch=False)
        .do("dispatchEvent(new Event('beforeprint'))").gives(SHEETS, [2, 3])
        .do("dispatchEvent(new Event('afterprint'))").gives(SHEETS, []),
    "a book by itself is offered in other formats": lambda reader: reader.open(beside)
        .press("v").gives(DOWNLOADS, [[name.upper(), f"book.{name}", f"{HOSTILE}.{name}", True] for name in ("cbz", "epub")])
        .open(rtl).press("v").gives("byId('downloads').hidden", True),
})

chromium_tests({
    "a clip is given up by a tap or another page": lambda reader: reader.open(rtl, "#p=4")
        .press("c").do("location.hash = '#p=9'").frames(3).gives("[cutting, byId('cut').hidden]", [None, True])
        .press("c").tap(300, 300).gives("[cutting, mark.clips.length]", [None, 0]),
})


@test
def a_dialog_is_closed_from_outside_only(reader):
    reader.open(ltr, touch=False).press("v")
    [left, top, right, _], first, second = reader.run("return $boxes('#view, #view fieldset').slice(0, 3)")
    gap = (first[3] + second[1]) / 2
    reader.drag((left + 10, gap), 0, 0).sees(dialog="view")
    reader.drag(((left + right) / 2, gap), (right - left) / 2 + 30, 0).sees(dialog="view")
    reader.drag((left - 20, top + 50), 0, 0).sees(dialog=None)


@test
def every_control_has_a_name_and_does_something(reader):
    reader.open(rtl).gives(NAMELESS, []).gives(SMALL, []).do("window.print = window.confirm = () => false; save = () => {}")
    # Fullscreen needs a person, and a book is kept only over a server.
    for name in sorted(set(reader.run("return $all('[data-do]').map(button => button.dataset.do)")) - {"full", "offline"}):
        reader.click(f"[data-do={name}]")
    reader.quiet()


def loads(reader, field, marks, answer):
    """Gives a field a file of marks, and expects the answer."""
    reader.advance(5000).do(CHOOSE, field, json.dumps(marks)).wait("!toast.hidden").sees(toast=answer)


@chromium_test
def marks_are_saved_loaded_and_merged(reader):
    reader.open(rtl, "#p=4", touch=False).press("b").gives("document.querySelector('[data-do=bookmark]').ariaPressed", "true")
    reader.press("c", "Enter", "k").fill("#bookmarks input", "</li><b>")
    saved = reader.saved("#marks [data-do=saveMarks]")
    [own] = saved["books"]
    compare([own["bookmarks"], len(own["clips"]), own["page"]], [[{"page": 3, "note": "</li><b>"}], 1, 3])
    clips = reader.saved("[data-do=saveClips]", "clips.json")
    compare(clips["clips"], [{"page": 4, "size": [300, 440], "rect": [75, 110, 150, 220], "note": ""}])
    # jisui cuts the clips that were saved.
    cut = reader.books.write("clips", {"clips.json": json.dumps(clips)})
    reader.books.run(rtl(reader.books), "--clips", cut / "clips.json", "-o", cut / "pages", "--to", "folder", "--force")
    compare(Image.open(cut / "pages/0001.png").size, (150, 220))
    # Another visit, with another mark: afterwards both marks are there, each once.
    reader.open(rtl, "#p=8", touch=False).press("b", "k")
    loads(reader, "load", saved, "1 bookmark and 1 clip were added.")
    loads(reader, "load", saved, "0 bookmarks and 0 clips were added.")
    loads(reader, "load", [1], "This is no file of marks.")
    reader.gives("$all('#bookmarks li input').map(input => input.value)", ["</li><b>", ""])


@chromium_test
def a_shelf_saves_and_merges_the_marks_of_all_its_books(reader):
    one, two, _ = reader.open(marked, touch=False).run("return shelf.books.map(({id}) => id)")
    keep = "localStorage.setItem('jisui:1:' + arguments[0], JSON.stringify(arguments[1]));"
    own = {id: {"page": page, "settings": {"fit": "width"}, "bookmarks": [{"page": 0, "note": id}]} for page, id in ((1, one), (2, two))}
    for id, memory in own.items():
        reader.do(keep, id, {**memory, "read": 1000})
    saved = reader.saved("#shelf-marks [data-do=saveMarks]")
    compare({item["book"]: {name: item[name] for name in own[one]} for item in saved["books"]}, own)
    # In another browser, where one book was read later and the other never.
    reader.do("localStorage.clear();" + keep, one, {"page": 3, "read": 2000, "bookmarks": [{"page": 2, "note": ""}]})
    saved["books"].append({"book": "0" * 16, "bookmarks": []})
    loads(reader, "load-shelf", saved, "2 bookmarks and 0 clips were added. 1 other book was skipped.")
    first, second = (reader.run("return memoryOf(arguments[0])", id) for id in (one, two))
    compare([first["page"], [mark["page"] for mark in first["bookmarks"]]], [3, [0, 2]])
    compare({name: second[name] for name in own[two]}, own[two])


@chromium_test
def a_server_lets_clips_be_saved_as_pictures(reader):
    reader.open(rtl, "#p=4", touch=False).press("c", "Left", "Enter", "k")
    reader.gives("$texts('#clips button').includes('PNG')", reader.address is not None)
    if reader.address:
        reader.do("$all('#clips button').at(-1).click()")
        saved, page = (Image.open(io.BytesIO(data)).convert("RGB") for data in (reader.browser.downloaded("page 4.png"), png(300, 440, 4)))
        compare(saved == page.crop((72, 110, 222, 330)), True)


def printed(reader, pages):
    """Prints pages into a file: its bytes, the places of its words, and pictures of its sheets."""
    reader.do("window.isPrinted = false; window.print = () => { window.isPrinted = true; }").press("p")
    reader.fill("#range", pages).click("[data-do=printPages]").wait("isPrinted")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "printed.pdf"
        path.write_bytes(base64.b64decode(reader.browser.devtools("Page.printToPDF", preferCSSPageSize=True)["data"]))
        text = subprocess.run(["pdftotext", "-bbox", path, "-"], check=True, capture_output=True, text=True).stdout
        subprocess.run(["pdftoppm", "-r", "50", "-png", path, path.with_suffix("")], check=True)
        left = {word: float(left) for left, word in re.findall(r'<word xMin="([\d.]+)".*?>(.*?)</word>', text)}
        return path.read_bytes(), left, [picture.read_bytes() for picture in sorted(path.parent.glob("*.png"))]


@chromium_test
def pages_are_printed_one_a_sheet_with_their_text(reader):
    reader.open(texted, "#p=2", text=True).press("p").gives("byId('range').value", "2, 3").press("Escape")
    pdf, left, sheets = printed(reader, "1, 2-3, 6")
    compare([len(sheets), {"The", "quick", "brown", "jumps."} <= set(left), WEB.encode() in pdf], [4, True, True])
    # Each word has its place on the page: 10, 20 and 36 hundredths from the left.
    compare((left["brown"] - left["The"]) / (left["quick"] - left["The"]), 2.6, within=0.05)
    # The words are not visible.
    _, left, without = printed(reader.do("overlay.print = () => {}"), "1, 2-3, 6")
    compare([left, sheets == without], [{}, True])
