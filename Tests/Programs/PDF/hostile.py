#!/usr/bin/env python3
"""hostile.py FOLDER: write small PDFs that unpack to gigabytes, each in another way."""

import os
import sys
import zlib

HUGE = b"<</Predictor 12/Columns 2147483647>>"
PAGES = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>"]
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<<>>>>"


def stream(dictionary, data):
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (dictionary, len(data), data)


def document(objects):
    out, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + head + table + end


def packed(byte, megabytes, times):
    """Megabytes of one byte, compressed so many times."""
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(byte * (1 << 20)) for _ in range(megabytes)) + packer.flush()
    for _ in range(times - 1):
        data = zlib.compress(data, 9)
    return data


def page(filters, data):
    return document(PAGES + [PAGE, stream(filters, data)])


def packed_objects(extra, parameters=b""):
    """A document whose objects are in a compressed stream, with `extra` as one of them."""
    objects = PAGES + [PAGE.replace(b"/Contents 4 0 R", b"/Contents 5 0 R/X 4 0 R"), extra]
    head, body = b"", b""
    for number, each in enumerate(objects, 1):
        head += b"%d %d " % (number, len(body))
        body += each + b" "
    out = b"%PDF-1.7\n"
    first = len(out)
    words = b"/Type/ObjStm/N 4/First %d/Filter/FlateDecode" % len(head)
    out += b"6 0 obj\n%s\nendobj\n" % stream(words, zlib.compress(head + body, 9))
    second = len(out)
    out += b"5 0 obj\n%s\nendobj\n" % stream(b"", b"")
    start = len(out)
    rows = [(0, 0, 0)] + [(2, 6, i) for i in range(4)] + [(1, second, 0), (1, first, 0), (1, start, 0)]
    table = b"".join(bytes([kind]) + place.to_bytes(4, "big") + bytes([index]) for kind, place, index in rows)
    words = b"/Type/XRef/Size 8/Root 1 0 R/W[1 4 1]/Filter/FlateDecode" + parameters
    out += b"7 0 obj\n%s\nendobj\n" % stream(words, zlib.compress(table))
    return out + b"startxref\n%d\n%%%%EOF\n" % start


def main():
    content = b"\0" + b" " * 10
    for _ in range(3):
        content = zlib.compress(b"\0" + content)
    metadata = PAGES[0].replace(b"/Pages", b"/Metadata 5 0 R/Pages")
    empty = stream(b"", b"")
    about = b"/Type/Metadata/Subtype/XML/Filter"
    chain = b"/Filter[/FlateDecode/FlateDecode/FlateDecode]/DecodeParms[%s]" % (HUGE * 3)
    files = {
        "predictors.pdf": page(chain, content),
        "colors.pdf": page(
            b"/Filter/FlateDecode/DecodeParms<</Predictor 2/Columns 40000/Colors 40000>>", zlib.compress(b"0 0 m")),
        "content.pdf": page(b"/Filter[/FlateDecode/FlateDecode]", packed(b" ", 1200, 2)),
        "blanks.pdf": page(b"/Filter[/FlateDecode/FlateDecode/FlateDecode/ASCIIHexDecode]", packed(b" ", 1500, 3)),
        "filters.pdf": page(b"/Filter[%s]" % (b"/ASCIIHexDecode " * 5000), b"20>"),
        "table.pdf": packed_objects(b"null", b"/DecodeParms<</Predictor 12/Columns 2147483647/BitsPerComponent 16>>"),
        "numbers.pdf": packed_objects(b"[" + b"0 " * 5_000_000 + b"]"),
        "names.pdf": packed_objects(b"<<%s>>" % b"".join(b"/a%d 0" % i for i in range(1_500_000))),
        "metadata.pdf": document(
            [metadata, PAGES[1], PAGE, empty, stream(about + b"[/FlateDecode/FlateDecode]", packed(b" ", 300, 2))]),
        "metadata-rows.pdf": document(
            [metadata, PAGES[1], PAGE, empty, stream(about + b"/FlateDecode/DecodeParms" + HUGE, zlib.compress(b"\0 "))]),
    }
    for name, data in files.items():
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
