#!/usr/bin/env python3
"""A made comic in which some drawings run over the fold, each cut into two pages; deterministic for a seed.

  python3 make_joins.py --out DIR --seed N [--pages 120]

Needs Pillow and numpy. DIR gets numbered JPEGs and truth.json: the direction, what every page is, and the pairs (numbers of
the first page, from 1, and the kind of art). An odd seed reads from right to left. What is lost of a drawing at the fold is
0 to 3 % of a page's width; pages differ a little in size, height on the sheet, angle, brightness and JPEG quality.
"""
import argparse, json, math, os
import numpy as np
from PIL import Image, ImageDraw, ImageFilter

WIDTH, HEIGHT = 1200, 1700     # of a page, in pixels
SPARE = 60                     # what a canvas has beyond the page on every side, for shifts and turns


class Canvas:
    """Something to draw on: a page, or two side by side with what the fold swallows."""

    def __init__(self, rng, width, height, level=255):
        self.rng, self.width, self.height = rng, width, height
        self.image = Image.new("L", (width, height), level)
        self.draw = ImageDraw.Draw(self.image)

    def point(self):
        return self.rng.uniform(-0.1, 1.1) * self.width, self.rng.uniform(-0.1, 1.1) * self.height

    def set(self, array):
        self.image = Image.fromarray(np.clip(array, 0, 255).astype(np.uint8))
        self.draw = ImageDraw.Draw(self.image)

    def array(self):
        return np.asarray(self.image, np.float32)

    def curve(self, points, level, width):
        """A cubic Bézier curve."""
        t = np.linspace(0, 1, 60)[:, None]
        p = np.asarray(points, np.float64)
        xy = (1 - t) ** 3 * p[0] + 3 * t * (1 - t) ** 2 * p[1] + 3 * t * t * (1 - t) * p[2] + t ** 3 * p[3]
        self.draw.line([tuple(v) for v in xy], fill=level, width=width, joint="curve")

    def blob(self, middle, radius, fill=None, outline=0, width=4, rough=0.25):
        """A closed, bent outline; what is kept of it is its points."""
        n = 80
        angles = np.linspace(0, 2 * math.pi, n, endpoint=False)
        r = np.ones(n)
        for k in range(2, 6):
            r += rough / k * self.rng.normal() * np.cos(k * angles + self.rng.uniform(0, 7))
        points = [(middle[0] + radius * a * math.cos(t), middle[1] + radius * a * math.sin(t)) for a, t in zip(r, angles)]
        if fill is not None:
            self.draw.polygon(points, fill=fill)
        if width:
            self.draw.line(points + points[:2], fill=outline, width=width, joint="curve")
        return points


def clouds(rng, width, height, octaves=((3, 50), (8, 25), (24, 12))):
    """Noise of several sizes, about 0."""
    total = np.zeros((height, width), np.float32)
    for across, strength in octaves:
        small = rng.normal(0, 1, (max(2, round(across * height / width)) + 2, across + 2)).astype(np.float32)
        total += strength * np.asarray(Image.fromarray(small).resize((width, height), Image.BICUBIC), np.float32)
    return total


def halftone(rng, width, height, tone, pitch=None):
    """Dots of black on white that cover `tone` of it, on a grid turned by 45°; `tone` may be an array."""
    pitch = pitch or rng.uniform(5, 11)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    u, v = (x + y) * math.pi * 1.414 / pitch / 1.414, (x - y) * math.pi / pitch
    wave = (np.cos(u) + np.cos(v)) / 4 + 0.5
    return np.where(wave < tone, 0, 255).astype(np.float32)


# ---------------------------------------------------------------- art, each on a canvas of any width
def line_art(c):
    rng = c.rng
    for _ in range(int(rng.integers(14, 30) * c.width / 1200)):
        middle = c.point()
        if rng.random() < 0.5:
            c.blob(middle, rng.uniform(60, 420), fill=255 if rng.random() < 0.7 else None, width=int(rng.integers(2, 8)))
        else:
            reach = rng.uniform(200, 900)
            c.curve([np.add(middle, rng.normal(0, reach / 2, 2)) for _ in range(4)], 0, int(rng.integers(2, 9)))
    for _ in range(int(3 * c.width / 1200)):
        x, y = c.point()
        angle, step = rng.uniform(0, math.pi), rng.uniform(8, 18)
        for k in range(int(rng.integers(10, 40))):
            px, py = x - k * step * math.sin(angle), y + k * step * math.cos(angle)
            reach = rng.uniform(100, 260)
            c.draw.line((px, py, px + reach * math.cos(angle), py + reach * math.sin(angle)), fill=0, width=3)


def screentone(c):
    rng = c.rng
    line_art(c)
    a = c.array()
    for _ in range(int(rng.integers(3, 7) * max(1, c.width / 1200))):
        mask = Canvas(rng, c.width, c.height, 0)
        mask.blob(c.point(), rng.uniform(150, 600), fill=255, width=0)
        tone = halftone(rng, c.width, c.height, rng.uniform(0.25, 0.6))
        a = np.where(mask.array() > 0, np.minimum(a, tone), a)
    c.set(a)


def painting(c):
    rng = c.rng
    c.set(rng.uniform(90, 190) + clouds(rng, c.width, c.height, ((3, 45), (7, 18))))
    for _ in range(int(rng.integers(5, 12) * c.width / 1200)):
        layer = Canvas(rng, c.width, c.height, 0)
        layer.blob(c.point(), rng.uniform(80, 380), fill=255, width=0)
        soft = np.asarray(layer.image.filter(ImageFilter.GaussianBlur(rng.uniform(2, 14))), np.float32) / 255
        a = c.array()
        c.set(a * (1 - 0.8 * soft) + (rng.uniform(10, 245) + clouds(rng, c.width, c.height, ((4, 18),))) * 0.8 * soft)


def speed_lines(c):
    rng = c.rng
    dark = rng.random() < 0.3
    if dark:
        c.draw.rectangle((0, 0, c.width, c.height), fill=0)
    ink = 255 if dark else 0
    fx, fy = rng.uniform(0.2, 0.8) * c.width, rng.uniform(0.2, 0.8) * c.height
    far = c.width + c.height
    if rng.random() < 0.6:
        for _ in range(int(rng.integers(150, 380))):
            angle, start = rng.uniform(0, 2 * math.pi), rng.uniform(0.1, 0.35) * c.height
            (dx, dy), w = (math.cos(angle), math.sin(angle)), rng.uniform(0.002, 0.008)
            left, right = (math.cos(angle - w), math.sin(angle - w)), (math.cos(angle + w), math.sin(angle + w))
            c.draw.polygon([(fx + dx * start, fy + dy * start), (fx + left[0] * far, fy + left[1] * far),
                            (fx + right[0] * far, fy + right[1] * far)], fill=ink)
        c.blob((fx, fy), 0.15 * c.height, fill=255, width=7)
    else:
        slope = rng.uniform(-0.3, 0.3)
        for _ in range(int(rng.integers(60, 160))):
            y, x, reach = rng.uniform(-0.2, 1.2) * c.height, rng.uniform(-0.3, 0.7) * c.width, rng.uniform(0.4, 1.2) * c.width
            c.draw.line((x, y, x + reach, y + slope * reach), fill=ink, width=int(rng.integers(2, 14)))
        for _ in range(3):
            c.blob(c.point(), rng.uniform(100, 300), fill=255 - ink, outline=ink, width=6)


def character(c):
    rng = c.rng
    if rng.random() < 0.5:
        c.set(halftone(rng, c.width, c.height, rng.uniform(0.2, 0.5)) if rng.random() < 0.5 else
              200 + clouds(rng, c.width, c.height, ((3, 20),)))
    for _ in range(max(1, round(c.width / 1200))):
        size = rng.uniform(0.25, 0.4) * c.height
        x, y = rng.uniform(0.25, 0.75) * c.width, rng.uniform(0.35, 0.6) * c.height
        c.blob((x, y - 0.2 * size), 1.25 * size, fill=int(rng.choice([0, 60, 235])), width=6, rough=0.4)
        c.blob((x, y + 1.9 * size), 1.3 * size, fill=int(rng.choice([255, 255, 120, 30])), width=7)
        c.blob((x, y), 0.8 * size, fill=255, width=7, rough=0.1)
        for side in (-1, 1):
            c.blob((x + side * 0.3 * size, y), 0.16 * size, fill=20, width=5, rough=0.1)
        for _ in range(50):
            angle = rng.uniform(math.pi, 2 * math.pi)
            a = np.array((x + 0.8 * size * math.cos(angle), y + 0.7 * size * math.sin(angle)))
            b = a + rng.normal(0, 0.3 * size, 2) + (1.2 * size * math.cos(angle), 0.7 * size)
            c.curve([a, a + rng.normal(0, 60, 2), b + rng.normal(0, 90, 2), b], 0, int(rng.integers(2, 7)))


def night(c):
    rng = c.rng
    level = rng.uniform(8, 30)
    c.set(level + np.abs(clouds(rng, c.width, c.height, ((3, 14), (9, 8)))))
    for _ in range(int(150 * c.width / 1200)):
        x, y, r = *c.point(), rng.uniform(1, 4)
        c.draw.ellipse((x - r, y - r, x + r, y + r), fill=int(rng.integers(150, 255)))
    x = -50.0
    while x < c.width + 50:
        w, top = rng.uniform(120, 420), rng.uniform(0.3, 0.8) * c.height
        c.draw.rectangle((x, top, x + w, c.height), fill=int(rng.integers(0, 60)))
        for wy in range(int(top) + 30, c.height, int(rng.integers(50, 110))):
            for wx in range(int(x) + 20, int(x + w) - 40, int(rng.integers(40, 90))):
                if rng.random() < 0.5:
                    c.draw.rectangle((wx, wy, wx + 26, wy + 34), fill=int(rng.integers(120, 250)))
        x += w * rng.uniform(0.7, 1.1)
    for _ in range(int(4 * c.width / 1200)):
        c.curve([c.point() for _ in range(4)], int(rng.integers(120, 240)), int(rng.integers(3, 14)))


def landscape(c):
    rng = c.rng
    sky = np.linspace(rng.uniform(120, 240), rng.uniform(180, 255), c.height)[:, None]
    c.set(sky + clouds(rng, c.width, c.height, ((4, 14), (12, 7))))
    xs = np.arange(-20, c.width + 21, 4)
    for k in range(int(rng.integers(3, 6))):
        base = (0.3 + 0.15 * k + rng.uniform(-0.05, 0.05)) * c.height
        ys = base + sum(rng.normal() * 130 / j * np.sin(xs * j / 260 + rng.uniform(0, 7)) for j in range(1, 9))
        ridge = [(float(x), float(y)) for x, y in zip(xs, ys)]
        c.draw.polygon(ridge + [(c.width + 20, c.height + 9), (-20, c.height + 9)], fill=int(rng.integers(40, 250)))
        c.draw.line(ridge, fill=0, width=int(rng.integers(2, 7)))
        for _ in range(int(40 * c.width / 1200)):
            at = int(rng.integers(0, len(xs)))
            x, y = ridge[at][0], ridge[at][1] + rng.uniform(0, 250)
            c.draw.line((x, y, x + rng.uniform(-120, 120), y + rng.uniform(10, 90)), fill=int(rng.integers(0, 120)), width=3)


def photo(c):
    rng = c.rng
    k = c.width / 1200
    octaves = [(round(n * k) + 1, s) for n, s in ((3, 45), (8, 28), (24, 16), (80, 9), (250, 5))]
    c.set(rng.uniform(90, 170) + clouds(rng, c.width, c.height, octaves) + rng.normal(0, 3, (c.height, c.width)))


ART = [line_art, screentone, painting, speed_lines, character, night, landscape, photo]


def art(rng, width, height, kind=None):
    c = Canvas(rng, width, height)
    (kind or ART[int(rng.integers(len(ART)))])(c)
    return c.image


# ---------------------------------------------------------------- pages
def sheet(rng, pages=1, level=255):
    return Canvas(rng, pages * WIDTH + 2 * SPARE, HEIGHT + 2 * SPARE, level)


def lettering(rng, image, box, size=26):
    d = ImageDraw.Draw(image)
    for y in range(box[1], box[3] - size, int(size * 1.7)):
        end = box[2] if rng.random() < 0.8 else int(rng.uniform(box[0] + 50, box[2]))
        for x in range(box[0], end - size, size + 2):
            for _ in range(4):
                d.line([(x + rng.uniform(0, size - 4), y + rng.uniform(0, size - 2)) for _ in range(2)], fill=20, width=3)


def grid(rng):
    """Heights at which rows of panels end, as shares of the page."""
    n = int(rng.integers(2, 5))
    cuts = sorted(rng.uniform(0.15, 0.85, n - 1))
    while n > 2 and min(np.diff(cuts)) < 0.12:
        cuts = sorted(rng.uniform(0.15, 0.85, n - 1))
    return [0.0, *cuts, 1.0]


def panels(rng, cuts, inner, outer=1, gutter=26, line=5):
    """Rows of panels; `inner` and `outer`: whether they reach the left and the right side. One page."""
    c = sheet(rng)
    margin = 80 + SPARE
    left, right = (0 if inner else margin), (c.width if outer else c.width - margin)
    top, bottom = (margin, c.height - margin) if cuts[0] == 0 and rng.random() < 0.6 else (0, c.height)
    for a, b in zip(cuts, cuts[1:]):
        y0 = top if a == 0 else round(SPARE + a * HEIGHT + gutter / 2)
        y1 = bottom if b == 1 else round(SPARE + b * HEIGHT - gutter / 2)
        split = [left, right] if rng.random() < 0.35 else [left, round(c.width * rng.uniform(0.35, 0.65)), right]
        for x0, x1 in zip(split, split[1:]):
            x1 -= gutter if x1 != right else 0
            c.image.paste(art(rng, x1 - x0, y1 - y0), (x0, y0))
            ImageDraw.Draw(c.image).rectangle((x0, y0, x1 - 1, y1 - 1), outline=0, width=line)
    return c.image


def ordinary(rng):
    """One or two pages that do not belong together: (kind, images)."""
    kind = rng.choice(["margins", "outer bleed", "bleed pair", "bleed pair alike", "black", "blank", "text", "tone alike",
                       "same layout", "frames align", "gradient alike", "single bleed", "margin beside bleed",
                       "old paper"],
                      p=[0.16, 0.08, 0.16, 0.1, 0.03, 0.04, 0.06, 0.06, 0.08, 0.05, 0.04, 0.05, 0.05, 0.04])
    full = lambda f=None: art(rng, WIDTH + 2 * SPARE, HEIGHT + 2 * SPARE, f)
    if kind == "margins":
        return kind, [panels(rng, grid(rng), 0, 0) for _ in range(2)]
    if kind == "outer bleed":                                    # towards the outside only
        return kind, [panels(rng, grid(rng), *sides) for sides in ((1, 0), (0, 1))]
    if kind == "bleed pair":
        return kind, [full(), full()]
    if kind == "bleed pair alike":
        f = ART[int(rng.integers(len(ART)))]
        return kind, [full(f), full(f)]
    if kind in ("black", "blank"):
        level = int(rng.integers(0, 25)) if kind == "black" else int(rng.integers(240, 256))
        pages = [sheet(rng, level=level).image for _ in range(int(rng.integers(1, 3)))]
        if kind == "black" and rng.random() < 0.5:
            lettering(rng, pages[0], (500, 600, 700, 800))
        return kind, pages
    if kind == "text":
        pages = []
        for _ in range(2):
            pages.append(sheet(rng, level=int(rng.integers(235, 256))).image)
            lettering(rng, pages[-1], (200, 220, 1120, 1560))
        return kind, pages
    if kind == "tone alike":
        tone, pitch = rng.uniform(0.2, 0.6), rng.uniform(5, 11)
        pages = []
        for _ in range(2):
            c = sheet(rng)
            c.set(halftone(rng, c.width, c.height, tone, pitch))
            for _ in range(int(rng.integers(2, 6))):
                c.blob(c.point(), rng.uniform(100, 400), fill=255, width=6)
            pages.append(c.image)
        return kind, pages
    if kind in ("same layout", "frames align"):
        cuts = grid(rng)
        other = cuts if kind == "same layout" else sorted({0.0, 1.0, cuts[1], *(v for v in grid(rng) if abs(v - cuts[1]) > 0.1)})
        bleed = [(1, 1), (1, 1)] if rng.random() < 0.7 else [(0, 1), (1, 0)]
        return kind, [panels(rng, v, *sides) for v, sides in zip((cuts, other), bleed)]
    if kind == "gradient alike":
        top, bottom, pages = rng.uniform(0, 255), rng.uniform(0, 255), []
        for _ in range(2):
            c = sheet(rng)
            c.set(np.linspace(top, bottom, c.height)[:, None] + np.zeros((1, c.width)))
            for _ in range(int(rng.integers(2, 7))):
                c.blob(c.point(), rng.uniform(60, 350), fill=int(rng.integers(0, 256)), width=5)
            pages.append(c.image)
        return kind, pages
    if kind == "old paper":                                      # darkened where the sheets lay on each other
        shade = np.abs(clouds(rng, 2 * (WIDTH + 2 * SPARE), HEIGHT + 2 * SPARE, ((5, 14), (14, 5))))
        pages = [np.asarray(panels(rng, grid(rng), 0, 0), np.float32) * 0.95 for _ in range(2)]
        fold = WIDTH + 2 * SPARE                                 # what is spare lies beyond the fold
        halves = shade[:, SPARE:SPARE + fold], shade[:, fold - SPARE:2 * fold - SPARE]
        return kind, [Image.fromarray(np.clip(p - h, 0, 255).astype(np.uint8)) for p, h in zip(pages, halves)]
    if kind == "single bleed":
        return kind, [full()]
    pages = [panels(rng, grid(rng), 0, 0), full()]
    return kind, pages if rng.random() < 0.5 else pages[::-1]


def joined(rng):
    """A drawing over both pages: (kind, image)."""
    if rng.random() < 0.25:
        c = sheet(rng, 2)
        top = round(rng.uniform(0.0, 0.5) * HEIGHT) + SPARE
        bottom = min(round(top + rng.uniform(0.35, 0.7) * HEIGHT), HEIGHT + SPARE - 90)
        left, right = (round(rng.uniform(0.05, 0.3) * WIDTH) + SPARE for _ in range(2))
        f = ART[int(rng.integers(len(ART)))]
        box = (left, top, c.width - right, bottom)
        c.image.paste(art(rng, box[2] - box[0], box[3] - box[1], f), box[:2])
        d = ImageDraw.Draw(c.image)
        d.rectangle((box[0], box[1], box[2] - 1, box[3] - 1), outline=0, width=5)
        for side in (0, 1):                                      # panels that keep off the fold
            x0, x1 = (SPARE + 80, c.width // 2 - 70) if side == 0 else (c.width // 2 + 70, c.width - SPARE - 80)
            for y0, y1 in ((SPARE + 80, top - 30), (bottom + 30, HEIGHT + SPARE - 80)):
                if y1 - y0 > 150:
                    c.image.paste(art(rng, x1 - x0, y1 - y0), (x0, y0))
                    d.rectangle((x0, y0, x1 - 1, y1 - 1), outline=0, width=5)
        return "part: " + f.__name__, c.image
    f = ART[int(rng.integers(len(ART)))]
    return f.__name__, art(rng, 2 * WIDTH + 2 * SPARE, HEIGHT + 2 * SPARE, f)


def scan(rng, image, left, shadow=0):
    """The page of `image` that begins at column `left`, as a scanner gives it; `shadow`: -1 at its left, 1 at its right."""
    turn = math.radians(rng.normal(0, 0.08)) if rng.random() < 0.5 else 0.0
    scale = rng.uniform(0.985, 1.015) if rng.random() < 0.3 else 1.0
    up = rng.uniform(-0.005, 0.005) * HEIGHT if rng.random() < 0.6 else 0.0
    size = (round(WIDTH * scale), round(HEIGHT * scale))
    middle = left + WIDTH / 2, SPARE + HEIGHT / 2 + up
    cos, sin = math.cos(turn) / scale, math.sin(turn) / scale
    matrix = (cos, -sin, middle[0] - cos * size[0] / 2 + sin * size[1] / 2,
              sin, cos, middle[1] - sin * size[0] / 2 - cos * size[1] / 2)
    a = np.asarray(image.transform(size, Image.AFFINE, matrix, Image.BICUBIC, fillcolor=255), np.float32)
    if shadow:
        x = np.arange(size[0], dtype=np.float32)
        x = x if shadow < 0 else x[::-1]
        a = a * (1 - rng.uniform(0.1, 0.35) * np.exp(-x / rng.uniform(12, 40)))[None, :]
    a = a * rng.uniform(0.95, 1.0) + rng.uniform(-6, 6) + rng.normal(0, rng.uniform(0.3, 2), a.shape)
    return Image.fromarray(np.clip(a, 0, 255).astype(np.uint8))


def make(out, seed, count):
    rng = np.random.default_rng([seed, 5])
    os.makedirs(out, exist_ok=True)
    forward = seed % 2 == 0                                      # left to right
    pages, kinds, pairs = [], [], []
    while len(pages) < count:
        shaded = rng.random() < 0.3
        if rng.random() < 0.2:
            kind, image = joined(rng)
            lost = rng.uniform(0, 0.03) * WIDTH * (rng.random() < 0.85)
            split = rng.uniform(0.3, 0.7)
            fold = SPARE + WIDTH
            both = [scan(rng, image, fold - WIDTH - lost * split, 1 if shaded else 0),
                    scan(rng, image, fold + lost * (1 - split), -1 if shaded else 0)]
            pairs.append({"first": len(pages) + 1, "kind": kind, "lost": round(lost / WIDTH, 4)})
        else:
            kind, images = ordinary(rng)
            sides = (1, -1) if shaded else (0, 0)
            both = [scan(rng, v, SPARE, s) for v, s in zip(images, sides)]
        for page in both if forward else both[::-1]:
            pages.append(page)
            kinds.append(kind)
    for number, page in enumerate(pages, 1):
        page.save(os.path.join(out, f"{number:04}.jpg"), "JPEG", quality=int(rng.integers(75, 93)))
    truth = {"seed": seed, "direction": "ltr" if forward else "rtl", "pages": kinds, "pairs": pairs}
    with open(os.path.join(out, "truth.json"), "w") as f:
        json.dump(truth, f, indent=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--pages", type=int, default=120)
    options = parser.parse_args()
    make(options.out, options.seed, options.pages)
