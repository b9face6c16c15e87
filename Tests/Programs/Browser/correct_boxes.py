#!/usr/bin/env python3
"""Corrects boxes on a sheet of --trim-sheet as a person would, and prints what the browser then saves.

    Tests/Programs/Browser/correct_boxes.py SHEET

Page 1: its left side is dragged to the right by 20 pixels of the window. Page 2: its lower right corner. Page 3: with the
keyboard, the top side twice downwards and the right side once outwards. Page 4: kept whole. Page 5: changed, and changed back.
"""

import json
import pathlib
import sys

from webdriver import Chromium

BOX = """
const box = document.querySelector(`svg[data-page="${arguments[0]}"] .kept`);
box.scrollIntoView({block: "center"});
const {left, top, right, bottom} = box.getBoundingClientRect();
return {left, top, right, bottom};
"""
FOCUS = "document.querySelector(`svg[data-page=\"${arguments[0]}\"]`).focus()"


def main(sheet):
    with Chromium() as browser:
        browser.open(pathlib.Path(sheet).resolve().as_uri())
        box = browser.run(BOX, 1)
        browser.drag((box["left"], (box["top"] + box["bottom"]) / 2), 20, 7)
        box = browser.run(BOX, 2)
        browser.drag((box["right"], box["bottom"]), -30, -40)
        browser.run(FOCUS, 3)
        browser.press(("Shift", "Down"), ("Shift", "Down"), "Right")
        browser.run(FOCUS, 4)
        browser.press("w")
        browser.run(FOCUS, 5)
        browser.press("Left", "Up", "Escape")
        status = browser.run("return document.querySelector('[role=status]').textContent")
        if len(sys.argv) > 2:
            browser.screenshot(sys.argv[2])
        browser.click(".bar .main")
        name = browser.run("return document.body.dataset.file")
        saved = json.loads(browser.downloaded(name))
        scale = browser.run(
            "const svg = document.querySelector('svg[data-page]'); return svg.viewBox.baseVal.width / svg.getBoundingClientRect().width"
        )
        json.dump({"saved": saved, "status": status, "scale": scale, "console": browser.console()}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
