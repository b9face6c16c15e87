"""Measures --bilevel on pages with a known result, and --whiten on leaves that are made of clean pages.

    clean_accuracy.py --jisui BIN bilevel FOLDER
    clean_accuracy.py --jisui BIN leaves [--seed N] FOLDER-OF-CLEAN-PAGES
    clean_accuracy.py --jisui BIN borders [--seed N] FOLDER-OF-CLEAN-PAGES
    clean_accuracy.py --jisui BIN art [--options "--borders"] FOLDER ...

`bilevel` needs NAME.png or NAME.jpg and NAME.truth.png in the folder, as the contests DIBCO have them. It prints the
F-measure and the signal-to-noise ratio of jisui, and of the algorithms of doxapy if that is installed.
`leaves` puts clean pages on dark paper under uneven light, and adds noise. With show-through, the reverse of the leaf
shines through. With a fold, its shadow is on one side. It prints how white the paper becomes, how much darker it is over
the print of the reverse and in the shadow, and how far the tones are from those of the clean page.
`borders` puts clean pages on gray paper with a grain, and adds dark borders, the shadow of a fold and punch holes. It
prints how much of each becomes paper with `--borders`, and how many pixels of print change.
`art` prints the pages that options change, by default `--whiten`, and how much they change outside of the paper.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

IMAGES = {".jpg", ".jpeg", ".png", ".tif", ".tiff"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("task", choices=["bilevel", "leaves", "borders", "art"])
    parser.add_argument("--options", default="--whiten", help="the options of art")
    parser.add_argument("folders", nargs="+", type=Path)
    return parser.parse_args()


def convert(jisui, files, folder, *options):
    """Converts images with one run. Returns the results in the same order, and the report on the pages."""
    target, report = folder / "out", folder / "report.json"
    command = [jisui, *map(str, files), "-o", f"{target}/", "--combine", "--quiet", "--image-format", "png"]
    subprocess.run([*command, "--report", str(report), *options], check=True)
    found = sorted(file for file in target.rglob("*") if file.suffix in IMAGES)
    if len(found) != len(files):
        sys.exit(f"{len(found)} pages of {len(files)} came back")
    return found, json.loads(report.read_text())


def gray(file):
    return np.asarray(Image.open(file).convert("L"))


# Black and white.


def scores(ink, truth):
    hit, false, missed = (ink & truth).sum(), (ink & ~truth).sum(), (~ink & truth).sum()
    return 200 * hit / max(1, 2 * hit + false + missed), 10 * np.log10(truth.size / max(1, false + missed))


def peers():
    try:
        import doxapy
    except ImportError:
        return
    for name in dir(doxapy.Binarization.Algorithms):
        if not name.isupper():
            continue

        def algorithm(image, name=name):
            method = doxapy.Binarization(getattr(doxapy.Binarization.Algorithms, name))
            method.initialize(np.ascontiguousarray(image))
            result = np.empty(image.shape, image.dtype)
            method.to_binary(result, {})
            return result < 128

        yield name.lower(), algorithm


def bilevel(jisui, folder):
    truths = sorted(folder.glob("*.truth.*"))
    pages = [
        next(f for f in folder.glob(truth.name.split(".truth.")[0] + ".*") if ".truth." not in f.name)
        for truth in truths
    ]
    wanted = [gray(truth) < 128 for truth in truths]
    with tempfile.TemporaryDirectory() as name:
        found, _ = convert(jisui, pages, Path(name), "--bilevel")
        own = [scores(gray(file) < 128, truth) for file, truth in zip(found, wanted)]
    for page, score in zip(pages, own):
        print(f"  {page.stem:12} {score[0]:6.2f} {score[1]:6.2f}")
    rows = [("jisui", own)]
    rows += [(name, [scores(f(gray(page)), truth) for page, truth in zip(pages, wanted)]) for name, f in peers()]
    print(f"{'':12} F-measure   PSNR  worst F   ({len(pages)} pages)")
    for name, row in sorted(rows, key=lambda row: -np.mean(row[1], 0)[0]):
        mean = np.mean(row, 0)
        print(f"{name:12} {mean[0]:9.2f} {mean[1]:6.2f} {min(score[0] for score in row):8.2f}")


# White paper.


def blurred(image, sigma):
    reach = int(3 * sigma)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    for axis in (0, 1):
        image = np.apply_along_axis(lambda line: np.convolve(np.pad(line, reach, "edge"), kernel, "valid"), axis, image)
    return image


def leaf(chance, front, back, show_through, fold):
    """Returns a page as a scanner sees it, 0 to 1, how dark the back is behind each pixel, and where a shadow is.

    The back is mirrored and shifted by some pixels. The shadow falls exponentially from one side of the page.
    """
    height, width = front.shape
    y, x = np.mgrid[0:height, 0:width]
    paper = 0.80 - 0.10 * x / width - 0.05 * y / height
    ghost, behind, shadow = 1.0, np.zeros(front.shape), np.zeros(front.shape, bool)
    if show_through:
        shifted = np.roll(back[:, ::-1], chance.integers(-9, 10, 2), (0, 1))
        behind = 1 - blurred(shifted, 2.2)
        ghost = 1 - chance.uniform(0.10, 0.22) * behind
    if fold:
        distance = (x if chance.integers(0, 2) else width - 1 - x) / (width * chance.uniform(0.01, 0.04))
        paper *= 1 - chance.uniform(0.2, 0.6) * np.exp(-distance)
        shadow = distance < 3
    return np.clip(paper * front * ghost + chance.normal(0, 0.012, front.shape), 0, 1), behind, shadow


def leaves(jisui, folder, seed):
    chance = np.random.default_rng(seed)
    files = sorted(file for file in folder.iterdir() if file.suffix in IMAGES)
    clean = [gray(file) / 255 for file in files]
    clean = [page for page in clean if (page > 0.985).mean() > 0.3 and page.shape == clean[len(clean) // 2].shape][:16]
    for kind in ("nothing else", "show-through", "the shadow of a fold"):
        with tempfile.TemporaryDirectory() as name:
            pages, scans = [], []
            for index, page in enumerate(clean):
                back = clean[index ^ 1] if index ^ 1 < len(clean) else clean[0]
                pages.append(Path(name) / f"{index:03}.png")
                scans.append(leaf(chance, page, back, kind == "show-through", kind == "the shadow of a fold"))
                Image.fromarray((255 * scans[-1][0] + 0.5).astype(np.uint8)).save(pages[-1])
            found, report = convert(jisui, pages, Path(name), "--whiten")
            rows = []
            for file, page, (_, behind, shadow) in zip(found, clean, scans):
                result = gray(file).astype(float)
                paper, tone = page > 0.985, (page < 0.97) & (page > 0.06)
                error = np.abs(result - 255 * page)
                ghost = darker(result, paper & (behind > 0.4), paper & (behind < 0.05))
                fold = darker(result, paper & shadow, paper & ~shadow)
                rows.append((result[paper].mean(), result[paper].std(), error[tone].mean(), error.mean(), ghost, fold))
        means = np.mean(rows, 0)
        print(f"{len(clean)} leaves with {kind}:")
        print(f"  whitened           {sum(page['whitened'] for page in report['pages'])}")
        print(f"  paper, mean        {means[0]:6.2f} (least {min(row[0] for row in rows):.2f})")
        print(f"  paper, deviation   {means[1]:6.2f}; of the means over the book {np.std([row[0] for row in rows]):.2f}")
        print(f"  error in tones     {means[2]:6.2f}; overall {means[3]:.2f}")
        print(f"  ghost              {means[4]:6.2f}; worst page {max(row[4] for row in rows):.2f}")
        print(f"  shadow of the fold {means[5]:6.2f}; worst page {max(row[5] for row in rows):.2f}")


def darker(page, area, other):
    """Returns by how many levels an area is darker than another one on average."""
    return page[other].mean() - page[area].mean() if area.any() and other.any() else 0.0


# Borders.


def bordered(chance, page):
    """Returns a scan of a page, 0 to 1, and which pixels are borders, shadow and holes."""
    height, width = page.shape
    y, x = np.mgrid[0:height, 0:width]
    unit = min(height, width)
    scan = 0.8 * page + chance.normal(0, 0.012, page.shape)
    slopes, depths = chance.uniform(-0.03, 0.03, 4), chance.uniform(-0.01, 0.05, 4) * unit
    edges = [x, width - 1 - x, y, height - 1 - y]
    border = np.zeros(page.shape, bool)
    for side, edge in enumerate(edges):
        along = (y if side < 2 else x) - (height if side < 2 else width) / 2
        border |= edge < depths[side] + slopes[side] * along
    # The shadow of a fold begins dark at one side.
    side = chance.integers(0, 2)
    reach = chance.uniform(0.02, 0.06) * unit
    depth = np.maximum(0, 1 - (edges[side] - max(0, depths[side])) / reach)
    scan *= 1 - 0.9 * depth**1.5
    shadow = (depth > 0.02) & ~border
    scan[border] = 0.09 + chance.normal(0, 0.01, border.sum())
    hole = np.zeros(page.shape, bool)
    far, middle, gap, radius = edges[1 - side], height / 2, 0.38 * unit, 0.018 * unit
    for sign in (-1, 1):
        hole |= (far - 0.09 * unit) ** 2 + (y - middle - sign * gap / 2) ** 2 < radius**2
    free = (page > 0.985)[hole].mean() > 0.999 and not (border & hole).any()
    if free:
        scan[hole] = 0.1
    return np.clip(scan, 0, 1), border, shadow, hole if free else np.zeros_like(hole)


def borders(jisui, folder, seed):
    chance = np.random.default_rng(seed)
    files = sorted(file for file in folder.iterdir() if file.suffix in IMAGES)
    clean = [gray(file) / 255 for file in files][:16]
    clean = [page for page in clean if (page > 0.985).mean() > 0.3]
    with tempfile.TemporaryDirectory() as name:
        made = [bordered(chance, page) for page in clean]
        pages = [Path(name) / f"{index:03}.png" for index in range(len(made))]
        for file, (scan, *_) in zip(pages, made):
            Image.fromarray((255 * scan + 0.5).astype(np.uint8)).save(file)
        found, report = convert(jisui, pages, Path(name), "--borders")
        parts = {"border": [0, 0], "shadow": [0, 0], "hole": [0, 0]}
        lost = prints = 0
        for file, page, (scan, border, shadow, hole) in zip(found, clean, made):
            result = gray(file).astype(float)
            paper = np.median(255 * scan[(page > 0.985) & ~border & ~shadow & ~hole])
            blank = blurred((page < 0.9).astype(float), 2) < 0.01
            for key, part in (("border", border), ("shadow", shadow & blank), ("hole", hole)):
                parts[key][0] += (result[part] > 0.9 * paper).sum()
                parts[key][1] += part.sum()
            ink = (page < 0.5) & ~border & ~hole
            prints += ink.sum()
            lost += (ink & (np.abs(result - 255 * scan) > 8)).sum()
    print(f"{len(clean)} pages, {sum(bool(page['borders']) for page in report['pages'])} with borders found, "
          f"{sum(bool(page['punchHoles']) for page in report['pages'])} of "
          f"{sum(hole.any() for *_, hole in made)} with holes")
    for key, (paper, count) in parts.items():
        print(f"  {key:8} {100 * paper / max(1, count):6.2f} % of {count} pixels became paper")
    print(f"  print    {lost} of {prints} pixels changed")


# Art.


def lab(image):
    level = np.asarray(image.convert("RGB"), float) / 255
    light = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    xyz = light @ np.array([[0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], [0.1805, 0.0722, 0.9505]])
    f = np.cbrt(xyz / [0.9505, 1, 1.089])
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def art(jisui, folder, options):
    files = sorted(file for file in folder.rglob("*") if file.suffix in IMAGES)
    with tempfile.TemporaryDirectory() as name:
        found, report = convert(jisui, files, Path(name), *options.split())
        changed = []
        for file, other in zip(files, found):
            before, after = Image.open(file), Image.open(other)
            if before.size != after.size:
                continue
            one, two = lab(before), lab(after)
            difference = np.sqrt(((one - two) ** 2).sum(-1))
            outside = two[..., 0] < 97
            if outside.any() and (mean := difference[outside].mean()) > 0:
                changed.append(mean)
                print(f"  {file}: ΔE outside paper {mean:.2f} on average")
    print(f"{folder}: {len(files)} pages, {len(changed)} changed, {sum(d > 2 for d in changed)} by more than ΔE 2")


def main():
    given = arguments()
    for folder in given.folders:
        if given.task == "bilevel":
            bilevel(given.jisui, folder)
        elif given.task == "leaves":
            leaves(given.jisui, folder, given.seed)
        elif given.task == "borders":
            borders(given.jisui, folder, given.seed)
        else:
            art(given.jisui, folder, given.options)


if __name__ == "__main__":
    main()
