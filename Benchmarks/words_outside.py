"""Counts words of PDF pages that the crop boxes of `--trim` leave out, as pdftotext of poppler-utils sees the words.

    words_outside.py --jisui BIN [--mode page] [--pages 20] [--option=--trim-heads …] PDF|FOLDER …

It takes the first PAGES pages with words from each PDF; a PDF that does not open without a password is skipped. jisui states its
boxes in the file of `--trim-file`, without making an output. Three counts, each of pages and words:

- out: the middle of the word lies outside the box;
- cut: its middle is inside, but the word reaches beyond the box by more than a quarter of its height, or width if that is less;
- not shown: such words of which pdftoppm shows nothing outside the box. They count nowhere else. Most are cut words of which the box
  leaves out blank space above or below the letters. Others are text that OCR put below a scan.

Only pages that jisui renders count, unless --scans is given: scans keep their own image, and their text layer may state any place.
The mean area is that of the boxes, as a share of the pages: it shows what the words cost. Each page that loses a word is listed with
the first words.
"""

import argparse
import html
import json
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.S)
WORD = re.compile(r'<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*?)</word>', re.S)
# The difference of gray levels within a word's box from which something is drawn there.
CONTRAST = 24
INCH = 100


def output(*command):
    """What a program prints; nothing if a damaged file keeps it busy."""
    try:
        return subprocess.run(command, capture_output=True, timeout=60).stdout
    except subprocess.TimeoutExpired:
        return b""


def pages_with_words(path, most):
    """The size of pages and their words, as shares of the page as shown: {number: (width, height, [(left, top, right, bottom, text)])}."""
    info = output("pdfinfo", "-f", "1", "-l", "9999", path).decode(errors="replace")
    turns = {int(n): int(angle) for n, angle in re.findall(r"^Page +(\d+) rot: +(-?\d+)", info, re.M)}
    found = {}
    text = output("pdftotext", "-bbox", "-cropbox", path, "-").decode(errors="replace")
    for number, (width, height, body) in enumerate(PAGE.findall(text), 1):
        width, height = float(width), float(height)
        if width <= 0 or height <= 0:
            continue
        # pdftotext states the size before the rotation, and places after it.
        if turns.get(number, 0) % 180:
            width, height = height, width
        words = []
        for left, top, right, bottom, word in WORD.findall(body):
            box = [float(left) / width, float(top) / height, float(right) / width, float(bottom) / height]
            inside = 0 <= (box[0] + box[2]) / 2 <= 1 and 0 <= (box[1] + box[3]) / 2 <= 1
            if inside and box[2] > box[0] and box[3] > box[1]:
                words.append((*(min(1, max(0, side)) for side in box), html.unescape(word)))
        if words:
            found[number] = (width, height, words)
        if len(found) == most:
            break
    return found


def boxes(jisui, path, mode, numbers, options, scans, scratch):
    """The crop boxes as shares of the page, and what jisui says of them: {number: box}."""
    file, report = scratch / "boxes.json", scratch / "report.json"
    file.unlink(missing_ok=True)
    report.unlink(missing_ok=True)
    command = [jisui, path, "-o", scratch / "x.cbz", "-n", "-q", "--trim", mode, "--trim-file", file, "--report", report]
    subprocess.run([*command, "--pages", ",".join(map(str, numbers)), *options], capture_output=True)
    if not file.exists() or not report.exists():
        return None
    treatments = {p["source"]: p["treatment"] for p in json.loads(report.read_text())["pages"]}
    made = {}
    for entry in json.loads(file.read_text())["pages"]:
        width, height = entry["size"]
        x, y, w, h = entry["box"] or [0, 0, width, height]
        treatment = treatments.get(entry["source"])
        if treatment == "rendered" or scans and treatment:
            remark = f"{treatment}; {entry['trim']}"
            made[entry["page"]] = (x / width, y / height, (x + w) / width, (y + h) / height, remark)
    return made


def rendering(path, number):
    data = output("pdftoppm", "-gray", "-cropbox", "-r", str(INCH), "-f", str(number), "-l", str(number), path)
    header = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", data)
    return header and (int(header[1]), int(header[2]), data[header.end():])


def is_shown(word, box, image):
    """Whether the part of a word outside a box shows something; a rendering's pixel at the border does not count."""
    if not image:
        return True
    width, height, data = image
    left, top = int(word[0] * width), int(word[1] * height)
    right, bottom = int(word[2] * width) + 1, int(word[3] * height) + 1
    inner = (box[0] * width - 1, box[1] * height - 1, box[2] * width, box[3] * height)
    levels = [
        data[y * width + x] for y in range(top, min(height, bottom)) for x in range(left, min(width, right))
        if not (inner[0] <= x <= inner[2] and inner[1] <= y <= inner[3])
    ]
    return bool(levels) and max(levels) - min(levels) >= CONTRAST


def judged(page, box):
    """The words whose middles are outside a box, and those that are cut."""
    width, height, words = page
    outside, cut = [], []
    for word in words:
        left, top, right, bottom = (word[0] * width, word[1] * height, word[2] * width, word[3] * height)
        x, y = (word[0] + word[2]) / 2, (word[1] + word[3]) / 2
        slack = min(right - left, bottom - top) / 4
        beyond = max(box[0] * width - left, box[1] * height - top, right - box[2] * width, bottom - box[3] * height)
        if not (box[0] <= x <= box[2] and box[1] <= y <= box[3]):
            outside.append(word)
        elif beyond > slack:
            cut.append(word)
    return outside, cut


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", type=Path, required=True)
    parser.add_argument("--mode", default="page")
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--scans", action="store_true", help="count the pages that jisui does not render, too")
    parser.add_argument("--check", action="store_true", help="fail if a shown word is out, or no page counted")
    parser.add_argument("files", type=Path, nargs="+")
    wanted = parser.parse_args()
    paths = [p for f in wanted.files for p in (sorted(f.rglob("*.pdf")) if f.is_dir() else [f])]
    totals, areas, hidden, words = {"out": [0, 0], "cut": [0, 0]}, [], 0, 0
    seconds = 0
    with tempfile.TemporaryDirectory() as scratch:
        for path in paths:
            pages = pages_with_words(path, wanted.pages)
            start = resource.getrusage(resource.RUSAGE_CHILDREN)
            found = boxes(wanted.jisui, path, wanted.mode, pages, wanted.option, wanted.scans, Path(scratch)) if pages else {}
            end = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds += end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
            if found is None:
                print(f"{path.name}: jisui failed", flush=True)
                continue
            for number, (*box, remark) in found.items():
                words += len(pages[number][2])
                areas.append((box[2] - box[0]) * (box[3] - box[1]))
                lost = judged(pages[number], box)
                image = rendering(path, number) if any(lost) else None
                for kind, some in zip(totals, lost):
                    shown = [word for word in some if is_shown(word, box, image)]
                    hidden += len(some) - len(shown)
                    if shown:
                        totals[kind][0] += 1
                        totals[kind][1] += len(shown)
                        text = " ".join(word[4] for word in shown[:8])
                        print(f"{path.name} {number}: {len(shown)} of {len(pages[number][2])} {kind}: {text[:90]} ({remark})", flush=True)
    print(f"{len(areas)} pages, {words} words, mean area {sum(areas) / max(1, len(areas)):.4f}, {seconds:.1f} s of computing")
    for kind, (count, some) in totals.items():
        print(f"{kind}: {some} words on {count} pages")
    print(f"not shown: {hidden} words")
    if wanted.check and (totals["out"][0] or not areas):
        sys.exit(1)


if __name__ == "__main__":
    main()
