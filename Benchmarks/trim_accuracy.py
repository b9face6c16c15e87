"""Trims made-up scans whose print is known to the pixel, and prints how near jisui and ImageMagick come.

    trim_accuracy.py --jisui BIN [--pages 60] [--seed N] [--check]

Each page has a block of text and a number, is turned by up to 1.3 degrees, and has what scanners add: a grain, dust, and on
some pages a dark edge or a hair. A box is as good as its intersection over its union with the true one; it cuts when
something printed lies more than 3 pixels outside, and is too large when its area is over 1.25 of the true one.
With --check the exit status is 1 when jisui cuts, or is less good than CHANGELOG and README say.
"""

import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from make_workloads import typeset
from PIL import Image, ImageChops, ImageDraw

SIZE, PAPER, INK = (1240, 1754), 238, 38


def scan(chance, noise):
    """A page, the box around its print as [left, top, right, bottom], and its slant counter-clockwise."""
    slant = round(chance.uniform(-1.3, 1.3), 2)
    page = Image.new("L", SIZE, PAPER)
    # Smaller than the page: no line may run into what lies at its edges.
    page.paste(typeset(chance, (1060, 1600), "L", PAPER, INK), (60 + chance.randrange(40), 60 + chance.randrange(40)))
    page = page.rotate(slant, Image.Resampling.BICUBIC, fillcolor=PAPER)
    box = page.point(lambda level: 255 if level < PAPER - 60 else 0).getbbox()
    draw = ImageDraw.Draw(page)
    for _ in range(chance.randrange(12)):
        x, y, size = chance.randrange(SIZE[0]), chance.randrange(SIZE[1]), chance.randrange(1, 4)
        draw.ellipse((x, y, x + size, y + size), fill=chance.randrange(60, 150))
    if chance.random() < 0.3:
        x, width = chance.choice((0, 1)), chance.randrange(4, 36)
        draw.rectangle((x * (SIZE[0] - width), 0, width + x * SIZE[0], SIZE[1]), fill=chance.randrange(30, 60))
    if chance.random() < 0.15:
        x, y = chance.randrange(150, SIZE[0] - 150), chance.choice((30, SIZE[1] - 110))
        draw.arc((x, y, x + 90, y + 80), 20, 230, fill=110, width=2)
    x, y = chance.randrange(200), chance.randrange(200)
    return ImageChops.add(page, noise.crop((x, y, x + SIZE[0], y + SIZE[1])), offset=-128), box, slant


def area(box):
    return max(0, box[2] - box[0]) * max(0, box[3] - box[1])


def score(name, found, truth):
    """Prints a line of the table; gives the mean quality and the number of pages that are cut."""
    quality, cut, large = [], 0, 0
    for box, true in zip(found, truth):
        low, high = [max(p) for p in zip(box[:2], true[:2])], [min(p) for p in zip(box[2:], true[2:])]
        both = area(low + high)
        quality.append(both / (area(box) + area(true) - both))
        cut += any(p > t + 3 for p, t in zip(box[:2], true[:2])) or any(p < t - 3 for p, t in zip(box[2:], true[2:]))
        large += area(box) > 1.25 * area(true)
    print(f"| {name} | {statistics.mean(quality):.3f} | {min(quality):.3f} | {cut} | {large} |")
    return statistics.mean(quality), cut


def report(jisui, *arguments):
    command = [jisui, *arguments, "-q", "--report", "-"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["pages"]


def corners(rect):
    return [rect[0], rect[1], rect[0] + rect[2], rect[1] + rect[3]]


def magick(path, fuzz):
    command = ["convert", path, "-fuzz", f"{fuzz}%", "-trim", "-format", "%w %h %X %Y", "info:"]
    width, height, x, y = (int(n) for n in subprocess.run(command, check=True, capture_output=True).stdout.split())
    return [x, y, x + width, y + height]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    wanted = parser.parse_args()
    chance, jisui = random.Random(wanted.seed), wanted.jisui.resolve()
    noise = Image.effect_noise((SIZE[0] + 200, SIZE[1] + 200), 5)
    with tempfile.TemporaryDirectory() as scratch:
        book = Path(scratch) / "book"
        book.mkdir()
        boxes, slants, paths = [], [], []
        for number in range(wanted.pages):
            page, box, slant = scan(chance, noise)
            paths.append(book / f"{number + 1:04}.jpg")
            page.save(paths[-1], quality=80)
            boxes.append(box)
            slants.append(slant)
        print("| | mean quality | worst | pages cut | too large |\n|---|--:|--:|--:|--:|")
        pages = report(jisui, book, "-o", book.parent / "x.cbz", "-n", "--trim", "page")
        quality, cut = score("jisui --trim page", [corners(p["content"] or [0, 0, *SIZE]) for p in pages], boxes)
        for fuzz in (10, 20, 40):
            score(f"convert -fuzz {fuzz}% -trim", [magick(path, fuzz) for path in paths], boxes)
        near = sum(p["skew"] is not None and abs(p["skew"] - s) <= 0.15 for p, s in zip(pages, slants))
        straight = Path(scratch) / "straight.cbz"
        report(jisui, book, "-o", straight, "--deskew")
        left = [p["skew"] for p in report(jisui, straight, "-o", book.parent / "x.cbz", "-n", "--trim", "page")]
        level = sum(angle is not None and abs(angle) <= 0.15 for angle in left)
    print(f"\nslant found within 0.15°: {near} of {wanted.pages}; level within 0.15° after --deskew: {level}")
    least = math.ceil(0.95 * wanted.pages)
    if wanted.check and (cut or quality < 0.985 or near < least or level < least):
        sys.exit(1)


if __name__ == "__main__":
    main()
