"""Clips, bookmarks, and the dialogs that lead to pages and print them."""

import base64
import io
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

from PIL import Image

from checks import PAGE, corners, equal, in_chromium, in_chromium_of, near, near_all, rtl, test, test_of
from reader import png

from .opening import HOSTILE
from .text import WEB, typed


@test
def a_clip_is_the_exact_rectangle(reader, books):
    folder = rtl(books)
    state = reader.open(folder, "#p=4", touch=False)
    left, top, right, _ = state["boxes"][1]
    equal(state["pages"][1], 4)
    scale = 300 / (right - left)
    reader.press("c")
    reader.browser.drag((left + 40, top + 60), 200, 120)
    clips = reader.run(STORED)["clips"]
    equal(len(clips), 1)
    near_all(clips[0]["rect"], [40 * scale, 60 * scale, 200 * scale, 120 * scale], 1)
    equal(clips[0]["page"], 3)
    reader.press("k")
    x, y, width, height = clips[0]["rect"]
    left, top, right, bottom = reader.box("#clips .clip")
    shown = (right - left) / width
    near(bottom - top, height * shown, 0.5)
    near_all(reader.box("#clips .clip > :first-child"), corners(left - x * shown, top - y * shown, 300 * shown, 440 * shown), 0.5, "the part that is seen")
    # With the keyboard: as large as half the page, moved and sized, kept by Enter.
    reader.press("Escape")
    reader.press("c", "Left", ("Shift", "Down"), "Enter")
    clips = reader.run(STORED)["clips"]
    equal(clips[1], {"page": 3, "rect": [72, 110, 150, 223], "note": ""})


@in_chromium
def marks_are_saved_loaded_and_merged(reader, books):
    folder = rtl(books)
    reader.open(folder, "#p=4", touch=False)
    reader.press("b")
    equal(reader.run("return document.querySelector('[data-do=bookmark]').ariaPressed"), "true")
    reader.press("c", "Enter", "k")
    reader.fill("#bookmarks input", "</li><b>")
    reader.browser.click("#marks [data-do=saveMarks]")
    saved = json.loads(reader.browser.downloaded("marks.json"))
    [own] = saved["books"]
    equal((own["bookmarks"], len(own["clips"]), own["page"]), ([{"page": 3, "note": "</li><b>"}], 1, 3))
    reader.browser.click("[data-do=saveClips]")
    clips = reader.browser.downloaded("clips.json")
    equal(json.loads(clips)["clips"], [{"page": 4, "size": [300, 440], "rect": [75, 110, 150, 220], "note": ""}])
    # jisui cuts what was saved.
    cut = folder.with_name("clips")
    shutil.rmtree(cut, ignore_errors=True)
    cut.with_suffix(".json").write_bytes(clips)
    books.run(folder, "--clips", cut.with_suffix(".json"), "-o", cut, "--to", "folder", "-q")
    equal(Image.open(cut / "0001.png").size, (150, 220))
    # Another visit, with another mark: both are there afterwards, each once.
    reader.open(folder, "#p=8", touch=False)
    reader.press("b", "k")
    reader.advance(5000)
    load_marks(reader, "load", json.dumps(saved))
    reader.advance(5000)
    equal(load_marks(reader, "load", json.dumps(saved)), "0 bookmarks and 0 clips were added.")
    notes = reader.run("return [...document.querySelectorAll('#bookmarks li')].map(item => item.querySelector('input').value)")
    equal(notes, ["</li><b>", ""])
    reader.advance(5000)
    equal(load_marks(reader, "load", "[1]"), "This is no file of marks.")


def load_marks(reader, field, marks):
    """Gives a field a file of marks, and returns what is said of it."""
    return reader.run("""
        const input = document.getElementById(arguments[0]), data = new DataTransfer();
        data.items.add(new File([arguments[1]], "marks.json"));
        input.files = data.files;
        input.dispatchEvent(new Event("change", {bubbles: true}));
        return new Promise(done => { const wait = () => toast.hidden ? requestAnimationFrame(wait) : done(toast.textContent); wait(); });
    """, field, marks)


STORED = "return JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith('jisui:1:'))[1]);"


def bookmarked(reader):
    return [mark["page"] for mark in reader.run(STORED)["bookmarks"]]


@in_chromium
def two_tabs_of_a_book_keep_the_marks_of_both(reader, books):
    folder = rtl(books)
    reader.open(folder, "#p=4", touch=False)
    reader.press("b")
    first = reader.browser.current_window_handle
    address = reader.run("return location.href.replace(/#.*/, '#p=8')")
    reader.browser.switch_to.new_window("tab")
    reader.browser.open(address)
    reader.browser.press("b")
    equal(bookmarked(reader), [3, 7])
    second = reader.browser.current_window_handle
    # The first tab saves its place, and with it what the second one kept.
    reader.browser.switch_to.window(first)
    reader.press("Left")
    reader.advance(1000)
    equal(bookmarked(reader), [3, 7])
    # What one tab removes stays removed, and a note stays.
    reader.press("k")
    reader.fill("#bookmarks input", "first")
    reader.advance(1000)
    reader.browser.switch_to.window(second)
    reader.browser.press("b")
    equal(reader.run(STORED)["bookmarks"], [{"page": 3, "note": "first"}])
    reader.browser.close()
    reader.browser.switch_to.window(first)
    reader.press("Escape", "Left")
    reader.advance(1000)
    equal(reader.run(STORED)["bookmarks"], [{"page": 3, "note": "first"}])


@in_chromium
def a_shelf_saves_and_merges_the_marks_of_all_its_books(reader, books):
    folder = books.shelf("marked", ["One", "Two", "Three"])
    reader.open(folder, touch=False)
    ids = reader.run("return shelf.books.map(({id}) => id)")
    keep = "localStorage.setItem('jisui:1:' + arguments[0], JSON.stringify(arguments[1]));"
    for id, page in zip(ids[:2], (1, 2)):
        reader.run(keep, id, {"page": page, "read": 1000, "settings": {"fit": "width"}, "bookmarks": [{"page": 0, "note": f"note {page}"}]})
    reader.browser.click("#shelf-marks [data-do=saveMarks]")
    saved = json.loads(reader.browser.downloaded("marks.json"))
    equal([(item["book"], item["page"], item["settings"], item["bookmarks"]) for item in saved["books"]], [
        (ids[0], 1, {"fit": "width"}, [{"page": 0, "note": "note 1"}]), (ids[1], 2, {"fit": "width"}, [{"page": 0, "note": "note 2"}])])
    # In another browser, where one book was read later and the other never.
    reader.run("localStorage.clear();" + keep, ids[0], {"page": 3, "read": 2000, "bookmarks": [{"page": 2, "note": ""}]})
    saved["books"].append({"book": "0" * 16, "bookmarks": []})
    equal(load_marks(reader, "load-shelf", json.dumps(saved)), "2 bookmarks and 0 clips were added. 1 other book was skipped.")
    first, second = (reader.run("return memoryOf(arguments[0])", id) for id in ids[:2])
    equal((first["page"], [mark["page"] for mark in first["bookmarks"]]), (3, [0, 2]))
    equal((second["page"], second["settings"], second["bookmarks"]), (2, {"fit": "width"}, [{"page": 0, "note": "note 2"}]))


@in_chromium_of(rtl, "#p=4", touch=False)
def a_server_lets_clips_be_saved_as_pictures(reader):
    reader.press("c", "Left", "Enter", "k")
    buttons = reader.texts("#clips button")
    equal("PNG" in buttons, reader.address is not None, f"{buttons}")
    if reader.address:
        reader.run("[...document.querySelectorAll('#clips button')].at(-1).click()")
        saved, page = (Image.open(io.BytesIO(data)).convert("RGB") for data in (reader.browser.downloaded("page 4.png"), png(300, 440, 4)))
        equal(saved == page.crop((72, 110, 222, 330)), True, "the pixels of the page")


@test_of(rtl)
def going_to_pages(reader):
    reader.press("g")
    reader.run("document.getElementById('goto').value = ''; document.getElementById('goto').focus()")
    reader.press("1", "0", "Enter")
    equal(reader.state()["pages"], [11, 10])
    reader.press("t")
    equal(reader.run("return [...document.querySelectorAll('#thumbs [aria-current]')].map(button => button.dataset.page)"),
          ["10", "11"])
    reader.click('#thumbs [data-page="6"]')
    equal(reader.settled()["pages"], [7, 6])
    reader.fill("#slider", 9)
    equal(reader.state()["pages"], [9, 8])
    equal(reader.run("return document.getElementById('slider').ariaValueText"), "Pages 8 and 9 of 12")


@in_chromium_of(rtl, "#p=4")
def pages_are_printed_one_a_sheet(reader):
    reader.run("window.print = () => { window.printed = document.querySelectorAll('#print > div').length; }")
    reader.press("p")
    equal(reader.run("return document.getElementById('range').value"), "4, 5")
    reader.run("document.getElementById('range').value = '2, 6-8'")
    reader.browser.click("[data-do=printPages]")
    sheets = reader.run(
        "return new Promise(done => { const wait = () => window.printed ? done(window.printed) : requestAnimationFrame(wait); wait(); })")
    equal(sheets, 4)
    document = reader.browser.devtools("Page.printToPDF", preferCSSPageSize=True)
    equal(len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(document["data"]))), 4)


def printed(reader, pages):
    """What printing pages into a file gives: the file, its text with the boxes of its words, page by page, and what it looks like."""
    reader.run("window.isPrinted = false; window.print = () => { window.isPrinted = true; }")
    reader.press("p")
    reader.run("document.getElementById('range').value = arguments[0]", pages)
    reader.browser.click("[data-do=printPages]")
    reader.await_that("window.isPrinted", "the sheets")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "printed.pdf"
        path.write_bytes(base64.b64decode(reader.browser.devtools("Page.printToPDF", preferCSSPageSize=True)["data"]))
        boxes = subprocess.run(["pdftotext", "-bbox", path, "-"], check=True, capture_output=True, text=True).stdout
        subprocess.run(["pdftoppm", "-r", "50", "-png", path, path.with_suffix("")], check=True)
        looks = [picture.read_bytes() for picture in sorted(path.parent.glob("*.png"))]
        return path.read_bytes(), re.findall(r"<page|<word.*?</word>", boxes), looks


@in_chromium
def printed_pages_have_their_text(reader, books):
    reader.open(typed(books), text=True)
    pdf, words, looks = printed(reader, "1, 2, 6")
    equal(words.count("<page"), 3)
    found = {re.sub("<.*?>", "", word): [float(edge) for edge in re.findall(r'"([\d.]+)"', word)] for word in words if word != "<page"}
    equal([word for word in ["The", "quick", "jumps."] if word not in found], [], f"{list(found)}")
    # Each where it is on the page: in the same shares of it as of the page's box.
    (left, _, _, _), (other, _, _, _), (third, _, _, _) = found["The"], found["quick"], found["brown"]
    near((third - left) / (other - left), 2.6, 0.05, "how far words are from each other")
    equal(WEB.encode() in pdf, True, "the link to the web")
    # And nothing of it is seen.
    reader.run("overlay.print = () => {}")
    _, words, without = printed(reader, "1, 2, 6")
    equal(words, ["<page"] * 3)
    equal(looks == without and len(looks) == 3, True, "looks the same")


@test
def a_book_by_itself_can_be_had_in_other_formats(reader, books):
    folder = books.book("beside", [PAGE] * 2, "--with", "cbz,epub", "--title", HOSTILE)
    reader.open(folder)
    reader.press("v")
    links = reader.run(
        "return [...document.querySelectorAll('#downloads a')].map(link => [link.textContent, link.href, link.download, link.offsetHeight >= 44])")
    home = reader.url(folder).removesuffix("index.html")
    equal([(name, address.removeprefix(home), shown) for name, address, _, shown in links],
          [("CBZ", "book.cbz", True), ("EPUB", "book.epub", True)])
    equal(links[0][2], f"{HOSTILE}.cbz")
    reader.open(rtl(books))
    reader.press("v")
    equal(reader.run("return document.getElementById('downloads').hidden"), True)


@test
def themes_change_the_colors(reader, books):
    reader.open(rtl(books))
    ground = "return getComputedStyle(document.getElementById('reader')).backgroundColor"
    for theme, wanted in [("dark", "rgb(0, 0, 0)"), ("light", "rgb(231, 230, 227)")]:
        reader.click("[data-do=view]")
        reader.click(f"[name=theme][value={theme}]")
        equal(reader.run(ground), wanted)
        reader.press("Escape")
    reader.open(rtl(books), keep=True)
    equal(reader.run(ground), "rgb(231, 230, 227)")


@test_of(rtl)
def every_control_has_a_name_and_does_something(reader):
    nameless = reader.run(
        "return [...document.querySelectorAll('button, input, select, dialog, [role=group]')].filter(element =>"
        "  !(element.ariaLabel || element.textContent.trim() || element.labels?.length || element.getAttribute('aria-labelledby')))"
        "  .map(element => element.outerHTML)")
    equal(nameless, [])
    small = reader.run(
        "document.documentElement.classList.add('with-bar');"
        "return [...document.querySelectorAll('.bar button')].filter(button => button.offsetParent && (button.offsetWidth < 44 || button.offsetHeight < 44)).length")
    equal(small, 0)
    names = reader.run("return [...document.querySelectorAll('[data-do]')].map(button => button.dataset.do)")
    reader.run("window.print = window.confirm = () => false")
    # Fullscreen needs a person, and files cannot be kept.
    for name in sorted(set(names) - {"full", "offline"}):
        reader.click(f"[data-do={name}]")
    equal(reader.browser.console(), [])
