#!/usr/bin/python3
"""Takes the pictures of the reader of docs/web-reader.md: Tests/Programs/Browser/screenshots.py JISUI FOLDER

They are small WebPs in FOLDER, of the scanned comic among the fixtures: on a phone, a tablet and a desktop, in dark and light.
"""

import base64
import pathlib
import subprocess
import sys
import tempfile
import time

from reader import Books
from webdriver import Chromium

COMIC = pathlib.Path(__file__).parents[3] / "Fixtures/good/PDFSource/real-bobby-make-believe.pdf"
PHONE, TABLET, DESKTOP = (390, 760), (960, 640), (1100, 720)
# Titles as people have them, and as nobody should.
TITLES = [
    "Bobby Make-Believe", "Chicago, Sunday pages", "自炊の手引き", "كتاب الصور", "Volume 2", "Volume 10", "Scans of the summer",
    "A title that goes on and on, as those of catalogs do, until nobody reads it any more, and then goes on for a while",
    "</script><img src=x onerror=alert(1)>", "吾輩は猫である　上巻（夏目漱石作品集・復刻版・第一巻・函入り・限定百部）", "ألف ليلة وليلة، الجزء الأول",
    "Notes", "\u202egnp.exe", "ｶﾀｶﾅ ﾊﾝｶｸ", "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen", "Volume 1", "Comics, 1915",
    "銀河鉄道の夜", "Ωmega", "Šest černých koček", "Lettres de mon moulin", "𝕱𝖗𝖆𝖐𝖙𝖚𝖗", "👩‍🚀 Space", "第一巻", "1001", "Z", "坊っちゃん",
    "Half a title:", "\"Quoted\" & <b>bold</b>", "The last",
]
# A page of text as a program writes it, in the fonts that every reader of PDFs has.
TEXT = [
    "Of the Loupe", "", "A finger that is held still brings a loupe, and what lies", "under it is seen enlarged as long as it is held. It moves with",
    "the finger and stays on the screen; a finger that is lifted takes", "it away, and the page is the same as before.", "",
    "What is searched for is marked on the page, and the next place", "is one key away. Words that are broken at the end of a line",
    "are found all the same, for a hyphen says nothing to a loupe.", "", "Of Pages That Face Each Other", "",
    "On a wide screen pages face each other as they do on paper,", "and the cover stands alone. Turning the screen keeps the page.",
]


def text_book(path):
    """A PDF of one page of text."""
    lines = []
    for number, line in enumerate(TEXT):
        size = 20 if line.startswith("Of ") else 13
        lines.append(f"BT /F {size} Tf 48 {540 - 26 * number} Td ({line}) Tj ET")
    page = "\n".join(["%%MediaBox 0 0 450 600", "%%Font F Times-Roman", *lines])
    subprocess.run(["mutool", "create", "-o", path, "/dev/stdin"], input=page, text=True, check=True)


class Camera:
    """Opens books in a window of a size and in a color scheme, and takes pictures."""

    def __init__(self, browser, target):
        self.browser, self.target = browser, target

    def open(self, folder, size, scheme, fragment=""):
        self.browser.resize(*size)
        self.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.browser.open("about:blank")
        self.browser.open((folder / "index.html").as_uri() + fragment)
        time.sleep(1.5)
        # Else the first touch would show what touches do.
        self.browser.run("common.gestures = true")

    def press(self, *keys):
        self.browser.press(*keys)
        time.sleep(0.5)

    def take(self, name, folder, size, scheme, fragment="", keys=(), script="", pause=0.5):
        """Opens a book, presses keys, runs a script, and takes a picture before the bar goes."""
        self.open(folder, size, scheme, fragment)
        if keys:
            self.press(*keys)
        self.browser.run(script)
        time.sleep(pause)
        self.shoot(name)

    def shoot(self, name):
        # Where keys have led is of no interest.
        self.browser.run("if (!document.activeElement.matches('input')) document.activeElement.blur()")
        picture = self.browser.devtools("Page.captureScreenshot", format="webp", quality=45)["data"]
        (self.target / f"{name}.webp").write_bytes(base64.b64decode(picture))


def make_books(books, folder):
    """A book, one from right to left with a wide page, one of text, and a shelf."""
    comic, spreads, text, shelf = (pathlib.Path(folder) / name for name in ["comic", "spreads", "text", "shelf"])
    books.run(COMIC, "-o", comic, "--to", "web", "-q", "--title", "Bobby Make-Believe")
    wide = pathlib.Path(folder) / "wide"
    books.run(COMIC, "-o", wide, "--to", "folder", "-q", "--spreads", "merge", "--direction", "rtl", "--pages", "1-3")
    books.run(wide, COMIC, "--combine", "-o", spreads, "--to", "web", "-q", "--direction", "rtl", "--title", "自炊の手引き")
    text_book(pathlib.Path(folder) / "text.pdf")
    books.run(pathlib.Path(folder) / "text.pdf", "-o", text, "--to", "web", "-q", "--title", "Of the Loupe")
    for number, title in enumerate(TITLES):
        # Books are told apart by their pages: each shows another part of the comic.
        top, right = 150 * (number % 5), 9 * number
        crop = ["--crop", f"{top},{right},{600 - 120 * (number % 5)},{300 - right}"] if number else []
        options = ["--gray"] if number % 4 == 3 else []
        volume = title.removeprefix("Volume ")
        options += ["--series", "Sunday pages", "--number", volume] if volume != title else []
        options += ["--shelf-title", "The family's books"] if not number else []
        books.run(COMIC, "-o", shelf, "--to", "web", "--add", "-q", "--title", title, "--pages", f"{number % 4 + 1}..", *crop, *options, "--bake")
    return comic, spreads, text, shelf


def main(jisui, target):
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Chromium() as browser:
        comic, spreads, text, shelf = make_books(Books(jisui, folder), folder)
        camera = Camera(browser, target)
        camera.take("spread", comic, DESKTOP, "dark", "#p=2")
        camera.take("cover", spreads, TABLET, "light", "#p=1", ["m"])
        camera.take("wide", spreads, TABLET, "dark", "#p=2", ["m"])
        camera.take("webtoon", comic, PHONE, "light", "#p=2", ["w"], "strip.scrollBy({top: 420, behavior: 'instant'})")
        camera.open(comic, PHONE, "dark", "#p=3")
        camera.press("m", "w")
        browser.touch("touchStart", (386, 120))
        time.sleep(1)
        camera.shoot("loupe")
        browser.touch("touchEnd")
        clips = ["c", "Enter", "c", *[("Shift", "Up")] * 12, "Enter", "c", *["Up", "Left"] * 9, "Enter"]
        camera.take("clips", comic, DESKTOP, "light", "#p=2", [*clips, "b", "k"], pause=4.5)
        search = "const field = document.getElementById('words'); field.value = 'loupe'; field.dispatchEvent(new Event('input'))"
        camera.take("search", text, TABLET, "light", "", ["s"], search)
        camera.press("Enter", "Enter", "m")
        camera.shoot("found")
        camera.take("shelf", shelf, DESKTOP, "light")
        camera.take("shelf-phone", shelf, PHONE, "dark", script="scrollTo(0, 1e6)")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
