#!/usr/bin/python3
"""Reads books that jisui makes in a browser, as people do.

    Tests/Programs/Browser/reader_tests.py JISUI FOLDER [--over file|nginx] [--in chromium|webkit] [TEST ...]

Makes books in FOLDER, which is empty, opens them from there or from nginx, and prints one line of JSON for each test: its
name, and the fault or null. The tests are in the folder `tests`, by topic.
"""

import argparse
import contextlib
import json
import traceback

from books import Books, server
from checks import TESTS
from reader import Reader, open_browser
from tests import gestures, layouts, marks, opening, shelves, text  # noqa: F401 (they enter themselves in the list)


def fault_of(name, reader):
    """What a test finds wrong; None when it passes."""
    try:
        TESTS[name][0](reader)
        return None
    except AssertionError as error:
        return f"{error} (events: {reader.run('return window.$events?.slice(-9)')})"
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
    books = Books(given.jisui, given.folder)
    names = [name.replace("_", " ") for name in given.tests]
    with contextlib.ExitStack() as stack:
        address = stack.enter_context(server(books.folder)) if given.over == "nginx" else None
        reader = Reader(stack.enter_context(open_browser(given.browser)), books, address)
        for name in names or [name for name, (_, browsers) in TESTS.items() if given.browser in browsers]:
            print(json.dumps({"test": name, "fault": fault_of(name, reader)}), flush=True)


if __name__ == "__main__":
    main()
