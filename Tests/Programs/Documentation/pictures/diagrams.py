"""Drawings of what options do: facing pages, the zones of the web reader, and the way from inputs to outputs."""

from svg import ACCENT, INK, LINE, PALE, PAPER, SOFT, Drawing

PAGE = (46, 64)


def page(drawing, x, y, number="", width=PAGE[0], art=None):
    """A page with lines of text and its number, or with a part of an artwork: the left or the right one, or all of it."""
    height = PAGE[1]
    drawing.rect(x, y, width, height)
    if art is not None:
        # One hill that two pages share: a page shows its part of it.
        start = {"left": x, "right": x - PAGE[0], "all": x}[art]
        left, right = max(start + 14, x), min(start + 2 * PAGE[0] - 14, x + width)
        drawing.add(
            f'<svg x="{left:g}" y="{y:g}" width="{right - left:g}" height="{height}" viewBox="{left - start:g} 0 {right - left:g} '
            f'{height}"><ellipse cx="{PAGE[0]}" cy="56" rx="{PAGE[0] - 14}" ry="40" fill="{ACCENT}" fill-opacity=".55"/></svg>')
    else:
        for column in range(2 if width > PAGE[0] else 1):
            for line in range(6):
                start = x + 8 + column * width / 2
                length = PAGE[0] - 16 if line < 5 else PAGE[0] - 28
                drawing.add(f'<path d="M{start:g} {y + 10 + 7 * line:g}h{length:g}" stroke="{LINE}" stroke-width="2"/>')
    if number:
        drawing.text(x + width / 2, y + height - 5, number, 11, INK, "middle")


def fold(drawing, x, y):
    drawing.add(f'<path d="M{x:g} {y - 5:g}v{PAGE[1] + 10:g}" stroke="{ACCENT}" stroke-width="1.5" stroke-dasharray="4 3"/>')


def spreads():
    drawing = Drawing(800, 330, "What --spreads pair, merge, split, join-art and rotate make of pages")
    width, height = PAGE

    def cell(column, row, name, note):
        x, y = 24 + 396 * column, 22 + 104 * row
        drawing.text(x, y + 20, name, 15, weight="bold", more='font-family="monospace"')
        for number, line in enumerate(note):
            drawing.text(x, y + 40 + 16 * number, line, 12, SOFT)
        return x + 112, y

    x, y = cell(0, 0, "pair", ["shown", "side by side"])
    page(drawing, x, y, "2"), page(drawing, x + 54, y, "3")
    drawing.arrow(x + 112, y + 32, 28)
    page(drawing, x + 150, y, "2"), page(drawing, x + 150 + width, y, "3")

    x, y = cell(1, 0, "merge", ["two images", "become one"])
    page(drawing, x, y, "2"), page(drawing, x + 54, y, "3")
    drawing.arrow(x + 112, y + 32, 28)
    page(drawing, x + 150, y, "2–3", 2 * width)

    x, y = cell(0, 1, "split", ["cut at", "the fold"])
    page(drawing, x, y, "2–3", 2 * width)
    fold(drawing, x + width, y)
    drawing.arrow(x + 112, y + 32, 28)
    page(drawing, x + 150, y, "2"), page(drawing, x + 204, y, "3")

    x, y = cell(1, 1, "join-art", ["only where", "art continues"])
    page(drawing, x, y, art="left"), page(drawing, x + 54, y, art="right")
    drawing.arrow(x + 112, y + 32, 28)
    page(drawing, x + 150, y, width=2 * width, art="all")

    x, y = cell(0, 2, "rotate", ["wide pages", "turned"])
    page(drawing, x, y, "2–3", 2 * width)
    drawing.arrow(x + 112, y + 32, 28)
    drawing.add(f'<g transform="translate({x + 150 + height:g} {y - 12:g}) rotate(90)">')
    page(drawing, 0, 0, "2–3", 2 * width)
    drawing.add("</g>")

    x, y = cell(1, 2, "split", ["right to left:", "right half first"])
    page(drawing, x, y, "3–2", 2 * width)
    fold(drawing, x + width, y)
    drawing.arrow(x + 112, y + 32, 28)
    page(drawing, x + 150, y, "2"), page(drawing, x + 204, y, "3")
    return str(drawing)


def phone(drawing, x, y, title, sides):
    """A screen with three zones."""
    width, height = 168, 268
    drawing.text(x + width / 2, y - 12, title, 14, INK, "middle", "bold")
    drawing.rect(x, y, width, height, "#30363d", "#30363d", 18)
    left, top, screen, tall = x + 9, y + 14, width - 18, height - 28
    drawing.rect(left, top, screen, tall, PAPER, "none", 4)
    third = screen / 3
    for place, (fill, words) in enumerate(zip((PALE, PAPER, PALE), (sides[0], ["toolbar"], sides[1]))):
        drawing.rect(left + place * third, top, third, tall, fill, "none", 0)
        first = top + tall / 2 - 9 * (len(words) - 1)
        for number, word in enumerate(words):
            drawing.text(left + (place + .5) * third, first + 20 * number, word, 24 if len(word) == 1 else 12, INK, "middle")
    for place in (1, 2):
        drawing.add(f'<path d="M{left + place * third:g} {top:g}v{tall:g}" stroke="{ACCENT}" stroke-dasharray="4 4"/>')


def taps():
    drawing = Drawing(620, 350, "Where to tap in the web reader")
    phone(drawing, 34, 54, "left to right", (["‹", "back"], ["next", "›"]))
    phone(drawing, 226, 54, "right to left (manga)", (["‹", "next"], ["back", "›"]))
    notes = [
        ("tap a side", "turn the page"), ("swipe", "turn the page"), ("tap the middle", "show or hide the toolbar"),
        ("double tap there", "zoom"), ("hold a finger", "magnifier"),
    ]
    for number, (what, effect) in enumerate(notes):
        drawing.text(424, 92 + 46 * number, what, 14, INK, weight="bold")
        drawing.text(424, 110 + 46 * number, effect, 13, SOFT)
    return str(drawing)


MAP = {
    "Inputs": ["PDF", "EPUB of images", "CBZ, CBR, CB7, CBT", "zip, RAR, 7z, tar", "TIFF", "images, folders", "DjVu (plug-in)"],
    "Changes, if you ask": [
        "crop, trim, rotate", "deskew, flatten", "spreads: merge, split", "fit, gray, levels", "OCR", "metadata",
    ],
    "Outputs": ["CBZ, CB7, CBT", "PDF", "EPUB, KEPUB", "numbered images", "webtoon strip, tiles", "web reader, shelf with OPDS"],
}


def overview():
    drawing = Drawing(790, 300, "jisui reads inputs, makes the changes that you ask for, and writes outputs")
    columns = [24, 276, 528]
    for number, ((title, items), x) in enumerate(zip(MAP.items(), columns)):
        width = 238 if number == 2 else 196
        drawing.rect(x, 22, width, 228, PAPER, LINE, 8)
        drawing.text(x + 16, 50, title, 15, ACCENT, weight="bold")
        for place, item in enumerate(items):
            drawing.text(x + 16, 78 + 25 * place, item, 14)
    drawing.arrow(226, 136, 44, ACCENT)
    drawing.arrow(478, 136, 44, ACCENT)
    drawing.add(f'<path d="M122 250v22H646v-20M640 260L646 251L652 260" fill="none" stroke="{SOFT}" stroke-width="2"/>')
    drawing.rect(246, 260, 290, 24, "#f6f4ee", "none", 4)
    drawing.text(391, 277, "without changes: the source’s own image data", 12, SOFT, "middle")
    return str(drawing)
