"""Makes pictures of pages as libraries scan them, with the place of the print on each.

    make_scans.py --out DIR [--pages 70] [--seed N]

Each shows a sheet on a bed that is lighter or darker than it, with something that scans show beside print: the binding's shadow, a
sliver of the facing page with letters cut by the picture's edge, a color chart, a ruler, the edges of the leaves below, or the sheet
is vellum or aged. truth.json has the box around the print of each picture, in the form that reliability.py reads.
"""

import argparse
import json
import random
from pathlib import Path

from make_workloads import typeset
from PIL import Image, ImageChops, ImageDraw, ImageFilter

SIZE, SHEET, INK = (1240, 1754), (1000, 1500), (46, 38, 34)
KINDS = ("plain", "gutter", "facing", "chart", "ruler", "leaves", "vellum")


def blotches(chance, size, depth):
    """Lighter and darker places as large as a hand: levels around 255 - depth."""
    small = Image.new("L", (6, 9))
    small.putdata([255 - chance.randrange(2 * depth) for _ in range(54)])
    return Image.merge("RGB", [small.resize(size, Image.Resampling.BICUBIC)] * 3)


def shade(picture, left, right, darkest):
    """Darkens the picture towards one of two columns, down to a share of its levels."""
    ramp = Image.linear_gradient("L").rotate(90 if left < right else 270, expand=True)
    span = abs(right - left), picture.height
    ramp = ramp.resize(span).point(lambda level: int(255 * darkest + level * (1 - darkest)))
    place = min(left, right)
    part = picture.crop((place, 0, place + span[0], picture.height))
    picture.paste(ImageChops.multiply(part, Image.merge("RGB", [ramp] * 3)), (place, 0))


def chart(draw, x, y, chance):
    """A row of colored and gray patches on a white card."""
    draw.rectangle((x, y, x + 430, y + 60), fill=(240, 240, 238))
    for number in range(10):
        color = tuple(chance.randrange(20, 240) for _ in range(3)) if number % 2 else (20 + 22 * number,) * 3
        draw.rectangle((x + 8 + 42 * number, y + 8, x + 44 + 42 * number, y + 52), fill=color)


def ruler(draw, x, y):
    draw.rectangle((x, y, x + 900, y + 44), fill=(236, 232, 220))
    for mark in range(88):
        draw.line((x + 10 + 10 * mark, y, x + 10 + 10 * mark, y + (26 if mark % 10 == 0 else 14)), fill=(20, 20, 20), width=2)
        if mark % 10 == 0:
            draw.text((x + 14 + 10 * mark, y + 26), str(mark // 10), fill=(20, 20, 20))


def scan(chance, kind, noise):
    """The picture, and the box around its print as [left, top, right, bottom]."""
    is_dark = chance.random() < 0.5
    bed = (chance.randrange(22, 60),) * 3 if is_dark else (chance.randrange(226, 242),) * 3
    tone = chance.randrange(214, 236) if kind != "vellum" else chance.randrange(176, 200)
    paper = (tone, tone - chance.randrange(4, 14), tone - chance.randrange(14, 34))
    picture = Image.new("RGB", SIZE, bed)
    x, y = chance.randrange(90, 150), chance.randrange(90, 160)
    if kind in ("gutter", "facing"):
        x = chance.randrange(24, 60)
    sheet = Image.new("RGB", SHEET, paper)
    # Smaller than the sheet: no line may run into its edges.
    sheet.paste(typeset(chance, (SHEET[0] - 120, SHEET[1] - 120), "RGB", paper, INK), (60, 60))
    mask = Image.new("L", SIZE, 0)
    mask.paste(sheet.convert("L").point(lambda level: 255 if level < tone - 60 else 0), (x, y))
    sheet = ImageChops.multiply(sheet, blotches(chance, SHEET, 24 if kind == "vellum" else 6))
    if kind == "leaves":
        draw = ImageDraw.Draw(picture)
        for leaf in range(8, 0, -1):
            edge = x + SHEET[0] + 4 * leaf
            draw.rectangle((x, y + leaf, edge, y + SHEET[1] - leaf), fill=tuple(level - 10 - 30 * (leaf % 2) for level in paper))
    if kind in ("gutter", "facing"):
        shade(sheet, 0, chance.randrange(60, 110), chance.uniform(0.25, 0.5))
    picture.paste(sheet, (x, y))
    if kind in ("gutter", "facing"):
        facing = Image.new("RGB", (x, SHEET[1]), paper)
        draw = ImageDraw.Draw(facing)
        if kind == "facing":
            for line in range(38):
                draw.rectangle((0, 131 + line * 31, x - 18, 131 + line * 31 + 14), fill=INK)
                for gap in range(7, x - 18, 13):
                    draw.rectangle((gap, 131 + line * 31, gap + 4, 145 + line * 31), fill=paper)
        shade(facing, x, max(0, x - 40), 0.35)
        picture.paste(facing, (0, y))
    draw = ImageDraw.Draw(picture)
    if kind == "chart":
        chart(draw, chance.randrange(100, 600), chance.choice((8, SIZE[1] - 72)), chance)
    if kind == "ruler":
        ruler(draw, chance.randrange(100, 200), chance.choice((6, SIZE[1] - 56)))
    slant = chance.uniform(-0.6, 0.6)
    picture = picture.filter(ImageFilter.GaussianBlur(0.7)).rotate(slant, Image.Resampling.BICUBIC, fillcolor=bed)
    box = mask.rotate(slant, Image.Resampling.BICUBIC).point(lambda level: 255 if level > 100 else 0).getbbox()
    left, top = chance.randrange(200), chance.randrange(200)
    grain = noise.crop((left, top, left + SIZE[0], top + SIZE[1]))
    return ImageChops.add(picture, Image.merge("RGB", [grain] * 3), offset=-128), list(box)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=70)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    chance, truth = random.Random(wanted.seed), {}
    noise = Image.effect_noise((SIZE[0] + 200, SIZE[1] + 200), 5)
    for number in range(wanted.pages):
        kind = KINDS[number % len(KINDS)]
        picture, box = scan(chance, kind, noise)
        path = wanted.out / kind / f"{number:04}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path, quality=85)
        truth[f"{kind}/{path.name}"] = {"w": SIZE[0], "h": SIZE[1], "keep": [box], "number": [], "head": [], "kind": kind}
    (wanted.out / "truth.json").write_text(json.dumps(truth, indent=1))


if __name__ == "__main__":
    main()
