"""Shelves: many books, one reader."""

import shutil

from checks import PAGE, equal, everywhere, test
from reader import server
from .opening import HOSTILE


TITLES = ["Zebra", "Book 10", "Book 2", HOSTILE, "カタカナの本", "كتاب", "A title that is long " * 12]


def shown_titles(reader):
    return reader.browser.run("return [...document.querySelectorAll('#books b')].map(title => title.textContent)")


@everywhere
@test
def a_shelf_shows_sorts_and_searches_its_books(reader, books):
    reader.open(books.shelf("shelf", TITLES), touch=False)
    titles = shown_titles(reader)
    equal(sorted(titles), sorted(title.strip() for title in TITLES))
    equal(titles.index("Book 2") < titles.index("Book 10") < titles.index("Zebra"), True, "numbers by their value")
    equal(reader.browser.run("return document.querySelectorAll('#books b *:not(bdi)').length"), 0)
    search = "const field = document.getElementById('shelf-search'); field.value = arguments[0]; field.dispatchEvent(new Event('input'))"
    for typed, found in [("ｂｏｏｋ", ["Book 2", "Book 10"]), ("かたかな", ["カタカナの本"]), ("nothing", [])]:
        reader.browser.run(search, typed)
        equal(shown_titles(reader), found)
    equal(reader.browser.run("return document.getElementById('no-books').hidden"), False)
    covers = reader.browser.run(
        f"{search.replace('arguments[0]', repr(''))}; return Promise.all([...document.querySelectorAll('.cover img')].map(image => {{"
        "image.loading = 'eager'; return image.decode().then(() => image.naturalWidth); }))")
    equal(covers, [150] * len(TITLES))
    equal(reader.browser.console(), [])


@everywhere
@test
def the_whole_way_by_keyboard(reader, books):
    reader.open(books.shelf("shelf", TITLES), touch=False)
    focused = ("const element = document.activeElement, style = getComputedStyle(element);"
               "return [element.matches(':focus-visible') && style.outlineStyle !== 'none', element.textContent];")
    for _ in range(12):
        reader.browser.press("Tab")
        visible, text = reader.browser.run(focused)
        equal(visible, True, f"the focus on {text!r} is seen")
        if text.startswith("Book 2"):
            break
    reader.browser.press("Enter")
    for _ in range(100):
        reader.frames()
        if reader.state()["pages"]:
            break
    equal(reader.settled()["pages"], [1])
    equal(reader.browser.run("return document.title"), "Book 2")
    reader.press("Right")
    reader.press("c", "Enter", "k")
    equal(reader.browser.run("return document.querySelectorAll('#clips li').length"), 1)
    for _ in range(8):
        reader.browser.press("Tab")
        if reader.browser.run("return document.activeElement.ariaLabel") == "Go to page 2":
            break
    reader.press("Enter")
    equal(reader.state()["pages"], [2, 3])
    reader.press("Escape")
    for _ in range(20):
        reader.frames()
    equal(len(shown_titles(reader)), len(TITLES), "Esc leads back to the shelf")
    marked = reader.browser.run(
        "return [...document.querySelectorAll('#books li')].filter(item => item.querySelector('progress')).map(item => item.querySelector('small:last-child').textContent)")
    equal(marked, ["2 of 6"])
    reader.browser.run("history.back()")
    for _ in range(20):
        reader.frames()
    equal(reader.settled()["pages"], [2, 3], "and back again to the page")
    equal(reader.browser.console(), [])


@test
def a_book_of_a_shelf_is_kept_for_reading_without_a_network(reader, books):
    folder = books.shelf("kept-shelf", ["Kept", "Left"])
    elsewhere = reader.address
    try:
        with server(books.folder) as (reader.address, _):
            reader.open(folder, touch=False)
            reader.browser.run("document.querySelector('#books a').click()")
            reader.await_that("document.querySelector('.page.ready')", "the book")
            reader.browser.run("window.confirm = () => true; document.querySelector('[data-do=offline]').click()")
            reader.await_that("document.getElementById('toast').textContent.startsWith('20 of 20 files')", "the files to be kept")
            reader.await_that("navigator.serviceWorker.controller", "somebody who gives what is kept")
        # The server is gone: the shelf is there, with the cover of the book that was kept.
        reader.browser.open(reader.url(folder))
        reader.await_that("document.querySelector('#books li')", "the shelf")
        equal(shown_titles(reader), ["Kept", "Left"])
        widths = reader.browser.run(
            "return Promise.all([...document.querySelectorAll('.cover img')].map(image => {"
            "image.loading = 'eager'; return image.decode().then(() => image.naturalWidth, () => 0); }))")
        equal(widths, [150, 0])
        reader.browser.run("document.querySelectorAll('#books a')[1].click()")
        reader.await_that("!document.getElementById('toast').hidden", "a word about the other book")
        equal(reader.state()["toast"], '"Left" cannot be opened.')
        reader.browser.run("document.querySelector('#books a').click()")
        reader.await_that("document.querySelector('.page.ready')", "the book")
        equal(reader.settled()["pages"], [1])
        equal(reader.press("End")["pages"], [4])
        reader.browser.console()
    finally:
        reader.address = elsewhere


@test
def a_shelf_is_added_to_and_replaced(reader, books):
    folder = books.shelf("growing", ["One", "Two"])
    pages = books.pages("third", [PAGE] * 3)
    books.run(pages, "-o", folder, "--to", "web", "--add", "-q", "--title", "Three")
    try:
        books.run(pages, "-o", folder, "--to", "web", "--add", "-q", "--title", "Three again")
        raise AssertionError("a book was added twice")
    except AssertionError as error:
        equal("the shelf holds this book already, as 'Three'; use --force to replace it" in str(error), True, str(error))
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


@everywhere
@test
def a_shelf_groups_series(reader, books):
    folder = books.shelf("series", SERIES)
    reader.open(folder, touch=False)
    ark = [["Ark 1", ""], ["The bow", "Ark 2"], ["The flood", "Ark 10"]]
    equal(reader.browser.run(CARDS), ["Ark", ark, "Other books", [["Moby Dick", ""], ["Alone", "Zoo 1"]]])
    sort = "const order = document.getElementById('shelf-sort'); order.value = arguments[0]; order.dispatchEvent(new Event('change'))"
    reader.browser.run(sort, "title")
    equal(shown_titles(reader), ["Alone", "Ark 1", "Moby Dick", "The bow", "The flood"])
    search = "const field = document.getElementById('shelf-search'); field.value = 'ark 1'; field.dispatchEvent(new Event('input'))"
    reader.browser.run(sort, "series")
    reader.browser.run(search)
    equal(reader.browser.run(CARDS)[0], "Ark")


def end_card(reader):
    return reader.browser.run(
        "const card = document.getElementById('end');"
        "return card.open && [card.querySelector('a')?.textContent ?? null, card.querySelector('.plain').textContent]")


@everywhere
@test
def the_end_of_a_volume_leads_on(reader, books):
    folder = books.shelf("series", SERIES)
    reader.open(folder, touch=False)
    reader.browser.run("[...document.querySelectorAll('#books a')].find(link => link.textContent.includes('The bow')).click()")
    reader.await_that("document.querySelector('.page.ready')", "the book")
    reader.press("End")
    equal(end_card(reader), False)
    reader.press("Right")
    equal(end_card(reader), ["Next volumeThe floodArk 10", "Back to the shelf"])
    equal(reader.press("Escape")["pages"][-1], 5, "the last page stays")
    reader.press("w")
    reader.press("End")
    reader.browser.run("strip.scrollTo({top: 1e6, behavior: 'instant'})")
    reader.frames(2)
    reader.press(" ")
    equal(end_card(reader)[0], "Next volumeThe floodArk 10", "a strip has an end too")
    reader.browser.run("document.querySelector('#end a').click()")
    reader.await_that("document.title === 'The flood' && document.querySelector('.page.ready')", "the next volume")
    equal(end_card(reader), False)
    reader.press("End", "Right")
    equal(end_card(reader), [None, "Back to the shelf"], "nothing follows the last volume")
    reader.browser.run("document.querySelector('#end .plain').click()")
    reader.await_that("!document.getElementById('shelf').hidden", "the shelf")
    equal(end_card(reader), False)


@everywhere
@test
def a_shelf_has_a_title(reader, books):
    folder = books.folder / "web" / "titled"
    pages = books.pages("titled", [PAGE] * 2)
    title = "Comics & <b>more</b>"
    books.run(pages, "-o", folder, "--to", "web", "--add", "-q", "--title", "One", "--shelf-title", title)
    reader.open(folder, touch=False)
    equal(reader.browser.run("return [document.title, document.getElementById('shelf-title').textContent]"), [title, title])
