#!/usr/bin/env python3
"""Compare the text of PDFs with that of the PDFs that jisui makes of pictures of their pages.

Usage: compare_text.py JISUI FILE.pdf [FILE.pdf ...]

Each file becomes a PDF anew (--rebuild), and pdftotext tells the words of both and where they stand. A line a file: how many
words there are, how many of them the new file lacks, how many it has too many, and how many stand more than a point away;
then those of the first page that differ.
"""
import collections
import html
import pathlib
import re
import subprocess
import sys
import tempfile

WORD = re.compile(r'<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*?)</word>', re.S)


def words(path):
    """The words of each page, with their boxes in points."""
    run = subprocess.run(["pdftotext", "-bbox", "-cropbox", path, "-"], capture_output=True, timeout=300)
    pages = run.stdout.decode("utf-8", "replace").split("<page ")[1:]
    return [[(html.unescape(w[4]), tuple(map(float, w[:4]))) for w in WORD.findall(page)] for page in pages]


def inside(box, page):
    """Whether the middle of a word is on the page."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return 0 <= x <= page[0] and 0 <= y <= page[1]


def compare(before, after):
    """How many words there were, are missing, are new, and moved; and the first that differ."""
    total = missing = extra = moved = 0
    examples = []
    for old, new in zip(before, after):
        places = collections.defaultdict(list)
        for text, box in new:
            places[text].append(box)
        for text, box in old:
            total += 1
            if not places[text]:
                missing += 1
                examples.append(("-", text, box))
                continue
            best = min(places[text], key=lambda other: max(abs(a - b) for a, b in zip(box, other)))
            places[text].remove(best)
            if max(abs(a - b) for a, b in zip(box, best)) > 1:
                moved += 1
                examples.append(("~", text, box, best))
        for text, boxes in places.items():
            extra += len(boxes)
            examples += [("+", text, box) for box in boxes]
    return total, missing, extra, moved, examples


def main():
    jisui, files = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder, "made.pdf")
        for file in files:
            name = pathlib.Path(file).name
            run = subprocess.run(
                [jisui, file, "-o", str(made), "--rebuild", "--force", "--dpi", "36", "--quiet"], capture_output=True)
            if not made.exists():
                print(f"{name}: not made: {run.stderr.decode('utf-8', 'replace').strip()[:120]}")
                continue
            before, after = words(file), words(str(made))
            if len(before) != len(after):
                print(f"{name}: {len(before)} pages became {len(after)}")
                made.unlink()
                continue
            total, missing, extra, moved, examples = compare(before, after)
            print(f"{name}: {total} words, {missing} missing, {extra} new, {moved} moved")
            for example in examples[:5]:
                print("   ", *example)
            made.unlink()


if __name__ == "__main__":
    main()
