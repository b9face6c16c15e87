#!/usr/bin/env python3
"""Pairs books in a browser, and compares the spreads with those that jisui finds: Tests/Browser/pairing.py FOLDER

The folder holds the reader's files and vectors.json, a list of books and their spreads.
"""

import json
import pathlib
import sys

from webdriver import Chromium

COMPARE = """
const same = (one, other) => one.length === other.length && one.every((spread, rank) =>
  JSON.stringify(Object.entries(spread).sort()) === JSON.stringify(Object.entries(other[rank]).sort()));
return arguments[0].filter(({kinds, alone, shifts, spreads}) => !same(jisui.pair(kinds, alone, new Set(shifts)), spreads));
"""


def main(folder):
    books = json.loads((folder / "vectors.json").read_text())
    with Chromium() as browser:
        browser.open((folder / "index.html").resolve().as_uri())
        different = [book for start in range(0, len(books), 1000) for book in browser.run(COMPARE, books[start : start + 1000])]
    if different:
        print(f"{len(different)} books are paired differently, the first: {different[0]}")
        return 1
    print(f"{len(books)} books are paired alike")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
