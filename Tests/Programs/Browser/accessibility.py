#!/usr/bin/python3
"""Has axe-core look for what keeps people out of the reader: Tests/Programs/Browser/accessibility.py JISUI AXE

AXE is a file axe.min.js, or a folder in which one is looked for, such as that of a Python with axe-playwright-python, which brings
it along. Looks at the book, its dialogs, the shelf and a search, in dark and light, as a phone and as a desktop; prints what is wrong
and exits with 1 when anything is.
"""

import json
import pathlib
import sys
import tempfile

from reader import Books, Reader, open_browser
from tests.shelves import TITLES
from tests.text import PAGES, find

RUN = """
return axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations.map(({id, impact, help, nodes}) =>
  ({id, impact, help, nodes: nodes.slice(0, 3).map(({html, failureSummary}) => [html.slice(0, 160), failureSummary])})));
"""


def looks(reader, books):
    """Every place to look at, by name, once it is open."""
    book = books.typed("typed", PAGES, "--direction", "rtl", "--title", "A book with text")
    reader.open(book, "#p=2")
    yield "a page with text"
    reader.press("b", "c", "Enter")
    for key, name in [("g", "contents"), ("t", "thumbnails"), ("k", "marks and clips"), ("v", "view"), ("p", "printing"), ("h", "help")]:
        reader.press(key)
        yield name
        reader.press("Escape")
    reader.press("s")
    find(reader, "o")
    yield "search"
    reader.press("Escape", "n")
    yield "a page with marks"
    reader.press("Escape", "End")
    yield "a page with links"
    reader.press("c")
    yield "cutting a clip"
    reader.press("Escape", "l")
    yield "the loupe"
    reader.press("Escape", "w")
    yield "a webtoon"
    reader.open(books.shelf("shelf", TITLES), touch=False)
    yield "the shelf"
    reader.fill("#shelf-search", "no such book")
    yield "an empty shelf"


def main(jisui, axe):
    axe = pathlib.Path(axe)
    script = (max(axe.rglob("axe.min.js"), key=lambda path: path.stat().st_size) if axe.is_dir() else axe).read_text()
    faults = looked = 0
    with tempfile.TemporaryDirectory() as folder, open_browser("chromium") as browser:
        reader, books = Reader(browser, folder, None), Books(jisui, folder)
        for scheme in ["light", "dark"]:
            browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for place in looks(reader, books):
                for size in [(390, 760), (1100, 760)]:
                    reader.resize(*size)
                    reader.settled()
                    if not browser.run("return Boolean(window.axe)"):
                        # As developer tools do: the page's policy lets no script of others in.
                        browser.devtools("Runtime.evaluate", expression=script + "; undefined")
                    # Its timers stand still else, as all of the page's do.
                    violations = browser.run(TICKING + RUN)
                    looked += 1
                    for fault in violations:
                        faults += 1
                        print(f"{place}, {scheme}, {size[0]} px wide: {json.dumps(fault, ensure_ascii=False)}")
    print(f"{looked} looks, {faults} faults")
    return 1 if faults else 0


# The tests' clock runs while axe works.
TICKING = "const ticking = setInterval(() => advance(1), 1); addEventListener('pagehide', () => clearInterval(ticking));\n"

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
