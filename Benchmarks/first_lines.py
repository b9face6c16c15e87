"""Compares the rules that find running heads and page numbers with a table that is learned from the same facts.

    first_lines.py --jisui BIN --corpus DIR [--corpus DIR …]

BIN must print the facts about first lines: build it with `-Xswiftc -DJISUI_FIRST_LINES`. DIR is as for `reliability.py`. Of each
possible head and number next to the text, the facts are those that the rules use, as yes or no. An item is a head or a number if
people marked it as one, and text if they marked it as text only; others are left out. The table is a logistic regression, learned
on all books but one, and applied to that one. It takes no library.
"""

import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path

PREFIX = "FIRST_LINES "
# The share of an item that a mark must cover to be its meaning: marks are often narrower than the item.
COVER = 0.15
# The weight that keeps the coefficients small, and the number of Newton's steps: more change nothing.
RIDGE, STEPS = 1.0, 12


def overlap(rect, boxes):
    """The largest share of a rectangle [x, y, w, h] that one of some boxes covers."""
    x, y, width, height = rect
    shares = [
        max(0, min(x + width, box[2]) - max(x, box[0])) * max(0, min(y + height, box[3]) - max(y, box[1])) for box in boxes]
    return max(shares, default=0) / (width * height)


def items(jisui, corpora):
    """Every item that people marked: its book, kind and facts, the decision of the rules, and whether it is a head or a number."""
    for corpus in corpora:
        truth = json.loads((corpus / "truth.json").read_text())
        for book in sorted({str(Path(path).parent) for path in truth}):
            with tempfile.TemporaryDirectory() as folder:
                report = Path(folder, "report.json")
                command = [jisui, corpus / book, "-o", "x.cbz", "-n", "-q", "--trim", "page", "--report", report]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                pages = json.loads(report.read_text())["pages"]
            for line in done.stdout.splitlines():
                if not line.startswith(PREFIX):
                    continue
                item = json.loads(line.removeprefix(PREFIX))
                known = truth.get(f"{book}/{Path(pages[item['page']]['source']).name}")
                if not known:
                    continue
                is_furniture = overlap(item["rect"], known["number"] + known["head"]) >= COVER
                if is_furniture or overlap(item["rect"], known["keep"]) >= COVER:
                    yield {
                        "book": f"{corpus.name}/{book}", "kind": "numbers" if item["isNumberLike"] else "heads",
                        "facts": item["facts"] + [1], "rules": item["isFound"], "is": is_furniture}


def solve(matrix, vector):
    """The solution of a system of linear equations, by elimination."""
    rows = [row + [value] for row, value in zip(matrix, vector)]
    for place in range(len(rows)):
        best = max(range(place, len(rows)), key=lambda row: abs(rows[row][place]))
        rows[place], rows[best] = rows[best], rows[place]
        for row in range(len(rows)):
            if row != place and rows[row][place]:
                factor = rows[row][place] / rows[place][place]
                rows[row] = [one - factor * other for one, other in zip(rows[row], rows[place])]
    return [row[-1] / row[place] for place, row in enumerate(rows)]


def probability(table, facts):
    return 1 / (1 + math.exp(-sum(weight * fact for weight, fact in zip(table, facts))))


def learn(known):
    """The weights of a logistic regression."""
    size = len(known[0]["facts"])
    table = [0.0] * size
    for _ in range(STEPS):
        slope = [RIDGE * weight for weight in table]
        curve = [[RIDGE if row == column else 0.0 for column in range(size)] for row in range(size)]
        for item in known:
            found = probability(table, item["facts"])
            used = [place for place, fact in enumerate(item["facts"]) if fact]
            for row in used:
                slope[row] += found - item["is"]
                for column in used:
                    curve[row][column] += found * (1 - found)
        table = [weight - step for weight, step in zip(table, solve(curve, slope))]
    return table


def leave_one_out(known):
    """For each item the probability from a table learned on the other books."""
    for book in sorted({item["book"] for item in known}):
        table = learn([item for item in known if item["book"] != book])
        for item in known:
            if item["book"] == book:
                yield probability(table, item["facts"]), item


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, action="append", required=True)
    wanted = parser.parse_args()
    known = list(items(wanted.jisui.resolve(), wanted.corpus))
    print("| Items | Decided by | Found | Text removed |\n|---|---|--:|--:|")
    for kind in ("heads", "numbers"):
        some = [item for item in known if item["kind"] == kind]
        count = sum(item["is"] for item in some)
        found = [item for item in some if item["rules"]]
        print(f"| {kind} | rules | {sum(item['is'] for item in found)} of {count} | {sum(not item['is'] for item in found)} |")
        learned = list(leave_one_out(some))
        for threshold in (0.5, 0.8, 0.9, 0.95):
            found = [item for value, item in learned if value >= threshold]
            right = sum(item["is"] for item in found)
            print(f"| {kind} | table, above {threshold} | {right} of {count} | {len(found) - right} |")


if __name__ == "__main__":
    main()
