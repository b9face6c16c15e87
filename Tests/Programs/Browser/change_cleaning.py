#!/usr/bin/env python3
"""Changes decisions on a sheet of --clean-sheet as a person would, and prints what the browser then saves.

    Tests/Programs/Browser/change_cleaning.py SHEET

The slider of page 2 is moved to its end with the keyboard. Page 2 is not to be whitened, and page 3 is changed and changed back.
"""

import json
import pathlib
import sys

from webdriver import Chromium

SLIDER = 'figure[data-page="2"] input[type=range]'
AT = "return getComputedStyle(document.querySelector('figure[data-page=\"2\"] .pair')).getPropertyValue('--at')"


def main(sheet):
    with Chromium() as browser:
        browser.open(pathlib.Path(sheet).resolve().as_uri())
        browser.run(f"document.querySelector('{SLIDER}').focus()")
        browser.press("End")
        for page in (2, 3, 3):
            browser.click(f'figure[data-page="{page}"] input[name=whiten]')
        status = browser.run("return document.querySelector('[role=status]').textContent")
        at = browser.run(AT)
        browser.click(".bar button")
        saved = json.loads(browser.downloaded("cleaning.json"))
        json.dump({"saved": saved, "status": status, "at": at, "console": browser.console()}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
