#!/usr/bin/env python3
"""Makes the pages of Fixtures/ocr: text in several scripts, as scans of one bit.

Needs mutool (mupdf-tools) and, for Arabic, whose letters it does not join, chromium with the fonts of fonts-dejavu-core.
"""

import os
import struct
import subprocess
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "../ocr")

ENGLISH = ["The Project Gutenberg eBook of Alice", "Alice was beginning to get very tired", "of sitting by her sister on the bank,",
           "and of having nothing to do: once or", "twice she had peeped into the book", "her sister was reading, but it had no",
           "pictures or conversations in it."]
JAPANESE = ["吾輩は猫である。名前はまだ無い。", "どこで生れたか頓と見当がつかぬ。", "何でも薄暗いじめじめした所で", "ニャーニャー泣いていた事だけは",
            "記憶している。吾輩はここで始めて", "人間というものを見た。"]
ARABIC = ["كان يا ما كان في قديم الزمان", "ملك عادل يحب الناس كثيرا", "وكان له ثلاثة أبناء"]


def pdf(content, rotate=0):
    """A page of 420 by 595 points with a font for each way of writing; readers have fonts of their own for these names."""
    japanese = b"/Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/DescendantFonts[7 0 R]/Encoding/UniJIS-UTF16-"
    objects = [
        b"/Type/Catalog/Pages 2 0 R", b"/Type/Pages/Kids[3 0 R]/Count 1",
        b"/Type/Page/Parent 2 0 R/MediaBox[0 0 420 595]/Rotate %d/Contents 4 0 R"
        b"/Resources<</Font<</H 5 0 R/V 6 0 R/T 9 0 R>>>>" % rotate,
        None, japanese + b"H", japanese + b"V",
        b"/Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 6>>"
        b"/FontDescriptor 8 0 R/DW 1000",
        b"/Type/FontDescriptor/FontName/Ryumin-Light/Flags 6/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 880/Descent -120"
        b"/CapHeight 700/StemV 80",
        b"/Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding"]
    file, places = b"%PDF-1.5\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(file))
        body = b"<</Length %d>>stream\n%s\nendstream" % (len(content), content) if text is None else b"<<%s>>" % text
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return file + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1, table, len(objects) + 1, len(file))


def text(lines, font, size, place):
    """Lines in a font of a size; `place` tells where the line of a number begins."""
    shown = b"".join(b"1 0 0 1 %d %d Tm %s Tj " % (*place(number), line) for number, line in enumerate(lines))
    return b"BT /%s %d Tf %sET" % (font, size, shown)


def code(line):
    return b"<" + line.encode("utf-16-be").hex().encode() + b">"


def scan(path):
    """The first page of a PDF at 150 dpi, in bits: its width and height, and rows in which 1 is white."""
    pgm = subprocess.run(["mutool", "draw", "-q", "-F", "pgm", "-r", "150", "-o", "-", path, "1"], check=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    _, width, height, _, samples = pgm.split(None, 4)
    width, height = int(width), int(height)
    rows = []
    for y in range(height):
        bits = "".join("1" if shade > 140 else "0" for shade in samples[y * width:(y + 1) * width])
        rows.append(int(bits.ljust(-(-width // 8) * 8, "1"), 2).to_bytes(-(-width // 8), "big"))
    return width, height, rows


def write_png(name, width, height, rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open(os.path.join(OUT, name), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9)) + chunk(b"IEND", b""))


def arabic(folder):
    page = os.path.join(folder, "page.html")
    with open(page, "w", encoding="utf-8") as file:
        file.write("<meta charset=utf-8><style>@page { size: 420pt 260pt; margin: 40pt } body { font: 21pt/1.8 'DejaVu Sans' }</style>"
                   f"<body dir=rtl>{'<br>'.join(ARABIC)}")
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={folder}/page.pdf",
                    page], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return f"{folder}/page.pdf"


def main():
    os.makedirs(OUT, exist_ok=True)
    english = text([b"(%s)" % line.encode() for line in ENGLISH], b"T", 20, lambda number: (40, 520 - 36 * number))
    pages = {
        "english.png": pdf(english), "english-turned.png": pdf(english, 90), "english-upside-down.png": pdf(english, 180),
        "japanese.png": pdf(text(map(code, JAPANESE), b"H", 22, lambda number: (30, 520 - 40 * number))),
        "japanese-vertical.png": pdf(text(map(code, JAPANESE), b"V", 24, lambda number: (370 - 48 * number, 560))),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, content in pages.items():
            path = os.path.join(folder, "page.pdf")
            with open(path, "wb") as file:
                file.write(content)
            write_png(name, *scan(path))
        write_png("arabic.png", *scan(arabic(folder)))


if __name__ == "__main__":
    main()
