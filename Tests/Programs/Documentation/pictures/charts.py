"""Bars of the figures in docs/performance.md and Benchmarks/README.md."""

import re
from fractions import Fraction

from svg import ACCENT, INK, LINE, SOFT, Drawing


def rows(page, head):
    """Returns the cells of the table that begins with a head, without bold type. A blank first cell is that of the row above."""
    found, isInside = [], False
    for line in page.read_text().split("\n"):
        if line.startswith(head):
            isInside = True
        elif isInside and line.startswith("|"):
            cells = [cell.strip().strip("*").replace("`", "").strip() for cell in line.strip("|").split("|")]
            if not set(cells[0]) <= set("-: ") or not cells[0]:
                found.append([cells[0] or found[-1][0]] + cells[1:])
        elif isInside:
            break
    return found


def short(text):
    return re.sub(r" (at|with|without|\(PNGs|, two).*", "", text.split(",")[0])


def ratio(cell):
    """Returns the time in a cell as a share of that of the other program; None without one."""
    found = re.match(r"(\d+/\d+|\d+\.\d+)(,|$)", cell)
    return Fraction(found[1]) if found else None


def performance(docs):
    """The time that jisui takes for a task, as a share of the time of another program: the worse of two computers."""
    figures = [
        (task, other, ratio(worse) or ratio(time))
        for task, other, time, worse in rows(docs / "performance.md", "| Task | Compared with")
        if re.match(r"\d", task) and (ratio(worse) or ratio(time))
    ]
    tasks = len({task for task, _, _ in figures})
    drawing = Drawing(760, 64 + 24 * len(figures) + 16 * tasks, "Time that jisui takes, compared with other programs")
    drawing.text(24, 32, "Time that jisui takes, if the other program takes 100 % (gray)", 15, weight="bold")
    start, y = 410, 26
    full = 270 / float(max(1, *(share for _, _, share in figures)))
    for number, (task, other, share) in enumerate(figures):
        isNew = number == 0 or figures[number - 1][0] != task
        y += 40 if isNew else 24
        if isNew:
            drawing.text(24, y + 2, task, 13)
        drawing.text(40, y + 17, f"compared with {short(other)}", 12, SOFT)
        drawing.rect(start, y + 3, full, 18, "#e6e2d6", "none", 2)
        drawing.rect(start, y + (3 if share < 1 else 7), full * float(share), 18 if share < 1 else 10, ACCENT, "none", 2)
        drawing.text(start + full * max(1, float(share)) + 8, y + 17, f"{float(100 * share):.0f} %", 13)
    return str(drawing)


def accuracy(docs):
    """The shares of pages that were cut or whose box is too large."""
    wanted = {"jisui --trim page": "jisui", "ScanTailor Advanced": "ScanTailor", "no cropping": "no cropping"}
    groups = {}
    for books, tool, cut, _, large, _ in rows(docs.parent / "Benchmarks/README.md", "| Books | Tool"):
        if tool in wanted:
            groups.setdefault(books, []).append((wanted[tool], cut, large))
    drawing = Drawing(760, 40 + sum(50 + 30 * len(tools) for tools in groups.values()), "Crop boxes of real scans")
    y = 34
    for books, tools in groups.items():
        number, note = books.split(",", 1)
        drawing.text(24, y, f"{number} books,{note}", 14, weight="bold")
        for x, words in ((160, "print cut off"), (450, "box too large")):
            drawing.text(x, y + 20, words, 12, SOFT)
        y += 30
        for tool, cut, large in sorted(tools, key=lambda line: [*wanted.values()].index(line[0])):
            isOurs = tool == "jisui"
            drawing.text(24, y + 14, tool, 13, weight="bold" if isOurs else "normal")
            for x, text in ((160, cut), (450, large)):
                count, total = (int(number) for number in text.split(" of "))
                drawing.rect(x, y, 180, 18, "#e6e2d6", "none", 2)
                drawing.rect(x, y, 180 * count / total, 18, ACCENT if isOurs else LINE, "none", 2)
                drawing.text(x + 188, y + 14, f"{count} of {total}", 12, INK)
            y += 30
        y += 20
    return str(drawing)
