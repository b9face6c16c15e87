"""Text and links over pages: where they lie, selecting, searching, following."""

from checks import PAGE, equal, in_chromium_of, near_all, test, test_of

LATIN = [
    ["ltr", 0, [["The", 10000, 10000, 18000, 13000], ["quick", 20000, 10000, 34000, 13000], ["brown", 36000, 10000, 50000, 13000]]],
    ["ltr", 0, [["fox,", 10000, 15000, 19000, 18000], ["an", 21000, 15000, 26000, 18000], ["exam-", 28000, 15000, 42000, 18000]]],
    ["ltr", 0, [["ple,", 10000, 20000, 18000, 23000], ["jumps.", 20000, 20000, 36000, 23000]]],
]
VERTICAL = [
    ["vertical", 0, [["吾輩は猫で", 80000, 10000, 86000, 60000]]],
    ["vertical", 0, [["ある。カタカナ", 70000, 10000, 76000, 80000]]],
    # Letters that are as long down as across only in some fonts.
    ["vertical", 0, [["☀☁☂", 60000, 10000, 66000, 30000]]],
]
ARABIC = [["rtl", 0, [["كتاب", 60000, 10000, 80000, 14000], ["الصور", 40000, 10000, 57000, 14000]]]]
TURNED = [["ltr", 1, [["sideways", 50000, 20000, 56000, 50000], ["words", 50000, 55000, 56000, 75000]]]]
HOSTILE = [["ltr", 0, [["<img src=x onerror=alert(1)>", 10000, 10000, 90000, 15000]]]]
WEB = "https://example.org/?a=1&b=%22"
LINKS = [[1, 10000, 50000, 50000, 60000], [WEB, 10000, 70000, 50000, 80000], ["javascript:alert(1)", 10000, 85000, 50000, 90000]]
PAGES = [
    (PAGE, LATIN, []), (PAGE, VERTICAL, []), (PAGE, ARABIC, []), (PAGE, TURNED, []), (PAGE, HOSTILE, []), (PAGE, [], LINKS),
]
# The boxes of words, and of the page that they are on, in the window.
WORDS = """
const box = element => { const {left, top, right, bottom} = element.getBoundingClientRect(); return [left, top, right, bottom]; };
const page = [...document.querySelectorAll(".view:not([inert]) .page, #strip .page")].find(page => Number(page.dataset.page) === arguments[0]);
return [box(page), [...page.querySelectorAll(".line > span")].map(word => [word.textContent, ...box(word)])];
"""


def typed(books):
    return books.typed("typed", PAGES, "--direction", "ltr")


def check_words(reader, page, lines, within=(0, 0, 1, 1), what=""):
    """The words lie where their boxes are, in the part of the page that is shown."""
    (left, top, right, bottom), found = reader.run(WORDS, page)
    wanted = [word for _, _, words in lines for word in words]
    equal([word for word, *_ in found], [word for word, *_ in wanted], what)
    x, y, width, height = within
    for (word, *box), (_, *shares) in zip(found, wanted):
        places = [(share / 100000 - start) / length for share, start, length in zip(shares, (x, y, x, y), (width, height, width, height))]
        edges = [left + places[0] * (right - left), top + places[1] * (bottom - top),
                 left + places[2] * (right - left), top + places[3] * (bottom - top)]
        near_all(box, edges, 1.5, f"{what} the box of {word}:")


@test_of(typed, size=(600, 880), text=True)
def words_lie_over_their_places(reader):
    for page, lines in enumerate([LATIN, VERTICAL, ARABIC, TURNED, HOSTILE], 1):
        check_words(reader, page, lines, what=f"page {page}")
        reader.press("Right")
    equal(reader.run("return [document.images.length > 0, document.querySelectorAll('.text img, .text script').length]"), [True, 0])
    # Zoomed, beside each other, in a strip, and after the window has another size.
    reader.press("Home")
    reader.press("+", "+")
    check_words(reader, 1, LATIN, what="zoomed")
    reader.press("0")
    reader.resize(900, 600)
    reader.press("Right")
    reader.await_text()
    check_words(reader, 2, VERTICAL, what="in a spread")
    check_words(reader, 3, ARABIC, what="in a spread")
    reader.press("Home", "w")
    for size in [(900, 600), (500, 700)]:
        reader.resize(*size)
        reader.advance(100)
        reader.await_text()
        check_words(reader, 1, LATIN, what=f"in a strip of {size}")
    equal(reader.browser.console(), [])


@test
def text_follows_crops_and_turns(reader, books):
    cropped = books.typed("typed-cropped", PAGES, "--crop", "22,0,0,30")
    reader.open(cropped, size=(600, 880), text=True)
    check_words(reader, 1, LATIN, (30 / 300, 22 / 440, 270 / 300, 418 / 440), "cropped")
    turned = books.typed("typed-turned", PAGES, "--rotate", "90")
    reader.open(turned, size=(880, 600), text=True)
    sideways = [[way, 1, [[word, 100000 - bottom, left, 100000 - top, right] for word, left, top, right, bottom in words]]
                for way, _, words in LATIN]
    check_words(reader, 1, sideways, what="turned")


def selected(reader):
    return reader.run("return selectedText()")


def word_box(reader, page, word):
    (_, found) = reader.run(WORDS, page)
    return next(box for text, *box in found if text == word)


@test_of(typed, size=(600, 880), touch=False, text=True)
def a_drag_over_text_selects_it(reader):
    left, top, _, bottom = word_box(reader, 1, "quick")
    _, below, right, end = word_box(reader, 1, "exam-")
    # From between two words on.
    reader.browser.drag((left - 5, (top + bottom) / 2), right - left + 16, (below + end) / 2 - (top + bottom) / 2)
    equal(selected(reader), "quick brown\nfox, an exam-")
    copied = reader.run(
        "const data = new DataTransfer(), event = new ClipboardEvent('copy', {clipboardData: data, bubbles: true, cancelable: true});"
        "document.dispatchEvent(event); return [data.getData('text/plain'), event.defaultPrevented];")
    equal(copied, ["quick brown\nfox, an exam-", True])
    equal(reader.state()["pages"], [1], "nothing turned")
    # A click lets it go and does no more, the next turns.
    reader.browser.drag((550, 600), 0, 0)
    equal((selected(reader), reader.state()["pages"]), ("", [1]))
    reader.browser.drag((550, 600), 0, 0)
    equal(reader.settled()["pages"], [2])
    reader.await_text()
    # Down a vertical line and on into the next; between letters, from right to left.
    left, top, right, bottom = word_box(reader, 2, "吾輩は猫で")
    letter = (bottom - top) / 5
    next_left, next_top, next_right, next_bottom = word_box(reader, 2, "ある。カタカナ")
    reader.browser.drag(((left + right) / 2, top + 2.1 * letter), next_left - left, (next_bottom - next_top) * 3 / 7 + next_top - top - 2 * letter)
    equal(selected(reader), "は猫で\nある。")
    reader.press("Escape", "Right")
    reader.await_text()
    left, top, right, bottom = word_box(reader, 3, "كتاب")
    reader.browser.drag((right - 1, (top + bottom) / 2), left - right - 3, 0)
    equal(selected(reader).split(), ["كتاب"])
    # A drag that begins beside the text turns.
    reader.browser.drag((500, 700), 0, 0)
    reader.browser.drag((500, 700), -300, 0)
    equal(reader.settled()["pages"], [4])


@in_chromium_of(typed, size=(600, 880), text=True)
def a_finger_turns_over_text_unless_it_is_to_select(reader):
    left, top, right, bottom = word_box(reader, 1, "brown")
    middle = ((left + right) / 2, (top + bottom) / 2)
    reader.swipe(middle, -250)
    reader.lift()
    equal((reader.settled()["pages"], selected(reader)), ([2], ""))
    reader.press("Left")
    reader.await_text()
    # Until the page rests its words are elsewhere.
    reader.advance(500)
    reader.frames(3)
    equal(reader.run("return document.getElementById('touch-text').hidden"), False)
    reader.click("#touch-text input")
    reader.swipe(middle, -250)
    reader.lift()
    equal(reader.settled()["pages"], [1])
    select = reader.run("return getComputedStyle(document.querySelector('.line > span')).userSelect")
    equal(select, "text")


# The links of the page that is seen.
LINKS_SEEN = ".view:not([inert]) .text a"


@test_of(typed, "#p=6", size=(600, 880), touch=False, text=True)
def a_mouse_turns_from_a_link(reader):
    left, top, right, bottom = reader.box(LINKS_SEEN)
    # From so far inside that the link is still under the place of the press when the page has begun to move.
    reader.browser.drag(((left + right) / 2, (top + bottom) / 2), 250, 0)
    equal(reader.settled()["pages"], [5])


@test_of(typed, "#p=6", size=(600, 880), text=True)
def links_lead_to_pages_and_out(reader):
    links = reader.run(
        "return [...document.querySelectorAll(arguments[0])].map(link => [link.getAttribute('href'), link.target, link.rel, link.ariaLabel])", LINKS_SEEN)
    equal(links, [["#p=2", "", "", "To page 2"], [WEB, "_blank", "noopener noreferrer", WEB]])
    boxes = reader.boxes(LINKS_SEEN)
    left, top, right, bottom = reader.state()["boxes"][0]
    width, height = right - left, bottom - top
    near_all(boxes[0], [left + 0.1 * width, top + 0.5 * height, left + 0.5 * width, top + 0.6 * height], 1, "where a link lies")
    # A swipe that begins on a link turns, and leads nowhere.
    reader.swipe((boxes[0][0] + 20, boxes[0][1] + 20), 250)
    reader.lift()
    equal(reader.settled()["pages"], [5])
    reader.press("Right")
    reader.await_text()
    reader.advance(500)
    reader.tap(boxes[0][0] + 20, boxes[0][1] + 20)
    reader.frames(3)
    equal(reader.settled()["pages"], [2])
    reader.run("history.back()")
    reader.frames(10)
    equal(reader.settled()["pages"], [6], "back to where it led from")
    reader.await_text()
    # With the keyboard.
    reader.press("m")
    reader.tab_to("To page 2")
    reader.press("Enter")
    reader.frames(3)
    equal(reader.settled()["pages"], [2])
    # One that leads out is opened in another window, which knows nothing of this one.
    reader.press("End")
    reader.await_text()
    reader.run("window.went = []; addEventListener('click', event => { const link = event.target.closest('a'); if (link) { window.went.push([link.href, link.target, link.rel]); event.preventDefault(); } });")
    reader.tap(boxes[1][0] + 20, boxes[1][1] + 20)
    reader.frames(3)
    equal(reader.run("return window.went.filter(([href]) => href.startsWith('https'))")[:1], [[WEB, "_blank", "noopener noreferrer"]])
    equal(reader.state()["pages"], [6])


def find(reader, words):
    reader.fill("#words", words)
    reader.advance(200)
    reader.frames(5)
    return reader.run("return [document.getElementById('found').textContent, [...document.querySelectorAll('#hits button')].map(hit => hit.textContent)]")


@test_of(typed, size=(600, 880), touch=False, text=True)
def the_text_is_searched(reader):
    reader.press("s")
    equal(reader.state()["focus"], "words")
    for words, pages in [("QUICK brown fox", [1]), ("example, jumps", [1]), ("exam-ple", [1]), ("猫である", [2]), ("かたかな", [2]),
                         ("ﾞ", []), ("الصور", [3]), ("sideways words", [4]), ("<img", [5]), ("nothing of this", [])]:
        told, hits = find(reader, words)
        equal([int(hit[-1]) for hit in hits], pages, words)
        equal(told, "1 place on 1 page" if pages else "Nothing was found.", words)
    told, hits = find(reader, "fox, an example")
    equal(hits, ["The quick brown fox, an exam-ple, jumps.1"])
    equal(reader.run("return document.querySelector('#hits mark').textContent"), "fox, an exam-ple")
    equal(find(reader, "ア")[0], "1 place on 1 page", "kana of either kind")
    # Going there marks it on the page.
    find(reader, "猫")
    reader.browser.click("#hits button")
    reader.frames(2)
    equal(reader.settled()["pages"], [2])
    reader.await_text()
    left, top, right, bottom = word_box(reader, 2, "吾輩は猫で")
    letter = (bottom - top) / 5
    near_all(reader.box(".view:not([inert]) mark.here"), (left, top + 3 * letter, right, top + 4 * letter), 1, "the mark of one letter")
    reader.press("s")
    find(reader, "o")
    reader.press("Escape")
    first = reader.press("Home", "n")["pages"]
    second = reader.press("n", "n")["pages"]
    equal((first, second), ([1], [4]))
    equal(reader.press(("Shift", "n"))["pages"], [1])
    reader.await_text()
    equal(reader.run("return document.querySelectorAll('.view:not([inert]) mark.here').length"), 1)
    reader.press("Escape")
    reader.frames(2)
    equal(reader.run("return document.querySelectorAll('mark').length"), 0, "Esc takes the marks away")
    equal(reader.browser.console(), [])


@test
def books_without_text_load_nothing_for_it(reader, books):
    reader.open(books.book("ltr", [PAGE] * 24, "--direction", "ltr"))
    equal(reader.press("s")["toast"], "This book has no text to search.")
    equal(reader.run("return [document.getElementById('search-button').hidden, document.scripts.length]"), [True, 2])


@test
def text_of_a_shelf_belongs_to_its_books(reader, books):
    folder = books.typed("text-shelf", PAGES, "--title", "With text", shelf=True)
    if not (folder / "plain").exists():
        books.run(books.pages("plain", [PAGE] * 2), "-o", folder, "--to", "web", "--add", "-q", "--title", "Without")
        (folder / "plain").mkdir()
    reader.open(folder, touch=False)

    reader.open_from_shelf("With text")
    reader.await_text()
    check_words(reader, 1, LATIN)
    reader.press("s")
    equal(find(reader, "quick")[0], "1 place on 1 page")
    reader.press("Escape", "Escape", "Escape")
    reader.frames(10)
    reader.open_from_shelf("Without")
    equal(reader.run("return [document.getElementById('search-button').hidden, document.querySelectorAll('.text').length]"), [True, 0])
    equal(reader.browser.console(), [])


@test
def long_books_load_their_text_in_parts(reader, books):
    pages = [((30, 44), [["ltr", 0, [[f"word{number}", 10000, 10000, 50000, 20000]]]], []) for number in range(1, 251)]
    reader.open(books.typed("typed-long", pages), "#p=120", size=(600, 880), text=True)
    loaded = "return [...document.scripts].map(script => script.getAttribute('src')).filter(name => name.startsWith('text/'))"
    equal(reader.run(loaded), ["text/001.js"])
    equal(reader.run(WORDS, 120)[1][0][0], "word120")
    reader.press("s")
    told, hits = find(reader, "word")
    for _ in range(100):
        if told.startswith("250"):
            break
        reader.frames()
        told, hits = find(reader, "word")
    equal((told, len(hits)), ("250 places on 250 pages", 250))
