#!/usr/bin/python3
"""Takes the pictures of the reader of docs/web-reader.md: pictures/reader_pictures.py JISUI FOLDER

They are small WebPs in FOLDER, of fixtures, a scanned comic and a page that jisui reads: on a phone, a tablet and a desktop.
"""

import base64
import pathlib
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(REPOSITORY / "Tests/Programs/Browser"))
from books import maker
from reader import reading
from tests.text import find

COMIC = REPOSITORY / "Fixtures/good/PDFSource/real-bobby-make-believe.pdf"
TEXT = REPOSITORY / "Fixtures/ocr/english.png"
PHONE, TABLET, DESKTOP = ({"size": size} for size in [(390, 760), (960, 640), (1100, 720)])
# Titles as people have them, and as nobody should.
TITLES = [
    "Bobby Make-Believe", "Chicago, Sunday pages", "自炊の手引き", "كتاب الصور", "Volume 2", "Volume 10", "Scans of the summer",
    "A title that goes on and on, as those of catalogs do, until nobody reads it any more, and then goes on for a while",
    "</script><img src=x onerror=alert(1)>", "吾輩は猫である　上巻（夏目漱石作品集・復刻版・第一巻・函入り・限定百部）", "\u202egnp.exe",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen", "Volume 1", "銀河鉄道の夜", "Ωmega", "𝕱𝖗𝖆𝖐𝖙𝖚𝖗", "👩‍🚀 Space", "1001", "坊っちゃん",
]


@maker
def made(books, name, input, *options):
    return books.web(name, input, *options)


@maker
def spreads_of_comic(books):
    """The comic from right to left, with a wide page."""
    wide = books.folder / "wide"
    books.run(COMIC, "-o", wide, "--to", "folder", "--spreads", "merge", "--direction", "rtl", "--pages", "1-3")
    return books.web("spreads", wide, COMIC, "--combine", "--direction", "rtl", "--title", "自炊の手引き")


@maker
def shelf_of_comics(books):
    """The comic again and again: books differ by their pages, and each shows another part of it."""
    for number, title in enumerate(TITLES):
        top, right = 150 * (number % 5), 9 * number
        options = ["--crop", f"{top},{right},{600 - 120 * (number % 5)},{300 - right}"]
        options = options if number else ["--shelf-title", "The family's books"]
        options += ["--gray"] if number % 4 == 3 else []
        options += ["--series", "Sunday pages", "--number", title[7:]] if title.startswith("Volume ") else []
        folder = books.web("shelf", COMIC, "--add", "--title", title, "--pages", f"{number % 4 + 1}..", *options, "--bake")
    return folder


comic, spreads, shelf = made("comic", COMIC, "--title", "Bobby Make-Believe"), spreads_of_comic(), shelf_of_comics()
text = made("text", TEXT, "--ocr", "--ocr-language", "eng", "--title", "Alice")


def search(reader):
    return reader.open(text, **TABLET, text=True).press("s").then(find, "the")


# The color scheme of each picture, and the steps that lead to what it shows.
PICTURES = {
    "spread": ("dark", lambda reader: reader.open(comic, "#p=2", **DESKTOP)),
    "cover": ("light", lambda reader: reader.open(spreads, "#p=1", **TABLET).press("m")),
    "wide": ("dark", lambda reader: reader.open(spreads, "#p=2", **TABLET).press("m")),
    "webtoon": ("light", lambda reader: reader.open(comic, "#p=2", **PHONE).press("w")
                .do("strip.scrollBy({top: 420, behavior: 'instant'})").frames(20)),
    "loupe": ("dark", lambda reader: reader.open(comic, "#p=3", **PHONE).press("m").touch("Start", (386, 120)).advance(500)),
    "clips": ("light", lambda reader: reader.open(comic, "#p=2", **DESKTOP).press("c", "Enter", "c", *[("Shift", "Up")] * 12, "Enter")
              .press("c", *["Up", "Left"] * 9, "Enter", "b", "k").advance(4500).frames(20)),
    "search": ("light", search),
    "found": ("light", lambda reader: search(reader).press("Enter").frames(5).press("Enter", "m").await_text()),
    "shelf": ("light", lambda reader: reader.open(shelf, **DESKTOP)),
    "shelf-phone": ("dark", lambda reader: reader.open(shelf, **PHONE).do("scrollTo(0, 1e6)").frames(60)),
}


def main(jisui, target):
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, reading(jisui, folder) as reader:
        for name, (scheme, steps) in PICTURES.items():
            reader.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            steps(reader)
            # Where keys have led is of no interest.
            reader.do("if (!document.activeElement.matches('input')) document.activeElement.blur()").frames(20)
            picture = reader.browser.devtools("Page.captureScreenshot", format="webp", quality=45)["data"]
            (target / f"{name}.webp").write_bytes(base64.b64decode(picture))


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
