#!/usr/bin/python3
"""Works the sheets of --trim-sheet and --clean-sheet in a browser as a person would, and prints what is seen and what the browser saves.

    Tests/Programs/Browser/sheets.py view|boxes|cleaning SHEET [FOLDER]

FOLDER gets pictures of a sheet that is viewed.
"""

import json
import pathlib
import sys

from webdriver import Chromium

STATUS = "return document.querySelector('[role=status]').textContent"
STATE = """
const button = viewer.open ? nextInViewer : next;
const svg = document.activeElement.closest("svg");
return {
  next: button.textContent, page: Number(svg?.dataset.page), isOpen: viewer.open, scale: devicePixelRatio,
  width: svg?.getBoundingClientRect().width, pixels: svg?.viewBox.baseVal.width, room: room.clientWidth,
  inRoom: room.children.length, box: pages.get(svg)?.entry.box ?? null, proposed: pages.get(svg)?.entry.proposed ?? null,
  isOnSheet: Boolean(svg?.closest(".pages")),
};
"""
MIDDLE = """
const svg = document.querySelector(arguments[0]);
svg.scrollIntoView({block: "center"});
const {left, top, width, height} = svg.getBoundingClientRect();
return [left + width / 2, top + height / 2];
"""


def look(browser, sheet, size, scale, shoot):
    """What is seen of a sheet of --trim-sheet in a window of a size."""
    seen = {}
    browser.resize(*size, scale, scale > 1)
    browser.open("about:blank")
    browser.open(sheet)
    columns = "return getComputedStyle(document.querySelector('.pages')).gridTemplateColumns.split(' ').length"
    seen["columns"] = browser.run(columns)
    seen["wider"] = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    seen["first"] = browser.run(STATE)["next"]
    shoot("sheet")
    seen["steps"] = []
    for _ in range(3):
        browser.press("n")
        seen["steps"].append(browser.run(STATE))
    browser.run("document.getElementById('analysis').click()")
    shoot("analysis")
    seen["hidden"] = browser.run("return getComputedStyle(document.querySelector('g.analysis')).display")
    # A click shows every pixel, another the whole page.
    browser.drag(browser.run(MIDDLE, ".pages svg"), 0, 0)
    seen["large"] = browser.run(STATE)
    shoot("large")
    browser.drag(browser.run(MIDDLE, ".room svg"), 0, 0)
    seen["fit"] = browser.run(STATE)
    shoot("fit")
    browser.click(".viewer .whole")
    browser.run("room.firstElementChild.focus()")
    seen["whole"] = browser.run(STATE)
    browser.click(".viewer .proposed")
    browser.run("room.firstElementChild.focus()")
    seen["restored"] = browser.run(STATE)
    browser.click(".viewer .bar button:first-child")
    seen["stepped"] = browser.run(STATE)
    browser.press("Escape")
    browser.wait("the page to be put back", "!viewed")
    seen["closed"] = browser.run(STATE)
    return seen


def view(browser, sheet, folder=None):
    """On a desktop and on a phone."""
    def shoot(device):
        return lambda name: folder and browser.save_screenshot(f"{folder}/{device}-{name}.png")

    return {"desktop": look(browser, sheet, (1280, 800), 1, shoot("desktop")), "phone": look(browser, sheet, (390, 844), 3, shoot("phone"))}


BOX = """
const box = document.querySelector(`svg[data-page="${arguments[0]}"] .kept`);
box.scrollIntoView({block: "center"});
const {left, top, right, bottom} = box.getBoundingClientRect();
return {left, top, right, bottom};
"""
FOCUS = "document.querySelector(`svg[data-page=\"${arguments[0]}\"]`).focus()"


def boxes(browser, sheet):
    """Corrects boxes.

    Page 1: its left side is dragged to the right by 20 pixels of the window. Page 2: its lower right corner. Page 3: with the
    keyboard, the top side twice downwards and the right side once outwards. Page 4: kept whole. Page 5: changed, and changed back.
    """
    browser.open(sheet)
    box = browser.run(BOX, 1)
    browser.drag((box["left"], (box["top"] + box["bottom"]) / 2), 20, 7)
    box = browser.run(BOX, 2)
    browser.drag((box["right"], box["bottom"]), -30, -40)
    for page, keys in ((3, [("Shift", "Down"), ("Shift", "Down"), "Right"]), (4, ["w"]), (5, ["Left", "Up", "Escape"])):
        browser.run(FOCUS, page)
        browser.press(*keys)
    status = browser.run(STATUS)
    browser.click(".bar .main")
    scale = "const svg = document.querySelector('svg[data-page]'); return svg.viewBox.baseVal.width / svg.getBoundingClientRect().width"
    saved = json.loads(browser.downloaded(browser.run("return document.body.dataset.file")))
    return {"saved": saved, "status": status, "scale": browser.run(scale)}


AT = "return getComputedStyle(document.querySelector('figure[data-page=\"2\"] .pair')).getPropertyValue('--at')"


def cleaning(browser, sheet):
    """The slider of page 2 goes to its end. Page 2 is not to be whitened, and page 3 is changed and changed back."""
    browser.open(sheet)
    browser.run("document.querySelector('figure[data-page=\"2\"] input[type=range]').focus()")
    browser.press("End")
    for page in (2, 3, 3):
        browser.click(f'figure[data-page="{page}"] input[name=whiten]')
    seen = {"status": browser.run(STATUS), "at": browser.run(AT)}
    browser.click(".bar button")
    return seen | {"saved": json.loads(browser.downloaded("cleaning.json"))}


if __name__ == "__main__":
    work, sheet, *folder = sys.argv[1:]
    with Chromium() as browser:
        seen = {"view": view, "boxes": boxes, "cleaning": cleaning}[work](browser, pathlib.Path(sheet).resolve().as_uri(), *folder)
        json.dump(seen | {"console": browser.console()}, sys.stdout)
