"""JBIG2 (ITU-T T.88) of one generic region. Poppler 22.12 misreads regions of group 4 data, so that these are coded arithmetically."""

import numpy

# Annex E, table E.1: Qe, the next state after the more and the less probable symbol, and whether the sense is switched.
STATES = [
    (0x5601, 1, 1, 1), (0x3401, 2, 6, 0), (0x1801, 3, 9, 0), (0x0AC1, 4, 12, 0), (0x0521, 5, 29, 0), (0x0221, 38, 33, 0),
    (0x5601, 7, 6, 1), (0x5401, 8, 14, 0), (0x4801, 9, 14, 0), (0x3801, 10, 14, 0), (0x3001, 11, 17, 0), (0x2401, 12, 18, 0),
    (0x1C01, 13, 20, 0), (0x1601, 29, 21, 0), (0x5601, 15, 14, 1), (0x5401, 16, 14, 0), (0x5101, 17, 15, 0),
    (0x4801, 18, 16, 0), (0x3801, 19, 17, 0), (0x3401, 20, 18, 0), (0x3001, 21, 19, 0), (0x2801, 22, 19, 0),
    (0x2401, 23, 20, 0), (0x2201, 24, 21, 0), (0x1C01, 25, 22, 0), (0x1801, 26, 23, 0), (0x1601, 27, 24, 0),
    (0x1401, 28, 25, 0), (0x1201, 29, 26, 0), (0x1101, 30, 27, 0), (0x0AC1, 31, 28, 0), (0x09C1, 32, 29, 0),
    (0x08A1, 33, 30, 0), (0x0521, 34, 31, 0), (0x0441, 35, 32, 0), (0x02A1, 36, 33, 0), (0x0221, 37, 34, 0),
    (0x0141, 38, 35, 0), (0x0111, 39, 36, 0), (0x0085, 40, 37, 0), (0x0049, 41, 38, 0), (0x0025, 42, 39, 0),
    (0x0015, 43, 40, 0), (0x0009, 44, 41, 0), (0x0005, 45, 42, 0), (0x0001, 45, 43, 0), (0x5601, 46, 46, 0)]

# Template 0: the pixels that tell the context, as columns and rows from the pixel; the last four are adaptive.
TEMPLATE = [
    (-1, 0), (-2, 0), (-3, 0), (-4, 0), (2, -1), (1, -1), (0, -1), (-1, -1), (-2, -1), (1, -2), (0, -2), (-1, -2),
    (3, -1), (-3, -1), (2, -2), (-2, -2)]


class Coder:
    """The encoder of Annex E.2 in its software form."""

    def __init__(self):
        self.a, self.c, self.ct, self.bytes = 0x8000, 0, 12, bytearray([0])

    def byte_out(self):
        if self.bytes[-1] != 0xFF and self.c >= 0x8000000:
            self.bytes[-1] += 1
            self.c &= 0x7FFFFFF
        shift, bits = (20, 7) if self.bytes[-1] == 0xFF else (19, 8)
        self.bytes.append(self.c >> shift & 0xFF)
        self.c &= (1 << shift) - 1
        self.ct = bits

    def encode(self, contexts, pixels):
        states, senses = [0] * 65536, [0] * 65536
        for context, pixel in zip(contexts, pixels):
            qe, more, less, switches = STATES[states[context]]
            self.a -= qe
            if pixel == senses[context]:
                if self.a & 0x8000:
                    self.c += qe
                    continue
                if self.a < qe:
                    self.a = qe
                else:
                    self.c += qe
                states[context] = more
            else:
                if self.a < qe:
                    self.c += qe
                else:
                    self.a = qe
                senses[context] ^= switches
                states[context] = less
            while True:
                self.a <<= 1
                self.c <<= 1
                self.ct -= 1
                if self.ct == 0:
                    self.byte_out()
                if self.a & 0x8000:
                    break

    def finished(self):
        end = self.c + self.a
        self.c |= 0xFFFF
        if self.c >= end:
            self.c -= 0x8000
        for _ in range(2):
            self.c <<= self.ct
            self.byte_out()
        return bytes(self.bytes[1:]) + (b"\xAC" if self.bytes[-1] == 0xFF else b"\xFF\xAC")


def encoded(image):
    """The segments of a page that is a black and white image, as PDF holds them."""
    black = 1 - numpy.asarray(image).astype(numpy.uint32)
    padded = numpy.pad(black, ((2, 0), (4, 3)))
    height, width = black.shape
    contexts = sum(
        padded[2 + row:2 + row + height, 4 + column:4 + column + width] << bit
        for bit, (column, row) in enumerate(TEMPLATE))
    coder = Coder()
    coder.encode(contexts.ravel().tolist(), black.ravel().tolist())
    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    adaptive = bytes(place & 0xFF for pixel in TEMPLATE[12:] for place in pixel)
    # The pixels that are adaptive stand in this order: (3, -1), (-3, -1), (2, -2), (-2, -2).
    region = size + bytes(8) + b"\x00" + b"\x00" + adaptive + coder.finished()
    return segment(0, 48, size + bytes(8) + b"\x00" + bytes(2)) + segment(1, 38, region)


def segment(number, kind, body):
    return number.to_bytes(4, "big") + bytes([kind, 0, 1]) + len(body).to_bytes(4, "big") + body
