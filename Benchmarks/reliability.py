"""Shows how far the confidence of `--trim` can be trusted, on pages whose print is known.

    reliability.py --jisui BIN --corpus DIR --truth FILE [--svg FILE]

DIR holds a folder of pictures for each book, and FILE what people marked on them, as JSON: by path from DIR, the page's width `w`
and height `h`, and boxes [x0, y0, x1, y1) of `keep`, `number`, `head` and `stamp`. A box is right when nothing of keep, number and
head lies outside by more than 0.3 % of the page's height or 4 pixels, and its area is at most 1.25 of the box around all of them.
Pages are put together by what jisui said; --svg draws what was said against what came true.
"""

import argparse
import collections
import json
import subprocess
from pathlib import Path


def around(boxes):
    return [min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)]


def area(box):
    return (box[2] - box[0]) * (box[3] - box[1])


def is_right(crop, truth):
    """Whether a crop [x, y, w, h], or None for the whole page, is right."""
    x, y, width, height = crop or (0, 0, truth["w"], truth["h"])
    box = [x, y, x + width, y + height]
    print_boxes = truth["keep"] + truth["number"] + truth["head"]
    slack = max(4, 0.003 * truth["h"])
    true = around(print_boxes)
    if any(box[i] > true[i] + slack for i in (0, 1)) or any(box[i] < true[i] - slack for i in (2, 3)):
        return False
    return area(box) <= 1.25 * area(around(print_boxes + truth.get("stamp", [])))


def pages(jisui, folder, *options):
    command = [jisui, folder, "-o", "x.cbz", "-n", "-q", "--trim", "page", "--trim-margin", "0", "--report", "-", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["pages"]


def diagram(bins, count):
    """An SVG of what was said (across) against what came true (up); circles have the area of their pages."""
    dots = "".join(
        f'<circle cx="{40 + 300 * said:.0f}" cy="{340 - 300 * true:.0f}" r="{3 + 30 * (size / count) ** 0.5:.1f}"/>'
        for said, true, size in bins)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 380" font-family="sans-serif" font-size="12">'
        '<rect width="360" height="380" fill="#fff"/><path d="M40 340H340M40 340V40M40 340L340 40" stroke="#888" fill="none"/>'
        f'<g fill="#06c" fill-opacity=".6">{dots}</g><text x="140" y="370">confidence</text>'
        '<text x="14" y="240" transform="rotate(-90 14 240)">share that is right</text></svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--truth", type=Path, required=True)
    parser.add_argument("--svg", type=Path)
    wanted = parser.parse_args()
    truth = json.loads(wanted.truth.read_text())
    seen = collections.defaultdict(list)
    for book in sorted({str(Path(path).parent) for path in truth}):
        for page in pages(wanted.jisui.resolve(), wanted.corpus / book):
            known = truth.get(f"{book}/{Path(page['source']).name}")
            if known and known["keep"] and not known.get("partial"):
                seen[round(page["confidence"], 2)].append(is_right(page["crop"], known))
    bins = [(said, sum(right) / len(right), len(right)) for said, right in sorted(seen.items())]
    print("| said | right | pages |\n|--:|--:|--:|")
    for said, right, count in bins:
        print(f"| {said:.2f} | {right:.2f} | {count} |")
    if wanted.svg:
        wanted.svg.write_text(diagram(bins, sum(count for _, _, count in bins)))


if __name__ == "__main__":
    main()
