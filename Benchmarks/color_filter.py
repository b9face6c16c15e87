"""Simulates the color filter of e-paper (Kaleido) on gray pages, and measures the false color and the sharpness.

    color_filter.py [--jisui BIN] [--size 1264x1680] [FOLDER …]

Each FOLDER holds images of pages. They are scaled to the screen (Lanczos) first. Without a FOLDER, the pages are nine tones of round
dots, of three pitches and three coverages, with strokes across them.
Two filters are simulated. One has cells of two by two pixels: red, green, blue and clear. The other has diagonal stripes of one pixel
each: red, green, blue. A page of grays shows color where the pixels under the colors differ. The false color is the root mean square
of the differences of red, green and blue from their mean, in 255ths of linear light, after a blur as of an eye (sigma 1.5 pixels). The
sharpness is the 99th percentile of the differences of neighbors in a row. The error is the root mean square of the difference from
the page, both blurred, in 255ths of linear light.
"unchanged" is the page itself. "diagonal filter" is the idea of the eraser of KCC 11, written anew: frequencies of at least 0.3 cycles
a pixel within 10 degrees of a diagonal keep a tenth. "jisui" is what `--color-filter` makes of the page, if --jisui is given.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from dither import LIGHT, blurred, converted, parsed, scaled, stored
from tone_scaling import encoded, strokes, tone


def false_color(colors):
    mean = sum(colors) / 3
    return 255 * float(np.sqrt(np.mean([(color - mean) ** 2 for color in colors])))


def cells(page):
    light = LIGHT[page]
    cells = np.zeros((2, 2, *light.shape))
    for y in (0, 1):
        for x in (0, 1):
            cells[y, x, y::2, x::2] = light[y::2, x::2]
    # A clear pixel adds a third of its light to each color, so each color gets 1/4 + 1/12 of a plain page.
    return [blurred(cells[place] + cells[1, 1] / 3) * 3 for place in ((0, 0), (0, 1), (1, 0))]


def stripes(page):
    y, x = np.indices(page.shape)
    return [blurred(np.where((x + y) % 3 == color, LIGHT[page], 0)) * 3 for color in range(3)]


def error(page, result):
    return 255 * float(np.sqrt(np.mean((blurred(LIGHT[result]) - blurred(LIGHT[page])) ** 2)))


def sharpness(page):
    return float(np.percentile(np.abs(np.diff(page.astype(int), axis=1)), 99))


def diagonal_filter(page):
    spectrum = np.fft.rfft2(page.astype(np.float32))
    y, x = np.fft.fftfreq(page.shape[0])[:, None], np.fft.rfftfreq(page.shape[1])[None]
    angles = np.abs(np.rad2deg(np.arctan2(y, x)))
    erased = (np.hypot(x, y) >= 0.3) & ((np.abs(angles - 45) <= 10) | (np.abs(angles - 135) <= 10))
    return np.clip(np.fft.irfft2(np.where(erased, spectrum / 10, spectrum), s=page.shape), 0, 255).astype(np.uint8)


def treated(jisui, page):
    with TemporaryDirectory() as name:
        stored(Path(name), [page])
        size = f"{page.shape[1]}x{page.shape[0]}"
        return converted(jisui, Path(name), "--fit", size, "--color-filter")[0][1]


def tones():
    drawn = strokes()
    for pitch in (3.0, 4.2, 6.3):
        for cover in (0.2, 0.3, 0.5):
            yield np.round(encoded(np.minimum(tone(pitch, cover), drawn)) * 255).astype(np.uint8)


def main():
    options = parsed(__doc__, needs_jisui=False)
    ways = {"unchanged": lambda page: page, "diagonal filter": diagonal_filter}
    if options.jisui:
        ways["jisui"] = lambda page: treated(options.jisui, page)
    print("| Pages | | False color: cells | stripes | Sharpness | Error |\n|---|---|--:|--:|--:|--:|")
    sets = {folder.name: list(scaled(folder, options.size)) for folder in options.folders} or {"tones": list(tones())}
    for name, pages in sets.items():
        for way, treat in ways.items():
            results = [(page, treat(page)) for page in pages]
            figures = [
                (false_color(cells(result)), false_color(stripes(result)), sharpness(result), error(page, result))
                for page, result in results
            ]
            color, stripe, edge, difference = np.mean(figures, axis=0)
            print(f"| {name} | {way} | {color:.2f} | {stripe:.2f} | {edge:.0f} | {difference:.2f} |", flush=True)


if __name__ == "__main__":
    main()
