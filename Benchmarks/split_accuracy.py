"""Makes wide pages of real ones, and prints which of them `jisui --spreads split` cuts, and where.

    split_accuracy.py --jisui BIN [--pages 100] [--seed N] FILE-OR-FOLDER ...

Two books are made. In one each page is landscape: a part of a single real page, which must stay whole. In the other each
page is two real ones side by side, of the same folder and in the order of their names, which must be cut where they meet.
A cut is `off` if it is further than 1 % of the width from there.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from deskew_accuracy import chosen
from PIL import Image

LANDSCAPE = (1.33, 1.42, 1.6)
WIDTH, HEIGHT = 1400, 1100
TOLERANCE = 0.01


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", required=True)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("sources", nargs="+", type=Path)
    return parser.parse_args()


def upright(file):
    with Image.open(file) as page:
        return page.convert("L") if page.width < page.height else None


def make_singles(files, folder, chance):
    count = 0
    for file in files:
        if (page := upright(file)) is None:
            continue
        height = round(page.width / chance.choice(LANDSCAPE))
        top = chance.randrange(max(1, page.height - height))
        part = page.crop((0, top, page.width, top + height))
        part.resize((WIDTH, WIDTH * part.height // part.width)).save(folder / f"{count:04}.jpg", quality=88)
        count += 1


def make_doubles(files, folder):
    """Gives where the pages meet, as shares of the width."""
    folds = []
    for left, right in zip(files, files[1:]):
        if left.parent != right.parent or len(folds) * 2 >= len(files):
            continue
        pages = [upright(left), upright(right)]
        if None in pages:
            continue
        pages = [page.resize((page.width * HEIGHT // page.height, HEIGHT)) for page in pages]
        both = Image.new("L", (sum(page.width for page in pages), HEIGHT))
        both.paste(pages[0], (0, 0))
        both.paste(pages[1], (pages[0].width, 0))
        both.save(folder / f"{len(folds):04}.jpg", quality=88)
        folds.append(pages[0].width / both.width)
    return folds


def cuts(jisui, folder):
    """For each wide page where it would be cut, as a share of its width; None where it is kept whole."""
    spreads = folder.parent / f"{folder.name}.json"
    subprocess.run([jisui, folder, "-o", folder.parent / "out.cbz", "--spreads", "split", "--dry-run", "-q",
                    "--spread-file", spreads], check=True, stdout=subprocess.DEVNULL)
    return [cut["fold"] / cut["size"][0] if cut["split"] else None
            for cut in json.loads(spreads.read_text())["spreads"] if "fold" in cut]


def main():
    options = arguments()
    chance = random.Random(options.seed)
    files = chosen(options.sources, options.pages, chance)
    with tempfile.TemporaryDirectory() as scratch:
        singles, doubles = Path(scratch, "singles"), Path(scratch, "doubles")
        singles.mkdir()
        doubles.mkdir()
        make_singles(files, singles, chance)
        folds = make_doubles(files, doubles)
        whole, parted = cuts(options.jisui, singles), cuts(options.jisui, doubles)
    found = [(cut, fold) for cut, fold in zip(parted, folds) if cut is not None]
    print(f"single landscape pages: {len(whole)}, cut {sum(cut is not None for cut in whole)}")
    print(f"double pages: {len(folds)}, cut {len(found)}, "
          f"of these off {sum(abs(cut - fold) > TOLERANCE for cut, fold in found)}")


if __name__ == "__main__":
    sys.exit(main())
