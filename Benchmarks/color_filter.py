"""Simulates the color filter of e-paper (Kaleido) on gray pages, and measures the false color and the sharpness.

    color_filter.py [--jisui BIN] [--size 1264x1680] FOLDER …

Each FOLDER holds images of pages. They are scaled to the screen (Lanczos) first. The simulated filter has cells of two by two pixels:
red, green, blue and clear. A page of grays shows color where its pixels differ within a cell. The false color is the root mean square
of the differences of red, green and blue from their mean, in 255ths of linear light, after a blur as of an eye (sigma 1.5 pixels). The
sharpness is the 99th percentile of the differences of neighbors in a row.
"unchanged" is the page itself. "diagonal filter" is the idea of the eraser of KCC 11, written anew: frequencies of at least 0.3 cycles
a pixel within 10 degrees of a diagonal keep a tenth. "jisui" is what `--gray` makes of the page, if --jisui is given.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from dither import LIGHT, blurred, converted, parsed, scaled, stored


def false_color(page):
    light = LIGHT[page]
    cells = np.zeros((2, 2, *light.shape))
    for y in (0, 1):
        for x in (0, 1):
            cells[y, x, y::2, x::2] = light[y::2, x::2]
    # A clear pixel adds a third of its light to each color, so each color gets 1/4 + 1/12 of a plain page.
    colors = [blurred(cells[place] + cells[1, 1] / 3) * 3 for place in ((0, 0), (0, 1), (1, 0))]
    mean = sum(colors) / 3
    return 255 * float(np.sqrt(np.mean([(color - mean) ** 2 for color in colors])))


def sharpness(page):
    return float(np.percentile(np.abs(np.diff(page.astype(int), axis=1)), 99))


def diagonal_filter(page):
    spectrum = np.fft.rfft2(page.astype(np.float32))
    y, x = np.fft.fftfreq(page.shape[0])[:, None], np.fft.rfftfreq(page.shape[1])[None]
    angles = np.abs(np.rad2deg(np.arctan2(y, x)))
    erased = (np.hypot(x, y) >= 0.3) & ((np.abs(angles - 45) <= 10) | (np.abs(angles - 135) <= 10))
    return np.clip(np.fft.irfft2(np.where(erased, spectrum / 10, spectrum), s=page.shape), 0, 255).astype(np.uint8)


def main():
    options = parsed(__doc__, needs_jisui=False)
    print("| Pages | | False color | Sharpness |\n|---|---|--:|--:|")
    for folder in options.folders:
        pages = list(scaled(folder, options.size))
        ways = {"unchanged": pages, "diagonal filter": [diagonal_filter(page) for page in pages]}
        if options.jisui:
            with TemporaryDirectory() as name:
                stored(Path(name), pages)
                ways["jisui"] = [page for _, page in converted(options.jisui, Path(name), "--gray")]
        for way, results in ways.items():
            color, edge = np.mean([(false_color(page), sharpness(page)) for page in results], axis=0)
            print(f"| {folder.name} | {way} | {color:.2f} | {edge:.0f} |", flush=True)


if __name__ == "__main__":
    main()
