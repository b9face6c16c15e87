"""The language of the browser, and what is shown where there are fingers and no keyboard."""

from checks import equal, in_chromium, ltr, rtl, test_of
from .shelves import SERIES

# The reader's own texts that are seen or read aloud: not the letters on keys, and nothing of a book.
TEXTS = """
const texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("kbd, noscript, bdi, #count")) texts.push(walker.currentNode.data);
for (const name of ["aria-label", "title", "placeholder", "alt"]) {
  for (const element of document.body.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name).replace(/ \\([^)]*\\)$/, ""));
}
return texts.filter(text => /[A-Za-z]{2,}/.test(text.replace(/clips\\.json|Shift|Enter|Esc/g, "")));
"""


def speak(reader, languages):
    """Gives the documents that are opened from now on a browser with these languages."""
    agent = reader.run("return navigator.userAgent")
    reader.browser.devtools("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=languages)


@in_chromium
def the_reader_speaks_japanese(reader, books):
    folder = books.shelf("series", SERIES)
    try:
        speak(reader, "fr,ja-JP,en")
        reader.open(folder)
        equal(reader.run("return [document.documentElement.lang, document.title]"), ["ja", "本棚"])
        equal(reader.run(TEXTS), [])
        reader.click("#books a")
        reader.await_that("document.querySelector('.page.ready')", "the book")
        for action in ["bookmark", "contents", "pages", "marks", "view", "help", "print"]:
            reader.run("actions[arguments[0]]()", action)
            equal(reader.run(TEXTS), [], action)
        reader.press("Escape")
        reader.press("End", "Right")
        equal(reader.run(TEXTS), [], "the end card")
        equal(reader.browser.console(), [])
        speak(reader, "en-GB,ja")
        reader.open(folder)
        equal(reader.run("return [document.documentElement.lang, document.title]"), ["en", "Books"])
    finally:
        speak(reader, "en-US")


@in_chromium
def the_first_touch_shows_the_gestures_once(reader, books):
    is_open = "return document.getElementById('gestures').open"
    reader.open(rtl(books), isNew=True)
    equal(reader.tap(100, 300)["pages"], [1], "it turns nothing")
    equal(reader.run(is_open), True)
    zones = "return [...document.querySelectorAll('#gestures p')].map(zone => [zone.textContent, Math.round(zone.getBoundingClientRect().left / 10)])"
    equal(reader.run(zones), [["Back", 60], ["Menu", 30], ["Next", 0]])
    reader.tap(100, 300)
    equal(reader.run(is_open), False)
    reader.advance(400)
    equal(reader.tap(100, 300)["pages"], [3, 2])
    reader.open(ltr(books), keep=True)
    reader.tap(700, 300)
    equal(reader.run(is_open), False, "it is remembered")


@in_chromium
def phones_have_every_button_and_no_hints_of_keys(reader, books):
    reader.browser.fingers(True)
    try:
        reader.open(ltr(books), size=(390, 844), mobile=True)
        buttons = reader.run(
            "return [...document.querySelectorAll('#top button')].filter(button => button.offsetWidth).map(button => "
            "{const {left, right, width, height} = button.getBoundingClientRect();"
            " return [button.dataset.do, left >= 0 && right <= innerWidth && width >= 36 && height >= 44, button.title]})")
        equal([name for name, *_ in buttons], ["bookmark", "clip", "contents", "pages", "marks", "view", "help"])
        equal([name for name, fits, title in buttons if not fits or "(" in title], [])
        equal(reader.run("return document.documentElement.scrollWidth <= innerWidth"), True)
        # On a shelf there is one button more.
        reader.run("document.querySelector('[data-do=shelf]').hidden = false")
        bottoms = [reader.box(f"[data-do={name}]")[0] for name in ("shelf", "bookmark", "help")]
        equal(bottoms[0] < 20 and bottoms[1] < 20 and bottoms[2] > 300, True, f"{bottoms}")
        reader.run("actions.help()")
        equal(reader.run("return document.querySelector('dialog[open]').id"), "gestures")
        reader.run("document.querySelector('dialog[open]').close(); actions.clip()")
        hint = reader.run("return document.querySelector('#cut p').innerText")
        equal(hint, "Drag a rectangle over a part of the page. A tap ends this.")
    finally:
        reader.browser.devtools("Emulation.clearDeviceMetricsOverride")
        reader.browser.fingers(False)


@test_of(ltr, touch=False)
def a_desktop_has_hints_of_keys(reader):
    reader.press("h")
    equal(reader.run("return document.querySelector('dialog[open]').id"), "help")
    equal(reader.run("return document.querySelector('[data-do=bookmark]').title"), "Bookmark (B)")
