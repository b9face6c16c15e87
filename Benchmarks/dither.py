"""Measures the size and the tone of pages in 16 gray levels.

    dither.py --jisui BIN [--size 1264x1680] FOLDER …

Each FOLDER holds images of pages. Pages are scaled to the screen (Lanczos) before all ways, so that only the reduction of levels
differs. "jisui" and "jisui --dither off" are PNGs of jisui; "Floyd-Steinberg" is that of Pillow, which KCC uses, stored by jisui too.
The low-pass error is the root mean square of the difference between the page and its reduced form, both blurred (sigma 1.5 pixels),
in levels of 255: of the light that an eye averages, shown as sRGB, and of the samples themselves.
The last column is the share of white and black pixels that stay so.
"""

import argparse
import io
import subprocess
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

KERNEL = np.exp(-np.arange(-6, 7) ** 2 / (2 * 1.5**2))
KERNEL /= KERNEL.sum()
SAMPLES = np.arange(256) / 255
LIGHT = np.where(SAMPLES <= 0.04045, SAMPLES / 12.92, ((SAMPLES + 0.055) / 1.055) ** 2.4)


def blurred(image):
    padded = np.pad(image, 6, mode="reflect")
    rows = sum(KERNEL[i] * padded[:, i : i + image.shape[1]] for i in range(13))
    return sum(KERNEL[i] * rows[i : i + image.shape[0]] for i in range(13))


def shown(light):
    light = np.clip(light, 0, 1)
    return 255 * np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def errors(page, result):
    """The low-pass errors in light and in samples."""
    light = shown(blurred(LIGHT[result])) - shown(blurred(LIGHT[page]))
    samples = blurred(result.astype(float) - page)
    return [float(np.sqrt((error**2).mean())) for error in (light, samples)]


def kept(page, result):
    """The share of white and black that stays so."""
    plain = (page <= 3) | (page >= 252)
    return float((np.abs(result.astype(int) - page)[plain] <= 3).mean())


def converted(jisui, folder, *options):
    """The bytes and the samples of each page that jisui writes."""
    output = folder / "out.cbz"
    subprocess.run([jisui, folder / "in", "-o", output, "-f", "-q", *options], check=True)
    with zipfile.ZipFile(output) as book:
        data = [book.read(name) for name in sorted(book.namelist()) if name.endswith(".png")]
    return [(len(png), np.asarray(Image.open(io.BytesIO(png)).convert("L"))) for png in data]


def stored(folder, pages):
    (folder / "in").mkdir(exist_ok=True)
    for number, page in enumerate(pages):
        Image.fromarray(page).save(folder / "in" / f"{number:04}.png")


def measure(jisui, pages):
    """The rows of a table: name, mean bytes, errors, share of kept black and white."""
    palette = Image.new("P", (1, 1))
    palette.putpalette([level * 17 for level in range(16) for _ in range(3)] + [0] * 720)
    diffused = [
        np.asarray(Image.fromarray(page).convert("RGB").quantize(palette=palette).convert("L")) for page in pages
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stored(folder, pages)
        results = {
            "jisui --dither off": converted(jisui, folder, "--shades", "16", "--dither", "off"),
            "jisui": converted(jisui, folder, "--shades", "16"),
        }
        stored(folder, diffused)
        results["Floyd-Steinberg"] = converted(jisui, folder, "--shades", "16", "--dither", "off")
    for way, outputs in results.items():
        assert len(outputs) == len(pages), way
        figures = [errors(page, result) + [kept(page, result)] for page, (_, result) in zip(pages, outputs)]
        yield way, np.mean([size for size, _ in outputs]), *np.mean(figures, axis=0)


def parsed(description, needs_jisui):
    """The arguments of a program that measures folders of pages."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", required=needs_jisui)
    parser.add_argument("--size", default="1264x1680", help="0x0: the size of the pages")
    parser.add_argument("folders", nargs="+" if needs_jisui else "*", type=Path)
    return parser.parse_args()


def scaled(folder, size):
    """The gray pages of a folder, scaled to fit a screen."""
    width, height = map(int, size.split("x"))
    for path in sorted(path for path in folder.iterdir() if path.suffix in (".jpg", ".png", ".pgm")):
        page = Image.open(path).convert("L")
        scale = min(width / page.width, height / page.height)
        if scale > 0:
            page = page.resize((round(page.width * scale), round(page.height * scale)), Image.Resampling.LANCZOS)
        yield np.asarray(page)


def main():
    options = parsed(__doc__, needs_jisui=True)
    print("| Pages | | Bytes | Error in light | in samples | White and black kept |\n|---|---|--:|--:|--:|--:|")
    for folder in options.folders:
        base = None
        for way, size, light, samples, plain in measure(options.jisui, list(scaled(folder, options.size))):
            base = base or size
            change = f"{100 * (size / base - 1):+.1f} %"
            print(f"| {folder.name} | {way} | {change} | {light:.2f} | {samples:.2f} | {100 * plain:.2f} % |")


if __name__ == "__main__":
    main()
