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
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

FONTS = [
    "/usr/share/fonts/opentype/ipaexfont-mincho/ipaexm.ttf",
    "/usr/share/fonts/opentype/ipaexfont-gothic/ipaexg.ttf",
]
TEXT = (  # Natsume Soseki, "Botchan" (1906), in the public domain
    "親譲りの無鉄砲で小供の時から損ばかりしている。小学校に居る時分学校の二階から飛び降りて一週間ほど腰を抜かした事がある。"
    "なぜそんな無闇をしたと聞く人があるかも知れぬ。別段深い理由でもない。新築の二階から首を出していたら、"
    "同級生の一人が冗談に、いくら威張っても、そこから飛び降りる事は出来まい。弱虫やーい。と囃したからである。"
)
WORDS = "rain lamp river stone paper winter garden letter shadow morning silver thread harbour quiet mountain bell".split()

# ---------------------------------------------------------------- what stands on a page: 255 is paper, 0 is ink


@cache
def font(size, which=0):
    path = FONTS[which]
    return ImageFont.truetype(path, size) if Path(path).exists() else ImageFont.load_default(size)


@cache
def glyph(sign, size, which=0):
    """One sign in a square of its own, white on black."""
    cell = Image.new("L", (size, size), 0)
    ImageDraw.Draw(cell).text((size / 2, size / 2), sign, fill=255, font=font(size, which), anchor="mm")
    return cell


def vertical_text(page, box, em, chance, ink=0):
    """Columns from right to left that fill the box; paragraphs end early."""
    left, top, right, bottom = box
    count = max(1, int((right - left - em) / (em * 1.7)) + 1)
    pitch = (right - left - em) / max(1, count - 1)
    rows, place = int((bottom - top) / em), chance.randrange(len(TEXT))
    for column in range(count):
        short = column % 5 == 4 and column not in (0, count - 1)
        for row in range(int(rows * chance.uniform(0.3, 0.9)) if short else rows):
            place += 1
            cell = glyph(TEXT[place % len(TEXT)], em)
            page.paste(ink, (int(right - em - column * pitch), int(top + row * em)), cell)


def horizontal_text(page, box, em, chance, ink=0):
    """Lines from the top down, Japanese or Latin, with indents and short last lines."""
    left, top, right, bottom = box
    draw, latin, place = ImageDraw.Draw(page), chance.random() < 0.5, chance.randrange(len(TEXT))
    for number in range(int((bottom - top) / (em * 1.6))):
        start = left + (em if number % 6 == 0 else 0)
        room = (right - start) * (chance.uniform(0.3, 0.9) if number % 6 == 5 else 1)
        if latin:
            line = chance.choice(WORDS)
            while draw.textlength(line, font=font(em)) < room:
                line, last = f"{line} {chance.choice(WORDS)}", line
            line = last if draw.textlength(line, font=font(em)) > room + em else line
        else:
            length = int(room / em)
            line = "".join(TEXT[(place + k) % len(TEXT)] for k in range(length))
            place += length
        draw.text((start, top + number * em * 1.6), line, fill=ink, font=font(em))


def screentone(size, pitch, cover):
    """Dots on a grid that stands at 45 degrees: 40 to 60 of them to the inch, as in comics, at 200 dpi."""
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    wave = np.cos((x + y) * math.pi / pitch) + np.cos((x - y) * math.pi / pitch)
    # The edge of a dot is as soft as a pixel is wide, or else the grid would beat with that of the pixels.
    soft = 2 * math.pi / pitch
    return Image.fromarray((30 + 225 * np.clip(0.5 + (2 - 4 * cover - wave) / soft, 0, 1)).astype(np.uint8))


def cloud(size, chance, cells=5):
    """Something like a photograph: soft shapes of all tones with some finer detail."""
    noise = np.random.default_rng(chance.randrange(2**32))
    total = np.zeros((size[1], size[0]), np.float32)
    for cell, weight in ((cells, 55), (cells * 3, 25), (cells * 10, 12)):
        grid = noise.normal(0, 1, (max(2, cell * size[1] // size[0]), cell)).astype(np.float32)
        total += weight * np.asarray(Image.fromarray(grid).resize(size, Image.BICUBIC))
    return Image.fromarray(np.clip(125 + total, 5, 235).astype(np.uint8))


def figure(draw, x, y, size, chance):
    """A person as a child draws one: a body, a head, hair and a face."""
    def ring(wide, high, rough, count=18):
        turns = [2 * math.pi * k / count for k in range(count)]
        return [
            (x + wide * math.cos(t) * chance.uniform(1 - rough, 1 + rough),
             y + high * math.sin(t) * chance.uniform(1 - rough, 1 + rough)) for t in turns
        ]
    stroke = max(2, int(size / 30))
    body = [(x - 1.3 * size, y + 5 * size), (x - size, y + size), (x + size, y + size), (x + 1.3 * size, y + 5 * size)]
    draw.polygon(body, fill=chance.choice([255, 255, 20, 150]), outline=0, width=stroke)
    draw.polygon(ring(1.15 * size, 1.2 * size, 0.2), fill=chance.choice([255, 0, 0, 90]), outline=0, width=stroke)
    draw.polygon(ring(0.8 * size, 0.95 * size, 0.03), fill=255, outline=0, width=stroke)
    for side in (-0.33, 0.33):
        draw.ellipse((x + (side - 0.14) * size, y - 0.1 * size, x + (side + 0.14) * size, y + 0.3 * size), fill=0)
    draw.arc((x - 0.25 * size, y + 0.4 * size, x + 0.25 * size, y + 0.7 * size), 0, 180, fill=0, width=stroke)
    for _ in range(25):
        px, py = x + chance.uniform(-1.2, 1.2) * size, y + chance.uniform(-1, 4) * size
        draw.line((px, py, px + chance.uniform(-0.3, 0.3) * size, py + chance.uniform(0.2, 0.8) * size), 0, stroke)


def drawing(size, chance, figures=2, style=None):
    """Line art: a ground of tone, speed lines, hills or nothing, and figures on it."""
    width, height = size
    art = Image.new("L", size, 255)
    draw = ImageDraw.Draw(art)
    style = style or chance.choice(["tone", "band", "speed", "hills", "night", "plain"])
    if style == "tone":
        art.paste(screentone(size, chance.uniform(1.8, 2.8), chance.uniform(0.15, 0.5)))
    elif style == "band":
        level = int(height * chance.uniform(0.3, 0.6))
        art.paste(screentone((width, height - level), chance.uniform(1.8, 2.8), chance.uniform(0.2, 0.5)), (0, level))
        draw.line((0, level, width, level), 0, 3)
    elif style == "speed":
        x, y, reach = width * chance.uniform(0.3, 0.7), height * chance.uniform(0.3, 0.7), width + height
        for _ in range(110):
            turn, start = chance.uniform(0, 2 * math.pi), chance.uniform(0.1, 0.3) * min(size)
            points = [(x + r * math.cos(turn), y + r * math.sin(turn)) for r in (start, reach)]
            draw.line(points, 0, chance.randrange(1, 6))
    elif style == "hills":
        for layer in range(4):
            level, step = height * (0.25 + 0.18 * layer), width / 7
            points = [(k * step, level + chance.uniform(-0.12, 0.12) * height) for k in range(-1, 9)]
            draw.polygon([*points, (width * 1.3, height), (-width, height)], chance.choice([255, 200, 120, 60]), 0, 3)
        for _ in range(90):
            px, py = chance.uniform(0, width), chance.uniform(0.4, 1) * height
            draw.arc((px - 30, py - 14, px + 30, py + 14), 180, 360, 0, 3)
    elif style == "night":
        draw.rectangle((0, 0, width, height), 18)
        for _ in range(160):
            px, py, r = chance.uniform(0, width), chance.uniform(0, height), chance.uniform(1, 5)
            draw.ellipse((px - r, py - r, px + r, py + r), 240)
        for _ in range(14):
            px, py = chance.uniform(0, width), chance.uniform(0, height)
            draw.arc((px - 150, py - 60, px + 150, py + 60), 0, 360, 200, 3)
    for _ in range(figures):
        scale = chance.uniform(0.1, 0.2) * min(size)
        figure(draw, width * chance.uniform(0.1, 0.9), height * chance.uniform(0.35, 0.7), scale, chance)
    return art


def panels(size, box, chance, bleeds=False, gap=16):
    """A page of a comic: rows of framed drawings with white between; `bleeds` pushes the outer ones off the page."""
    page = Image.new("L", size, 255)
    left, top, right, bottom = box
    rows = chance.randrange(2, 5)
    shifts = [chance.uniform(-0.25, 0.25) if 0 < k < rows else 0 for k in range(rows + 1)]
    cuts = [top + (bottom - top) * (k + shift) / rows for k, shift in enumerate(shifts)]
    for row in range(rows):
        upper, lower = int(cuts[row] + (gap / 2 if row else 0)), int(cuts[row + 1] - (gap / 2 if row < rows - 1 else 0))
        middle = int(left + (right - left) * chance.uniform(0.35, 0.65))
        spans = [(left, middle - gap // 2), (middle + gap // 2, right)] if chance.random() < 0.7 else [(left, right)]
        for start, end in spans:
            if bleeds:
                start, end = (-4 if start == left else start), (size[0] + 4 if end == right else end)
                upper = -4 if row == 0 else upper
                lower = size[1] + 4 if row == rows - 1 else lower
            frame = Image.new("L", (end - start, lower - upper), 255)
            frame.paste(drawing(frame.size, chance, figures=1))
            ImageDraw.Draw(frame).rectangle((0, 0, frame.width - 1, frame.height - 1), outline=0, width=4)
            page.paste(frame, (start, upper))
    return page


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
