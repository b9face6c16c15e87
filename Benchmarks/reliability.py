"""Shows how far the confidence of `--trim` can be trusted, on pages whose print is known.

    reliability.py --jisui BIN --corpus DIR [--corpus DIR …] [--svg FILE] [--save FILE]

DIR holds a folder of pictures for each book, and truth.json: what people marked on them. It has, by path from DIR, the page's
width `w` and height `h`, and boxes [x0, y0, x1, y1) of `keep`, `number`, `head` and `stamp`. A box is right when nothing of keep,
number and head lies outside by more than 0.3 % of the page's height or 4 pixels, and its area is at most 1.25 of the box around all
of them.

The first table has the pages by the doubt that jisui reports. The second has them by the confidence that jisui states. The third
leaves books out one at a time: the confidence of a doubt is its frequency on the other books, with one right and one wrong page
added to each doubt, so that a doubt that other books do not have gets one half. --svg draws the second and the third.
"""

import argparse
import collections
import json
import subprocess
from pathlib import Path

# The bounds of the groups of the third table: its frequencies differ a little from book to book.
BINS = [0, 0.5, 0.7, 0.9, 0.97, 1.01]


def around(boxes):
    return [min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)]


def area(box):
    return (box[2] - box[0]) * (box[3] - box[1])


def judge(crop, truth):
    """Whether a crop [x, y, w, h], or None for the whole page, cuts print, and whether it is too large."""
    x, y, width, height = crop or (0, 0, truth["w"], truth["h"])
    box = [x, y, x + width, y + height]
    print_boxes = truth["keep"] + truth["number"] + truth["head"]
    slack = max(4, 0.003 * truth["h"])
    true = around(print_boxes)
    is_cut = any(box[i] > true[i] + slack for i in (0, 1)) or any(box[i] < true[i] - slack for i in (2, 3))
    return is_cut, area(box) > 1.25 * area(around(print_boxes + truth.get("stamp", [])))


def report(jisui, folder, *options):
    command = [jisui, folder, "-o", "x.cbz", "-n", "-q", "--trim", "page", "--trim-margin", "0", "--report", "-", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["pages"]


def measure(jisui, corpora):
    """Every page that can be judged: its book, doubt and stated confidence, whether it is cut, and whether it is too large."""
    pages = []
    for corpus in corpora:
        truth = json.loads((corpus / "truth.json").read_text())
        for book in sorted({str(Path(path).parent) for path in truth}):
            for page in report(jisui, corpus / book):
                known = truth.get(f"{book}/{Path(page['source']).name}")
                if known and known["keep"] and not known.get("partial"):
                    is_cut, is_large = judge(page["crop"], known)
                    # Boxes with a low confidence are not applied, and the page is stated as probably right.
                    pages.append({
                        "book": f"{corpus.name}/{book}", "doubt": page.get("doubt") or "none", "said": page["confidence"],
                        "cut": is_cut, "large": is_large, "right": not is_cut and not is_large})
    return pages


def leave_one_out(pages):
    """The confidence of each page from the pages of the other books with the same doubt."""
    total, right = collections.Counter(), collections.Counter()
    for page in pages:
        for key in (page["doubt"], (page["doubt"], page["book"])):
            total[key] += 1
            right[key] += page["right"]
    for page in pages:
        one, own = page["doubt"], (page["doubt"], page["book"])
        yield (right[one] - right[own] + 1) / (total[one] - total[own] + 2), page


def table(rows, title):
    print(f"| {title} | Mean confidence | Right | Cut | Too large | Pages |\n|---|--:|--:|--:|--:|--:|")
    bins = []
    for name, group in rows:
        said = sum(confidence for confidence, _ in group) / len(group)
        right, cut, large = (sum(page[key] for _, page in group) for key in ("right", "cut", "large"))
        print(f"| {name} | {said:.2f} | {right / len(group):.2f} | {cut} | {large} | {len(group)} |")
        bins.append((said, right / len(group), len(group)))
    print()
    return bins


def grouped(pairs, key):
    groups = collections.defaultdict(list)
    for confidence, page in pairs:
        groups[key(confidence, page)].append((confidence, page))
    return sorted(groups.items())


def bin_of(confidence):
    low, high = next((low, high) for low, high in zip(BINS, BINS[1:]) if confidence < high)
    return f"{low:.2f} to {min(1, high):.2f}"


def circles(bins, count, color):
    dots = "".join(
        f'<circle cx="{40 + 300 * said:.0f}" cy="{340 - 300 * true:.0f}" r="{3 + 30 * (size / count) ** 0.5:.1f}"/>'
        for said, true, size in bins)
    return f'<g fill="{color}" fill-opacity=".6">{dots}</g>'


def diagram(stated, left_out, count):
    """An SVG of the confidence (across) and the share that is right (up). Circles have the area of their pages."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 380" font-family="sans-serif" font-size="12">'
        '<rect width="360" height="380" fill="#fff"/><path d="M40 340H340M40 340V40M40 340L340 40" stroke="#888" fill="none"/>'
        f'{circles(stated, count, "#06c")}{circles(left_out, count, "#d60")}<text x="140" y="370">confidence</text>'
        '<text x="50" y="20" fill="#06c">stated</text><text x="110" y="20" fill="#d60">from the other books</text>'
        '<text x="14" y="240" transform="rotate(-90 14 240)">share that is right</text></svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, action="append", required=True)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--save", type=Path, help="keep the pages as JSON")
    wanted = parser.parse_args()
    pages = measure(wanted.jisui.resolve(), wanted.corpus)
    if wanted.save:
        wanted.save.write_text(json.dumps(pages, indent=1))
    said = [(page["said"], page) for page in pages]
    left_out = list(leave_one_out(pages))
    table(grouped(said, lambda _, page: page["doubt"]), "Doubt")
    stated = table(grouped(said, lambda confidence, _: f"{confidence:.2f}"), "Stated")
    others = table(grouped(left_out, lambda confidence, _: bin_of(confidence)), "From the other books")
    if wanted.svg:
        wanted.svg.write_text(diagram(stated, others, len(pages)))


if __name__ == "__main__":
    main()
