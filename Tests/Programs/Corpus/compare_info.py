#!/usr/bin/env python3
"""Compares `jisui info --json` with what poppler's programs say of every PDF of a folder.

    compare_info.py --jisui BIN --corpus DIR [--only WORD]

Compared are the number of pages, MediaBox, CropBox and rotation of each page (pdfinfo -box), and, where jisui takes a
page for one picture, that the page has one and of what size (pdfimages -list). The exit status is 0 when all agree.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

TOLERANCE = 0.011  # pdfinfo rounds to hundredths
PATIENCE = 20  # seconds
ONE_PICTURE = ("verbatim", "lossless")


def output(*command):
    try:
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout.decode("utf-8", "replace")


def jisui_pages(jisui, pdf):
    """What jisui says, in the words used below. Here alone is the shape of its JSON known."""
    status, text = output(jisui, "info", "--json", str(pdf))
    if status not in (0, 3) or not text.strip():
        return status, None
    return status, [
        {
            "MediaBox": page["mediaBox"], "CropBox": page["cropBox"], "rot": page["rotation"],
            "treatment": page["treatment"], "size": (page["width"], page["height"]), "reason": page["reason"] or "",
        }
        for page in json.loads(text)["pages"]
    ]  # fmt: skip


def poppler_pages(pdf):
    status, text = output("pdfinfo", "-box", "-f", "1", "-l", "100000", str(pdf))
    if status != 0:  # None: out of patience
        return None
    pages = [{} for _ in range(int(re.search(r"^Pages: +(\d+)", text, re.M)[1]))]
    for number, box, numbers in re.findall(r"^Page +(\d+) (MediaBox|CropBox): +(.*)$", text, re.M):
        pages[int(number) - 1][box] = [float(n) for n in numbers.split()]
    for number, angle in re.findall(r"^Page +(\d+) rot: +(-?\d+)", text, re.M):
        pages[int(number) - 1]["rot"] = int(angle)
    return pages


def poppler_pictures(pdf):
    """{page: [(kind, width, height)]}"""
    _, text = output("pdfimages", "-list", str(pdf))
    found = {}
    for line in text.splitlines()[2:]:
        page, _, kind, width, height, *_ = line.split()
        found.setdefault(int(page), []).append((kind, int(width), int(height)))
    return found


def differences(ours, theirs, pictures):
    if len(ours) != len(theirs):
        yield f"{len(ours)} pages, not {len(theirs)}"
        return
    for number, (own, other) in enumerate(zip(ours, theirs), 1):
        for box in ("MediaBox", "CropBox"):
            if own[box] is None:
                if own["treatment"] is not None:  # an unreadable page has no box, and a warning that says so
                    yield f"page {number}: no {box}"
            elif box in other and any(abs(a - b) > TOLERANCE for a, b in zip(own[box], other[box])):
                yield f"page {number}: {box} {own[box]}, not {other[box]}"
        if own["rot"] is not None and own["rot"] % 360 != other.get("rot", 0) % 360:
            yield f"page {number}: turned by {own['rot']}, not {other.get('rot')}"
        if own["treatment"] in ONE_PICTURE:
            found = [size for kind, *size in pictures.get(number, []) if kind == "image"]
            width, height = own["size"]
            if len(found) != 1 or len(pictures[number]) != 1:
                yield f"page {number}: {own['treatment']}, but pdfimages lists {pictures.get(number, [])}"
            elif sorted(found[0]) != sorted((width, height)) and "crop" not in own["reason"]:
                yield f"page {number}: {width} × {height}, but the picture has {found[0][0]} × {found[0][1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--only", default="")
    wanted = parser.parse_args()
    agreed = differing = pages = pictures = 0
    for pdf in sorted(wanted.corpus.rglob("*.pdf")):
        if wanted.only not in str(pdf):
            continue
        theirs = poppler_pages(pdf)
        status, ours = jisui_pages(str(wanted.jisui.resolve()), pdf)
        if theirs is None:
            print(f"{pdf.name}: not read by pdfinfo; jisui: exit {status}" + (f", {len(ours)} pages" if ours else ""))
            continue
        found = list(differences(ours, theirs, poppler_pictures(pdf))) if ours is not None else [f"jisui: exit {status}"]
        for difference in found[:5]:
            print(f"{pdf.name}: DIFFERS: {difference}")
        if len(found) > 5:
            print(f"{pdf.name}: DIFFERS: and {len(found) - 5} more")
        agreed += not found
        differing += bool(found)
        pages += len(theirs)
        pictures += sum(page["treatment"] in ONE_PICTURE for page in ours or [])
    print(f"{agreed} PDFs agree, {differing} differ; {pages} pages, {pictures} of them taken for one picture")
    sys.exit(1 if differing or not agreed else 0)


if __name__ == "__main__":
    main()
