#!/usr/bin/env python3
"""Makes the fixtures of Plugins/DjVuSource, one for each way in which a page can be stored.

The pictures are coded by the programs of djvulibre-bin; the files are put together here, since djvumake does not write what
is out of the ordinary.
"""

import pathlib
import struct
import subprocess
import tempfile

import pictures

FOLDER = pathlib.Path(__file__).parent.parent / "good" / "DjVuSource"
WIDTH, HEIGHT = 48, 64
TURNS = {0: 1, 90: 6, 180: 2, 270: 5}  # the flag in INFO by the degrees, counter-clockwise


def chunk(name, data):
    return name.encode() + struct.pack(">I", len(data)) + data + b"\0" * (len(data) % 2)


def form(kind, *chunks):
    return b"AT&T" + chunk("FORM", kind.encode() + b"".join(chunks))


def info(width=WIDTH, height=HEIGHT, dpi=300, gamma=22, turn=0):
    return chunk("INFO", struct.pack(">HHBBBBBB", width, height, 26, 0, dpi & 255, dpi >> 8, gamma, TURNS[turn]))


def chunks_of(data):
    """The chunks of a file with one FORM: names and contents."""
    place, found = 16, []
    while place + 8 <= len(data):
        length = struct.unpack(">I", data[place + 4 : place + 8])[0]
        found.append((data[place : place + 4].decode(), data[place + 8 : place + 8 + length]))
        place += 8 + length + length % 2
    return found


def coded(program, picture, name, *options):
    """What a program makes of a picture (a PNM file): its chunks of a name, as they lie in a file."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / "in.pnm", pathlib.Path(folder) / "out.djvu"
        source.write_bytes(picture)
        subprocess.run([program, *options, source, target], check=True, stdout=subprocess.DEVNULL)
        return b"".join(chunk(name, data) for found, data in chunks_of(target.read_bytes()) if found == name)


def pbm(rows):
    return b"P4 %d %d\n" % (len(rows[0]), len(rows)) + pictures.packed(rows, 1)


def ppm(rows):
    return b"P6 %d %d 255\n" % (len(rows[0]) // 3, len(rows)) + bytes(part for row in rows for part in row)


def pgm(rows):
    return b"P5 %d %d 255\n" % (len(rows[0]), len(rows)) + bytes(part for row in rows for part in row)


def wavelets(width=WIDTH, height=HEIGHT, slices="74+10+4"):
    return coded("c44", ppm(pictures.colour(width, height)), "BG44", "-slice", slices)


def palette(mask, *zones):
    """The colours of the marks of a mask, as djvumake chooses them by zones of the page."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / "mask.djvu", pathlib.Path(folder) / "out.djvu"
        source.write_bytes(form("DJVU", info(), mask))
        subprocess.run(["djvumake", target, f"Sjbz={source}", "FGbz=" + "".join(zones)], check=True)
        return b"".join(chunk(name, data) for name, data in chunks_of(target.read_bytes()) if name == "FGbz")


def djvused(path, *commands):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as script:
        script.write("\n".join((*commands, "save")) + "\n")
        script.flush()
        subprocess.run(["djvused", path, "-f", script.name], check=True)


def pages():
    """Name and bytes of the files of one page."""
    mask = coded("cjb2", pbm(pictures.bilevel()), "Sjbz", "-lossless")
    fax = b"MMR\0" + struct.pack(">HH", WIDTH, HEIGHT) + pictures.ccitt(pictures.bilevel(), "group4")
    jpeg = pictures.jpeg()
    gray = coded("c44", pgm(pictures.gray()), "BG44")
    small = wavelets(WIDTH // 3, (HEIGHT + 2) // 3)
    print_colours = coded("c44", ppm(pictures.colour(12, 16)[::-1]), "BG44", "-slice", "90").replace(b"BG44", b"FG44")
    yield "mask", form("DJVU", info(), mask)
    for turn in (90, 180, 270):
        yield f"mask-turned-{turn}", form("DJVU", info(turn=turn), mask)
        yield f"jpeg-turned-{turn}", form("DJVU", info(turn=turn), chunk("BGjp", jpeg))
        yield f"layers-turned-{turn}", form("DJVU", info(turn=turn), mask, print_colours, small)
    yield "mask-info-of-5-bytes", form("DJVU", chunk("INFO", struct.pack(">HHB", WIDTH, HEIGHT, 17)), mask)
    yield "mask-of-1-dpi", form("DJVU", info(dpi=1), mask)
    yield "fax", form("DJVU", info(dpi=200), chunk("Smmr", fax))
    yield "jpeg", form("DJVU", info(), chunk("BGjp", jpeg))
    yield "jpeg-gamma-1", form("DJVU", info(gamma=10), chunk("BGjp", jpeg))
    yield "wavelets", form("DJVU", info(), wavelets())
    yield "wavelets-gray", form("DJVU", info(), gray)
    yield "wavelets-gamma-1", form("DJVU", info(gamma=10), wavelets())
    yield "wavelets-turned-90", form("DJVU", info(turn=90), wavelets())
    yield "wavelets-smaller", form("DJVU", info(), small)
    yield "iw44", form("PM44", wavelets(slices="90").replace(b"BG44", b"PM44"))
    yield "iw44-gray", form("BM44", gray.replace(b"BG44", b"BM44"))
    yield "layers", form("DJVU", info(), mask, print_colours, small)
    yield "layers-jpeg", form("DJVU", info(), mask, chunk("FGjp", jpeg), chunk("BGjp", jpeg))
    colours = palette(mask, "#red", "#blue:0,0,48,32")
    yield "palette", form("DJVU", info(), mask, colours, small)
    yield "palette-gray", form("DJVU", info(), mask, palette(mask, "#gray"), gray)
    yield "palette-without-background", form("DJVU", info(), mask, colours)
    one_mark = coded("cjb2", pbm([[int(x > 9 and y > 9) for x in range(WIDTH)] for y in range(HEIGHT)]), "Sjbz", "-lossless")
    yield "palette-of-another-mask", form("DJVU", info(), mask, palette(one_mark, "#red"), small)
    yield "mask-on-background", form("DJVU", info(), mask, small)
    yield "blank", form("DJVU", info())


def book(path, *parts):
    """A bundle of files of one page, with what leads through it."""
    subprocess.run(["djvm", "-c", path, *parts], check=True)
    djvused(
        path,
        'create-shared-ant; remove-ant',
        'set-ant', '(metadata (title "Made") (author "A. Uthor and B. Uthor") (year "1905") (publisher "Nobody"))', '.',
        'select 1', 'set-page-title "iv"', 'set-txt',
        '(page 0 0 48 64 (line 4 50 40 60 (word 4 50 20 60 "Two") (word 24 50 40 60 "words")))', '.',
        'select 2', 'set-txt',
        '(page 0 0 48 64 (para 0 0 48 32 (line 0 0 48 16 "a line of \\"text\\"") (line 0 16 48 32 "\u05e9\u05dc\u05d5\u05dd")))', '.',
        'set-ant', '(maparea "#+1" "next" (rect 0 0 24 16)) (maparea "#mask.djvu" "" (oval 24 0 24 16))'
        ' (maparea (url "https://example.org/a?b=c" "_top") "" (poly 0 32 24 32 12 64))'
        ' (maparea "javascript:alert(1)" "" (rect 0 0 9 9)) (maparea "elsewhere.djvu#2" "" (rect 0 0 9 9))', '.',
        'select 3', 'set-txt',
        '(page 0 0 48 64 (line 8 4 16 60 (word 8 4 16 30 "\u7e26\u66f8\u304d") (word 8 30 16 60 "\u306e\u6587")))', '.',
        'set-outline', '(bookmarks ("One" "#1" ("Of it " "#layers-turned-90.djvu")) ("Part" "" ("Three" "#iv"))'
        ' ("Elsewhere" "other.djvu"))', '.',
    )


def shared(path):
    """Two pages with one dictionary of shapes."""
    with tempfile.TemporaryDirectory() as folder:
        names = [pathlib.Path(folder) / f"{number}.pbm" for number in (1, 2)]
        for name, rows in zip(names, (pictures.bilevel(), pictures.bilevel()[::-1])):
            # Three times as many of the same shapes.
            name.write_bytes(pbm([row * 3 for row in rows]))
        subprocess.run(["minidjvu", *names, path], check=True)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, data in pages():
        (FOLDER / f"{name}.djvu").write_bytes(data)
    parts = [FOLDER / f"{name}.djvu" for name in ("mask", "layers-turned-90", "wavelets", "jpeg", "blank")]
    book(FOLDER / "book.djvu", *parts)
    shared(FOLDER / "shared.djvu")


if __name__ == "__main__":
    main()
