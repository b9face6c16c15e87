"""Pictures as their samples, for tests: what plug-ins give, and PNM files that other programs write."""

import re


class Picture:
    """Size, samples of a pixel (1 or 3), and the samples, a byte each, from the top."""

    def __init__(self, width, height, channels, samples):
        assert len(samples) == width * height * channels, (width, height, channels, len(samples))
        self.width, self.height, self.channels, self.samples = width, height, channels, bytes(samples)

    def __eq__(self, other):
        a, b = self.in_color(), other.in_color()
        return (a.width, a.height, a.samples) == (b.width, b.height, b.samples)

    def __repr__(self):
        return f"{self.width} × {self.height} × {self.channels}, {hash(self.samples) & 0xFFFFFF:06x}"

    def in_color(self):
        if self.channels == 3:
            return self
        samples = bytearray(3 * len(self.samples))
        samples[0::3] = samples[1::3] = samples[2::3] = self.samples
        return Picture(self.width, self.height, 3, samples)

    def pixel(self, x, y):
        start = (y * self.width + x) * self.channels
        return self.samples[start : start + self.channels]

    def turned(self, degrees):
        """Turned clockwise."""
        picture = self
        for _ in range(degrees % 360 // 90):
            width, height = picture.height, picture.width
            pixels = (picture.pixel(y, picture.height - 1 - x) for y in range(height) for x in range(width))
            picture = Picture(width, height, self.channels, b"".join(pixels))
        return picture

    def ink(self):
        """The box around what is not white: left, top, right, bottom."""
        white = b"\xff" * self.channels
        places = [(x, y) for y in range(self.height) for x in range(self.width) if self.pixel(x, y) != white]
        assert places, "there is no ink"
        return (min(x for x, _ in places), min(y for _, y in places),
                max(x for x, _ in places) + 1, max(y for _, y in places) + 1)


def from_pnm(data):
    """A binary PGM or PPM of 8 bits, or a PBM."""
    head = re.match(rb"P([456])\s+(\d+)\s+(\d+)\s+(?:255\s)?", data)
    assert head, data[:20]
    kind, width, height = (int(part) for part in head.groups())
    if kind == 4:
        return from_rows(bytes(byte ^ 255 for byte in data[head.end():]), "gray1", width, height)
    return Picture(width, height, 3 if kind == 6 else 1, data[head.end():])


def from_rows(data, kind, width, height):
    """Bare rows as docs/dev/plugin-protocol.md has them, of `gray1`, `gray8` or `rgb8`."""
    if kind != "gray1":
        return Picture(width, height, 3 if kind == "rgb8" else 1, data)
    stride = (width + 7) // 8
    assert len(data) == stride * height, (len(data), stride, height)
    bits = [bytes(255 * (byte >> 7 - bit & 1) for bit in range(8)) for byte in range(256)]
    rows = (b"".join(bits[byte] for byte in data[row * stride : (row + 1) * stride])[:width] for row in range(height))
    return Picture(width, height, 1, b"".join(rows))
