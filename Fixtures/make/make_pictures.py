"""Makes Fixtures/made: tiny pictures in every form the decoders know, and expected.tsv, which says what
their samples are. README.md beside this file tells how to run it.

What is expected comes from the rows the pictures were made of; only of codings that lose something it is what another
decoder reads, kept as PNG."""

import io
import shutil
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path

from PIL import Image, ImageChops, ImageCms

import pictures as pic

OUT = Path(__file__).resolve().parent.parent / "made"
W, H = 13, 11

expected = []


def fixture(name, data, samples, format, size=(W, H), tolerance=0):
    """`samples` as `Raster` holds them, unused bits 0; or the PNG of what another decoder read."""
    (OUT / name).write_bytes(data)
    if isinstance(samples, Image.Image):
        reference = name.replace(".", "-") + ".png"
        # Of its pixels alone: Pillow would save when a profile was made, too.
        Image.frombytes(samples.mode, samples.size, samples.tobytes()).save(OUT / reference)
        expected.append([name, *size, format, reference, tolerance])
    else:
        expected.append([name, *size, format, f"{zlib.crc32(samples):08x}", 0])


def with_alpha(rows, channels, bits=8, opaque=False):
    """Each pixel with alpha behind it that differs from its neighbours'."""
    top = (1 << bits) - 1
    out = []
    for y, row in enumerate(rows):
        line = []
        for x in range(len(row) // channels):
            alpha = top if opaque else (x * 41 + y * 89) * top // 255 % (top + 1)
            line += row[x * channels : (x + 1) * channels] + [alpha]
        out.append(line)
    return out


def coloured(rows, table):
    """Indexes as red, green, blue."""
    return [[part for index in row for part in table[3 * index : 3 * index + 3]] for row in rows]


# MARK: PNG

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def png(rows, kind, bits, channels=1, extra=b"", interlaced=False, late=b""):
    width, height = len(rows[0]) // channels, len(rows)
    if interlaced:
        data = b""
        for x0, y0, step_x, step_y in ADAM7:
            part = [
                [value for x in range(x0, width, step_x) for value in row[x * channels : (x + 1) * channels]]
                for row in rows[y0::step_y]
            ]
            if part and part[0]:
                data += pic.png_predicted(part, bits, channels)
    else:
        data = pic.png_predicted(rows, bits, channels)
    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, int(interlaced))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(data, 9)) + late
        + chunk(b"IEND", b"")
    )


def make_png():
    for bits in (1, 2, 4, 8, 16):
        rows = pic.gray(W, H, bits)
        fixture(f"gray-{bits}.png", png(rows, 0, bits), pic.packed(rows, bits), f"gray {bits}")
    for bits in (8, 16):
        rows = pic.colour(W, H, bits)
        fixture(f"rgb-{bits}.png", png(rows, 2, bits, 3), pic.packed(rows, bits), f"rgb {bits}")
        deep = with_alpha(rows, 3, bits)
        fixture(f"rgba-{bits}.png", png(deep, 6, bits, 4), pic.packed(deep, bits), f"rgba {bits}")
        gray = with_alpha(pic.gray(W, H, bits), 1, bits)
        fixture(f"gray-alpha-{bits}.png", png(gray, 4, bits, 2), pic.packed(gray, bits), f"grayAlpha {bits}")
    for bits in (1, 2, 4, 8):
        rows = pic.indexes(W, H, bits)
        table = pic.palette(bits)
        data = png(rows, 3, bits, extra=chunk(b"PLTE", table))
        fixture(f"palette-{bits}.png", data, pic.packed(rows, bits), f"palette {bits} {table.hex()}")
    rows, table = pic.indexes(W, H, 4), pic.palette(4)
    plte = chunk(b"PLTE", table)
    alphas = bytes(range(0, 160, 16))
    expanded = [
        [part for i in row for part in (*table[3 * i : 3 * i + 3], alphas[i] if i < len(alphas) else 255)]
        for row in rows
    ]
    data = png(rows, 3, 4, extra=plte + chunk(b"tRNS", alphas))
    fixture("palette-transparent.png", data, pic.packed(expanded, 8), "rgba 8")
    data = png(rows, 3, 4, extra=plte + chunk(b"tRNS", b"\xff\xff"))
    fixture("palette-opaque.png", data, pic.packed(rows, 4), f"palette 4 {table.hex()}")
    # An index beyond the table stands for black.
    data = png(rows, 3, 4, extra=chunk(b"PLTE", table[:15]))
    fixture("palette-short.png", data, pic.packed(rows, 4), f"palette 4 {(table[:15] + bytes(33)).hex()}")

    for bits in (4, 16):
        rows = pic.gray(W, H, bits)
        key = rows[H // 2][W // 2]
        deep, top = max(bits, 8), (1 << max(bits, 8)) - 1
        expanded = [[p for v in row for p in (v * (17 if bits == 4 else 1), 0 if v == key else top)] for row in rows]
        data = png(rows, 0, bits, extra=chunk(b"tRNS", struct.pack(">H", key)))
        fixture(f"gray-{bits}-transparent.png", data, pic.packed(expanded, deep), f"grayAlpha {deep}")
    for bits in (8, 16):
        rows, top = pic.colour(W, H, bits), (1 << bits) - 1
        key = rows[2][6:9]
        expanded = [
            [p for x in range(W) for p in (*row[3 * x : 3 * x + 3], 0 if row[3 * x : 3 * x + 3] == key else top)]
            for row in rows
        ]
        data = png(rows, 2, bits, 3, extra=chunk(b"tRNS", struct.pack(">3H", *key)))
        fixture(f"rgb-{bits}-transparent.png", data, pic.packed(expanded, bits), f"rgba {bits}")

    for name, rows, kind, bits, channels in [
        ("gray-1", pic.gray(W, H, 1), 0, 1, 1), ("rgb-8", pic.colour(W, H), 2, 8, 3),
        ("gray-alpha-16", with_alpha(pic.gray(W, H, 16), 1, 16), 4, 16, 2),
    ]:
        format = {0: "gray", 2: "rgb", 4: "grayAlpha"}[kind] + f" {bits}"
        data = png(rows, kind, bits, channels, interlaced=True)
        fixture(f"{name}-interlaced.png", data, pic.packed(rows, bits), format)

    rows = pic.colour(W, H)
    profile = chunk(b"iCCP", b"Wide\0\0" + zlib.compress(pic.wide_profile()))
    density = chunk(b"pHYs", struct.pack(">IIB", 11811, 5906, 1))
    data = png(rows, 2, 8, 3, extra=profile + density)
    fixture("profile-resolution.png", data, pic.packed(rows, 8), "rgb 8")
    fixture("orientation-8.png", png(rows, 2, 8, 3, late=chunk(b"eXIf", exif(8))), pic.packed(rows, 8), "rgb 8")


def exif(orientation, order=">"):
    return {">": b"MM\0*", "<": b"II*\0"}[order] + struct.pack(order + "IHHHIHHI", 8, 1, 0x112, 3, 1, orientation, 0, 0)


# MARK: GIF

def gif_data(indexes, bits):
    """LZW that never uses its table: it is cleared before codes would get longer."""
    size = max(2, bits)
    out, held, count = bytearray(), 0, 0
    codes = []
    for i, index in enumerate(indexes):
        if i % ((1 << size) - 2) == 0:
            codes.append(1 << size)
        codes.append(index)
    for code in codes + [(1 << size) + 1]:
        held |= code << count
        count += size + 1
        while count >= 8:
            out.append(held & 255)
            held >>= 8
            count -= 8
    if count:
        out.append(held)
    blocks = b"".join(bytes([len(out[i : i + 255])]) + bytes(out[i : i + 255]) for i in range(0, len(out), 255))
    return bytes([size]) + blocks + b"\0"


def gif(rows, table, bits, canvas=None, place=(0, 0), transparent=None, interlaced=False, more=b""):
    width, height = len(rows[0]), len(rows)
    out = b"GIF89a" + struct.pack("<HHBBB", *(canvas or (width, height)), 0x80 | bits - 1, 0, 0) + table
    if transparent is not None:
        out += b"\x21\xf9\x04" + struct.pack("<BHBB", 1, 0, transparent, 0)
    order = rows
    if interlaced:
        order = rows[0::8] + rows[4::8] + rows[2::4] + rows[1::2]
    out += b"," + struct.pack("<HHHHB", *place, width, height, 0x40 * interlaced)
    return out + gif_data([index for row in order for index in row], bits) + more + b";"


def make_gif():
    rows, table = pic.indexes(W, H, 8), pic.palette(8)
    fixture("palette-8.gif", gif(rows, table, 8), pic.packed(rows, 8), f"palette 8 {table.hex()}")
    rows, table = pic.indexes(W, H, 2), pic.palette(2)
    packed = pic.packed(rows, 2)
    fixture("palette-2.gif", gif(rows, table, 2), packed, f"palette 2 {table.hex()}")
    fixture("interlaced.gif", gif(rows, table, 2, interlaced=True), packed, f"palette 2 {table.hex()}")
    clear = [[p for i in row for p in ((*table[3 * i : 3 * i + 3], 255) if i != 1 else (0, 0, 0, 0))] for row in rows]
    fixture("transparent.gif", gif(rows, table, 2, transparent=1), pic.packed(clear, 8), "rgba 8")
    # Partly beyond the canvas, and with a second frame.
    second = b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + gif_data([3], 2)
    frame = gif(rows, table, 2, canvas=(W, H), place=(4, 3), more=second)
    opaque = [with_alpha([coloured([row], table)[0]], 3, opaque=True)[0] for row in rows]
    canvas = [[0] * 4 * W for _ in range(3)] + [[0] * 16 + row[: 4 * (W - 4)] for row in opaque[: H - 3]]
    fixture("placed.gif", frame, pic.packed(canvas, 8), "rgba 8")


# MARK: BMP

def bmp(data, bits, size=(W, H), compression=0, table=b"", header=40, extra=b"", colors=0):
    width, height = size
    if header == 12:
        info = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        density = 11811
        info = struct.pack("<IiiHHI", header, width, height, 1, bits, compression)
        info += struct.pack("<IiiII", len(data), density, density, colors, 0)
    start = 14 + len(info) + len(extra) + len(table)
    return b"BM" + struct.pack("<IHHI", start + len(data), 0, 0, start) + info + extra + table + data


def padded(rows, bits):
    return b"".join(line + bytes(-len(line) % 4) for line in (pic.packed([row], bits) for row in rows))


def bgr(table, width=4):
    return b"".join(bytes([*table[i : i + 3][::-1]]) + bytes(width - 3) for i in range(0, len(table), 3))


def pixels16(rows, pack):
    lines = [struct.pack(f"<{W}H", *(pack(*row[3 * x : 3 * x + 3]) for x in range(W))) for row in rows]
    return b"".join(line + bytes(-len(line) % 4) for line in lines)


def runs(rows, bits):
    """Runs where two pixels are alike, else what is there as it is, the odd way round now and then."""
    out = bytearray()
    for number, row in enumerate(rows):
        at = 0
        while at < len(row):
            left = len(row) - at
            if number % 2 and left >= 3:
                part = row[at : at + 5]
                data = bytes(part) if bits == 8 else pic.packed([part], 4)
                out += bytes([0, len(part)]) + data + bytes(len(data) % 2)
                at += len(part)
                continue
            run = 1
            while at + run < len(row) and row[at + run] == row[at]:
                run += 1
            out += bytes([run, row[at] if bits == 8 else row[at] * 17])
            at += run
        out += b"\0\0"
    return bytes(out) + b"\0\1"


def make_bmp():
    for bits in (1, 4, 8):
        rows, table = pic.indexes(W, H, bits), pic.palette(bits)
        data = bmp(padded(rows[::-1], bits), bits, table=bgr(table))
        fixture(f"palette-{bits}.bmp", data, pic.packed(rows, bits), f"palette {bits} {table.hex()}")
    rows, table = pic.indexes(W, H, 4), pic.palette(4)
    data = bmp(padded(rows[::-1], 4), 4, table=bgr(table, 3), header=12)
    fixture("palette-4-core.bmp", data, pic.packed(rows, 4), f"palette 4 {table.hex()}")
    data = bmp(runs(rows[::-1], 4), 4, table=bgr(table), compression=2)
    fixture("runs-4.bmp", data, pic.packed(rows, 4), f"palette 4 {table.hex()}")
    rows, table = pic.indexes(W, H, 8), pic.palette(8)
    data = bmp(runs(rows[::-1], 8), 8, table=bgr(table), compression=1)
    fixture("runs-8.bmp", data, pic.packed(rows, 8), f"palette 8 {table.hex()}")
    # A jump of three to the right and two up, over the first colour.
    data = bytes([2, 7, 0, 2, 3, 2, 4, 9, 0, 1])
    skipped = [[0] * W for _ in range(H)]
    skipped[H - 1][:2] = [7, 7]
    skipped[H - 3][5:9] = [9] * 4
    table = pic.palette(4)
    fixture("runs-8-jump.bmp", bmp(data, 8, table=bgr(table), compression=1, colors=16), pic.packed(skipped, 4),
            f"palette 4 {table.hex()}")

    rows = pic.colour(W, H)
    swapped = [[p for x in range(W) for p in row[3 * x : 3 * x + 3][::-1]] for row in rows]
    fixture("rgb-24.bmp", bmp(padded(swapped[::-1], 8), 24), pic.packed(rows, 8), "rgb 8")
    fixture("top-down-24.bmp", bmp(padded(swapped, 8), 24, size=(W, -H)), pic.packed(rows, 8), "rgb 8")
    wide = [[p for x in range(W) for p in (*row[3 * x : 3 * x + 3], 99)] for row in swapped]
    fixture("rgb-32.bmp", bmp(padded(wide[::-1], 8), 32), pic.packed(rows, 8), "rgb 8")
    deep = with_alpha(rows, 3)
    mixed = [[p for x in range(W) for p in (row[4 * x + 3], *row[4 * x : 4 * x + 3])] for row in deep]
    # Alpha lowest, then red, green and blue; a header of version 4.
    masks = struct.pack("<IIII", 0xFF00, 0xFF0000, 0xFF000000, 0xFF) + bytes(52)
    data = bmp(padded(mixed[::-1], 8), 32, compression=3, header=108, extra=masks)
    fixture("rgba-32.bmp", data, pic.packed(deep, 8), "rgba 8")

    def spread(value, bits):
        return (value * 255 * 2 + (1 << bits) - 1) // (2 * ((1 << bits) - 1))

    small = [[spread(p >> 3, 5) for p in row] for row in rows]
    data = bmp(pixels16(rows[::-1], lambda r, g, b: r >> 3 << 10 | g >> 3 << 5 | b >> 3), 16)
    fixture("rgb-16.bmp", data, pic.packed(small, 8), "rgb 8")
    small = [[spread(p >> 2, 6) if i % 3 == 1 else spread(p >> 3, 5) for i, p in enumerate(row)] for row in rows]
    data = bmp(pixels16(rows[::-1], lambda r, g, b: r >> 3 << 11 | g >> 2 << 5 | b >> 3), 16, compression=3,
               extra=struct.pack("<III", 0xF800, 0x7E0, 0x1F))
    fixture("rgb-565.bmp", data, pic.packed(small, 8), "rgb 8")


# MARK: TIFF

def tiff(order, tags, parts, tiled=False):
    """A TIFF of these strips or tiles; `tags` are number: (type, values)."""
    tags = dict(tags)
    offsets, at, body = [], 8, b""
    for part in parts:
        offsets.append(at + len(body))
        body += part + bytes(len(part) % 2)
    tags[324 if tiled else 273] = (4, offsets)
    tags[325 if tiled else 279] = (4, [len(part) for part in parts])
    directory = at + len(body)
    out, extra = struct.pack(order + "H", len(tags)), b""
    behind = directory + 2 + 12 * len(tags) + 4
    for tag, (kind, values) in sorted(tags.items()):
        if kind == 7:
            data, count = bytes(values), len(values)
        elif kind == 5:
            data, count = struct.pack(f"{order}{2 * len(values)}I", *(p for v in values for p in (v, 1))), len(values)
        else:
            data, count = struct.pack(f"{order}{len(values)}{ {1: 'B', 3: 'H', 4: 'I'}[kind]}", *values), len(values)
        if len(data) > 4:
            entry = struct.pack(order + "I", behind + len(extra))
            extra += data + bytes(len(data) % 2)
        else:
            entry = data.ljust(4, b"\0")
        out += struct.pack(order + "HHI", tag, kind, count) + entry
    name = {"<": b"II*\0", ">": b"MM\0*"}[order]
    return name + struct.pack(order + "I", directory) + body + out + bytes(4) + extra


def fields(photometric, bits, samples=1, rows=H, compression=1, **more):
    tags = {256: (3, [W]), 257: (3, [H]), 258: (3, [bits] * samples), 259: (3, [compression]), 262: (3, [photometric]),
            277: (3, [samples])}
    if rows:
        tags[278] = (3, [rows])
    names = {"planar": 284, "extra": 338, "width": 322, "height": 323, "orientation": 274, "options": 292}
    for name, value in more.items():
        tags[names[name]] = (3, [value])
    return tags


def samples(rows, bits, order="<"):
    return b"".join(struct.pack(f"{order}{len(row)}H", *row) for row in rows) if bits == 16 else pic.packed(rows, bits)


def bit_packed(row, bits):
    """Samples of any number of bits, the highest first."""
    text = "".join(f"{sample:0{bits}b}" for sample in row)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))


def strips(rows, bits, count, order="<"):
    return [samples(rows[i : i + count], bits, order) for i in range(0, len(rows), count)]


def tiles(rows, bits, channels, side=16):
    wide = [row + [0] * (channels * (-(len(row) // channels) % side)) for row in rows]
    wide += [[0] * len(wide[0])] * (-len(wide) % side)
    return [
        samples([row[x : x + side * channels] for row in wide[y : y + side]], bits)
        for y in range(0, len(wide), side) for x in range(0, len(wide[0]), side * channels)
    ]


def make_tiff():
    ink = pic.bilevel(W, H)
    white_is_1 = pic.packed(pic.inverted(ink), 1)
    # Bits behind the end of a row mean nothing.
    fixture("min-is-white.tif", tiff("<", fields(0, 1), [pic.packed(ink, 1)]), white_is_1, "gray 1")
    fixture("min-is-black.tif", tiff(">", fields(1, 1), [white_is_1]), white_is_1, "gray 1")
    fixture("group-4.tif", tiff("<", fields(0, 1, compression=4), [pic.ccitt(ink, "group4")]), white_is_1, "gray 1")
    fax = pic.ccitt(ink, "group3", 1)
    fixture("group-3.tif", tiff("<", {**fields(0, 1, compression=3), 292: (4, [1])}, [fax]), white_is_1, "gray 1")
    for bits in (2, 4, 8, 16):
        rows = pic.gray(W, H, bits)
        data = tiff("<", fields(1, bits, rows=3), strips(rows, bits, 3))
        fixture(f"gray-{bits}.tif", data, pic.packed(rows, bits), f"gray {bits}")
    rows = pic.gray(W, H, 16)
    data = tiff(">", fields(1, 16), [samples(rows, 16, ">")])
    fixture("gray-16-big-endian.tif", data, pic.packed(rows, 16), "gray 16")
    rows = pic.gray(W, H)
    inverted = pic.inverted(rows, 8)
    fixture("gray-8-inverted.tif", tiff("<", fields(0, 8), [samples(inverted, 8)]), pic.packed(rows, 8), "gray 8")
    deep = with_alpha(rows, 1)
    data = tiff("<", fields(1, 8, 2, extra=2), [samples(deep, 8)])
    fixture("gray-alpha-8.tif", data, pic.packed(deep, 8), "grayAlpha 8")
    for bits in (4, 8):
        rows, table = pic.indexes(W, H, bits), pic.palette(bits)
        colors = [table[i] * 257 for part in range(3) for i in range(part, len(table), 3)]
        data = tiff("<", {**fields(3, bits), 320: (3, colors)}, [samples(rows, bits)])
        fixture(f"palette-{bits}.tif", data, pic.packed(rows, bits), f"palette {bits} {table.hex()}")
    rows = pic.colour(W, H)
    packed = pic.packed(rows, 8)
    fixture("rgb-8.tif", tiff("<", fields(2, 8, 3, rows=4), strips(rows, 8, 4)), packed, "rgb 8")
    planes = [[row[part::3] for row in rows] for part in range(3)]
    parts = [strip for plane in planes for strip in strips(plane, 8, 4)]
    fixture("rgb-8-planar.tif", tiff("<", fields(2, 8, 3, rows=4, planar=2), parts), packed, "rgb 8")
    data = tiff("<", fields(2, 8, 3, rows=0, width=16, height=16), tiles(rows, 8, 3), tiled=True)
    fixture("rgb-8-tiled.tif", data, packed, "rgb 8")
    rows16 = pic.colour(W, H, 16)
    parts = [tile for part in range(3) for tile in tiles([row[part::3] for row in rows16], 16, 1)]
    data = tiff("<", fields(2, 16, 3, rows=0, width=16, height=16, planar=2), parts, tiled=True)
    fixture("rgb-16-tiled-planar.tif", data, pic.packed(rows16, 16), "rgb 16")
    deflated = [zlib.compress(pic.tiff_predicted(rows, 3), 9)]
    data = tiff("<", {**fields(2, 8, 3, compression=8), 317: (3, [2])}, deflated)
    fixture("rgb-8-deflate.tif", data, packed, "rgb 8")
    data = tiff("<", fields(2, 8, 3, compression=5), [pic.lzw(packed)])
    fixture("rgb-8-lzw.tif", data, packed, "rgb 8")
    deep = with_alpha(rows, 3)
    fixture("rgba-8.tif", tiff("<", fields(2, 8, 4, extra=2), [samples(deep, 8)]), pic.packed(deep, 8), "rgba 8")
    # Multiplied by alpha; where that leaves nothing or everything, nothing can be lost.
    hard = [[p for x in range(W) for p in ((*row[3 * x : 3 * x + 3], 255) if (x + y) % 3 else (0, 0, 0, 0))]
            for y, row in enumerate(rows)]
    hard[0][:4] = [255, 128, 0, 128]  # 127.5 · 255 / 128 is beyond 255
    straight = [list(row) for row in hard]
    straight[0][:4] = [255, 255, 0, 128]
    data = tiff("<", fields(2, 8, 4, extra=1), [samples(hard, 8)])
    fixture("rgba-8-associated.tif", data, pic.packed(straight, 8), "rgba 8")
    more = [[p for x in range(W) for p in (*row[3 * x : 3 * x + 3], 77)] for row in rows]
    fixture("rgb-8-unspecified.tif", tiff("<", fields(2, 8, 4, extra=0), [samples(more, 8)]), packed, "rgb 8")
    inks = with_alpha(rows, 3)
    rgb = [
        [((255 - row[4 * x + i]) * (255 - row[4 * x + 3]) + 127) // 255 for x in range(W) for i in range(3)]
        for row in inks
    ]
    fixture("cmyk-8.tif", tiff("<", fields(5, 8, 4), [samples(inks, 8)]), pic.packed(rgb, 8), "rgb 8")
    data = tiff("<", {**fields(2, 8, 3, orientation=6), 282: (5, [300]), 283: (5, [150]), 296: (3, [2]),
                      34675: (7, pic.wide_profile())}, [packed])
    fixture("orientation-6.tif", data, packed, "rgb 8")
    # What libtiff makes RGB of; it must not turn it.
    ycc = Image.merge("YCbCr", pic.image(rows).split())
    data = tiff("<", {**fields(6, 8, 3, orientation=3), 530: (3, [1, 1])}, [ycc.tobytes()])
    fixture("ycbcr-8.tif", data, ycc.convert("RGB"), "rgb 8", tolerance=1)
    for bits in (10, 12):
        # Bits of one row follow another without regard to bytes.
        deep = pic.colour(W, H, bits)
        data = tiff(">", fields(2, bits, 3), [b"".join(bit_packed(row, bits) for row in deep)])
        scaled = [[(p * 65535 + (1 << bits) // 2) // ((1 << bits) - 1) for p in row] for row in deep]
        fixture(f"rgb-{bits}.tif", data, pic.packed(scaled, 16), "rgb 16")
    small = with_alpha(pic.gray(W, H, 4), 1, 4)
    data = tiff("<", fields(1, 4, 2, extra=2), [b"".join(bit_packed(row, 4) for row in small)])
    fixture("gray-alpha-4.tif", data, pic.packed([[p * 17 for p in row] for row in small], 8), "grayAlpha 8")
    out = io.BytesIO()
    pic.image(rows).save(out, "TIFF", compression="jpeg", quality=90)
    with Image.open(io.BytesIO(out.getvalue())) as file:
        fixture("ycbcr-jpeg.tif", out.getvalue(), pic.packed([list(file.convert("RGB").tobytes())], 8), "rgb 8")


# MARK: the rest

def saved(picture, format, **options):
    out = io.BytesIO()
    picture.save(out, format, **options)
    return out.getvalue()


def read(data):
    file = Image.open(io.BytesIO(data))
    file.load()
    return file


def make_webp():
    rows = pic.colour(W, H)
    picture, deep = pic.image(rows), pic.image(with_alpha(rows, 3), "RGBA")
    data = saved(picture, "WEBP", lossless=True)
    fixture("rgb.webp", data, pic.packed(rows, 8), "rgb 8")
    data = saved(deep, "WEBP", lossless=True, exact=True)
    fixture("rgba.webp", data, deep.tobytes(), "rgba 8")
    data = saved(picture, "WEBP", quality=80)
    fixture("lossy.webp", data, read(data).convert("RGB").tobytes(), "rgb 8")
    data = saved(deep, "WEBP", quality=80, exact=True)
    fixture("lossy-alpha.webp", data, read(data).convert("RGBA").tobytes(), "rgba 8")
    data = saved(picture, "WEBP", lossless=True, icc_profile=pic.wide_profile(), exif=exif(6))
    fixture("orientation-6.webp", data, pic.packed(rows, 8), "rgb 8")
    # Two frames, of which the first covers a part of the canvas at (2, 4).
    part = picture.crop((0, 0, 8, 6))

    def short(value):
        return struct.pack("<I", value)[:3]

    def frame(x, y, picture):
        body = short(x // 2) + short(y // 2) + short(picture.width - 1) + short(picture.height - 1) + short(100) + b"\2"
        body += saved(picture, "WEBP", lossless=True)[12:]
        return b"ANMF" + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)

    body = b"WEBP" + b"VP8X" + struct.pack("<I", 10) + b"\x12\0\0\0" + short(W - 1) + short(H - 1)
    body += b"ANIM" + struct.pack("<IIH", 6, 0, 0) + frame(2, 4, part) + frame(0, 0, picture)
    canvas = Image.new("RGBA", (W, H))
    canvas.paste(part.convert("RGBA"), (2, 4))
    fixture("animated.webp", b"RIFF" + struct.pack("<I", len(body)) + body, canvas.tobytes(), "rgba 8")


def make_jpeg():
    rows = pic.colour(W, H)
    data = saved(pic.image(rows), "JPEG", quality=85)
    fixture("rgb.jpg", data, read(data).tobytes(), "rgb 8")
    data = saved(pic.image(pic.gray(W, H), "L"), "JPEG", quality=85)
    fixture("gray.jpg", data, read(data).tobytes(), "gray 8")
    # Pillow writes the Adobe marker, and what comes with it: the samples inverted.
    inks = pic.image(with_alpha(rows, 3), "CMYK")
    data = saved(inks, "JPEG", quality=95)
    fixture("cmyk-adobe.jpg", data, read(data).convert("RGB").tobytes(), "rgb 8")
    # Without it, they are taken for what they are. Pillow inverts them all the same.
    plain = pic.without(data, 0xEE)
    fixture("cmyk.jpg", plain, ImageChops.invert(read(plain)).convert("RGB").tobytes(), "rgb 8")
    # The same data, said to be YCCK: three components are taken for Y, Cb and Cr, which libjpeg turns to CMY.
    ycck = pic.adobe(data, 2)
    fixture("ycck.jpg", ycck, read(ycck).convert("RGB").tobytes(), "rgb 8")
    profile = cmyk_profile()
    data = saved(inks, "JPEG", quality=95, icc_profile=profile)
    source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
    shown = ImageCms.profileToProfile(
        read(data), source, ImageCms.createProfile("sRGB"), ImageCms.Intent.RELATIVE_COLORIMETRIC, "RGB",
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)
    fixture("cmyk-profile.jpg", data, shown, "rgb 8", tolerance=2)


def cmyk_profile():
    """A made-up press: a table of 2⁴ corners to Lab, with black far from black and a yellowish paper."""
    def lab(c, m, y, k):
        ink = (c + m + y) / 3
        light = 95 * (1 - 0.6 * ink) * (1 - 0.8 * k) + 8 * k
        a = (-35 * c + 70 * m - 5 * y) * (1 - k)
        b = (-45 * c - 3 * m + 85 * y) * (1 - k) + 5 * (1 - k)
        return bytes(min(255, max(0, round(v))) for v in (light * 2.55, a + 128, b + 128))

    corners = b"".join(lab(n >> 3 & 1, n >> 2 & 1, n >> 1 & 1, n & 1) for n in range(16))
    line = bytes(range(256))
    matrix = struct.pack(">9i", *(65536 if i % 4 == 0 else 0 for i in range(9)))
    lut = b"mft1\0\0\0\0" + bytes([4, 3, 2, 0]) + matrix + line * 4 + corners + line * 3
    text = b"Press\0"
    tags = {
        b"desc": b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + bytes(12 + 67),
        b"cprt": b"text\0\0\0\0None\0",
        b"wtpt": b"XYZ \0\0\0\0" + struct.pack(">3i", 63190, 65536, 54061),
        b"A2B0": lut,
        b"A2B1": lut,
    }
    at, table, body = 128 + 4 + 12 * len(tags), b"", b""
    for name, data in tags.items():
        data += bytes(-len(data) % 4)
        table += name + struct.pack(">II", at + len(body), len(data))
        body += data
    head = struct.pack(">I4sI4s4s4s", at + len(body), bytes(4), 0x02100000, b"prtr", b"CMYK", b"Lab ")
    head += struct.pack(">6H4s", 2000, 1, 1, 0, 0, 0, b"acsp") + bytes(28) + struct.pack(">3i", 63190, 65536, 54061)
    return head + bytes(128 - len(head)) + struct.pack(">I", len(tags)) + table + body


def make_jpeg2000():
    rows = pic.colour(W, H)
    data = pic.jpeg2000(pic.image(rows))
    fixture("rgb.jp2", data, pic.packed(rows, 8), "rgb 8")
    deep = pic.image(with_alpha(rows, 3), "RGBA")
    fixture("rgba.jp2", pic.jpeg2000(deep), deep.tobytes(), "rgba 8")
    gray = pic.image(with_alpha(pic.gray(W, H), 1), "LA")
    fixture("gray-alpha.j2k", pic.jpeg2000(gray, no_jp2=True), gray.tobytes(), "grayAlpha 8")


def make_avif():
    rows = pic.colour(W, H)
    picture, deep = pic.image(rows), pic.image(with_alpha(rows, 3), "RGBA")
    data = saved(picture, "AVIF", quality=90, subsampling="4:4:4")
    fixture("rgb.avif", data, read(data).convert("RGB"), "rgb 8", tolerance=2)
    data = saved(deep, "AVIF", quality=90, subsampling="4:4:4")
    fixture("rgba.avif", data, read(data).convert("RGBA"), "rgba 8", tolerance=2)
    # The turn becomes a property of the file, which decoders apply.
    data = saved(picture, "AVIF", quality=90, subsampling="4:4:4", exif=exif(6))
    turned = read(data).convert("RGB").transpose(Image.Transpose.ROTATE_270)
    fixture("turned.avif", data, turned, "rgb 8", size=(H, W), tolerance=2)


def make_jpegxl():
    """Lossless, by cjxl, from the PNGs made above; by djxl, what another one loses."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)

        def run(*arguments):
            subprocess.run([str(a) for a in arguments], check=True, capture_output=True)

        # Not rgba-16: cjxl 0.7 keeps 8 bits of its alpha.
        for name in ("gray-8", "gray-16", "gray-alpha-8", "rgb-8", "rgb-16", "rgba-8"):
            run("cjxl", "-d", "0", OUT / f"{name}.png", folder / "x.jxl")
            [row] = [row for row in expected if row[0] == f"{name}.png"]
            (OUT / f"{name}.jxl").write_bytes((folder / "x.jxl").read_bytes())
            expected.append([f"{name}.jxl", *row[1:]])
        run("cjxl", "-d", "1", OUT / "rgb-8.png", folder / "x.jxl")
        run("djxl", folder / "x.jxl", folder / "x.png")
        shown = Image.open(folder / "x.png").convert("RGB")
        fixture("lossy.jxl", (folder / "x.jxl").read_bytes(), shown, "rgb 8", tolerance=1)


if __name__ == "__main__":
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    for make in (make_png, make_gif, make_bmp, make_tiff, make_webp, make_jpeg, make_jpeg2000, make_avif, make_jpegxl):
        make()
    lines = ["\t".join(map(str, row)) for row in expected]
    (OUT / "expected.tsv").write_text("file\twidth\theight\tformat\tsamples\ttolerance\n" + "\n".join(lines) + "\n")
    (OUT / "wide.icc").write_bytes(pic.wide_profile())
    (OUT / "srgb.icc").write_bytes(pic.srgb_profile())
    (OUT / "cmyk.icc").write_bytes(cmyk_profile())
