"""Shows how straight the lines of text of curved pages are before and after `jisui --flatten`, and after page-dewarp.

    flatten_accuracy.py --jisui BIN [--peer page-dewarp] [--warp N] [--seed N] [--list] FILE-OR-FOLDER ...

Pages are taken as they are; with --warp, so many flat pages are drawn at random from those given and bent as a camera above
an open book sees them, so that the flat page tells how straight the lines could be. Letters are found and followed here
in a way of its own. A line counts if it is longer than a third of the page's text is wide and has 15 letters; it is off by as
much as the running median of its letters' feet departs from a straight line, in pixels of the picture as it was given.
page-dewarp's results are scaled to have letters as high as the page had. Needs NumPy, SciPy and OpenCV.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

PICTURES = {".jpg", ".jpeg", ".png", ".tif", ".tiff"}
LEAST_LETTERS = 15
LEAST_SHARE = 1 / 3
WINDOW = 9


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", required=True)
    parser.add_argument("--peer", help="the program page-dewarp, to be shown beside")
    parser.add_argument("--warp", type=int, metavar="N", help="bend so many of the pages, which are flat")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="a line for each page")
    parser.add_argument("--keep", type=Path, help="leave the pictures in this folder")
    parser.add_argument("sources", nargs="+", type=Path)
    return parser.parse_args()


def letters(gray):
    """The boxes of what is of the size of letters, as rows of left, top, right, bottom; and the usual height."""
    side = min(gray.shape)
    window = side // 20 | 1
    light = cv2.blur(gray, (window, window)).astype(np.int16)
    ink = ((light - gray) > np.maximum(10, light * 0.16)).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    x, y, w, h, area = stats[1:].T
    fits = (h >= side // 200) & (h <= side // 12) & (w <= 6 * h) & (h <= 6 * w)
    if not fits.any():
        return np.empty((0, 4)), 1
    order = np.argsort(h[fits])
    total = np.cumsum(area[fits][order])
    usual = h[fits][order][np.searchsorted(total, total[-1] / 2)]
    fits &= (h > 0.4 * usual) & (h < 2.2 * usual) & (w < 8 * usual)
    return np.stack([x, y, x + w, y + h], 1)[fits].astype(float), float(usual)


def lines(boxes, usual):
    """Chains of boxes that follow each other."""
    order = np.argsort(boxes[:, 0])
    boxes = boxes[order]
    left, top, right, bottom = boxes.T
    follower, distance = np.full(len(boxes), -1), np.full(len(boxes), np.inf)
    for i in range(len(boxes)):
        last = np.searchsorted(left, right[i] + 2 * usual)
        j = np.arange(i + 1, last)
        shared = np.minimum(bottom[i], bottom[j]) - np.maximum(top[i], top[j])
        j = j[(shared > 0.4 * np.minimum(bottom[i] - top[i], bottom[j] - top[j])) & (left[j] > right[i] - usual / 2)]
        if len(j):
            cost = np.maximum(0, left[j] - right[i]) + np.abs(bottom[j] - bottom[i])
            follower[i], distance[i] = j[np.argmin(cost)], cost.min()
    leader = {}
    for i, j in enumerate(follower):
        if j >= 0 and (j not in leader or distance[i] < distance[leader[j]]):
            leader[j] = i
    chains = []
    for i in range(len(boxes)):
        if i in leader:
            continue
        chain = [i]
        while follower[chain[-1]] >= 0 and leader[follower[chain[-1]]] == chain[-1]:
            chain.append(follower[chain[-1]])
        chains.append(boxes[chain])
    return chains


def straightness(gray):
    """How far each line of text is off, in pixels; and the height of letters."""
    boxes, usual = letters(gray)
    if len(boxes) == 0:
        return [], usual
    text = np.percentile(boxes[:, 2], 98) - np.percentile(boxes[:, 0], 2)
    result = []
    for line in lines(boxes, usual):
        if len(line) < LEAST_LETTERS or line[-1, 2] - line[0, 0] < LEAST_SHARE * text:
            continue
        feet, x = line[:, 3], (line[:, 0] + line[:, 2]) / 2
        half = WINDOW // 2
        run = np.array([np.median(feet[i - half:i + half + 1]) for i in range(half, len(feet) - half)])
        place = x[half:len(feet) - half]
        run -= np.polyval(np.polyfit(place, run, 1), place)
        result.append(float(run.max() - run.min()))
    return result, usual


def bent(page, chance):
    """The page as a camera sees it above an open book: a curve that rises to the binding, on the left or on the right."""
    height, width = page.shape[:2]
    side = chance.choice([-1, 1])
    lift = chance.uniform(0.12, 0.3) * width  # how high the paper stands at most
    reach = chance.uniform(0.4, 0.7)  # over which part of its width it comes down
    distance = chance.uniform(1.3, 2.0) * height
    turn = np.radians(chance.uniform(-2, 2))
    aside = chance.uniform(-0.3, 0.3) * height
    place = np.linspace(0, 1, 1500)
    from_fold = place if side < 0 else 1 - place
    rise = lift * (0.3 * np.sin(np.pi * from_fold) + np.exp(-((from_fold / reach) ** 2)))
    along = np.concatenate([[0], np.cumsum(np.hypot(np.diff(place * width), np.diff(rise)))])
    along *= width / along[-1]  # the place on the paper
    cosine, sine = np.cos(turn), np.sin(turn)
    u, v = np.meshgrid(np.arange(width) - width / 2, np.arange(height) - height / 2)
    u, v = 1.06 * (cosine * u + sine * v), 1.06 * (cosine * v - sine * u)
    # What is seen at a place of the picture lies nearer to the middle, since paper that is higher looks larger.
    x = u.copy()
    for _ in range(6):
        x = u * (1 - np.interp(x / width + 0.5, place, rise) / distance)
    share = x / width + 0.5
    scale = 1 - np.interp(share, place, rise) / distance
    source_x = np.interp(share, place, along, left=-9, right=width + 9)
    source_y = (v - aside) * scale + aside + height / 2
    inside = cv2.remap(page, source_x.astype(np.float32), source_y.astype(np.float32), cv2.INTER_AREA | cv2.INTER_CUBIC,
                       borderMode=cv2.BORDER_CONSTANT, borderValue=int(np.percentile(page, 90)))
    slope = np.gradient(rise, place * width)
    shade = 1 - 0.4 * np.clip(np.abs(np.interp(share, place, slope)), 0, 1)
    return np.clip(inside * shade, 0, 255).astype(np.uint8)


def flat_pages(sources, count, chance, folder):
    files = sorted(f for s in sources for f in ([s] if s.is_file() else s.rglob("*")) if f.suffix.lower() in PICTURES)
    chance.shuffle(files)
    made = []
    for file in files:
        if len(made) == count:
            break
        page = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
        if page is None or min(page.shape) < 600:
            continue
        scale = 1600 / min(page.shape)
        page = cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
        off, usual = straightness(page)
        # A page whose lines are not straight tells nothing.
        if len(off) < 8 or statistics.median(off) > 5 or usual < 14:
            continue
        name = f"{len(made):03}.png"
        cv2.imwrite(str(folder / "bent" / name), bent(page, chance))
        cv2.imwrite(str(folder / "flat" / name), page)
        made.append((file, folder / "bent" / name, folder / "flat" / name))
    return made


def gray(path):
    return cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)


def flattened(jisui, pages, folder):
    """What jisui makes of each page, and what it says of it."""
    book, out, report = folder / "book", folder / "jisui", folder / "report.json"
    for number, page in enumerate(pages):
        (book / f"{number:04}{page.suffix}").symlink_to(page.resolve())
    subprocess.run([jisui, book, "-o", f"{out}/", "--flatten", "-q", "--image-format", "png", "--force", "--report",
                    report], check=True, stdout=subprocess.DEVNULL)
    told = json.loads(report.read_text())["pages"]
    return [(gray(file), page) for file, page in zip(sorted(out.iterdir()), told)]


def dewarped(peer, page, folder, usual):
    """What page-dewarp makes of a page, its letters as high as they were; None where it fails."""
    subprocess.run([peer, "-nb", "1", "-o", folder, page], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    made = sorted(folder.glob(f"{page.stem}*.*"))
    if not made:
        return None
    picture = gray(made[0])
    made[0].unlink()
    _, height = letters(picture)
    scale = usual / height
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)


def summary(name, pages):
    """pages: for each page, how far its lines are off; None where it was not made."""
    made = [off for off in pages if off]
    every = [x for off in made for x in off]
    if not every:
        return f"{name:12} nothing"
    medians = [statistics.median(off) for off in made]
    return (f"{name:12} {len(made)} pages, {len(every)} lines: median {statistics.median(every):.1f} px, "
            f"within 2 px {sum(x <= 2 for x in every) / len(every):.0%}, within 4 px "
            f"{sum(x <= 4 for x in every) / len(every):.0%}; worst page's median {max(medians):.1f} px")


def main():
    options = arguments()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        for name in ("bent", "flat", "book", "jisui", "peer"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        if options.warp:
            made = flat_pages(options.sources, options.warp, chance, folder)
        else:
            files = sorted(f for s in options.sources for f in ([s] if s.is_file() else s.rglob("*"))
                           if f.suffix.lower() in PICTURES)
            made = [(file, file, None) for file in files]
        results = {"flat": [], "curved": [], "jisui": [], "page-dewarp": []}
        told = flattened(options.jisui, [page for _, page, _ in made], folder)
        for (file, page, flat), (picture, report) in zip(made, told):
            before, usual = straightness(gray(page))
            row = {"curved": before, "jisui": straightness(picture)[0]}
            if flat:
                row["flat"] = straightness(gray(flat))[0]
            if options.peer:
                peer = dewarped(options.peer, page, folder / "peer", usual)
                row["page-dewarp"] = None if peer is None else straightness(peer)[0]
            for name, off in row.items():
                results[name].append(off)
            if options.list:
                medians = "  ".join(f"{name} {statistics.median(off):.1f}/{np.percentile(off, 90):.1f} ({len(off)})"
                                    if off else f"{name} -" for name, off in row.items())
                print(f"{file.name}: letters {usual:.0f} px; {medians}; {report.get('flatten')}")
    for name, pages in results.items():
        if pages:
            print(summary(name, pages))


if __name__ == "__main__":
    sys.exit(main())
