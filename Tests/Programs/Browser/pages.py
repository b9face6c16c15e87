#!/usr/bin/python3
"""Works pages in a browser as a person would, and prints as JSON what is seen and saved.

    Tests/Programs/Browser/pages.py view|boxes|cleaning|pairing PAGE

The page is a sheet of --trim-sheet or --clean-sheet, or a reader.
"""

import json
import pathlib
import sys

from webdriver import Chromium

SHEET = """return {
  columns: getComputedStyle(document.querySelector(".pages")).gridTemplateColumns.split(" ").length, first: next.textContent,
  wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
};"""
# The page in the viewer, or on the sheet the one with the focus.
STATE = """
const svg = viewer.open ? room.firstElementChild : document.activeElement.closest("svg");
return {
  next: (viewer.open ? nextInViewer : next).textContent, page: Number(svg?.dataset.page), isOpen: viewer.open, scale: devicePixelRatio,
  width: svg?.getBoundingClientRect().width, room: room.clientWidth, inRoom: room.children.length,
  box: pages.get(svg)?.entry.box ?? null, proposed: pages.get(svg)?.entry.proposed ?? null, isOnSheet: Boolean(svg?.closest(".pages")),
};
"""
BOX = """
const element = document.querySelector(arguments[0]);
element.scrollIntoView({block: "center"});
const {left, top, right, bottom} = element.getBoundingClientRect();
return [left, top, right, bottom];
"""
# The books that a reader pairs otherwise than jisui does.
COMPARE = """
const text = spreads => JSON.stringify(spreads.map(spread => Object.entries(spread).sort()));
return arguments[0].filter(book => {
  settings.direction = book.direction;
  const spreads = jisui.pair(book.kinds, book.alone, new Set(book.shifts)), sides = new Array(book.kinds.length).fill("single");
  for (const spread of spreads)
    for (const place of [spread.first, spread.second])
      if (Number.isInteger(place)) sides[place] = isOnLeft(spread, place) ? "left" : "right";
  return text(spreads) !== text(book.spreads) || `${sides}` !== `${book.sides}`;
});
"""
FOCUS = "document.querySelector(arguments[0]).focus()"
STATUS = "return document.querySelector('[role=status]').textContent"
SCALE = "const svg = document.querySelector('svg[data-page]'); return svg.viewBox.baseVal.width / svg.getBoundingClientRect().width"
HIDDEN = "document.getElementById('analysis').click(); return getComputedStyle(document.querySelector('g.analysis')).display"
SLIDER = "return getComputedStyle(document.querySelector('figure[data-page=\"2\"] .pair')).getPropertyValue('--at')"


def press_on(browser, selector):
    left, top, right, bottom = browser.run(BOX, selector)
    browser.drag(((left + right) / 2, (top + bottom) / 2), 0, 0)


# What is done to a sheet of --trim-sheet, one after the other. A press shows every pixel of a page, and another one the whole page.
STEPS = [
    ("large", press_on, ".pages svg"), ("fit", press_on, ".room svg"), ("whole", Chromium.click, ".viewer .whole"),
    ("restored", Chromium.click, ".viewer .proposed"), ("stepped", Chromium.click, ".viewer .bar button:first-child"),
    ("closed", Chromium.press, "Escape"),
]


def look(browser, sheet, *window):
    """What is seen of a sheet of --trim-sheet in a window."""
    browser.resize(*window)
    browser.open("about:blank")
    browser.open(sheet)
    seen = browser.run(SHEET) | {"steps": []}
    for _ in range(3):
        browser.press("n")
        seen["steps"].append(browser.run(STATE))
    seen["hidden"] = browser.run(HIDDEN)
    for name, act, target in STEPS:
        act(browser, target)
        browser.wait("viewer.open || !viewed")
        seen[name] = browser.run(STATE)
    return seen


def view(browser, sheet):
    """On a desktop and on a phone."""
    return {"desktop": look(browser, sheet, 1280, 800), "phone": look(browser, sheet, 390, 844, 3, True)}


def boxes(browser, sheet):
    """Corrects boxes.

    Page 1: its left side is dragged to the right by 20 pixels of the window. Page 2: its lower right corner. Page 3: with the
    keyboard, the top side twice downwards and the right side once outwards. Page 4: kept whole. Page 5: changed, and changed back.
    """
    browser.open(sheet)
    left, top, _, bottom = browser.run(BOX, "svg[data-page='1'] .kept")
    browser.drag((left, (top + bottom) / 2), 20, 7)
    browser.drag(browser.run(BOX, "svg[data-page='2'] .kept")[2:], -30, -40)
    for page, keys in ((3, [("Shift", "Down"), ("Shift", "Down"), "Right"]), (4, ["w"]), (5, ["Left", "Up", "Escape"])):
        browser.run(FOCUS, f"svg[data-page='{page}']")
        browser.press(*keys)
    status = browser.run(STATUS)
    browser.click(".bar .main")
    saved = json.loads(browser.downloaded(browser.run("return document.body.dataset.file")))
    return {"saved": saved, "status": status, "scale": browser.run(SCALE)}


def cleaning(browser, sheet):
    """The slider of page 2 goes to its end. Page 2 is not to be whitened, and page 3 is changed and changed back."""
    browser.open(sheet)
    browser.run(FOCUS, "figure[data-page='2'] input[type=range]")
    browser.press("End")
    for page in (2, 3, 3):
        browser.click(f"figure[data-page='{page}'] input[name=whiten]")
    seen = {"status": browser.run(STATUS), "at": browser.run(SLIDER)}
    browser.click(".bar button")
    return seen | {"saved": json.loads(browser.downloaded("cleaning.json"))}


def pairing(browser, reader):
    """Pairs the books of vectors.json, which is beside the reader, and compares the spreads and sides with those that jisui found."""
    browser.open(reader)
    books = json.loads(pathlib.Path(sys.argv[2]).with_name("vectors.json").read_text())
    different = [book for start in range(0, len(books), 1000) for book in browser.run(COMPARE, books[start : start + 1000])]
    return {"books": len(books), "different": different}


if __name__ == "__main__":
    work, page = sys.argv[1:]
    with Chromium() as browser:
        works = {"view": view, "boxes": boxes, "cleaning": cleaning, "pairing": pairing}
        seen = works[work](browser, pathlib.Path(page).resolve().as_uri())
        json.dump(seen | {"console": browser.console()}, sys.stdout)
