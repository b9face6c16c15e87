#!/usr/bin/python3
"""Pairs books in a browser, and compares the spreads and sides with those that jisui finds: Tests/Programs/Browser/pairing.py FOLDER

The folder holds the reader's files and vectors.json, a list of books and their spreads.
"""

import json
import pathlib
import sys

from webdriver import Chromium

# The books that are paired differently.
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

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]).resolve()
    books = json.loads((folder / "vectors.json").read_text())
    with Chromium() as browser:
        browser.open((folder / "index.html").as_uri())
        different = [book for start in range(0, len(books), 1000) for book in browser.run(COMPARE, books[start : start + 1000])]
    if different:
        sys.exit(f"{len(different)} books are paired differently, the first: {different[0]}")
    print(f"{len(books)} books are paired alike")
