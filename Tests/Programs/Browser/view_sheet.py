#!/usr/bin/env python3
"""Looks at a sheet of --trim-sheet as a person would, on a desktop and on a phone, and prints what there is to see.

    Tests/Programs/Browser/view_sheet.py SHEET [FOLDER]

FOLDER gets pictures of it.
"""

import json
import pathlib
import sys

from webdriver import Chromium

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
    """What is seen in a window of a size."""
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


def main(sheet, folder=None):
    with Chromium() as browser:
        address = pathlib.Path(sheet).resolve().as_uri()

        def shoot(device):
            return lambda name: folder and browser.screenshot(f"{folder}/{device}-{name}.png")

        desktop = look(browser, address, (1280, 800), 1, shoot("desktop"))
        phone = look(browser, address, (390, 844), 3, shoot("phone"))
        json.dump({"desktop": desktop, "phone": phone, "console": browser.console()}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
