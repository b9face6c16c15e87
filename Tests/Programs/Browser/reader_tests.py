#!/usr/bin/python3
"""Reads books that jisui makes in a browser, as people do.

    Tests/Programs/Browser/reader_tests.py JISUI FOLDER [--over file|nginx] [--in chromium|webkit] [TEST ...]

Makes books in FOLDER, which is empty, opens them from there or from nginx, and prints one line of JSON for each test: its
name, and the fault or null. The tests are in the folder `tests`, by topic.
"""

import argparse
import json
import traceback

from selenium.common.exceptions import TimeoutException

from reader import TESTS, reading
from tests import gestures, layouts, marks, opening, shelves, text  # noqa: F401 (they enter themselves in the list)


def fault_of(name, reader):
    """What a test finds wrong; None when it passes."""
    try:
        TESTS[name][0](reader)
        return None
    except (AssertionError, TimeoutException) as error:
        step = traceback.extract_tb(error.__traceback__)[1].line
        return f"{step}: {error} (events: {reader.run('return window.$events?.slice(-9)')})"
    except Exception:
        return traceback.format_exc()
    finally:
        reader.browser.release()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("jisui")
    options.add_argument("folder")
    options.add_argument("--over", choices=["file", "nginx"], default="file")
    options.add_argument("--in", choices=["chromium", "webkit"], default="chromium", dest="browser")
    options.add_argument("tests", nargs="*")
    given = options.parse_intermixed_args()
    names = [name.replace("_", " ") for name in given.tests]
    with reading(given.jisui, given.folder, given.browser, given.over) as reader:
        for name in names or [name for name, (_, browsers) in TESTS.items() if given.browser in browsers]:
            print(json.dumps({"test": name, "fault": fault_of(name, reader)}), flush=True)


if __name__ == "__main__":
    main()
