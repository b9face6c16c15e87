"""What stands on made-up pages: text, screentone, drawings, panels. 255 is paper, 0 is ink."""

import math
import random
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

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
