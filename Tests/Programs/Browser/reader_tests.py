#!/usr/bin/python3
"""Reads books that jisui makes in a browser, as people do.

    Tests/Programs/Browser/reader_tests.py JISUI FOLDER [--over file|http|nginx] [--in chromium|webkit] [TEST ...]

Makes books in FOLDER, opens them from there, or from a server, and prints one line of JSON for each test: its name, and
what was wrong or null. The server is Python's own, or Debian's nginx where it is installed. The tests are in the folder `tests`, by topic.
"""

import argparse
import json
import traceback

from checks import TESTS
from reader import Books, Reader, nginx, open_browser, server
from tests import dialogs, gestures, languages, layouts, marks, opening, returning, shelves, text, wheels  # noqa: F401 (they enter themselves in the list)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("jisui")
    options.add_argument("folder")
    options.add_argument("--over", choices=["file", "http", "nginx"], default="file")
    options.add_argument("--in", choices=["chromium", "webkit"], default="chromium", dest="browser")
    options.add_argument("tests", nargs="*")
    given = options.parse_intermixed_args()
    books = Books(given.jisui, given.folder)
    if given.over == "http":
        with server(given.folder) as (address, _):
            run(books, given, address)
    elif given.over == "nginx":
        with nginx(given.folder) as address:
            run(books, given, address)
    else:
        run(books, given, None)


def run(books, given, address):
    with open_browser(given.browser) as browser:
        reader = Reader(browser, books.folder, address)
        for test in TESTS:
            if test.__name__ not in given.tests if given.tests else given.browser not in test.browsers:
                continue
            fault = None
            try:
                test(reader, books)
            except Exception as error:
                fault = f"{error}" if isinstance(error, AssertionError) else traceback.format_exc()
                fault += f" (events: {browser.last_events()})"
            print(json.dumps({"test": test.__name__, "fault": fault}), flush=True)


if __name__ == "__main__":
    main()
