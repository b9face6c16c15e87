"""Breaks the reader in one place after the other, and sees whether its tests notice: each one changes a line of the reader, runs the test
that is about it, and puts the line back."""

import re

import pytest
from selenium.common.exceptions import WebDriverException

import reader_tests  # noqa: F401 (it has all tests)
from reader import perform

# By the tests that notice: a line of the reader, in which « … → … » is changed.
MUTANTS = {
    "opens with an empty console": ["if («isServed → true») document.head"],
    "no request leaves the folder and no foreign script runs": [
        "img-src 'self' file:« →  http:»", "«require-trusted-types-for 'script'; → »"],
    "thirds of a book from right to left": ["at «<= → <» length / 3", "at «> → >=» 2 * length / 3"],
    "thirds of a book from left to right": ["turn(«third * (isAcross && isRightToLeft() ? -1 : 1) → -third»)"],
    "the ends are told": [
        "next < «0 || next >= → -1 || next >» views.length",
        '«announce(step < 0 ? tr("This is the first page.") : tr("This is the last page.")); → »'],
    "the bar goes after three seconds in which nobody uses it": [
        "barTime = «3000 → 3200»", "barTime = «3000 → 2800»", "isHovered« || bars.some(bar => bar.contains(document.activeElement)) → »"],
    "a bar hidden by hand stays hidden and moves nothing": [
        "function placeChanged() {« →  showBar(true);»", "« → .with-bar #stage { top: 50px; }»\n.with-bar .bar {"],
    "a zoomed page turns by no tap": ["if («isZoomed() → false») {\n    if (isDouble)"],
    "a tap during a pinch or just after it does nothing": ["=== Infinity) quietUntil = performance.now() + «300 → 100»"],
    "zoom has a limit": ["Math.max(«5 → 50», 2 /", "Math.«max → min»(5, 2 /"],
    "turning ends a zoom": ["«  zoom.z = 1; → »\n  const view = shown();"],
    "the loupe stays on the screen": [
        "«left = clamp(left, 0, innerWidth - size); → »", '«if (is === "loupe") hideLoupe(); → »', "tapTime = «500 → 480»"],
    "a swipe turns beyond a fifth": [
        "> «0.2 → 0.18» * stage.clientWidth", "> «0.2 → 0.22» * stage.clientWidth", "const gap = «20 → 19»"],
    "the wheel turns once a notch": ["now - wheeledAt < «wheelTime → 200»"],
    "the first touch shows the gestures once": ["«  common.gestures = true; → »\n"],
    "the pages of a spread meet in the middle": [
        "(spread.first === place) «!== → ===» isRightToLeft()", "spread.wide === undefined« && spread.cover === undefined → »"],
    "a turn of the screen keeps the page": ["current = Math.max(0, viewOf(anchor));« →  anchor = views[current].pages[0];»"],
    "a turn of the screen hides the bar unless it is pinned": ["«if (isTurned && !isBarUsed()) showBar(false); → »"],
    "a wide page is alone and in the middle": ['kind === "«wide → none»"'],
    "a shift pairs as jisui does and is remembered": ["waiting !== null« && !shifts.has(page) → »"],
    "a webtoon keeps its row": ["«stripLine.fraction → 0» * length - stripLine.at"],
    "the place is remembered when the folder moves": ["`jisui:1:« → ${location.pathname}»${id}`"],
    "a hostile title stays text": ['byId("title").«textContent → innerHTML» = title'],
    "large pages keep to the limit of memory": ["return «rank < 2 || room >= 0 → true»;"],
    "many pages are turned and few are held": ["«if (!wanted.includes(place)) drop(place, view) → »;"],
    "storage that the browser blocks is reported": [
        "if («!storageWarned → false») say(", "  } «catch {\n    return null;\n   → finally {»}\n}\n\n/** Keeps a value"],
    "a phone has every button and no hints of keys": [
        '(«hasKeys ? key : "" → key»)', '  #top { «flex-wrap: wrap; → } #top [data-do="clip"] { display: none;» }'],
    "the reader speaks japanese": ['«tr("Next volume") → "Next volume"»', 'find(code => «code === "en" || → »'],
    "a clip is the exact rectangle": ["cutting.from = {x: « → 3 + »(event.clientX - left) / scale"],
    "marks are saved loaded and merged": ["return {page«: page + 1 → », size"],
    "marks of two tabs are merged": ["«  takeFromOtherTabs(); → »\n  remember(keyOf"],
    "pages are printed one a sheet with their text": [
        "« → .part .text { color: #000; }»\n  .part svg { « → z-index: 1; »position", "«overlay?.print(box) → null»"],
    "words lie over their places": ["translate(${corner[0]« →  + 20»}px"],
    "the keyboard leads from a shelf to a clip and back": [
        ":focus-visible { outline: «2px solid → 0 none»", "«else if (shelf) actions.shelf(); → »"],
    "a shelf shows, sorts and finds its books": ['=> clean(text)«.normalize("NFKC") → »', "const title = «shelf.title → false» || tr("],
    "a shelf groups series": ["if («name && group.length > 1 → false»)"],
    "the end of a volume leads on": [
        "collator.compare(entry.number, number) «> → !==» 0", "«    reachedEnd(step); → »\n    return false;\n  }\n  scrollStripBy"],
    "a book of a shelf is kept for reading without a network": ["«shelf && book.picture → false»"],
}
CHANGE = re.compile("«(.*?) → (.*?)»", re.DOTALL)


@pytest.mark.parametrize("name, change", [(name, change) for name, changes in MUTANTS.items() for change in changes])
def test_change_is_noticed(name, change, reader):
    # It makes the books, too.
    perform(name, reader)
    old, new = CHANGE.sub(r"\1", change), CHANGE.sub(r"\2", change)
    files = {path: path.read_text() for path in reader.books.folder.glob("web/*/*") if path.suffix in (".js", ".css", ".html")}
    files = {path: text for path, text in files.items() if old in text}
    assert files and all(text.count(old) == 1 for text in files.values()), "the reader has this line not once"
    for path, text in files.items():
        path.write_text(text.replace(old, new))
    try:
        with pytest.raises((AssertionError, WebDriverException)):
            perform(name, reader)
    finally:
        for path, text in files.items():
            path.write_text(text)
