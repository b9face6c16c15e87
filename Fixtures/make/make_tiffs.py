"""Makes Fixtures/good/TIFFSource and Fixtures/bad/TIFFSource: TIFFs of several pages, written byte by byte."""

import struct
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH, HEIGHT = 24, 16
SHORT, LONG, RATIONAL, ASCII, UNDEFINED, LONG8 = 3, 4, 5, 2, 7, 16


class Tiff:
    """A chain of directories, each with its data in front of it."""

    def __init__(self, order="<", big=False):
        self.order, self.big = order, big
        self.bytes = bytearray((b"II" if order == "<" else b"MM") + self.pack("H", 43 if big else 42))
        if big:
            self.bytes += self.pack("HH", 8, 0)
        self.link = len(self.bytes)
        self.bytes += self.offset(0)
        self.starts = []

    def pack(self, form, *values):
        return struct.pack(self.order + form, *values)

    def offset(self, number):
        return self.pack("Q" if self.big else "L", number)

    def data(self, data):
        if len(self.bytes) % 2:
            self.bytes += b"\0"
        place = len(self.bytes)
        self.bytes += data
        return place

    def directory(self, tags, chained=True):
        """tags: {number: (type, [values])}"""
        room = 8 if self.big else 4
        entries = b""
        for number in sorted(tags):
            kind, values = tags[number]
            if kind in (ASCII, UNDEFINED):
                value, count = values, len(values)
            elif kind == RATIONAL:
                value, count = b"".join(self.pack("LL", *pair) for pair in values), len(values)
            else:
                form = {SHORT: "H", LONG: "L", LONG8: "Q"}[kind]
                value, count = self.pack(f"{len(values)}{form}", *values), len(values)
            if len(value) > room:
                value = self.offset(self.data(value))
            entries += self.pack("HH", number, kind) + self.offset(count) + value.ljust(room, b"\0")
        count = self.pack("Q" if self.big else "H", len(tags))
        start = self.data(count + entries + self.offset(0))
        if chained:
            self.bytes[self.link : self.link + room] = self.offset(start)
            self.link = len(self.bytes) - room
            self.starts.append(start)
        return start

    def page(self, rows, bits=8, compression=1, strips=1, dpi=None, orientation=None, kind=None, chained=True, **more):
        per_strip = -(-len(rows) // strips)
        parts = [b"".join(rows[top : top + per_strip]) for top in range(0, len(rows), per_strip)]
        if compression == 8:
            parts = [zlib.compress(part, 9) for part in parts]
        width = len(rows[0]) * 8 // bits
        tags = {
            256: (SHORT, [width]), 257: (SHORT, [len(rows)]), 258: (SHORT, [bits]), 259: (SHORT, [compression]),
            262: (SHORT, [1]), 273: (LONG, [self.data(part) for part in parts]), 277: (SHORT, [1]),
            278: (SHORT, [per_strip]), 279: (LONG, [len(part) for part in parts]),
        }  # fmt: skip
        if dpi:
            tags |= {282: (RATIONAL, [(dpi, 1)]), 283: (RATIONAL, [(dpi, 1)]), 296: (SHORT, [2])}
        if orientation:
            tags[274] = (SHORT, [orientation])
        if kind is not None:
            tags[254] = (LONG, [kind])
        for number, value in more.items():
            tags[int(number[1:])] = value
        return self.directory({number: tag for number, tag in tags.items() if tag}, chained)


def gray(seed, width=WIDTH, height=HEIGHT):
    return [bytes((seed * 40 + 5 * x + 9 * y) % 256 for x in range(width)) for y in range(height)]


def bilevel(seed):
    return [bytes([0xF0 >> (y % 4), 0x0F, seed]) for y in range(HEIGHT)]


def book(order="<", big=False):
    """A bilevel page that lies on its side, its thumbnail, a gray page in strips, a mask, a page with Exif."""
    tiff = Tiff(order, big)
    tiff.page(bilevel(1), bits=1, dpi=200, orientation=6)
    tiff.page(gray(2, 6, 4), kind=1)
    tiff.page(gray(3), compression=8, strips=4, dpi=72, kind=2)
    tiff.page(bilevel(4), bits=1, kind=4)
    exif = tiff.directory({0x9003: (ASCII, b"2001:02:03 04:05:06\0")}, chained=False)
    small = tiff.page(gray(6, 6, 4), kind=1, chained=False)
    tiff.page(gray(5), strips=2, t34665=(LONG, [exif]), t330=(LONG, [small]), t270=(ASCII, b"the last page\0"))
    return tiff


def jpeg_page(tiff, jpeg, photometric, **more):
    """A page whose data are a JPEG, its tables kept beside it (TIFF Technical Note 2)."""
    tables, data, place = b"", b"\xff\xd8", 2
    while jpeg[place + 1] != 0xDA:
        length = 2 + struct.unpack(">H", jpeg[place + 2 : place + 4])[0]
        segment = jpeg[place : place + length]
        if segment[1] in (0xC4, 0xDB):
            tables += segment
        elif not 0xE0 <= segment[1] <= 0xEF:
            data += segment
        if segment[1] in (0xC0, 0xC2):
            height, width = struct.unpack(">HH", segment[5:9])
            sampling = segment[11]
        place += length
    data += jpeg[place:]
    tags = {256: (SHORT, [width]), 257: (SHORT, [height]), 258: (SHORT, [8, 8, 8]), 259: (SHORT, [7]),
            262: (SHORT, [photometric]), 273: (LONG, [tiff.data(data)]), 277: (SHORT, [3]), 278: (SHORT, [height]),
            279: (LONG, [len(data)]), 347: (UNDEFINED, b"\xff\xd8" + tables + b"\xff\xd9")}  # fmt: skip
    if photometric == 6:
        tags[530] = (SHORT, [sampling >> 4, sampling & 15])
    tiff.directory(tags | {int(number[1:]): value for number, value in more.items()})


def main():
    good, bad = ROOT / "good" / "TIFFSource", ROOT / "bad" / "TIFFSource"
    for folder in good, bad:
        folder.mkdir(parents=True, exist_ok=True)
    files = {"book.tif": book(), "book-big-endian.tif": book(">"), "book-bigtiff.tif": book("<", True)}

    thumbnail_first = Tiff()
    thumbnail_first.page(gray(1, 6, 4), kind=1)
    thumbnail_first.page(gray(2))
    files["thumbnail-first.tif"] = thumbnail_first

    # A reader has to guess which data are a page's: it is not said how many bytes they are.
    lengthless = Tiff()
    lengthless.page(gray(1), t279=None)
    lengthless.page(gray(2), t279=None)
    files["without-lengths.tif"] = lengthless

    # The first page is a JPEG; the second, which is turned, would look different outside.
    jpeg = (ROOT / "good" / "Imaging" / "baseline.jpg").read_bytes()
    jpegs = Tiff(">")
    jpeg_page(jpegs, jpeg, 6, t282=(RATIONAL, [(150, 1)]), t283=(RATIONAL, [(150, 1)]), t296=(SHORT, [2]))
    jpeg_page(jpegs, jpeg, 6, t274=(SHORT, [6]))
    files["jpeg.tif"] = jpegs
    counts = {"thumbnail-first.tif": 1, "without-lengths.tif": 2, "jpeg.tif": 2}
    rows = ["file\tpages\tpassword"]
    for name, tiff in files.items():
        (good / name).write_bytes(tiff.bytes)
        rows.append(f"{name}\t{counts.get(name, 3)}\t")
    (good / "pages.tsv").write_text("\n".join(rows) + "\n")

    loop = book()
    loop.bytes[loop.link : loop.link + 4] = loop.offset(loop.starts[1])
    (bad / "chain-leads-back.tif").write_bytes(loop.bytes)
    nowhere = book()
    nowhere.bytes[nowhere.link : nowhere.link + 4] = nowhere.offset(0x7FFFFFF0)
    (bad / "chain-leads-nowhere.tif").write_bytes(nowhere.bytes)
    # Directories of one entry each that begin ten bytes apart, and take eighteen: more than the file has bytes.
    nested = Tiff()
    nested.page(gray(1))
    first = nested.data(b"")
    nested.bytes[nested.link : nested.link + 4] = nested.offset(first)
    count = 800
    nested.bytes += bytes(10 * count + 18)
    for index in range(count):
        place = first + 10 * index
        nested.bytes[place : place + 2] = nested.pack("H", 1)
        nested.bytes[place + 14 : place + 18] = nested.offset(place + 10)
    (bad / "directories-overlap.tif").write_bytes(nested.bytes)
    names = "chain-leads-back.tif", "chain-leads-nowhere.tif", "directories-overlap.tif"
    (bad / "expected.tsv").write_text("file\texit\n" + "".join(f"{name}\t3\n" for name in names))


main()
