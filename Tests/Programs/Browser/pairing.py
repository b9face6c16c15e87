#!/usr/bin/python3
"""Pairs books in a browser, and compares the spreads and sides with those that jisui finds.

    Tests/Programs/Browser/pairing.py FOLDER

The folder holds the reader's files and vectors.json, a list of books and their spreads.
"""

import json
import pathlib
import sys

from webdriver import Chromium

COMPARE = """
const same = (one, other) => one.length === other.length && one.every((spread, rank) =>
  JSON.stringify(Object.entries(spread).sort()) === JSON.stringify(Object.entries(other[rank]).sort()));
const sides = (spreads, count, direction) => {
  settings.direction = direction;
  const found = new Array(count).fill("single");
  for (const spread of spreads)
    for (const place of [spread.first, spread.second])
      if (Number.isInteger(place)) found[place] = isOnLeft(spread, place) ? "left" : "right";
  return found;
};
return arguments[0].filter(book => {
  const spreads = jisui.pair(book.kinds, book.alone, new Set(book.shifts));
  return !same(spreads, book.spreads) || `${sides(spreads, book.kinds.length, book.direction)}` !== `${book.sides}`;
});
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
