"""The pictures of the fixtures, and their codings. A raster is a list of rows of samples."""

import io
import struct
import zlib

from PIL import Image, ImageCms, TiffImagePlugin

WIDTH, HEIGHT = 48, 64


def gray(width=WIDTH, height=HEIGHT, bits=8):
    """A slope with a dark corner and lines of "text": no turn, flip or shift of it looks like itself."""
    top = (1 << bits) - 1

    def at(x, y):
        if x < width // 4 and y < height // 6:
            return 0
        if y % 8 == 5 and width // 4 < x < width - 4 - y // 4:
            return top // 4
        return top - (top * (x + 2 * y) // (width + 2 * height)) // 2

    return [[at(x, y) for x in range(width)] for y in range(height)]


def colour(width=WIDTH, height=HEIGHT, bits=8):
    top = (1 << bits) - 1
    red = gray(width, height, bits)
    return [
        [part for x in range(width) for part in (red[y][x], top * x // width, top * y // height)] for y in range(height)
    ]


def indexes(width=WIDTH, height=HEIGHT, bits=8):
    """Indexes of a palette: every one of them is used."""
    return [[(x // 3 + y // 2 * 5) % (1 << bits) for x in range(width)] for y in range(height)]


def palette(bits):
    """Colours without order, so that an index taken for a gray level shows."""
    return bytes(part for i in range(1 << bits) for part in (i * 97 % 256, 255 - i * 31 % 256, i * 57 % 256))


def bilevel(width=WIDTH, height=HEIGHT):
    """1 is ink: a frame with a notch, lines, a corner."""
    def at(x, y):
        if x < width // 4 and y < height // 6:
            return 1
        return int(y % 8 in (5, 6) and width // 4 < x < width - 4 - y // 4 or x == width - 2)

    return [[at(x, y) for x in range(width)] for y in range(height)]


def packed(rows, bits):
    """The samples as PDF and PNG store them: each row begins a byte, 16 bits are big-endian."""
    out = bytearray()
    for row in rows:
        if bits == 16:
            out += struct.pack(f">{len(row)}H", *row)
        elif bits == 8:
            out += bytes(row)
        else:
            row = row + [0] * (-len(row) * bits % 8 // bits)
            per = 8 // bits
            for i in range(0, len(row), per):
                byte = 0
                for sample in row[i : i + per]:
                    byte = byte << bits | sample
                out.append(byte)
    return bytes(out)


def turned(rows, degrees, channels=1):
    """Clockwise."""
    pixels = [[tuple(row[i : i + channels]) for i in range(0, len(row), channels)] for row in rows]
    for _ in range(degrees // 90 % 4):
        pixels = [list(column) for column in zip(*reversed(pixels))]
    return [[part for pixel in row for part in pixel] for row in pixels]


def inverted(rows, bits=1):
    return [[(1 << bits) - 1 - sample for sample in row] for row in rows]


# MARK: JPEG

def image(rows, mode="RGB"):
    return Image.frombytes(mode, (len(rows[0]) // len(mode) if mode != "L" else len(rows[0]), len(rows)), packed(rows, 8))


def jpeg(picture=None, **options):
    out = io.BytesIO()
    (picture or image(colour())).save(out, "JPEG", quality=85, **options)
    return out.getvalue()


def segments(data):
    """Yields (marker, start, end) up to the first scan."""
    at = 2
    while data[at + 1] != 0xDA:
        end = at + 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
        yield data[at + 1], at, end
        at = end


def without(data, *markers):
    out, last = bytearray(), 0
    for marker, start, end in segments(data):
        if marker in markers:
            out += data[last:start]
            last = end
    return bytes(out + data[last:])


def with_segment(data, marker, payload):
    """Behind the SOI and a JFIF segment, if there is one."""
    at = next((end for found, _, end in segments(data) if found == 0xE0), 2)
    return data[:at] + bytes([0xFF, marker]) + struct.pack(">H", len(payload) + 2) + payload + data[at:]


def adobe(data, transform):
    return with_segment(without(data, 0xE0), 0xEE, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, transform))


def exif(data, orientation):
    tiff = b"MM\0*\0\0\0\x08\0\x01" + struct.pack(">HHIHHI", 0x112, 3, 1, orientation, 0, 0)
    return with_segment(data, 0xE1, b"Exif\0\0" + tiff)


def rgb_jpeg():
    """A JPEG whose components are red, green and blue, and which does not say so: Pillow is told that the channels
    are Y, Cb and Cr already."""
    picture = image(colour())
    return without(jpeg(Image.merge("YCbCr", picture.split()), subsampling=0), 0xE0)


def jpeg2000(picture=None, **options):
    out = io.BytesIO()
    (picture or image(colour())).save(out, "JPEG2000", **options)
    return out.getvalue()


# MARK: lossless codings

def png_predicted(rows, bits, channels):
    """Every PNG filter in turn."""
    step = max(1, bits * channels // 8)
    lines = [packed([row], bits) for row in rows]
    above = bytes(len(lines[0]))
    out = bytearray()
    for number, line in enumerate(lines):
        kind = number % 5
        out.append(kind)
        for i, value in enumerate(line):
            a = line[i - step] if i >= step else 0
            b, c = above[i], above[i - step] if i >= step else 0
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            out.append((value - (0, a, b, (a + b) // 2, nearest)[kind]) & 255)
        above = line
    return bytes(out)


def tiff_predicted(rows, channels, bits=8):
    """Differences to the sample of the same channel on the left, in samples of `bits`."""
    limit = (1 << bits) - 1
    return packed(
        [
            [sample - (row[i - channels] if i >= channels else 0) & limit for i, sample in enumerate(row)]
            for row in rows
        ],
        bits,
    )


def lzw(data, early=1):
    """PDF's LZW: codes from 9 to 12 bits; `early` 1 makes them longer one code too soon, as is the default."""
    bits = []

    def put(code):
        bits.extend(code >> position & 1 for position in reversed(range(width)))

    table, width = {bytes([i]): i for i in range(256)}, 9
    put(256)
    following, current = 258, b""
    for value in data:
        longer = current + bytes([value])
        if longer in table:
            current = longer
            continue
        put(table[current])
        table[longer] = following
        following += 1
        if following + early > 4095:
            put(256)
            table, width, following = {bytes([i]): i for i in range(256)}, 9, 258
        elif following + early > 1 << width:
            width += 1
        current = bytes([value])
    put(table[current])
    if following + 1 + early > 1 << width:
        width += 1
    put(257)
    return packed([bits], 1)


def run_length(data):
    out, at = bytearray(), 0
    while at < len(data):
        run = 1
        while run < 128 and at + run < len(data) and data[at + run] == data[at]:
            run += 1
        if run > 1:
            out += bytes([257 - run, data[at]])
            at += run
        else:
            end = at + 1
            while end < len(data) and end - at < 128 and data[end] != data[end - 1]:
                end += 1
            out += bytes([end - at - 1]) + data[at:end]
            at = end
    return bytes(out) + b"\x80"


def ccitt(rows, compression, options=None):
    """The fax coding of a bitmap whose 1 is black. libtiff makes it; the strip is taken out of its file."""
    picture = Image.frombytes("1", (len(rows[0]), len(rows)), packed(rows, 1))
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[278] = len(rows)  # one strip
    if options is not None:
        tags[292] = options
    out = io.BytesIO()
    picture.save(out, "TIFF", compression=compression, tiffinfo=tags)
    with Image.open(out) as file:
        [start], [size] = file.tag_v2[273], file.tag_v2[279]
        assert file.tag_v2.get(266, 1) == 1
    return out.getvalue()[start : start + size]


# MARK: colour profiles

def srgb_profile():
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    data[24:36] = struct.pack(">6H", 2000, 1, 1, 0, 0, 0)  # the time of making would change the file each time
    data[84:100] = bytes(16)
    return bytes(data)


def wide_profile():
    """A profile far from sRGB: its red, green and blue are turned about, its gamma is 1."""
    return linear_profile(b"Wide", (0.1431, 0.0606, 0.7141), (0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971))


def linear_srgb_profile():
    """A profile with the primaries of sRGB but not its curve, although its name is like sRGB's."""
    return linear_profile(
        b"Linear sRGB", (0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141)
    )


def linear_profile(name, red, green, blue):
    """A profile of gamma 1 with the given primaries as XYZ."""
    def xyz(x, y, z):
        return b"XYZ \0\0\0\0" + struct.pack(">3i", *(round(v * 65536) for v in (x, y, z)))

    text = name + b"\0"
    tags = {
        b"desc": b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + bytes(12 + 67),
        b"cprt": b"text\0\0\0\0None\0",
        b"wtpt": xyz(0.9642, 1.0, 0.8249),
        b"rXYZ": xyz(*red),
        b"gXYZ": xyz(*green),
        b"bXYZ": xyz(*blue),
    }
    curve = b"curv\0\0\0\0" + struct.pack(">IHxx", 1, 256)
    for name in (b"rTRC", b"gTRC", b"bTRC"):
        tags[name] = curve
    at, table, body = 128 + 4 + 12 * len(tags), b"", b""
    for name, data in tags.items():
        data += bytes(-len(data) % 4)
        table += name + struct.pack(">II", at + len(body), len(data))
        body += data
    size = at + len(body)
    head = struct.pack(">I4sI4s4s4s6H4s", size, bytes(4), 0x02100000, b"mntr", b"RGB ", b"XYZ ", 2000, 1, 1, 0, 0, 0, b"acsp")
    head += bytes(28) + struct.pack(">3i", 63190, 65536, 54061)
    return head + bytes(128 - len(head)) + struct.pack(">I", len(tags)) + table + body


def flate(data):
    return zlib.compress(data, 9)
