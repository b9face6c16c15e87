"""What the drawings of the documentation share: a card with a ground of its own, which is readable on light and dark pages."""

import html

INK, SOFT, LINE, PAPER, GROUND, ACCENT, PALE = "#24292f", "#59636e", "#8c959f", "#ffffff", "#f6f4ee", "#0969a8", "#cfe3f1"
FONT = "font-family=\"'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif\""


class Drawing:
    """An SVG that is written from top to bottom."""

    def __init__(self, width, height, title, ground=GROUND):
        self.width, self.height, self.title, self.ground = width, height, title, ground
        self.parts = []

    def add(self, *parts):
        self.parts += parts

    def rect(self, x, y, width, height, fill=PAPER, stroke=LINE, radius=2, more=""):
        self.add(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius}" fill="{fill}" stroke="{stroke}" {more}/>')

    def text(self, x, y, words, size=14, fill=INK, anchor="start", weight="normal", more=""):
        self.add(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" font-weight="{weight}" {more}>'
            f"{html.escape(words)}</text>")

    def arrow(self, x, y, length, color=SOFT):
        end = x + length
        self.add(
            f'<path d="M{x:g} {y:g}H{end - 2:g}M{end - 8:g} {y - 5:g}L{end:g} {y:g}L{end - 8:g} {y + 5:g}" fill="none" '
            f'stroke="{color}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>')

    def __str__(self):
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'height="{self.height}" role="img" {FONT}>', f"<title>{html.escape(self.title)}</title>",
            f'<rect x=".5" y=".5" width="{self.width - 1}" height="{self.height - 1}" rx="8" fill="{self.ground}" '
            'stroke="#d0cbbd"/>', *self.parts, "</svg>", ""])
