#!/usr/bin/env python3
"""Checks that the files and headings exist to which the pages of the documentation link: links.py

Headings have the anchors that GitHub gives them. Addresses of the web are not checked.
"""

import re
import sys
from pathlib import Path
from urllib.parse import unquote

REPOSITORY = Path(__file__).resolve().parents[3]
LINK = re.compile(r'\]\(([^)\s]+)\)|<img[^>]* src="([^"]+)"')


def prose(page):
    """The lines of a page outside of blocks of code, without code in lines."""
    isCode = False
    for number, line in enumerate(page.read_text().split("\n"), 1):
        if line.lstrip().startswith("```"):
            isCode = not isCode
        elif not isCode:
            yield number, line


def anchors(page):
    found = set()
    for _, line in prose(page):
        heading = re.match(r"#+ (.*)", line)
        if heading:
            text = re.sub(r"\]\([^)]*\)", "]", heading[1].strip())
            name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            count = sum(1 for other in found if re.fullmatch(re.escape(name) + r"(-\d+)?", other))
            found.add(f"{name}-{count}" if name in found else name)
        found |= set(re.findall(r'<a id="([^"]+)"', line))
    return found


def main():
    folders = [REPOSITORY, REPOSITORY / "Examples", REPOSITORY / "Benchmarks", *(REPOSITORY / "Examples").iterdir()]
    pages = [page for folder in folders if folder.is_dir() for page in sorted(folder.glob("*.md"))]
    pages += sorted((REPOSITORY / "docs").rglob("*.md"))
    known, faults = {}, 0
    for page in pages:
        # A link may go over the end of a line.
        lines = list(prose(page))
        for place, (number, line) in enumerate(lines):
            after = lines[place + 1][1] if place + 1 < len(lines) else ""
            whole = re.sub(r"`[^`]*`", "`", line)
            if whole.rfind("[") > whole.rfind("]"):
                whole += " " + re.sub(r"`[^`]*`", "`", after).split(")")[0] + ")"
            for match in LINK.finditer(whole):
                target = unquote(match[1] or match[2])
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                file = (page.parent / path).resolve() if path else page
                if not file.exists():
                    print(f"{page.relative_to(REPOSITORY)}:{number}: there is no {path}")
                    faults += 1
                elif anchor and file.suffix == ".md":
                    known.setdefault(file, anchors(file))
                    if anchor not in known[file]:
                        print(f"{page.relative_to(REPOSITORY)}:{number}: {path or 'this page'} has no heading #{anchor}")
                        faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
