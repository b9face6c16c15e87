"""Compares `--trim page` with ScanTailor Advanced on scans whose print people marked.

    trim_peers.py --jisui BIN --corpus DIR [--corpus DIR …] [--books REGEX] [--inches N]

Each DIR holds a folder of images for each book, and truth.json, whose form reliability.py describes. Each DIR gets rows of its own, so
that books that were and were not used in development stay apart. ScanTailor's core is the package scantailor-advanced of PyPI: its finding of content boxes,
with the detection of the page and fine tuning, on the page as it is; and once more on the halves that its page split makes.
A page is cut when something that people marked lies outside the box by more than 0.3 % of the page's height or 4 pixels. Its excess
is the area of the box over that of the box around all that is marked: 1 is tight. Seconds are of one processor: of whole runs for
jisui, which reads the files as well; of the finding alone for ScanTailor, which gets decoded pictures.
The rows "heads and numbers left out" count a page as cut when body text is lost; the excess is not judged there.
"""

import argparse
import collections
import json
import re
import resource
import statistics
import time
from pathlib import Path

import numpy
from PIL import Image
from reliability import area, around, report
from stalib import ContentSelector, PageSplitter

# A page that does not state its resolution is taken for one of this height.
USUAL_INCHES = 9.5


def judged(box, truth):
    """Whether a box [x0, y0, x1, y1], or None for the whole page, cuts; and its excess."""
    box = box or [0, 0, truth["w"], truth["h"]]
    kept = truth["keep"] + truth["number"] + truth["head"]
    true, slack = around(kept), max(4, 0.003 * truth["h"])
    cuts = any(box[i] > true[i] + slack for i in (0, 1)) or any(box[i] < true[i] - slack for i in (2, 3))
    return cuts, area(box) / area(around(kept + truth.get("stamp", [])))


def corners(box):
    return box and [box[0], box[1], box[0] + box[2], box[1] + box[3]]


def found_corners(found):
    rect = found.content_rect
    box = [rect["x"], rect["y"], rect["x"] + rect["width"], rect["y"] + rect["height"]]
    return box if found.has_content and area(box) > 0 else None


def scantailor(path, inches):
    """The boxes of a page as it is and of its split parts, each with the seconds that it took."""
    with Image.open(path) as picture:
        stated = float(picture.info.get("dpi", (0, 0))[0])
        gray = numpy.array(picture.convert("L"))
    dpi = round(stated) if stated > 72 and not inches else round(gray.shape[0] / (inches or USUAL_INCHES))
    select = ContentSelector(enable_page_detection=True, enable_fine_tuning=True)
    start = time.process_time()
    whole = found_corners(select.process(gray, dpi, dpi))
    middle = time.process_time()
    layout = PageSplitter().process(gray, dpi, dpi)
    boxes = []
    for outline in (layout.single_page_outline, layout.left_page_outline, layout.right_page_outline):
        if not outline:
            continue
        across, down = zip(*outline)
        left, top = max(0, int(min(across))), max(0, int(min(down)))
        part = numpy.ascontiguousarray(gray[top:int(max(down)), left:int(max(across))])
        box = found_corners(select.process(part, dpi, dpi)) if part.size else None
        if box:
            boxes.append([box[0] + left, box[1] + top, box[2] + left, box[3] + top])
    return (whole, middle - start), (around(boxes) if boxes else None, time.process_time() - middle)


def computing():
    """The seconds that finished programs have computed."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def lost_text(box, truth):
    """Whether a box [x0, y0, x1, y1], or None for the whole page, cuts body text; heads and numbers may be gone."""
    box, true = box or [0, 0, truth["w"], truth["h"]], around(truth["keep"])
    slack = max(4, 0.003 * truth["h"])
    return any(box[i] > true[i] + slack for i in (0, 1)) or any(box[i] < true[i] - slack for i in (2, 3))


def line(corpus, name, results, seconds):
    """A row of the table. Pages whose truth leaves print out can be judged for cuts only: their excess is None."""
    excess = [excess for _, excess in results if excess is not None]
    cuts, large = sum(cuts for cuts, _ in results), sum(value > 1.25 for value in excess)
    sizes = f"{statistics.median(excess):.3f} | {large} of {len(excess)}" if excess else "– | –"
    spent = f"{seconds / len(results):.3f}" if seconds else ""
    print(f"| {corpus} | {name} | {cuts} of {len(results)} | {sizes} | {spent} |")


def measure(corpus, wanted):
    """Prints the rows of one folder of books."""
    truth = json.loads((corpus / "truth.json").read_text())
    results, seconds = collections.defaultdict(list), collections.Counter()

    def note(name, box, known, spent):
        cuts, excess = judged(box, known)
        results[name].append((cuts, None if known.get("partial") else excess))
        seconds[name] += spent

    for book in sorted({str(Path(path).parent) for path in truth if re.search(wanted.books, path)}):
        start = computing()
        found = {Path(page["source"]).name: page for page in report(wanted.jisui.resolve(), corpus / book)}
        seconds["jisui --trim page"] += computing() - start
        for name, page in found.items():
            known = truth.get(f"{book}/{name}")
            if not known or not known["keep"]:
                continue
            crop, content = page["crop"], page["crop"] and page["content"]
            note("untouched", None, known, 0)
            note("jisui --trim page", corners(crop), known, 0)
            note("what it found, before JPEGs' blocks", corners(content), known, 0)
            whole, split = scantailor(corpus / book / name, wanted.inches)
            note("ScanTailor Advanced", whole[0], known, whole[1])
            note("the same after its page split", split[0], known, split[1])
        for page in report(wanted.jisui.resolve(), corpus / book, "--trim-heads", "--trim-numbers"):
            known = truth.get(f"{book}/{Path(page['source']).name}")
            if known and known["keep"]:
                results["jisui, heads and numbers left out"].append((lost_text(corners(page["crop"]), known), None))
    for name in results:
        line(corpus.name, name, results[name], seconds[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True, action="append")
    parser.add_argument("--books", default="", help="only folders whose names match this regular expression")
    parser.add_argument("--inches", type=float, help="tell ScanTailor that all pages are so high, whatever they state")
    wanted = parser.parse_args()
    print("| books | | cut | median excess | over 1.25 | seconds a page |\n|---|---|--:|--:|--:|--:|")
    for corpus in wanted.corpus:
        measure(corpus, wanted)


if __name__ == "__main__":
    main()
