"""Just enough of a JBIG2 encoder (ITU-T T.88) for fixtures: a generic region, and symbols in a dictionary that a text
region places, both arithmetically coded. A bitmap is a list of rows of 0 and 1."""

import struct

# Table E.1: (Qe, next if more probable, next if less probable, switch)
STATES = [
    (0x5601, 1, 1, 1), (0x3401, 2, 6, 0), (0x1801, 3, 9, 0), (0x0AC1, 4, 12, 0), (0x0521, 5, 29, 0), (0x0221, 38, 33, 0),
    (0x5601, 7, 6, 1), (0x5401, 8, 14, 0), (0x4801, 9, 14, 0), (0x3801, 10, 14, 0), (0x3001, 11, 17, 0),
    (0x2401, 12, 18, 0), (0x1C01, 13, 20, 0), (0x1601, 29, 21, 0), (0x5601, 15, 14, 1), (0x5401, 16, 14, 0),
    (0x5101, 17, 15, 0), (0x4801, 18, 16, 0), (0x3801, 19, 17, 0), (0x3401, 20, 18, 0), (0x3001, 21, 19, 0),
    (0x2801, 22, 19, 0), (0x2401, 23, 20, 0), (0x2201, 24, 21, 0), (0x1C01, 25, 22, 0), (0x1801, 26, 23, 0),
    (0x1601, 27, 24, 0), (0x1401, 28, 25, 0), (0x1201, 29, 26, 0), (0x1101, 30, 27, 0), (0x0AC1, 31, 28, 0),
    (0x09C1, 32, 29, 0), (0x08A1, 33, 30, 0), (0x0521, 34, 31, 0), (0x0441, 35, 32, 0), (0x02A1, 36, 33, 0),
    (0x0221, 37, 34, 0), (0x0141, 38, 35, 0), (0x0111, 39, 36, 0), (0x0085, 40, 37, 0), (0x0049, 41, 38, 0),
    (0x0025, 42, 39, 0), (0x0015, 43, 40, 0), (0x0009, 44, 41, 0), (0x0005, 45, 42, 0), (0x0001, 45, 43, 0),
    (0x5601, 46, 46, 0),
]  # fmt: skip


class Coder:
    """The arithmetic encoder of annex E, with one adaptive context per key."""

    def __init__(self):
        self.contexts = {}
        self.a, self.c, self.count = 0x8000, 0, 12
        self.out = bytearray([0])  # the byte before the first, which a carry may touch

    def bit(self, key, value):
        index, likely = self.contexts.get(key, (0, 0))
        qe, if_more, if_less, switch = STATES[index]
        self.a -= qe
        if value == likely:
            if self.a & 0x8000:
                self.c += qe
                return
            if self.a < qe:
                self.a = qe
            else:
                self.c += qe
            self.contexts[key] = (if_more, likely)
        else:
            if self.a < qe:
                self.c += qe
            else:
                self.a = qe
            self.contexts[key] = (if_less, likely ^ switch)
        while True:
            self.a <<= 1
            self.c <<= 1
            self.count -= 1
            if self.count == 0:
                self.byte()
            if self.a & 0x8000:
                break

    def byte(self):
        if self.out[-1] != 0xFF and self.c >= 0x8000000:
            self.out[-1] += 1
            self.c &= 0x7FFFFFF
        stuffed = self.out[-1] == 0xFF
        shift, self.count = (20, 7) if stuffed else (19, 8)
        self.out.append(self.c >> shift & 0xFF)
        self.c &= (1 << shift) - 1

    def finish(self):
        limit = self.c + self.a
        self.c |= 0xFFFF
        if self.c >= limit:
            self.c -= 0x8000
        for _ in range(2):
            self.c <<= self.count
            self.byte()
        if self.out[-1] != 0xFF:
            self.out.append(0xFF)
        return bytes(self.out[1:]) + b"\xac"

    def integer(self, name, value):
        """Annex A.2; None is OOB."""
        previous = 1

        def put(bit):
            nonlocal previous
            self.bit((name, previous), bit)
            previous = previous << 1 | bit if previous < 256 else (previous << 1 | bit) & 511 | 256

        put(1 if value is None or value < 0 else 0)
        size = abs(value or 0)
        for prefix, (base, width) in enumerate([(0, 2), (4, 4), (20, 6), (84, 8), (340, 12), (4436, 32)]):
            if size < base + (1 << width):
                break
        for _ in range(prefix):
            put(1)
        if prefix < 5:
            put(0)
        for position in reversed(range(width)):
            put(size - base >> position & 1)

    def symbol_id(self, value, length):
        previous = 1
        for position in reversed(range(length)):
            bit = value >> position & 1
            self.bit(("id", previous), bit)
            previous = previous << 1 | bit

    def bitmap(self, rows):
        """6.2: template 0 with the adaptive pixels in their nominal places."""
        near = [(x, -2) for x in range(-2, 3)] + [(x, -1) for x in range(-3, 4)] + [(x, 0) for x in range(-4, 0)]
        for y, row in enumerate(rows):
            for x, value in enumerate(row):
                key = tuple(
                    rows[y + dy][x + dx] if y + dy >= 0 and 0 <= x + dx < len(row) else 0 for dx, dy in near
                )
                self.bit(key, value)


ADAPTIVE = bytes([3, 0xFF, 0xFD, 0xFF, 2, 0xFE, 0xFE, 0xFE])


def segment(number, kind, data, page=1, refers_to=()):
    head = struct.pack(">IBB", number, kind, len(refers_to) << 5) + bytes(refers_to)
    return head + struct.pack(">BI", page, len(data)) + data


def page_information(width, height):
    return segment(1, 48, struct.pack(">IIIIBH", width, height, 0, 0, 0, 0))


def region(width, height):
    return struct.pack(">IIIIB", width, height, 0, 0, 0)


def generic(rows):
    """A page of one generic region, as a PDF embeds it: without file header and end segments."""
    width, height = len(rows[0]), len(rows)
    coder = Coder()
    coder.bitmap(rows)
    return page_information(width, height) + segment(2, 38, region(width, height) + b"\x00" + ADAPTIVE + coder.finish())


def with_symbols(width, height, symbols, placed):
    """(globals, page): `symbols` of one height; `placed` holds (symbol, x, y) by rising y, then x."""
    coder = Coder()
    coder.integer("dh", len(symbols[0]))
    last = 0
    for symbol in symbols:
        coder.integer("dw", len(symbol[0]) - last)
        last = len(symbol[0])
        coder.bitmap(symbol)
    coder.integer("dw", None)
    coder.integer("ex", 0)
    coder.integer("ex", len(symbols))
    count = struct.pack(">II", len(symbols), len(symbols))
    shared = segment(0, 0, b"\x00\x00" + ADAPTIVE + count + coder.finish(), page=0)

    coder = Coder()
    coder.integer("dt", 0)
    top = first = 0
    for line in sorted({y for _, _, y in placed}):
        coder.integer("dt", line - top)
        top = line
        end = None
        for symbol, x, y in placed:
            if y != line:
                continue
            if end is None:
                coder.integer("fs", x - first)
                first = x
            else:
                coder.integer("ds", x - end)
            coder.symbol_id(symbol, (len(symbols) - 1).bit_length())
            end = x + len(symbols[symbol][0]) - 1
        coder.integer("ds", None)
    flags = 1 << 4  # the reference corner is the top left one
    text = region(width, height) + struct.pack(">HI", flags, len(placed)) + coder.finish()
    return shared, page_information(width, height) + segment(2, 6, text, refers_to=(0,))
