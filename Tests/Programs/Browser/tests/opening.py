"""Opening a book: what is asked for, what runs, what is remembered, what is told."""

import re
import shutil

from checks import PAGE, equal, in_chromium, rtl, test, test_of

from .text import PAGES


@in_chromium
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
    entries = reader.run(
        "return [...document.querySelectorAll('[src], link')].map(element => element.src || element.href)"
        ".concat(performance.getEntriesByType('resource').map(entry => entry.name))")
    home = reader.url(folder).removesuffix("index.html")
    equal([name for name in entries if not name.startswith(home)], [])
    if not any("/pages/0001.png" in name for name in entries):
        raise AssertionError(f"the pictures are not among {entries}")
    # What a script would send is refused by the policy, over the proxy that is not there.
    refused = reader.run(
        "return new Promise(done => {"
        "  addEventListener('securitypolicyviolation', event => done(event.effectiveDirective));"
        "  new Image().src = 'http://127.0.0.1:9/x.png';"
        "});"
    )
    equal(refused, "img-src")
    reader.browser.console()


@test_of(rtl)
def scripts_of_others_do_not_run(reader):
    outcome = reader.run(
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


@test
def a_hostile_title_stays_text(reader, books):
    folder = books.book("hostile", [PAGE] * 2, "--title", HOSTILE, "--author", "<script>alert(2)</script>")
    reader.open(folder)
    found = reader.run(
        "return [document.title, document.getElementById('title').textContent, document.querySelectorAll('#title *, title *').length,"
        "document.images.length, document.scripts.length];")
    equal(found[:3], [HOSTILE, HOSTILE, 0])
    equal(found[4], 2)
    source = (folder / "index.html").read_text() + (folder / "book.js").read_text() + (folder / "book.json").read_text()
    equal(re.findall(r"<img|onerror=alert\(1\)>[^&]|<script>", source), [], "what stands in the files")


HOSTILE = "</script><img src=x onerror=alert(1)>&amp;\u202e\u0600<b>\"'"


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
    text = reader.run("return document.querySelector('[data-page=\"5\"] p')?.textContent")
    equal(text, "Page 5 cannot be shown.")
    equal(reader.press("Left")["pages"], [6])
    reader.browser.console()


@in_chromium
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


@in_chromium
def large_pages_keep_to_the_bound(reader, books):
    # 6000 × 6000 pixels are 144 MB decoded: what is seen and the next are held, and no more.
    folder = books.book("huge", [(6000, 6000)] * 5)
    reader.open(folder, "#p=2")
    reader.frames(100)
    held = reader.run(
        "return [...document.querySelectorAll('#track .page')].map(page => Number(page.dataset.page)).sort()")
    equal(held, [2, 3, 4, 5][: len(held)])
    equal(len(held) <= 4, True, f"{held}")


@in_chromium
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


@in_chromium
def a_book_is_kept_for_reading_without_a_network(reader, books):
    folder = books.typed("kept", PAGES, "--title", "Kept")
    confirm = "window.confirm = text => { window.asked = text; return true; }"
    with reader.served(books.folder) as stop:
        reader.open(folder)
        reader.run(confirm)
        reader.click("[data-do=offline]")
        reader.await_that("document.getElementById('toast').textContent === '23 of 23 files are kept.'", "the files to be kept")
        equal(reader.run("return window.asked"), "Keep 6 pages, about 1 MB, on this device?")
        reader.await_that("navigator.serviceWorker.controller", "somebody who gives what is kept")
        stop()
        reader.browser.open(reader.url(folder).replace("index.html", "icon.svg"))
        reader.browser.open(reader.url(folder) + "#p=2")
        equal(reader.settled()["pages"], [2, 3])
        reader.await_that("document.querySelector('.view:not([inert]) .text')", "the text")
        # Asked for again, it is taken away.
        reader.run(confirm)
        reader.click("[data-do=offline]")
        reader.await_that("document.getElementById('toast').textContent === 'The book is not kept any more.'", "the book to go")
        equal(reader.run("return window.asked"), "The book is kept on this device. Remove it?")
        left = reader.run(
            "return caches.open('jisui').then(cache => cache.keys()).then(keys => keys.map(({url}) => url.split('/').slice(5).join('/')))")
        equal([name for name in left if "/" in name or name == "book.js"], [])
        reader.browser.console()
