"""Makes a corpus for reliability.py and trim_peers.py from pages whose lines people marked in ALTO XML.

    alto_corpus.py --out DIR FOLDER ...

A FOLDER is a book: images, and for each an .xml of its name, as in the repositories of HTR-United and Gallicorpora. Their marks are
polygons around lines, in zones with the names of SegmOnto. The box of a line is that of the ink in its polygon: marks of which less
than half is in it, or which are more than 1.6 times as high, belong to something else. Ornaments and images have no lines, so they are
not marked. Others made boxes of two books from the same marks. On 25 of 40 pages the boxes around all print differ by at most 4 pixels,
on 33 by at most 12. On five pages theirs includes something without lines, more than 100 pixels away. Needs NumPy and OpenCV.
"""

import argparse
import json
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import cv2
import numpy

PICTURES = [".jpg", ".jpeg", ".png", ".tif"]
# Zones that are not what a page shows to its reader have no kind.
KINDS = {"NumberingZone": "number", "RunningTitleZone": "head", "StampZone": "stamp", "SealZone": "stamp", "DamageZone": None,
         "DigitizationArtefactZone": None}


def marks(gray):
    """The marks darker than their surroundings: their label at each pixel, and left, top, width, height and area of each."""
    side = max(31, min(gray.shape) // 20 | 1)
    light = cv2.blur(gray, (side, side)).astype(int)
    dark = (light - gray > numpy.maximum(14, light * 0.18)).astype(numpy.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    return labels, stats


def ink(polygon, labels, stats):
    """The box [x0, y0, x1, y1) around the marks in a polygon; None without marks."""
    height, width = labels.shape
    left, top = numpy.maximum(numpy.floor(polygon.min(0)).astype(int), 0)
    right, bottom = numpy.minimum(numpy.ceil(polygon.max(0)).astype(int), (width, height))
    if right <= left or bottom <= top:
        return None
    inside = numpy.zeros((bottom - top, right - left), numpy.uint8)
    cv2.fillPoly(inside, [numpy.round(polygon - [left, top]).astype(numpy.int32)], 1)
    found, counts = numpy.unique(labels[top:bottom, left:right][inside > 0], return_counts=True)
    boxes = [
        stats[label] for label, count in zip(found, counts)
        if label and stats[label][4] >= 12 and count * 2 >= stats[label][4] and stats[label][3] <= 1.6 * (bottom - top)]
    if not boxes:
        return None
    return [int(min(b[0] for b in boxes)), int(min(b[1] for b in boxes)), int(max(b[0] + b[2] for b in boxes)),
            int(max(b[1] + b[3] for b in boxes))]


def truth(picture, alto):
    """What people marked on a page, as reliability.py describes it; None if the marks are of another picture."""
    gray = cv2.imread(str(picture), cv2.IMREAD_GRAYSCALE | cv2.IMREAD_IGNORE_ORIENTATION)
    root = ElementTree.parse(alto).getroot()
    space = root.tag[: root.tag.index("}") + 1]
    page = next(root.iter(space + "Page"), None)
    if gray is None or page is None:
        return None
    scale = numpy.array(gray.shape[::-1]) / [float(page.get("WIDTH")), float(page.get("HEIGHT"))]
    if abs(scale[0] / scale[1] - 1) > 0.02:
        return None
    names = {tag.get("ID"): tag.get("LABEL").split("#")[0] for tag in root.iter(space + "OtherTag")}
    labels, stats = marks(gray)
    known = {"w": gray.shape[1], "h": gray.shape[0], "keep": [], "number": [], "head": [], "stamp": []}
    for block in root.iter(space + "TextBlock"):
        kind = KINDS.get(names.get(block.get("TAGREFS")), "keep")
        for line in block.findall(space + "TextLine") if kind else []:
            shape = line.find(f"{space}Shape/{space}Polygon")
            points = [] if shape is None else [float(value) for value in shape.get("POINTS").replace(",", " ").split()]
            if len(points) < 6:
                continue
            box = ink(numpy.array(points).reshape(-1, 2) * scale, labels, stats)
            if box:
                known[kind].append(box)
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("books", type=Path, nargs="+")
    wanted = parser.parse_args()
    pages = {}
    for book in wanted.books:
        (wanted.out / book.name).mkdir(parents=True, exist_ok=True)
        for alto in sorted(book.glob("*.xml")):
            pictures = [path for path in sorted(book.glob(alto.stem + ".*")) if path.suffix.lower() in PICTURES]
            known = truth(pictures[0], alto) if pictures else None
            if known and known["keep"]:
                name = f"{book.name}/{pictures[0].name}"
                shutil.copy(pictures[0], wanted.out / name)
                pages[name] = known
    (wanted.out / "truth.json").write_text(json.dumps(pages))
    print(len(pages), "pages of", len({name.split("/")[0] for name in pages}), "books")


if __name__ == "__main__":
    main()
