"""Makes scans of two facing pages of which it is known where they are to be cut. The same seed gives the same scans.

    make_spreads.py --out DIR [--seed N] [--count 100] [--only folds]

folds/             scans as JPEGs of about 1,800 × 1,250 pixels; every fifth is one drawing over both pages
folds.truth.json   for each: where its fold is at mid-height in pixels, its slant in degrees, whether it is crossed

The fold is off the middle, slanted, and shaded in many ways or not at all; but there is always something to tell it
by: a shade, an edge, or margins that are alike on both sides.
"""

import argparse
import json
import math
import random
from pathlib import Path

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from page_drawing import cloud, drawing, font, glyph, horizontal_text, panels, TEXT, vertical_text


# ---------------------------------------------------------------- whole pages


class PageMaker:
    """Makes pages of one book: all have its size and margins. `inner` says at which side the fold is."""

    def __init__(self, size, chance):
        self.size, self.chance = size, chance
        self.em = int(size[1] / chance.uniform(42, 56))
        self.inner_margin = int(size[0] * chance.uniform(0.05, 0.12))
        self.outer_margin = int(size[0] * chance.uniform(0.07, 0.14))
        self.top, self.bottom = (int(size[1] * chance.uniform(0.07, 0.13)) for _ in range(2))

    def box(self, inner):
        width, height = self.size
        margins = (self.outer_margin, self.inner_margin) if inner == "right" else (self.inner_margin, self.outer_margin)
        shift = self.chance.randrange(-3, 4)  # printers and folders are not exact
        return margins[0] + shift, self.top, width - margins[1] + shift, height - self.bottom

    def blank(self, inner):
        return Image.new("L", self.size, 255)

    def vertical(self, inner):
        page = self.blank(inner)
        vertical_text(page, self.box(inner), self.em, self.chance)
        return self.numbered(page, inner)

    def horizontal(self, inner):
        page = self.blank(inner)
        horizontal_text(page, self.box(inner), self.em, self.chance)
        return self.numbered(page, inner)

    def numbered(self, page, inner):
        left, _, right, bottom = self.box(inner)
        x = left + self.em if inner == "right" else right - self.em
        label = str(self.chance.randrange(2, 400))
        ImageDraw.Draw(page).text((x, bottom + self.em * 1.5), label, 0, font(int(self.em * 0.8)), anchor="mm")
        return page

    def title(self, inner):
        page = self.blank(inner)
        large = self.em * 2
        x, y = self.size[0] // 2 - large // 2, int(self.size[1] * 0.25)
        for row in range(7):
            page.paste(0, (x, y + row * large), glyph(TEXT[row + 20], large))
        return page

    def comic(self, inner):
        return panels(self.size, self.box(inner), self.chance)

    def bled_comic(self, inner):
        return panels(self.size, self.box(inner), self.chance, bleeds=True)

    def art(self, inner):
        if self.chance.random() < 0.4:
            return cloud(self.size, self.chance)
        return drawing(self.size, self.chance, style=self.chance.choice(["tone", "hills", "night", "speed"]))

    def half_art(self, inner):
        """Art over the fold's half of the page or its upper part, text below it."""
        page, height = self.blank(inner), int(self.size[1] * self.chance.uniform(0.45, 0.6))
        left, _, right, bottom = self.box(inner)
        page.paste(self.art(inner).crop((0, 0, self.size[0], height)))
        vertical_text(page, (left, height + self.em * 2, right, bottom), self.em, self.chance)
        return page

    def black(self, inner):
        page = Image.new("L", self.size, 26)
        left, top, right, bottom = self.box(inner)
        vertical_text(page, (left, top, right, (top + bottom) // 2), self.em, self.chance, ink=235)
        return page


# ---------------------------------------------------------------- the scan


def shade(columns, fold, kind, width, chance):
    """How much light comes from each column: the book bends into the fold. Lengths go with the width of a page."""
    away = columns - fold
    light = np.ones(len(columns), np.float32)

    def falloff(depth, reach, side):
        part = np.abs(away) if side == 0 else np.where(away * side >= 0, np.abs(away), np.inf)
        return 1 - depth * np.exp(-part / (reach * width))

    if kind in ("soft", "soft line"):
        light *= falloff(chance.uniform(0.12, 0.45), chance.uniform(0.015, 0.04), 0)
    if kind == "uneven":
        light *= falloff(chance.uniform(0.2, 0.5), chance.uniform(0.02, 0.05), 1)
        light *= falloff(chance.uniform(0.05, 0.2), chance.uniform(0.01, 0.02), -1)
    if kind == "wide":
        light *= falloff(chance.uniform(0.3, 0.65), chance.uniform(0.06, 0.1), 0)
    if kind == "left":
        light *= falloff(chance.uniform(0.15, 0.5), chance.uniform(0.015, 0.05), -1)
    if kind == "right":
        light *= falloff(chance.uniform(0.15, 0.5), chance.uniform(0.015, 0.05), 1)
    if kind in ("line", "soft line"):
        light *= 1 - chance.uniform(0.3, 0.8) * (np.abs(away) <= chance.uniform(0.8, 3.5))
    return light


SHADES = ["soft", "line", "none", "uneven", "left", "wide", "right", "soft line"]


def scan(spread, fold, tints, kind, chance, angle, bed):
    """The reflectance of an open book as a scanner sees it: aged paper, shade, grain, turned by an angle."""
    width, height = spread.size
    noise = np.random.default_rng(chance.randrange(2**32))
    columns = np.arange(width, dtype=np.float32)
    base = np.where(columns < fold, tints[0], tints[1]).astype(np.float32)[None, :]
    stains = Image.fromarray(noise.normal(0, 1, (6, 8)).astype(np.float32)).resize(spread.size, Image.BICUBIC)
    base = base + chance.uniform(0, 4) * np.asarray(stains)
    if chance.random() < 0.4:  # yellowed towards the outer edges
        reach = chance.uniform(0.02, 0.08) * width
        base -= 40 * np.exp(-np.minimum(columns, width - columns) / reach)[None, :]
    ink = chance.uniform(20, 55)
    level = ink + (base - ink) * (np.asarray(spread, dtype=np.float32) / 255)
    page_width = min(fold, width - fold)
    level *= shade(columns, fold, kind, page_width, chance)[None, :]
    level += chance.uniform(0.5, 2.5) * noise.normal(0, 1, level.shape)
    picture = Image.fromarray(np.clip(level, 0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.6))
    return picture.rotate(angle, Image.BICUBIC, fillcolor=bed) if angle else picture


def placed(left, right, size, fold, bed):
    """Two pages at a fold in a scan; where they do not reach the scanner's bed shows."""
    spread = Image.new("L", size, bed)
    spread.paste(left, (fold - left.width, 0))
    spread.paste(right, (fold, 0))
    return spread


PAIRS = [
    ("vertical", "vertical"), ("comic", "comic"), ("horizontal", "horizontal"), ("art", "vertical"),
    ("vertical", "blank"), ("bled_comic", "bled_comic"), ("black", "horizontal"), ("art", "art"),
    ("title", "vertical"), ("comic", "art"), ("half_art", "horizontal"), ("blank", "title"),
    ("black", "black"), ("half_art", "half_art"), ("vertical", "comic"), ("bled_comic", "art"),
]
# Pages that without a shade leave nothing to tell the fold by.
BARE = {"blank", "title", "half_art"}


def crosses(art, fold):
    """Whether a reader would see a drawing run on over the fold: at least eight of the edges a little left of it are
    there to the right of it too, no more than a little higher or lower, in four of ten parts of its height."""

    def edges(x):
        strip = art.crop((x - 4, 0, x + 4, art.height)).filter(ImageFilter.BoxBlur(3))
        strip = np.asarray(strip, dtype=np.float32).mean(axis=1)
        steps = strip[6:] - strip[:-6]
        return [np.flatnonzero((steps * sign > 40)[1:] & ~(steps * sign > 40)[:-1]) for sign in (1, -1)]

    both = [y for left, right in zip(edges(fold - 15), edges(fold + 15)) for y in left if (abs(right - y) < 25).any()]
    return len(both) >= 8 and len({y * 10 // art.height for y in both}) >= 4


def one_drawing(size, fold, chance):
    """One drawing over two pages; the binding may have swallowed a strip of it and shifted one half."""
    while True:
        if chance.random() < 0.25:
            art = cloud(size, chance, cells=9)
        else:
            art = drawing(size, chance, figures=chance.randrange(3, 7))
        if crosses(art, fold):
            break
    lost, shift = chance.choice([0, 0, 3, 8]), chance.choice([0, 0, 2, -3])
    return art, lost, shift


def fold_scan(number, seed):
    """One scan and what is true of it."""
    chance = random.Random(f"{seed} fold {number}")
    width = chance.randrange(1700, 1950)
    height = int(width * chance.uniform(0.64, 0.76))
    kind = SHADES[number * 3 % 8] if chance.random() < 0.5 else chance.choice(SHADES)
    place = 0.5 if chance.random() < 0.15 else chance.uniform(0.42, 0.58)
    if kind == "none" and abs(place - 0.5) < 0.04:
        place = 0.5  # so near to the middle nothing would speak for another place
    fold = round(width * place)
    angle = chance.choice([0, 0, chance.uniform(-0.5, 0.5), chance.uniform(-2, 2), chance.uniform(-2, 2)])
    bed = chance.choice([12, 40, 120, 250])
    tint = chance.uniform(205, 250)
    tints = [tint, tint]
    is_one = number % 5 == 4
    if is_one:
        art, lost, shift = one_drawing((width + 16, height), fold, chance)
        left, right = art.crop((0, 0, fold, height)), art.crop((fold + lost, 0, width + lost, height))
        if kind == "none":
            right = art.crop((fold, 0, width, height))
        elif shift:
            right = ImageChops.offset(right, 0, shift)
        what = "one drawing"
    else:
        pair = PAIRS[(number - number // 5) % len(PAIRS)]
        if chance.random() < 0.5:
            pair = pair[::-1]
        if chance.random() < 0.2:
            tints[chance.randrange(2)] -= chance.uniform(12, 40)
        is_bare = BARE & set(pair) or pair == ("black", "black")
        if is_bare and kind == "none":
            kind = "soft"
        page_width = int(min(fold, width - fold) * chance.uniform(0.96, 1.0))
        maker = PageMaker((page_width, height), chance)
        left, right = getattr(maker, pair[0])("right"), getattr(maker, pair[1])("left")
        what = " | ".join(pair)
    spread = placed(left, right, (width, height), fold, bed)
    picture = scan(spread, fold, tints, kind, chance, angle, bed)
    if chance.random() < 0.3:  # a scanner's dark edge
        deep = chance.randrange(4, 22)
        box = chance.choice([(0, 0, width, deep), (0, height - deep, width, height), (0, 0, deep, height)])
        ImageDraw.Draw(picture).rectangle(box, fill=chance.randrange(10, 60))
    # A point of the fold stays at mid-height under a turn about the middle when it is this far along it.
    turn = math.radians(angle)
    truth = {
        "width": width, "height": height, "fold": round(width / 2 + (fold - width / 2) / math.cos(turn), 1),
        "slant": round(angle, 2), "crossed": is_one, "what": what, "shade": kind,
    }
    if chance.random() < 0.5:
        picture = Image.merge("RGB", [picture, picture.point(lambda v: v * 0.97), picture.point(lambda v: v * 0.88)])
    return picture, truth


def folds(out, seed, count):
    (out / "folds").mkdir(parents=True, exist_ok=True)
    pages = []
    for number in range(count):
        picture, truth = fold_scan(number, seed)
        name = f"{number + 1:04}.jpg"
        picture.save(out / "folds" / name, quality=85)
        pages.append({"page": name} | truth)
    lines = ",\n".join(json.dumps(page, ensure_ascii=False) for page in pages)
    (out / "folds.truth.json").write_text(f'{{"seed": {seed}, "pages": [\n{lines}\n]}}\n')


WORKLOADS = {"folds": folds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", choices=list(WORKLOADS))
    wanted = parser.parse_args()
    for name, make in WORKLOADS.items():
        if wanted.only in (None, name):
            make(wanted.out, wanted.seed, wanted.count)


if __name__ == "__main__":
    main()
