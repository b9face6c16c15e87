"""Turns real pages by known angles, and prints how near `jisui --deskew` comes.

    deskew_accuracy.py --jisui BIN [--pages 100] [--turns 4] [--seed N] [--worst N] FILE-OR-FOLDER ...

Nobody knows how much a scanned page slants, but when it is turned by an angle, its slant must change by that angle. Half of
the turns are up to 3 degrees either way, half up to 14. A page is compared with itself unturned; where no slant is found for
either, it counts as `none`, and should have no lines of text. Pages are drawn at random from what is given.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

PICTURES = {".jpg", ".jpeg", ".png", ".tif", ".tiff", ".bmp", ".webp"}
SHORTER_SIDE = 1100
MOST = 15


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", required=True)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--turns", type=int, default=4, help="angles for each page")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=0, help="list so many of the pages that are furthest off")
    parser.add_argument("sources", nargs="+", type=Path)
    return parser.parse_args()


def chosen(sources, count, chance):
    files = [f for s in sources for f in (sorted(s.rglob("*")) if s.is_dir() else [s])]
    files = [f for f in files if f.suffix.lower() in PICTURES]
    return files if len(files) <= count else sorted(chance.sample(files, count))


def turned(file, angles, folder, number):
    """Writes a page turned by each angle, counter-clockwise, into the folder; the gaps have the tone of its edges."""
    with Image.open(file) as page:
        page = page.convert("L")
    scale = SHORTER_SIDE / min(page.size)
    page = page.resize([round(side * scale) for side in page.size], Image.Resampling.LANCZOS)
    edges = [page.crop(box).resize((1, 1), Image.Resampling.BOX).getpixel((0, 0)) for box in
             ((0, 0, page.width, 2), (0, page.height - 2, page.width, page.height),
              (0, 0, 2, page.height), (page.width - 2, 0, page.width, page.height))]
    tone = round(statistics.median(edges))
    for index, angle in enumerate(angles):
        page.rotate(angle, Image.Resampling.BICUBIC, fillcolor=tone).save(folder / f"{number:04}-{index}.png")


def slants(jisui, folder):
    report = folder.parent / "report.json"
    subprocess.run([jisui, folder, "-o", folder.parent / "out.cbz", "--deskew", "--dry-run", "-q", "--report", report],
                   check=True, stdout=subprocess.DEVNULL)
    return [page["skew"] for page in json.loads(report.read_text())["pages"]]


def main():
    options = arguments()
    chance = random.Random(options.seed)
    files = chosen(options.sources, options.pages, chance)
    angles = [[0.0] + [round(chance.uniform(-1, 1) * (14 if turn % 2 else 3), 2) for turn in range(options.turns)]
              for _ in files]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "pages")
        folder.mkdir()
        for number, (file, some) in enumerate(zip(files, angles)):
            turned(file, some, folder, number)
        found = slants(options.jisui, folder)
    each = options.turns + 1
    errors, without, beyond, silent = [], 0, 0, []
    for number, (file, some) in enumerate(zip(files, angles)):
        base, *rest = found[number * each:(number + 1) * each]
        if base is None:
            silent.append(file)
        for angle, slant in zip(some[1:], rest):
            if base is not None and abs(base + angle) > MOST:
                beyond += 1
            elif base is None or slant is None:
                without += 1
            else:
                errors.append((abs(slant - base - angle), file, angle, base, slant))
    errors.sort(key=lambda error: -error[0])
    off = [error[0] for error in errors]
    print(f"{len(files)} pages, {len(files) * options.turns} turns, of which {beyond} end beyond {MOST}°")
    print(f"no slant: {without}; found: {len(off)}, median error {statistics.median(off):.3f}°, "
          f"over 0.3°: {sum(x > 0.3 for x in off)}, over 1°: {sum(x > 1 for x in off)}")
    for error, file, angle, base, slant in errors[:options.worst]:
        print(f"  {error:.2f}° {file}: {base} became {slant} when turned by {angle}")
    if options.worst:
        print("no slant unturned:", *silent, sep="\n  ")


if __name__ == "__main__":
    sys.exit(main())
