"""Shelves: many books, one reader."""

import shutil

from checks import PAGE, equal, in_chromium, test
from .opening import HOSTILE


TITLES = ["Zebra", "Book 10", "Book 2", HOSTILE, "カタカナの本", "كتاب", "A title that is long " * 12]


# The widths of covers, or 0 for one that is not there.
COVERS = """
return Promise.all([...document.querySelectorAll('.cover img')].map(image => {
  image.loading = 'eager';
  return image.decode().then(() => image.naturalWidth, () => 0);
}));
"""


def shown_titles(reader):
    return reader.texts("#books b")


@test
def a_shelf_shows_sorts_and_searches_its_books(reader, books):
    reader.open(books.shelf("shelf", TITLES), touch=False)
    titles = shown_titles(reader)
    equal(sorted(titles), sorted(title.strip() for title in TITLES))
    equal(titles.index("Book 2") < titles.index("Book 10") < titles.index("Zebra"), True, "numbers by their value")
    equal(reader.run("return document.querySelectorAll('#books b *:not(bdi)').length"), 0)
    for typed, found in [("ｂｏｏｋ", ["Book 2", "Book 10"]), ("かたかな", ["カタカナの本"]), ("nothing", [])]:
        reader.fill("#shelf-search", typed)
        equal(shown_titles(reader), found)
    equal(reader.run("return document.getElementById('no-books').hidden"), False)
    reader.fill("#shelf-search", "")
    equal(reader.run(COVERS), [150] * len(TITLES))
    equal(reader.browser.console(), [])


@test
def the_whole_way_by_keyboard(reader, books):
    reader.open(books.shelf("shelf", TITLES), touch=False)
    focused = ("const element = document.activeElement, style = getComputedStyle(element);"
               "return [element.matches(':focus-visible') && style.outlineStyle !== 'none', element.textContent];")
    for _ in range(12):
        reader.browser.press("Tab")
        visible, text = reader.run(focused)
        equal(visible, True, f"the focus on {text!r} is seen")
        if text.startswith("Book 2"):
            break
    reader.browser.press("Enter")
    reader.await_that("document.querySelector('.page.ready')", "the book")
    equal(reader.settled()["pages"], [1])
    equal(reader.run("return document.title"), "Book 2")
    reader.press("Right")
    reader.press("c", "Enter", "k")
    equal(reader.run("return document.querySelectorAll('#clips li').length"), 1)
    reader.tab_to("Go to page 2")
    reader.press("Enter")
    equal(reader.state()["pages"], [2, 3])
    reader.press("Escape")
    reader.frames(20)
    equal(len(shown_titles(reader)), len(TITLES), "Esc leads back to the shelf")
    marked = reader.run(
        "return [...document.querySelectorAll('#books li')].filter(item => item.querySelector('progress')).map(item => item.querySelector('small:last-child').textContent)")
    equal(marked, ["2 of 6"])
    reader.run("history.back()")
    reader.frames(20)
    equal(reader.settled()["pages"], [2, 3], "and back again to the page")
    equal(reader.browser.console(), [])


@in_chromium
def a_book_of_a_shelf_is_kept_for_reading_without_a_network(reader, books):
    folder = books.shelf("kept-shelf", ["Kept", "Left"])
    with reader.served(books.folder) as stop:
        reader.open(folder, touch=False)
        reader.open_from_shelf("Kept")
        reader.run("window.confirm = () => true")
        reader.click("[data-do=offline]")
        reader.await_that("document.getElementById('toast').textContent.startsWith('20 of 20 files')", "the files to be kept")
        reader.await_that("navigator.serviceWorker.controller", "somebody who gives what is kept")
        # The shelf is there without the server, with the cover of the book that was kept.
        stop()
        reader.browser.open(reader.url(folder))
        reader.await_that("document.querySelector('#books li')", "the shelf")
        equal(shown_titles(reader), ["Kept", "Left"])
        equal(reader.run(COVERS), [150, 0])
        reader.click("#books a", 1)
        reader.await_that("!document.getElementById('toast').hidden", "a word about the other book")
        equal(reader.state()["toast"], '"Left" cannot be opened.')
        equal(reader.open_from_shelf("Kept")["pages"], [1])
        equal(reader.press("End")["pages"], [4])
        reader.browser.console()


@in_chromium
def a_shelf_is_added_to_and_replaced(reader, books):
    folder = books.shelf("growing", ["One", "Two"])
    pages = books.pages("third", [PAGE] * 3)
    books.run(pages, "-o", folder, "--to", "web", "--add", "-q", "--title", "Three")
    reader.open(folder)
    equal(shown_titles(reader), ["One", "Three", "Two"])
    slugs = sorted(path.name for path in (folder / "books").iterdir())
    books.run(pages, "-o", folder, "--to", "web", "--add", "--force", "-q", "--title", "Another name")
    reader.open(folder)
    equal(shown_titles(reader), ["Another name", "One", "Two"])
    equal(sorted(path.name for path in (folder / "books").iterdir()), slugs, "the address stays")
    # A book is taken away by deleting its folder: the next that is added leaves it out.
    shutil.rmtree(next(path for path in (folder / "books").iterdir() if path.name.startswith("one-")))
    books.run(pages, "-o", folder, "--to", "web", "--add", "--force", "-q", "--title", "Another name")
    reader.open(folder)
    equal(shown_titles(reader), ["Another name", "Two"])


SERIES = [
    ["--title", "The flood", "--series", "Ark", "--number", "10"], ["--title", "The bow", "--series", "Ark", "--number", "2"],
    ["--title", "Alone", "--series", "Zoo", "--number", "1"], ["--title", "Moby Dick"],
    ["--title", "Ark 1", "--series", "Ark", "--number", "1"],
]
CARDS = """
return [...document.querySelectorAll("#books > *")].map(element => element.matches("h2") ? element.textContent
  : [...element.querySelectorAll("a[href^='#b=']")].map(link => [link.querySelector("b").textContent, link.querySelector("small").textContent]));
"""


@test
def a_shelf_groups_series(reader, books):
    folder = books.shelf("series", SERIES)
    reader.open(folder, touch=False)
    ark = [["Ark 1", ""], ["The bow", "Ark 2"], ["The flood", "Ark 10"]]
    equal(reader.run(CARDS), ["Ark", ark, "Other books", [["Moby Dick", ""], ["Alone", "Zoo 1"]]])
    reader.fill("#shelf-sort", "title", "change")
    equal(shown_titles(reader), ["Alone", "Ark 1", "Moby Dick", "The bow", "The flood"])
    reader.fill("#shelf-sort", "series", "change")
    reader.fill("#shelf-search", "ark 1")
    equal(reader.run(CARDS)[0], "Ark")


def end_card(reader):
    return reader.run(
        "const card = document.getElementById('end');"
        "return card.open && [card.querySelector('a')?.textContent ?? null, card.querySelector('.plain').textContent]")


@test
def the_end_of_a_volume_leads_on(reader, books):
    folder = books.shelf("series", SERIES)
    reader.open(folder, touch=False)
    reader.open_from_shelf("The bow")
    reader.press("End")
    equal(end_card(reader), False)
    reader.press("Right")
    equal(end_card(reader), ["Next volumeThe floodArk 10", "Back to the shelf"])
    equal(reader.press("Escape")["pages"][-1], 5, "the last page stays")
    reader.press("w")
    reader.press("End")
    reader.run("strip.scrollTo({top: 1e6, behavior: 'instant'})")
    reader.frames(2)
    reader.press(" ")
    equal(end_card(reader)[0], "Next volumeThe floodArk 10", "a strip has an end too")
    reader.click("#end a")
    reader.await_that("document.title === 'The flood' && document.querySelector('.page.ready')", "the next volume")
    equal(end_card(reader), False)
    reader.press("End", "Right")
    equal(end_card(reader), [None, "Back to the shelf"], "nothing follows the last volume")
    reader.click("#end .plain")
    reader.await_that("!document.getElementById('shelf').hidden", "the shelf")
    equal(end_card(reader), False)


@test
def a_shelf_has_a_title(reader, books):
    folder = books.folder / "web" / "titled"
    pages = books.pages("titled", [PAGE] * 2)
    title = "Comics & <b>more</b>"
    books.run(pages, "-o", folder, "--to", "web", "--add", "-q", "--title", "One", "--shelf-title", title)
    reader.open(folder, touch=False)
    equal(reader.run("return [document.title, document.getElementById('shelf-title').textContent]"), [title, title])
