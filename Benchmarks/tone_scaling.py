"""Measures what --fit does to screentone, to lines across it, and to text.

    tone_scaling.py --jisui BIN tones
    tone_scaling.py --jisui BIN text IMAGE ...

`tones` makes 125 cases: round dots at 45°, of five pitches and five coverages, scaled by five factors. The same strokes
cross each of them. It prints a table for jisui and for three fixed filters: Lanczos on stored samples, as Pillow and KCC
scale; Mitchell's cubic in linear light; and Lanczos in linear light. Levels are of 0 to 255:

- tone: the difference between the brightness of a tone beside its strokes and its true brightness, mean and worst
- moiré: the strength of beats below 0.08 periods per pixel in tones without strokes
- depth: the darkness that strokes on white reach; edge: the 99th percentile of their gradient
- strokes in tone: the darkness of strokes across tones

`text` scales pages to half their size. It prints the share of pixels that differ from what both Lanczos filters return:
those are the pixels that jisui took for screentone.
"""

import argparse
import io
import subprocess
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

SIDE = 400
PITCHES = (4.2, 5.1, 6.3, 7.4, 8.9)
COVERAGES = (0.1, 0.2, 0.3, 0.5, 0.7)
FACTORS = (0.83, 0.71, 0.62, 0.56, 0.47)
LINE_FACTORS = (0.71, 0.56, 0.47)
WORDS = ("jisui", "Lanczos, stored samples (KCC)", "Mitchell, linear light", "Lanczos, linear light")


def encoded(light):
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)


def decoded(sample):
    return np.where(sample <= 0.04045, sample / 12.92, ((sample + 0.055) / 1.055) ** 2.4)


def tone(pitch, cover, points=4):
    y, x = np.mgrid[0 : SIDE * points, 0 : SIDE * points] / points
    u, v = (x + y) / pitch / 2**0.5, (y - x) / pitch / 2**0.5
    distance = (u - np.round(u)) ** 2 + (v - np.round(v)) ** 2
    # More than half of the area: white holes in black.
    ink = distance < cover / np.pi if cover < 0.6 else distance >= (1 - cover) / np.pi
    return 1 - ink.reshape(SIDE, points, SIDE, points).mean((1, 3))


def strokes(points=6):
    random = np.random.default_rng(3)
    y, x = np.mgrid[0 : SIDE * points, 0 : SIDE * points] / points
    page = np.ones((SIDE * points, SIDE * points), np.float32)
    for _ in range(24):
        angle, place = random.uniform(0, np.pi), random.uniform(-SIDE / 2, SIDE / 2)
        width = random.choice([1.2, 1.8, 2.5, 4.0])
        distance = (x - SIDE / 2) * np.cos(angle) + (y - SIDE / 2) * np.sin(angle) - place
        page[np.abs(distance) < width / 2] = 0
    return page.reshape(SIDE, points, SIDE, points).mean((1, 3))


def lanczos(x):
    return np.where(abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


def mitchell(x):
    x = abs(x)
    near = (7 * x**3 - 12 * x**2 + 16 / 3) / 6
    far = (-7 / 3 * x**3 + 12 * x**2 - 20 * x + 32 / 3) / 6
    return np.where(x < 1, near, np.where(x < 2, far, 0))


def matrix(source, target, kernel):
    step = source / target
    middle = (np.arange(target) + 0.5) * step - 0.5
    weights = kernel((np.arange(source)[None] - middle[:, None]) / max(step, 1))
    return weights / weights.sum(1, keepdims=True)


def filtered(page, width, height, kernel, linear):
    rows, columns = matrix(page.shape[0], height, kernel), matrix(page.shape[1], width, kernel)
    result = np.clip(rows @ (decoded(page) if linear else page) @ columns.T, 0, 1)
    return encoded(result) if linear else result


def fixed(page, width, height):
    return [
        filtered(page, width, height, lanczos, False), filtered(page, width, height, mitchell, True),
        filtered(page, width, height, lanczos, True),
    ]


def fitted(jisui, pages, width, height):
    """Scales pages of one size with one run of jisui."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in", Path(folder) / "out.cbz"
        source.mkdir()
        for number, page in enumerate(pages):
            Image.fromarray(np.round(page * 255).astype(np.uint8)).save(source / f"{number:04}.png")
        command = [jisui, source, "-o", target, "--fit", f"{width}x{height}", "--image-format", "png", "--quiet"]
        subprocess.run(command, check=True)
        with zipfile.ZipFile(target) as book:
            names = sorted(name for name in book.namelist() if name.endswith(".png"))
            return [np.asarray(Image.open(io.BytesIO(book.read(name))).convert("L")) / 255 for name in names]


def moire(page):
    page = page[20:-20, 20:-20] * 255
    window = np.hanning(page.shape[0])
    waves = np.abs(np.fft.rfft2((page - page.mean()) * window[:, None] * window)) / (page.size / 4)
    radius = np.hypot(np.fft.fftfreq(page.shape[0])[:, None], np.fft.rfftfreq(page.shape[1]))
    return np.sqrt((2 * waves[(radius < 0.08) & (radius > 0.006)] ** 2).sum())


def eroded(mask, reach=12):
    for axis in (0, 1):
        mask = np.logical_and.reduce([np.roll(mask, step, axis) for step in range(-reach, reach + 1)])
    return mask


def tones(jisui):
    drawn = strokes()
    beside, inside = eroded(drawn > 0.99), drawn < 0.01
    screens = [tone(pitch, cover) for pitch in PITCHES for cover in COVERAGES]
    pages = [*screens, *(np.minimum(screen, drawn) for screen in screens), drawn]
    pages = [np.round(encoded(page) * 255) / 255 for page in pages]
    values = {word: {key: [] for key in ("tone", "moiré", "depth", "edge", "inside")} for word in WORDS}
    for factor in FACTORS:
        side = int(SIDE * factor)
        places = ((np.arange(side) + 0.5) * SIDE / side).astype(int)
        far, core = beside[places][:, places].copy(), inside[places][:, places]
        far[:20] = far[-20:] = far[:, :20] = far[:, -20:] = False
        for number, (page, ours) in enumerate(zip(pages, fitted(jisui, pages, side, side))):
            for word, result in zip(WORDS, [ours, *fixed(page, side, side)]):
                found = values[word]
                if number < 25:
                    found["moiré"].append(moire(result))
                elif number < 50:
                    true = encoded(screens[number - 25].mean())
                    if far.sum() > 200:
                        found["tone"].append(255 * abs(encoded(decoded(result[far]).mean()) - true))
                    found["inside"].append(255 - 255 * result[core].mean())
                elif factor in LINE_FACTORS:
                    down, across = np.gradient(result * 255)
                    found["depth"].append(255 - np.percentile(result * 255, 3))
                    found["edge"].append(np.percentile(np.hypot(across, down), 99))
    print("| | tone, mean | tone, worst | moiré | depth | edge | strokes in tone |\n|---|--:|--:|--:|--:|--:|--:|")
    for word, found in values.items():
        mean = {key: np.mean(list) for key, list in found.items()}
        print(
            f"| {word} | {mean['tone']:.2f} | {max(found['tone']):.1f} | {mean['moiré']:.2f} | {mean['depth']:.0f} "
            f"| {mean['edge']:.0f} | {mean['inside']:.0f} |"
        )


def text(jisui, files):
    shares = []
    for file in files:
        page = np.asarray(Image.open(file).convert("L")) / 255
        height, width = (side // 2 for side in page.shape)
        (ours,) = fitted(jisui, [page], width, height)
        height, width = ours.shape
        stored, _, light = fixed(page, width, height)
        differences = np.minimum(abs(ours - stored), abs(ours - light))
        # Pages mix both filters where their blocks meet.
        outside = (ours < np.minimum(stored, light) - 3 / 255) | (ours > np.maximum(stored, light) + 3 / 255)
        shares.append(100 * (outside & (differences > 3 / 255)).mean())
        print(f"{shares[-1]:6.2f} %  {file}")
    over = sum(share > 1 for share in shares)
    print(f"{len(shares)} pages: mean {np.mean(shares):.2f} %, worst {max(shares):.2f} %, {over} above 1 %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", required=True)
    parser.add_argument("task", choices=["tones", "text"])
    parser.add_argument("images", nargs="*")
    options = parser.parse_args()
    tones(options.jisui) if options.task == "tones" else text(options.jisui, options.images)


if __name__ == "__main__":
    main()
