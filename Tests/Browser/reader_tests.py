#!/usr/bin/env python3
"""Reads books that jisui makes in a browser, as people do.

    Tests/Browser/reader_tests.py JISUI FOLDER [--over file|http] [TEST ...]

Makes books in FOLDER, opens them from there, or from a server, and prints one line of JSON for each test: its name, and
what was wrong or null.
"""

import argparse
import json
import re
import shutil
import struct
import traceback

from reader import Books, open_reader, server

PAGE = (300, 440)
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def equal(found, wanted, what=""):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r} is not {wanted!r}")


def near(found, wanted, distance, what=""):
    if abs(found - wanted) > distance:
        raise AssertionError(f"{what}: {found!r} is not within {distance} of {wanted!r}")


def rtl(books):
    return books.book("rtl", [PAGE] * 12, "--direction", "rtl")


def ltr(books):
    return books.book("ltr", [PAGE] * 24, "--direction", "ltr")


@test
def opens_with_an_empty_console(reader, books):
    state = reader.open(rtl(books))
    equal(state["pages"], [1])
    equal(reader.browser.console(), [])


@test
def no_request_leaves_the_folder(reader, books):
    folder = rtl(books)
    reader.open(folder)
    reader.press("t")
    reader.press("Escape")
    entries = reader.browser.run(
        "return [...document.querySelectorAll('[src], link')].map(element => element.src || element.href)"
        ".concat(performance.getEntriesByType('resource').map(entry => entry.name))")
    home = reader.url(folder).removesuffix("index.html")
    equal([name for name in entries if not name.startswith(home)], [])
    if not any("/pages/0001.png" in name for name in entries):
        raise AssertionError(f"the pictures are not among {entries}")
    # What a script would send is refused by the policy, over the proxy that is not there.
    refused = reader.browser.run(
        "const image = new Image(); image.src = 'http://127.0.0.1:9/x.png';"
        "return new Promise(done => addEventListener('securitypolicyviolation', event => done(event.effectiveDirective)));"
    )
    equal(refused, "img-src")
    reader.browser.console()


@test
def scripts_of_others_do_not_run(reader, books):
    reader.open(rtl(books))
    outcome = reader.browser.run(
        "const script = document.createElement('script'), outcome = [];"
        "script.append('window.ran = true');"
        "for (const attempt of [() => document.head.append(script), () => { script.src = 'pages/x.js'; },"
        "  () => { document.body.innerHTML = '<b>'; }, () => trustedTypes.createPolicy('other', {})]) {"
        "  try { attempt(); outcome.push('done'); } catch (error) { outcome.push(error.name); }"
        "}"
        "return [window.ran === true, ...outcome.slice(1)];"
    )
    reader.browser.console()
    equal(outcome, [False, "TypeError", "TypeError", "TypeError"])


@test
def thirds_of_a_book_from_right_to_left(reader, books):
    reader.open(rtl(books))
    equal(reader.tap(300, 300)["pages"], [3, 2], "x = w/3 turns on")
    state = reader.tap(301, 300)
    equal((state["pages"], state["bar"]), ([3, 2], False), "x = w/3 + 1 hides the bar")
    equal(reader.tap(600, 300)["bar"], True, "x = 2w/3 shows it")
    equal(reader.tap(601, 300)["pages"], [1], "x > 2w/3 turns back")


@test
def thirds_of_a_book_from_left_to_right(reader, books):
    reader.open(ltr(books), size=(600, 900))
    equal(reader.tap(401, 300)["pages"], [2])
    state = reader.tap(400, 300)
    equal((state["pages"], state["bar"]), ([2], False))
    equal(reader.tap(200, 300)["pages"], [1])


@test
def the_ends_are_told(reader, books):
    reader.open(rtl(books))
    reader.advance(400)
    equal(reader.tap(700, 300)["pages"], [1])
    reader.advance(400)
    equal(reader.state()["live"], "This is the first page.")
    reader.press("End")
    equal(reader.press("Left")["pages"], [12])
    reader.advance(400)
    equal(reader.state()["live"], "This is the last page.")
    reader.press("Right")
    reader.advance(299)
    equal(reader.state()["live"], "This is the last page.", "announced after 300 ms")
    reader.advance(1)
    equal(reader.state()["live"], "Pages 10 and 11 of 12")


@test
def the_bar_goes_after_three_seconds(reader, books):
    reader.open(rtl(books))
    reader.advance(2900)
    equal(reader.state()["bar"], True)
    reader.advance(200)
    equal(reader.state()["bar"], False)


@test
def the_bar_waits_while_it_is_used(reader, books):
    reader.open(rtl(books))
    reader.press("Tab")
    reader.advance(5000)
    state = reader.state()
    equal((state["bar"], state["focus"]), (True, "bookmark"))
    reader.browser.run("document.getElementById('stage').focus()")
    reader.advance(2900)
    equal(reader.state()["bar"], True)
    reader.advance(200)
    equal(reader.state()["bar"], False)
    # A dialog is a use of it, too.
    reader.press("m", "h")
    reader.advance(5000)
    equal(reader.state()["bar"], True)
    reader.press("Escape")
    reader.advance(3100)
    equal(reader.state()["bar"], False)


@test
def a_bar_hidden_by_hand_stays_hidden_and_moves_nothing(reader, books):
    before = reader.open(rtl(books))
    equal(before["bar"], True)
    after = reader.tap(450, 300)
    equal((after["bar"], after["boxes"]), (False, before["boxes"]))
    reader.advance(10_000)
    reader.press("Left")
    equal(reader.state()["bar"], False)


@test
def zooming_suppresses_taps(reader, books):
    reader.open(rtl(books), "#p=4")
    reader.pinch((450, 300), 100, 200)
    reader.lift()
    reader.advance(400)
    state = reader.state()
    near(state["boxes"][0][3] - state["boxes"][0][1], 1200, 2, "twice as high")
    equal(reader.tap(100, 300)["pages"], [5, 4], "an outer third of a zoomed page turns nothing")
    equal(reader.state()["zoomed"], True)


@test
def a_tap_during_and_after_a_pinch_does_nothing(reader, books):
    reader.open(rtl(books), "#p=4")
    reader.pinch((450, 300), 100, 100)
    reader.browser.touch("touchStart", (400, 300), (500, 300), (100, 300))
    reader.advance(20)
    reader.browser.touch("touchMove", (400, 300), (500, 300))
    reader.lift()
    equal(reader.state()["pages"], [5, 4])
    reader.advance(200)
    equal(reader.tap(100, 300)["pages"], [5, 4], "200 ms after")
    reader.advance(301)
    equal(reader.tap(100, 300)["pages"], [7, 6], "a while after")


@test
def zoom_has_a_limit(reader, books):
    for name, size, most in [("rtl", PAGE, 5 * 600), ("large", (3000, 4400), 2 * 4400)]:
        folder = rtl(books) if name == "rtl" else books.book(name, [size] * 2)
        reader.open(folder, "#p=1")
        for _ in range(3):
            reader.pinch((225, 300), 8, 400)
            reader.lift()
        reader.advance(400)
        state = reader.state()
        near(state["boxes"][0][3] - state["boxes"][0][1], most, 3, f"the most of {name}")


@test
def turning_ends_a_zoom(reader, books):
    before = reader.open(rtl(books), "#p=4")
    reader.press("+", "+")
    equal(reader.state()["zoomed"], True)
    moved = reader.press("Down")
    equal(moved["pages"], [5, 4], "arrows move the zoomed page")
    after = reader.press("PageDown")
    equal((after["pages"], after["zoomed"]), ([7, 6], False))
    equal(after["boxes"], before["boxes"])


@test
def a_double_tap_zooms_and_goes_back(reader, books):
    reader.open(rtl(books), "#p=4")
    reader.advance(3100)
    reader.tap(430, 250)
    reader.advance(100)
    state = reader.tap(430, 250)
    equal((state["zoomed"], state["bar"]), (True, False), "zoomed, and the bar as it was")
    near(state["boxes"][0][3] - state["boxes"][0][1], 1200, 2)
    reader.advance(1000)
    reader.tap(100, 100)
    reader.advance(100)
    equal(reader.tap(100, 100)["zoomed"], False)


@test
def the_loupe_stays_on_the_screen(reader, books):
    reader.open(rtl(books), "#p=4")
    reader.advance(3100)
    for x, y in [(2, 2), (897, 2), (2, 597), (897, 597), (450, 300)]:
        reader.browser.touch("touchStart", (x, y))
        reader.advance(499)
        equal(reader.state()["loupe"], False, "before half a second")
        reader.advance(1)
        left, top, right, bottom = reader.browser.run(
            "const {left, top, right, bottom} = document.getElementById('loupe').getBoundingClientRect();"
            "return [left, top, right, bottom];")
        equal(min(left, top, 900 - right, 600 - bottom) >= 0, True, f"at {x}, {y}: {left, top, right, bottom}")
        near(right - left, 280, 1)
        # Off the finger, so that it hides nothing.
        away = max(left - x, x - right, top - y, y - bottom)
        equal(away >= 23, True, f"{away} px away from {x}, {y}")
        # What is under the finger is what is in its middle.
        shown = reader.browser.run(
            "const [x, y] = arguments; const inner = (box, x, y) => [(x - box.left) / box.width, (y - box.top) / box.height];"
            "const page = document.querySelector('.view:not([inert]) .page').getBoundingClientRect();"
            "const copy = document.querySelector('#loupe .page').getBoundingClientRect();"
            "const loupe = document.getElementById('loupe').getBoundingClientRect();"
            "return [inner(page, x, y), inner(copy, (loupe.left + loupe.right) / 2, (loupe.top + loupe.bottom) / 2)];", x, y)
        for found, wanted in zip(shown[1], shown[0]):
            near(found, wanted, 0.01, "enlarged")
        reader.lift()
        state = reader.state()
        equal((state["loupe"], state["pages"]), (False, [5, 4]))
    # A gesture that is taken away takes the loupe with it.
    reader.browser.touch("touchStart", (450, 300))
    reader.advance(500)
    reader.browser.touch("touchCancel")
    equal(reader.state()["loupe"], False)


@test
def a_swipe_turns_beyond_a_fifth(reader, books):
    reader.open(rtl(books), "#p=4")
    reader.swipe((300, 300), 900 * 0.19)
    reader.lift()
    equal(reader.state()["pages"], [5, 4], "19 % springs back")
    reader.swipe((300, 300), 900 * 0.21)
    gap = reader.browser.run(
        "const boxes = [...document.querySelectorAll('.view')].map(view => view.getBoundingClientRect());"
        "return boxes.map(({left, right}) => [left, right]).sort((a, b) => a[0] - b[0]);")
    for (_, right), (left, _) in zip(gap, gap[1:]):
        near(left - right, 20, 0.01, "between views")
    reader.lift()
    equal(reader.state()["pages"], [7, 6], "21 % turns")
    # A quick one turns, however short.
    reader.swipe((300, 300), -60, steps=2, pause=10)
    reader.lift()
    equal(reader.state()["pages"], [5, 4])


@test
def at_the_end_a_swipe_springs_back(reader, books):
    reader.open(rtl(books))
    reader.swipe((800, 300), -600)
    reader.lift()
    equal(reader.state()["pages"], [1])


@test
def spreads_meet_in_the_middle(reader, books):
    state = reader.open(rtl(books), "#p=4")
    equal(state["pages"], [5, 4], "the earlier page on the right")
    equal(state["boxes"][0][2], 450)
    equal(state["boxes"][1][0], 450)
    equal(reader.press("Home")["boxes"][0][2], 450, "a cover from right to left stands on the left")
    state = reader.press("End")
    equal((state["pages"], state["boxes"][0][0]), ([12], 450), "a lone last page stands on the right")
    reader.press("r")
    equal(reader.press("Home")["boxes"][0][0], 450, "and from left to right the other way round")


@test
def rotation_keeps_the_page(reader, books):
    state = reader.open(rtl(books), "#p=5", size=(600, 900))
    equal((state["pages"], state["layout"]), ([5], "single"))
    for _ in range(10):
        reader.resize(900, 600)
        equal(reader.settled()["pages"], [5, 4])
        reader.resize(600, 900)
        equal(reader.settled()["pages"], [5])
    # After a turn it is the first page of what is seen.
    reader.resize(900, 600)
    equal(reader.press("Left")["pages"], [7, 6])
    reader.resize(600, 900)
    equal(reader.settled()["pages"], [6])


@test
def a_wide_page_stands_alone(reader, books):
    folder = books.book("wide", [PAGE] * 3 + [(600, 440)] + [PAGE] * 4, "--direction", "ltr")
    reader.open(folder)
    found = [reader.press("Right")["pages"] for _ in range(4)]
    equal(found, [[2, 3], [4], [5, 6], [7, 8]])
    reader.press("Left", "Left")
    left, _, right, _ = reader.state()["boxes"][0]
    equal(left, 900 - right, "in the middle")


def all_views(reader):
    views = [reader.press("Home")["pages"]]
    while True:
        pages = reader.press("Right")["pages"]
        if pages == views[-1]:
            return views
        views.append(pages)


@test
def a_shift_pairs_as_jisui_does(reader, books):
    shifted = books.book("shifted", [PAGE] * 24, "--direction", "ltr", "--spreads", "pair", "--shift", "17")
    reader.open(shifted)
    wanted = all_views(reader)
    equal([17, 18] in wanted and [16] in wanted, True, f"{wanted}")
    reader.open(ltr(books), "#p=17")
    reader.press("o")
    equal(reader.state()["pages"], [17, 18])
    equal(all_views(reader), wanted)
    reader.open(ltr(books), keep=True)
    equal(all_views(reader), wanted, "after opening it again")


LINE = """
const strip = document.getElementById("strip").getBoundingClientRect();
const middle = strip.height / 2;
for (const page of document.querySelectorAll("#strip .page")) {
  const {top, bottom} = page.getBoundingClientRect();
  if (top <= middle && middle < bottom) return [Number(page.dataset.page), (middle - top) / (bottom - top), bottom - top];
}
"""


@test
def a_webtoon_keeps_its_row(reader, books):
    reader.open(ltr(books))
    reader.press("w")
    reader.browser.run("strip.scrollTop = 7321")
    reader.frames(2)
    page, fraction, _ = reader.browser.run(LINE)
    for size in [(600, 900), (500, 300), (1200, 700), (900, 600)]:
        reader.resize(*size)
        reader.advance(100)
        there, share, height = reader.browser.run(LINE)
        equal(there, page)
        near(share * height, fraction * height, 2, f"at {size}")
    reader.advance(300)
    equal(reader.browser.run("return location.hash"), f"#p={page}")


@test
def a_webtoon_scrolls_by_taps_and_holds_what_is_near(reader, books):
    reader.open(ltr(books))
    reader.press("w")
    reader.advance(3100)
    before = reader.browser.run("return document.getElementById('strip').scrollTop")
    reader.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    reader.tap(450, 500)
    after = reader.browser.run("return document.getElementById('strip').scrollTop")
    near(after - before, 540, 2, "a tap at the bottom")
    reader.frames(2)
    reader.advance(50)
    equal(reader.tap(450, 300)["bar"], False, "a tap within 100 ms of scrolling only stops it")
    reader.advance(100)
    equal(reader.tap(450, 300)["bar"], True, "a tap in the middle")
    reader.browser.devtools("Emulation.setEmulatedMedia", features=[])
    held = reader.browser.run("return document.querySelectorAll('#strip img[src]').length")
    equal(0 < held <= 8, True, f"{held} pictures are held")


@test
def a_panorama_runs_the_way_of_reading(reader, books):
    reader.open(rtl(books))
    reader.press("Escape")
    reader.browser.run("document.querySelector('[data-do=view]').click()")
    reader.browser.run("document.querySelector('[value=panorama]').click()")
    reader.press("Escape")
    boxes = reader.browser.run(
        "return [...document.querySelectorAll('#strip .page')].slice(0, 2).map(page => page.getBoundingClientRect().left)")
    near(boxes[0] - boxes[1], 600 * 300 / 440, 1, "page 2 lies left of page 1")
    near(boxes[0], 900 - 600 * 300 / 440, 1)
    reader.browser.run("strip.scrollBy({left: -1000, behavior: 'instant'})")
    reader.frames(2)
    reader.advance(300)
    equal(reader.browser.run("return location.hash"), "#p=4")


@test
def the_place_is_remembered_when_the_folder_moves(reader, books):
    folder = rtl(books)
    reader.open(folder)
    reader.press("Left", "Left", "Left")
    equal(reader.state()["pages"], [7, 6])
    reader.advance(300)
    moved = folder.with_name("moved")
    if not moved.exists():
        shutil.copytree(folder, moved)
    equal(reader.open(moved, keep=True)["pages"], [7, 6])
    reader.browser.open(reader.url(moved) + "#p=9")
    equal(reader.settled()["pages"], [9, 8], "an address goes first")


HOSTILE = "</script><img src=x onerror=alert(1)>&amp;\u202e\u0600<b>\"'"


@test
def a_hostile_title_stays_text(reader, books):
    folder = books.book("hostile", [PAGE] * 2, "--title", HOSTILE, "--author", "<script>alert(2)</script>")
    reader.open(folder)
    found = reader.browser.run(
        "return [document.title, document.getElementById('title').textContent, document.querySelectorAll('#title *, title *').length,"
        "document.images.length, document.scripts.length];")
    equal(found[:3], [HOSTILE, HOSTILE, 0])
    equal(found[4], 2)
    source = (folder / "index.html").read_text() + (folder / "book.js").read_text() + (folder / "book.json").read_text()
    equal(re.findall(r"<img|onerror=alert\(1\)>[^&]|<script>", source), [], "what stands in the files")


@test
def a_clip_is_the_exact_rectangle(reader, books):
    folder = rtl(books)
    state = reader.open(folder, "#p=4", touch=False)
    left, top, right, _ = state["boxes"][1]
    equal(state["pages"][1], 4)
    scale = 300 / (right - left)
    reader.press("c")
    reader.browser.drag((left + 40, top + 60), 200, 120)
    clips = reader.browser.run("return JSON.parse(Object.values(localStorage).find(text => text.includes('clips'))).clips")
    equal(len(clips), 1)
    for found, wanted in zip(clips[0]["rect"], [40 * scale, 60 * scale, 200 * scale, 120 * scale]):
        near(found, wanted, 1)
    equal(clips[0]["page"], 3)
    reader.press("k")
    x, y, width, height = clips[0]["rect"]
    box, image = reader.browser.run(
        "const box = document.querySelector('#clips .clip'), image = box.firstElementChild;"
        "const [a, b] = [box.getBoundingClientRect(), image.getBoundingClientRect()];"
        "return [[a.width, a.height], [b.left - a.left, b.top - a.top, b.width, b.height]];")
    shown = box[0] / width
    near(box[1], height * shown, 0.5)
    for found, wanted in zip(image, [-x * shown, -y * shown, 300 * shown, 440 * shown]):
        near(found, wanted, 0.5, "the part that is seen")
    # With the keyboard: as large as half the page, moved and sized, kept by Enter.
    reader.press("Escape")
    reader.press("c", "Left", ("Shift", "Down"), "Enter")
    clips = reader.browser.run("return JSON.parse(Object.values(localStorage).find(text => text.includes('clips'))).clips")
    equal(clips[1], {"page": 3, "rect": [72, 110, 150, 223], "note": ""})


@test
def marks_are_saved_loaded_and_merged(reader, books):
    folder = rtl(books)
    reader.open(folder, "#p=4", touch=False)
    reader.press("b")
    equal(reader.browser.run("return document.querySelector('[data-do=bookmark]').ariaPressed"), "true")
    reader.press("c", "Enter", "k")
    reader.browser.run("const note = document.querySelector('#bookmarks input'); note.value = '</li><b>'; note.dispatchEvent(new Event('input'))")
    reader.browser.click("[data-do=saveMarks]")
    saved = json.loads(reader.browser.downloaded("marks.json"))
    equal((saved["bookmarks"], len(saved["clips"])), ([{"page": 3, "note": "</li><b>"}], 1))
    reader.browser.click("[data-do=saveClips]")
    clips = json.loads(reader.browser.downloaded("clips.json"))
    equal(clips["clips"], [{"page": 4, "size": [300, 440], "rect": [75, 110, 150, 220], "note": ""}])
    # jisui cuts what was saved.
    cut = folder.with_name("clips")
    shutil.rmtree(cut, ignore_errors=True)
    books.run(folder, "--clips", reader.browser.downloads / "clips.json", "-o", cut, "--to", "folder", "-q")
    equal(struct.unpack(">II", (cut / "0001.png").read_bytes()[16:24]), (150, 220))
    for name in ("marks.json", "clips.json"):
        (reader.browser.downloads / name).unlink()
    # Another visit, with another mark: both are there afterwards, each once.
    reader.open(folder, "#p=8", touch=False)
    reader.press("b", "k")
    load = """
        const input = document.getElementById("load"), data = new DataTransfer();
        data.items.add(new File([arguments[0]], "marks.json"));
        input.files = data.files;
        input.dispatchEvent(new Event("change", {bubbles: true}));
        return new Promise(done => { const wait = () => toast.hidden ? requestAnimationFrame(wait) : done(toast.textContent); wait(); });
    """
    reader.advance(5000)
    reader.browser.run(load, json.dumps(saved))
    reader.advance(5000)
    equal(reader.browser.run(load, json.dumps(saved)), "0 bookmarks and 0 clips were added.")
    notes = reader.browser.run("return [...document.querySelectorAll('#bookmarks li')].map(item => item.querySelector('input').value)")
    equal(notes, ["</li><b>", ""])
    reader.advance(5000)
    equal(reader.browser.run(load, "[1]"), "This is no file of marks.")


@test
def a_broken_picture_is_told_and_nothing_else_is_lost(reader, books):
    folder = books.folder / "web" / "broken"
    if not folder.exists():
        shutil.copytree(rtl(books), folder)
        (folder / "pages" / "0005.png").write_bytes(b"\x89PNG no more")
    reader.open(folder, "#p=2", size=(600, 900))
    reader.press("Left")
    reader.press("Left")
    reader.press("Left")
    text = reader.browser.run("return document.querySelector('[data-page=\"5\"] p')?.textContent")
    equal(text, "Page 5 cannot be shown.")
    equal(reader.press("Left")["pages"], [6])
    reader.browser.console()


@test
def many_pages_are_turned_and_few_are_held(reader, books):
    folder = books.book("many", [(60, 88)] * 2000, "--direction", "rtl", "--no-thumbnails")
    reader.open(folder)
    most = 0
    for turn in range(300):
        reader.browser.press("Left")
        if turn % 10 == 9:
            state = reader.settled()
            most = max(most, state["held"])
            equal(state["pages"], [2 * turn + 3, 2 * turn + 2])
    equal(0 < most <= 8, True, f"{most} pictures were held")
    equal(reader.press("End")["pages"], [2000])


@test
def large_pages_keep_to_the_bound(reader, books):
    # 6000 × 6000 pixels are 144 MB decoded: what is seen and the next are held, and no more.
    folder = books.book("huge", [(6000, 6000)] * 5)
    reader.open(folder, "#p=2")
    reader.frames(100)
    held = reader.browser.run(
        "return [...document.querySelectorAll('#track .page')].map(page => Number(page.dataset.page)).sort()")
    equal(held, [2, 3, 4, 5][: len(held)])
    equal(len(held) <= 4, True, f"{held}")


@test
def blocked_storage_is_told_and_the_book_is_read(reader, books):
    added = reader.browser.devtools(
        "Page.addScriptToEvaluateOnNewDocument",
        source="Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})")
    try:
        reader.open(rtl(books), keep=True)
        equal(reader.press("Left")["pages"], [3, 2])
        reader.advance(300)
        equal(reader.state()["toast"].startswith("This browser does not let pages be remembered"), True)
    finally:
        reader.browser.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


@test
def going_to_pages(reader, books):
    reader.open(rtl(books))
    reader.press("g")
    reader.browser.run("document.getElementById('goto').value = ''; document.getElementById('goto').focus()")
    reader.press("1", "0", "Enter")
    equal(reader.state()["pages"], [11, 10])
    reader.press("t")
    equal(reader.browser.run("return [...document.querySelectorAll('#thumbs [aria-current]')].map(button => button.dataset.page)"),
          ["10", "11"])
    reader.browser.run("document.querySelector('#thumbs [data-page=\"6\"]').click()")
    equal(reader.settled()["pages"], [7, 6])
    reader.browser.run("const slider = document.getElementById('slider'); slider.value = 9; slider.dispatchEvent(new Event('input'))")
    equal(reader.state()["pages"], [9, 8])
    equal(reader.browser.run("return document.getElementById('slider').ariaValueText"), "Pages 8 and 9 of 12")


@test
def the_wheel_turns_once_a_notch(reader, books):
    reader.open(rtl(books), touch=False)

    def wheel(down, keys=0):
        reader.browser.devtools(
            "Input.dispatchMouseEvent", type="mouseWheel", x=450, y=300, deltaX=0, deltaY=down, modifiers=keys)
        reader.frames(2)
        return reader.settled()

    reader.advance(1000)
    equal(wheel(120)["pages"], [3, 2])
    reader.advance(249)
    equal(wheel(120)["pages"], [3, 2], "within 250 ms")
    reader.advance(1)
    equal(wheel(120)["pages"], [5, 4])
    state = wheel(-120, keys=2)
    near(state["boxes"][0][3] - state["boxes"][0][1], 720, 1, "with Ctrl it zooms")


@test
def fits_and_reading_on(reader, books):
    reader.open(ltr(books), size=(500, 400))
    reader.press("d")
    state = reader.press("z")
    near(state["boxes"][0][2] - state["boxes"][0][0], 500, 1, "as wide as the screen")
    equal(state["boxes"][0][1], 0)
    top = reader.press(" ")["boxes"][0]
    equal((reader.state()["pages"], round(top[3])), ([1], 400), "first to the end of the page")
    equal(reader.press(" ")["pages"], [2])
    back = reader.press("PageUp")
    equal((back["pages"], round(back["boxes"][0][3])), ([1], 400), "back to the end of the one before")
    state = reader.press("z")
    near(state["boxes"][0][3] - state["boxes"][0][1], 400, 1, "as high as the screen")
    state = reader.press("z")
    near(state["boxes"][0][2] - state["boxes"][0][0], 300, 1, "pixel by pixel")


@test
def crops_are_shown_over_untouched_pictures(reader, books):
    folder = books.book("cropped", [PAGE] * 2, "--crop", "40,30,20,50")
    equal((folder / "pages" / "0001.png").read_bytes(), (books.folder / "pages" / "cropped" / "0001.png").read_bytes())
    state = reader.open(folder, size=(600, 900))
    left, top, right, bottom = state["boxes"][0]
    scale = (right - left) / 220
    near((bottom - top), 380 * scale, 1)
    image = reader.browser.run(
        "const {left, top, width, height} = document.querySelector('.view:not([inert]) img').getBoundingClientRect(); return [left, top, width, height]")
    for found, wanted in zip(image, [left - 50 * scale, top - 40 * scale, 300 * scale, 440 * scale]):
        near(found, wanted, 1)
    baked = books.book("baked", [PAGE] * 2, "--crop", "40,30,20,50", "--bake")
    state = reader.open(baked, size=(600, 900))
    equal(reader.browser.run("const image = document.querySelector('.view:not([inert]) img'); return [image.naturalWidth, image.naturalHeight]"),
          [220, 380])


@test
def pages_are_printed_one_a_sheet(reader, books):
    reader.open(rtl(books), "#p=4")
    reader.browser.run("window.print = () => { window.printed = document.querySelectorAll('#print > div').length; }")
    reader.press("p")
    equal(reader.browser.run("return document.getElementById('range').value"), "4, 5")
    reader.browser.run("document.getElementById('range').value = '2, 6-8'")
    reader.browser.click("[data-do=printPages]")
    sheets = reader.browser.run(
        "return new Promise(done => { const wait = () => window.printed ? done(window.printed) : requestAnimationFrame(wait); wait(); })")
    equal(sheets, 4)
    document = reader.browser.devtools("Page.printToPDF", preferCSSPageSize=True)
    import base64
    equal(len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(document["data"]))), 4)


@test
def themes_change_the_colours(reader, books):
    reader.open(rtl(books))
    ground = "return getComputedStyle(document.getElementById('reader')).backgroundColor"
    for theme, wanted in [("dark", "rgb(0, 0, 0)"), ("light", "rgb(231, 230, 227)")]:
        reader.browser.run("document.querySelector('[data-do=view]').click(); document.querySelector(`[name=theme][value=${arguments[0]}]`).click()", theme)
        equal(reader.browser.run(ground), wanted)
        reader.press("Escape")
    reader.open(rtl(books), keep=True)
    equal(reader.browser.run(ground), "rgb(231, 230, 227)")


@test
def every_control_has_a_name_and_does_something(reader, books):
    reader.open(rtl(books))
    nameless = reader.browser.run(
        "return [...document.querySelectorAll('button, input, select, dialog, [role=group]')].filter(element =>"
        "  !(element.ariaLabel || element.textContent.trim() || element.labels?.length || element.getAttribute('aria-labelledby')))"
        "  .map(element => element.outerHTML)")
    equal(nameless, [])
    small = reader.browser.run(
        "document.documentElement.classList.add('with-bar');"
        "return [...document.querySelectorAll('.bar button')].filter(button => button.offsetParent && (button.offsetWidth < 44 || button.offsetHeight < 44)).length")
    equal(small, 0)
    names = reader.browser.run("return [...document.querySelectorAll('[data-do]')].map(button => button.dataset.do)")
    reader.browser.run("window.print = window.confirm = () => false")
    # Fullscreen needs a person, and files cannot be kept.
    for name in sorted(set(names) - {"full", "offline"}):
        reader.browser.run("document.querySelector(`[data-do=${arguments[0]}]`).click()", name)
    equal(reader.browser.console(), [])


TITLES = ["Zebra", "Book 10", "Book 2", HOSTILE, "カタカナの本", "كتاب", "A title that is long " * 12]


def shown_titles(reader):
    return reader.browser.run("return [...document.querySelectorAll('#books b')].map(title => title.textContent)")


@test
def a_shelf_shows_sorts_and_searches_its_books(reader, books):
    reader.open(books.shelf("shelf", TITLES), touch=False)
    titles = shown_titles(reader)
    equal(sorted(titles), sorted(title.strip() for title in TITLES))
    equal(titles.index("Book 2") < titles.index("Book 10") < titles.index("Zebra"), True, "numbers by their value")
    equal(reader.browser.run("return document.querySelectorAll('#books b *:not(bdi)').length"), 0)
    search = "const field = document.getElementById('shelf-search'); field.value = arguments[0]; field.dispatchEvent(new Event('input'))"
    for typed, found in [("ｂｏｏｋ", ["Book 2", "Book 10"]), ("かたかな", ["カタカナの本"]), ("nothing", [])]:
        reader.browser.run(search, typed)
        equal(shown_titles(reader), found)
    equal(reader.browser.run("return document.getElementById('no-books').hidden"), False)
    covers = reader.browser.run(
        f"{search.replace('arguments[0]', repr(''))}; return Promise.all([...document.querySelectorAll('.cover img')].map(image => {{"
        "image.loading = 'eager'; return image.decode().then(() => image.naturalWidth); }))")
    equal(covers, [150] * len(TITLES))
    equal(reader.browser.console(), [])


@test
def the_whole_way_by_keyboard(reader, books):
    reader.open(books.shelf("shelf", TITLES), touch=False)
    focused = ("const element = document.activeElement, style = getComputedStyle(element);"
               "return [element.matches(':focus-visible') && style.outlineStyle !== 'none', element.textContent];")
    for _ in range(12):
        reader.browser.press("Tab")
        visible, text = reader.browser.run(focused)
        equal(visible, True, f"the focus on {text!r} is seen")
        if text.startswith("Book 2"):
            break
    reader.browser.press("Enter")
    for _ in range(100):
        reader.frames()
        if reader.state()["pages"]:
            break
    equal(reader.settled()["pages"], [1])
    equal(reader.browser.run("return document.title"), "Book 2")
    reader.press("Right")
    reader.press("c", "Enter", "k")
    equal(reader.browser.run("return document.querySelectorAll('#clips li').length"), 1)
    for _ in range(8):
        reader.browser.press("Tab")
        if reader.browser.run("return document.activeElement.ariaLabel") == "Go to page 2":
            break
    reader.press("Enter")
    equal(reader.state()["pages"], [2, 3])
    reader.press("Escape")
    for _ in range(20):
        reader.frames()
    equal(len(shown_titles(reader)), len(TITLES), "Esc leads back to the shelf")
    marked = reader.browser.run(
        "return [...document.querySelectorAll('#books li')].filter(item => item.querySelector('progress')).map(item => item.querySelector('small:last-child').textContent)")
    equal(marked, ["2 of 6"])
    reader.browser.run("history.back()")
    for _ in range(20):
        reader.frames()
    equal(reader.settled()["pages"], [2, 3], "and back again to the page")
    equal(reader.browser.console(), [])


@test
def a_shelf_is_added_to_and_replaced(reader, books):
    folder = books.shelf("growing", ["One", "Two"])
    pages = books.pages("third", [PAGE] * 3)
    books.run(pages, "-o", folder, "--to", "web", "--add", "-q", "--title", "Three")
    try:
        books.run(pages, "-o", folder, "--to", "web", "--add", "-q", "--title", "Three again")
        raise AssertionError("a book was added twice")
    except AssertionError as error:
        equal("the shelf holds this book already, as 'Three'; --force replaces it" in str(error), True, str(error))
    reader.open(folder)
    equal(shown_titles(reader), ["One", "Three", "Two"])
    slugs = sorted(path.name for path in (folder / "books").iterdir())
    books.run(pages, "-o", folder, "--to", "web", "--add", "--force", "-q", "--title", "Another name")
    reader.open(folder)
    equal(shown_titles(reader), ["Another name", "One", "Two"])
    equal(sorted(path.name for path in (folder / "books").iterdir()), slugs, "the address stays")
    # A book is taken away by deleting its folder: the next that is added leaves it out.
    shutil.rmtree(next(path for path in (folder / "books").iterdir() if path.name.startswith("one-")))
    books.run(pages, "-o", folder, "--to", "web", "--add", "--force", "-q", "--title", "Another name")
    reader.open(folder)
    equal(shown_titles(reader), ["Another name", "Two"])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("jisui")
    options.add_argument("folder")
    options.add_argument("--over", choices=["file", "http"], default="file")
    options.add_argument("tests", nargs="*")
    given = options.parse_intermixed_args()
    books = Books(given.jisui, given.folder)
    if given.over == "http":
        with server(given.folder) as (address, _):
            run(books, given, address)
    else:
        run(books, given, None)


def run(books, given, address):
    browser, reader = open_reader(books, address)
    with browser:
        for test in TESTS:
            if given.tests and test.__name__ not in given.tests:
                continue
            fault = None
            try:
                test(reader, books)
            except Exception as error:
                fault = f"{error}" if isinstance(error, AssertionError) else traceback.format_exc()
            print(json.dumps({"test": test.__name__, "fault": fault}), flush=True)


if __name__ == "__main__":
    main()
