"""Coming and going: books that load slowly or not at first, the shelf as it was left, texts that come at the second try."""

from checks import equal, near, test, test_of
from .text import PAGE, LATIN, typed


def shelf(reader, books):
    reader.open(books.shelf("returning", [f"Volume {number}" for number in range(1, 10)]), size=(500, 500), touch=False)
    return reader.run("return shelf.books.map(({id}) => id)")


def title(reader):
    reader.frames(3)
    return reader.run("return book?.title ?? (document.getElementById('shelf').hidden ? 'nothing' : 'the shelf')")


@test
def a_book_that_comes_late_opens_only_where_it_is_wanted(reader, books):
    first, second, *_ = shelf(reader, books)
    reader.run(
        "const real = load; window.slow = [];"
        "load = address => address.endsWith('book.js') ? new Promise(done => slow.push(done)).then(() => real(address)) : real(address)")
    for address in (f"#b={first}", ""):
        reader.run("location.hash = arguments[0]", address)
        reader.frames(3)
    reader.run("slow.shift()()")
    equal(title(reader), "the shelf")
    reader.run("loaded.clear()")
    for address in (f"#b={first}", f"#b={second}"):
        reader.run("location.hash = arguments[0]", address)
        reader.frames(3)
    reader.run("slow.pop()()")
    reader.await_that("book", "the second book")
    reader.run("slow.pop()()")
    equal(title(reader), "Volume 2")


@test
def a_book_that_failed_is_opened_by_its_link_again(reader, books):
    shelf(reader, books)
    reader.run("const real = load; load = () => { load = real; return Promise.reject(new Error('503')); }")
    reader.click("#books a")
    reader.await_that("!toast.hidden", "a word about the book")
    equal((reader.state()["toast"], title(reader)), ('"Volume 1" cannot be opened.', "the shelf"))
    reader.click("#books a")
    reader.await_that("book", "the book")
    equal(title(reader), "Volume 1")


@test
def the_shelf_is_as_it_was_left(reader, books):
    ids = shelf(reader, books)
    reader.run("document.querySelectorAll('#books a')[2].focus({preventScroll: true}); scrollTo(0, 150)")
    # What is laid out late moves what is seen.
    reader.frames(20)
    place = "return [document.activeElement.getAttribute('href'), document.activeElement.getBoundingClientRect().top]"
    link, top = reader.run(place)
    equal((link, reader.run("return scrollY > 0")), (f"#b={ids[2]}", True))
    reader.run("document.activeElement.click()")
    reader.await_that("book", "the book")
    reader.press("Escape")
    reader.await_that("!book", "the shelf")
    reader.frames(20)
    # Another tab turns a page.
    for _ in range(2):
        again, there = reader.run(place)
        equal(again, link)
        near(there, top, 60, "where the book is, but for heights that are estimated")
        reader.run("dispatchEvent(new StorageEvent('storage', {key: `jisui:1:${arguments[0]}`, newValue: '{}'}))", ids[0])


@test_of(typed, size=(600, 880))
def text_that_failed_is_asked_for_again(reader):
    reader.await_text()
    reader.run("texts.clear(); const real = load; load = () => { load = real; return Promise.reject(new Error('503')); }")
    equal(reader.run("return linesOf(0).then(() => 'read', () => linesOf(0)).then(lines => lines.length)"), 3)


@test_of(typed, size=(600, 880), touch=False)
def a_picture_that_failed_says_so_once(reader):
    reader.press("w")
    count = reader.run(
        "const page = stripPages[0]; emptyPage(page); book.pages[0].address = 'pages/none.png';"
        "return fillPage(page).then(() => { emptyPage(page); return fillPage(page); }).then(() => page.box.querySelectorAll('p').length)")
    equal(count, 1)
    reader.browser.console()


@test
def a_link_below_is_brought_into_view_and_left_again(reader, books):
    low = books.typed("typed-low", [((300, 900), LATIN, [[1, 10000, 95000, 30000, 98000]]), (PAGE, [], [])], "--direction", "ltr")
    reader.open(low, size=(900, 600), touch=False, text=True)
    reader.run("choose('layout', 'single'); choose('fit', 'width')")
    reader.await_text()
    reader.run("document.querySelector('.view:not([inert]) .text a').focus()")
    reader.frames(3)
    _, top, _, bottom = reader.box(":focus")
    equal(0 <= top and bottom <= 600, True, f"the link is at {top} to {bottom}")
    reader.run("focusPages()")
    for _ in range(6):
        state = reader.press("Page_Up")
    equal((state["boxes"][0][1], state["pages"]), (0, [1]), "up to the page's top")


@test_of(typed, "#p=6", size=(600, 880), touch=False, text=True)
def keys_with_a_click_open_links_elsewhere(reader):
    reader.run("window.went = []; addEventListener('click', event => { went.push([event.ctrlKey, event.shiftKey]); event.preventDefault(); })")
    for keys in ("ctrlKey", "shiftKey"):
        reader.run("followLink(180, 484, {[arguments[0]]: true})", keys)
    equal(reader.run("return went"), [[True, False], [False, True]])


@test_of(typed, "#p=4", size=(600, 880), touch=False, text=True)
def everything_selected_is_the_page_that_is_seen(reader):
    reader.advance(500)
    reader.frames(10)
    reader.run("root.classList.add('selects'); getSelection().selectAllChildren(document.getElementById('stage'))")
    equal(reader.run("return selectedText()"), "sideways words")


@test_of(typed, size=(600, 880), touch=False, text=True)
def searching_back_from_the_end_finds_the_last(reader):
    reader.press("s")
    reader.run("const field = document.getElementById('words'); field.value = 'fox'; return search()")
    reader.press("Escape", "End")
    equal(reader.press(("Shift", "n"))["pages"], [1])
