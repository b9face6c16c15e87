"""Has axe-core look for what keeps people out of the reader: AXE=FOLDER python3 -m pytest accessibility.py

FOLDER has an axe.min.js, such as that of a Python with axe-playwright-python. Looks at the book, its dialogs, the shelf and a search,
in dark and light, as a phone and as a desktop.
"""

import os
import pathlib

import pytest

from tests.shelves import titles
from tests.text import find, rtl_texted


def press(*keys):
    return lambda reader: reader.press(*keys)


# Every place to look at, and the steps that lead to it from the one before.
PLACES = {
    "a page with text": lambda reader: reader.open(rtl_texted, "#p=2"),
    "contents": press("b", "c", "Enter", "g"), "thumbnails": press("Escape", "t"), "marks and clips": press("Escape", "k"),
    "view": press("Escape", "v"), "printing": press("Escape", "p"), "help": press("Escape", "h"),
    "search": lambda reader: reader.press("Escape", "s").then(find, "o"), "a page with marks": press("Escape", "n"),
    "a page with links": press("Escape", "End"), "cutting a clip": press("c"), "the loupe": press("Escape", "l"),
    "a webtoon": press("Escape", "w"), "the shelf": lambda reader: reader.open(titles, touch=False),
    "an empty shelf": lambda reader: reader.fill("#shelf-search", "no such book"),
}
# The tests' clock runs while axe works.
RUN = """
const ticking = setInterval(() => advance(1), 1);
addEventListener("pagehide", () => clearInterval(ticking));
return axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations.map(({id, impact, help, nodes}) =>
  ({id, impact, help, nodes: nodes.slice(0, 3).map(({html, failureSummary}) => [html.slice(0, 160), failureSummary])})));
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_people_out(scheme, reader):
    axe = max(pathlib.Path(os.environ["AXE"]).rglob("axe.min.js"), key=lambda path: path.stat().st_size).read_text()
    reader.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    faults = []
    for place, steps in PLACES.items():
        steps(reader)
        for width in (390, 1100):
            reader.resize(width, 760).settle()
            if not reader.run("return Boolean(window.axe)"):
                # As developer tools do: the policy of the page allows no foreign script.
                reader.browser.devtools("Runtime.evaluate", expression=axe + "; undefined")
            faults += [(place, width, fault) for fault in reader.run(RUN)]
    assert faults == []
