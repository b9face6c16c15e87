#!/usr/bin/env python3
"""Makes the fixtures of WebSource: folders as WebSink writes them, and some that it would not."""

import json
import pathlib
import struct
import zlib

ROOT = pathlib.Path(__file__).parent.parent


def png(width, height, gray):
    rows = b"".join(b"\0" + bytes([gray]) * width for _ in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def make(name, pages, pictures=None, text=None, **changes):
    folder = ROOT / name
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    for number in range(1, (len(pages) if pictures is None else pictures) + 1):
        (folder / "pages" / f"{number:04}.png").write_bytes(png(8, 12, 40 * number))
    book = {
        "jisui": "web", "version": 1, "id": "0" * 32, "title": "Made", "authors": ["A", "B"], "series": None,
        "volume": None, "number": "2", "publisher": None, "date": "2019-05", "language": "ja", "direction": "rtl",
        "cover": "alone", "shifts": [], "picture": False, "thumbnails": False, "withoutThumbnail": [],
        "outline": [{"title": "One", "page": 1, "level": 0}, {"title": "Nowhere", "page": 99, "level": 1}],
        "pages": pages,
    }
    (folder / "book.json").write_text((text or json.dumps)({**book, **changes}) + "\n")


def main():
    page = lambda number, *rest: [f"{number:04}.png", 8, 12, *rest]
    make("good/WebSource/plain", [page(1, "first"), page(2, "plain", "iv"), page(3, "wide")])
    make("good/WebSource/part", [page(1, "first"), page(2, "plain", None, [1, 2, 5, 6])])
    make("bad/WebSource/outside", [["../../../good/Imaging/baseline.jpg", 8, 12, "first"]], pictures=0)
    make("bad/WebSource/part-too-large", [page(1, "first", None, [4, 4, 5, 5])])
    make("bad/WebSource/no-size", [["0001.png", 0, 12, "first"]])
    make("bad/WebSource/size-enormous", [["0001.png", 3_000_000_000, 3_000_000_000, "first"]])
    make("bad/WebSource/later", [page(1, "first")], version=2)
    make("bad/WebSource/no-pages", [])
    make("bad/WebSource/cut-short", [page(1, "first")], text=lambda book: json.dumps(book)[:200])
    make("bad/WebSource/missing", [page(1, "first"), page(2, "plain")], pictures=1)


if __name__ == "__main__":
    main()
