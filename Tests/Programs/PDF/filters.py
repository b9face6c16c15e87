#!/usr/bin/env python3
"""filters.py FILE: write a PDF whose streams have filters with all kinds of parameters; `qpdf` shows what they unpack to."""

import random
import sys
import zlib

from hostile import document, stream


def lzw(data, early):
    """The data as LZW codes (ISO 32000-1, 7.4.4.2)."""
    bits, count, out = 0, 0, bytearray()

    def put(code, width):
        nonlocal bits, count
        bits, count = bits << width | code, count + width
        while count >= 8:
            count -= 8
            out.append(bits >> count & 255)
            bits &= (1 << count) - 1

    table, width, last = {bytes([i]): i for i in range(256)}, 9, b""
    put(256, width)
    for byte in data:
        longer = last + bytes([byte])
        if longer in table:
            last = longer
            continue
        put(table[last], width)
        table[longer] = len(table) + 2
        if table[longer] + early == 1 << width and width < 12:
            width += 1
        if table[longer] == 4094:
            put(256, width)
            table, width = {bytes([i]): i for i in range(256)}, 9
        last = bytes([byte])
    if last:
        put(table[last], width)
    put(257, width)
    put(0, 7)
    return bytes(out)


def main():
    chance = random.Random(62)
    streams = []
    for predictor in (1, 2, 10, 15):
        for bits in (1, 2, 4, 8, 16):
            for colors in (1, 3, 4, 7):
                columns = chance.choice((1, 5, 31, 100))
                row = (columns * colors * bits + 7) // 8 + (predictor > 2)
                data = bytearray(chance.randbytes(7 * row + row // 2))
                if predictor > 2:
                    data[::row] = bytes(chance.randrange(6) for _ in data[::row])
                text = b"/Predictor %d/Columns %d/Colors %d/BitsPerComponent %d" % (predictor, columns, colors, bits)
                streams.append(stream(b"/Filter/FlateDecode/DecodeParms<<%s>>" % text, zlib.compress(bytes(data))))
    for early in (0, 1):
        for length in (0, 1, 300, 5000, 60000):
            for letters in (b"a", b"ab", bytes(range(256))):
                data = lzw(bytes(chance.choices(letters, k=length)), early)
                streams.append(stream(b"/Filter/LZWDecode/DecodeParms<</EarlyChange %d>>" % early, data))
    streams.append(stream(b"/Filter/RunLengthDecode", b"\xfea\x02bcd\x80"))
    streams.append(stream(b"/Filter[/ASCIIHexDecode/FlateDecode]", zlib.compress(b"jisui" * 99).hex().encode() + b">"))
    streams.append(stream(b"/Filter[/FlateDecode/FlateDecode]", zlib.compress(zlib.compress(bytes(99999)))))
    with open(sys.argv[1], "wb") as file:
        file.write(document([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 0/Kids[]>>"] + streams))


main()
