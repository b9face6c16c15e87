#!/usr/bin/env python3
"""Takes the pictures of the reader that stand in GUIDE.md: Tests/Browser/screenshots.py JISUI FOLDER

They are small WebPs in FOLDER, of the scanned comic among the fixtures.
"""

import base64
import pathlib
import sys
import tempfile
import time

from reader import Books
from webdriver import Chromium

COMIC = pathlib.Path(__file__).parents[2] / "Fixtures/good/PDFSource/real-bobby-make-believe.pdf"
TITLES = [
    "Bobby Make-Believe", "Chicago, Sunday pages", "自炊の手引き", "كتاب الصور", "Volume 2", "Volume 10",
    "A title that goes on and on, as those of catalogues do, until nobody reads it any more",
    "</script><img src=x onerror=alert(1)>", "Notes", "Scans of the summer",
]


def shoot(browser, path):
    picture = browser.devtools("Page.captureScreenshot", format="webp", quality=70)["data"]
    path.write_bytes(base64.b64decode(picture))


def scheme(browser, name):
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])


def main(jisui, target):
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Chromium() as browser:
        books = Books(jisui, folder)
        book, shelf = pathlib.Path(folder) / "book", pathlib.Path(folder) / "shelf"
        books.run(COMIC, "-o", book, "--to", "web", "-q", "--title", "Bobby Make-Believe")
        for number, title in enumerate(TITLES):
            # Books are told apart by their pages.
            rest = ["--pages", f"{number % 4 + 1}..", "--gray"] if number > 3 else ["--pages", f"{number % 4 + 1}.."]
            extra = ["--rotate", "180"] if number > 7 else []
            books.run(COMIC, "-o", shelf, "--to", "web", "--add", "-q", "--title", title, *rest, *extra)

        def open_book(fragment, width, height, colours):
            browser.resize(width, height)
            scheme(browser, colours)
            browser.open("about:blank")
            browser.open((book / "index.html").as_uri() + fragment)
            time.sleep(1)

        open_book("#p=2", 960, 640, "dark")
        shoot(browser, target / "spread.webp")
        open_book("#p=2", 390, 760, "light")
        browser.run("document.querySelector('[data-do=view]').click()")
        time.sleep(0.5)
        shoot(browser, target / "view.webp")
        open_book("#p=3", 390, 760, "dark")
        browser.press("m", "l")
        time.sleep(0.5)
        shoot(browser, target / "loupe.webp")
        browser.resize(960, 640)
        scheme(browser, "light")
        browser.open((shelf / "index.html").as_uri())
        time.sleep(1)
        shoot(browser, target / "shelf.webp")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
