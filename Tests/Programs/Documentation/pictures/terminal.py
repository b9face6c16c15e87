"""The recording of a terminal: real commands and what they print, as an SVG whose lines appear one after the other."""

import html
import os
import re
import subprocess

from svg import Drawing

COMMANDS = [
    "jisui book.pdf -o book.cbz --verbose",
    "jisui scan.pdf -o trimmed.cbz --deskew --trim",
    "jisui book.cbz -o book.epub --epub-for kindle --direction ltr --fit 758x1024 --gray",
    "jisui info --check *.cbz book.epub",
]
GROUND, TEXT, PROMPT, TYPED, COLUMNS = "#1b1f24", "#d0d7de", "#7ee787", "#ffffff", 92
SIZE, STEP, WIDTH = 13, 19, 7.83


def wrapped(line):
    """Returns the lines of a terminal that wraps at spaces."""
    lines = []
    while len(line) > COLUMNS:
        place = line.rfind(" ", 1, COLUMNS) if " " in line[1:COLUMNS] else COLUMNS
        lines.append(line[:place])
        line = line[place:].lstrip()
    return lines + [line]


def recording(jisui, folder):
    """Runs the commands in a folder; returns the SVG."""
    lines = []
    environment = os.environ | {"PATH": f"{jisui.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "COLUMNS": str(COLUMNS)}
    at = 0.6
    for command in COMMANDS:
        done = subprocess.run(command, shell=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
        lines.append((at, command, True))
        at += 1.2
        for line in done.stdout.splitlines():
            for number, part in enumerate(wrapped(re.sub(r"\s+$", "", line))):
                lines.append((at, "    " * (number > 0) + part, False))
            at += .25
        at += 1.2
    drawing = Drawing(24 + int(WIDTH * (COLUMNS + 4)), 60 + STEP * len(lines), "jisui in a terminal", GROUND)
    drawing.add(
        "<style>.line{animation:show .01s both}@keyframes show{from{opacity:0}}"
        "@media (prefers-reduced-motion:reduce){.line{animation:none}}"
        "text{white-space:pre;font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace}</style>")
    for number, color in enumerate(("#ff5f56", "#ffbd2e", "#27c93f")):
        drawing.add(f'<circle cx="{22 + 18 * number}" cy="20" r="5.5" fill="{color}"/>')
    for number, (at, text, isCommand) in enumerate(lines):
        content = html.escape(text)
        if isCommand:
            content = f'<tspan fill="{PROMPT}">$ </tspan><tspan fill="{TYPED}">{content}</tspan>'
        drawing.add(
            f'<text class="line" style="animation-delay:{at:.2f}s" x="20" y="{56 + STEP * number}" font-size="{SIZE}" '
            f'fill="{TEXT}" xml:space="preserve">{content}</text>')
    return str(drawing)
