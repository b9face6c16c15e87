"""Text and links over pages: their places, selecting, searching, following."""

from books import PAGE, added, ltr, typed
from reader import chromium_tests, compare, test, tests

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
MARKUP = [["ltr", 0, [["<img src=x onerror=alert(1)>", 10000, 10000, 90000, 15000]]]]
# The words of the first page on a page that is turned to the right.
SIDEWAYS = [[way, 1, [[word, 100000 - bottom, left, 100000 - top, right] for word, left, top, right, bottom in words]]
            for way, _, words in LATIN]
WEB = "https://example.org/?a=1&b=%22"
LINKS = [[1, 10000, 50000, 50000, 60000], [WEB, 10000, 70000, 50000, 80000], ["javascript:alert(1)", 10000, 85000, 50000, 90000]]
PAGES = [
    (PAGE, LATIN, []), (PAGE, VERTICAL, []), (PAGE, ARABIC, []), (PAGE, TURNED, []), (PAGE, MARKUP, []), (PAGE, [], LINKS),
]
NUMBERED = [((30, 44), [["ltr", 0, [[f"word{number}", 10000, 10000, 50000, 20000]]]], []) for number in range(1, 251)]
LOW = [((300, 900), LATIN, [[1, 10000, 95000, 30000, 98000]]), (PAGE, [], [])]

texted = typed("typed", PAGES, "--direction", "ltr")
rtl_texted = typed("typed-rtl", PAGES, "--direction", "rtl", "--title", "A book with text")
cropped = typed("typed-cropped", PAGES, "--crop", "22,0,0,30")
turned = typed("typed-turned", PAGES, "--rotate", "90")
low = typed("typed-low", LOW, "--direction", "ltr")
long = typed("typed-long", NUMBERED)
mixed = added(typed("text-shelf", PAGES, "--title", "With text", "--add"), "Without")
# A page fills this window: a thousandth of its width is 0.6 pixels, and one of its height 0.88.
WINDOW = {"size": (600, 880), "touch": False, "text": True}

# The box of a page, and its words with theirs.
WORDS = """
const page = $all(".view:not([inert]) .page, #strip .page").find(page => Number(page.dataset.page) === arguments[0]);
const box = element => { const {left, top, right, bottom} = element.getBoundingClientRect(); return [left, top, right, bottom]; };
return [box(page), [...page.querySelectorAll(".line > span")].map(word => [word.textContent, ...box(word)])];
"""
LINK = ".view:not([inert]) .text a"
HERE = ".view:not([inert]) mark.here"
FOUND = "byId('found').textContent"
HITS = "$texts('#hits button')"
# Keeps the browser from following links, and notes them.
WENT = """
window.went = [];
addEventListener("click", event => {
  const link = event.target.closest("a");
  if (!link?.target || event.defaultPrevented) return;
  went.push([link.href, link.rel, event.ctrlKey, event.shiftKey]);
  event.preventDefault();
});
"""
# The text that the reader copies, in place of the browser.
COPIED = """(data => document.dispatchEvent(new ClipboardEvent("copy", {clipboardData: data, bubbles: true, cancelable: true}))
  ? null : data.getData("text/plain"))(new DataTransfer())"""


def lie(reader, page, lines, shown=(0, 0, 1, 1)):
    """Expects the words of a page over their places in its picture, of which the part between these edges is shown."""
    (left, top, right, bottom), found = reader.run(WORDS, page)
    wanted = [word for _, _, words in lines for word in words]
    compare([word for word, *_ in found], [word for word, *_ in wanted])
    for (_, *box), (_, *places) in zip(found, wanted):
        x1, y1, x2, y2 = [(place / 100000 - shown[side % 2]) / (shown[side % 2 + 2] - shown[side % 2]) for side, place in enumerate(places)]
        width, height = right - left, bottom - top
        compare(box, [left + x1 * width, top + y1 * height, left + x2 * width, top + y2 * height], within=1.5)


def find(reader, words):
    reader.fill("#words", words).advance(200).frames(5)


tests({
    "words lie over their places": lambda reader: reader.open(texted, size=(600, 880), text=True)
        .then(lie, 1, LATIN).press("Right").await_text().then(lie, 2, VERTICAL).press("Right").await_text().then(lie, 3, ARABIC)
        .press("Right").await_text().then(lie, 4, TURNED)
        .press("Right").await_text().then(lie, 5, MARKUP).gives("$all('.text img, .text script').length", 0)
        .press("Home", "+", "+").await_text().then(lie, 1, LATIN)  # Zoomed.
        .press("0").resize(900, 600).press("Right").await_text().then(lie, 2, VERTICAL).then(lie, 3, ARABIC)
        .press("Home", "w").advance(100).await_text().then(lie, 1, LATIN)  # In a strip.
        .resize(500, 700).advance(100).await_text().then(lie, 1, LATIN).quiet(),
    "text follows crops and turns": lambda reader: reader.open(cropped, size=(600, 880), text=True)
        .then(lie, 1, LATIN, (30 / 300, 22 / 440, 1, 1)).open(turned, size=(880, 600), text=True).then(lie, 1, SIDEWAYS),
    "a drag over text selects it": lambda reader: reader.open(texted, **WINDOW)
        # From between two words to a word of the next line. A click only lets it go, and the next one turns.
        .drag((115, 101), 148, 44).sees(1).gives(COPIED, "quick brown\nfox, an exam-")
        .drag((550, 600), 0, 0).sees(1).gives(COPIED, None).drag((550, 600), 0, 0).sees(2).await_text()
        # Down a vertical line and on into the next, from and to places between letters; and from right to left.
        .drag((498, 273), -60, 88).gives(COPIED, "は猫で\nある。").press("Escape", "Right").await_text()
        .drag((479, 106), -123, 0).gives(f"{COPIED}.trim()", "كتاب")
        # A drag that begins beside the text turns.
        .drag((500, 700), 0, 0).drag((500, 700), -300, 0).sees(4),
    "a mouse turns from a link": lambda reader: reader.open(texted, "#p=6", **WINDOW)
        # The link is still under the place of the press when the page has begun to move.
        .drag((180, 484), 250, 0).sees(5),
    "links lead to pages and out": lambda reader: reader.open(texted, "#p=6", size=(600, 880), text=True).do(WENT)
        .gives(f"$all('{LINK}').map(link => [link.getAttribute('href'), link.target, link.rel, link.ariaLabel])",
               [["#p=2", "", "", "To page 2"], [WEB, "_blank", "noopener noreferrer", WEB]])
        .gives(f"$boxes('{LINK}')[0]", [60, 440, 300, 528], within=1)
        .swipe((80, 460), 250).lift().sees(5)  # A swipe that begins on a link turns.
        .press("Right").await_text().advance(500).tap(80, 460).frames(3).sees(2)
        .do("history.back()").frames(10).sees(6).await_text()
        .press("m").tab_to("element.ariaLabel === 'To page 2'").press("Enter").frames(3).sees(2)
        # A link to the web opens another window, which knows nothing of this one.
        .press("End").await_text().tap(80, 636).frames(3).sees(6).gives("went", [[WEB, "noopener noreferrer", False, False]]),
    "keys with a click open links elsewhere": lambda reader: reader.open(texted, "#p=6", **WINDOW).do(WENT)
        .do("followLink(80, 636, {ctrlKey: true}); followLink(80, 636, {shiftKey: true})")
        .gives("went.map(([,, ...keys]) => keys)", [[True, False], [False, True]]),
    "a link below the window is brought into view": lambda reader: reader.open(low, touch=False, text=True)
        .do("choose('layout', 'single'); choose('fit', 'width')").await_text()
        .do("document.querySelector(arguments[0]).focus()", LINK).frames(3)
        .gives("(([, top,, bottom]) => 0 <= top && bottom <= 600)($boxes(':focus')[0])", True)
        .do("focusPages()").press(*["Page_Up"] * 6).sees(1).gives("$page().top", 0),
    "everything selected is the page that is seen": lambda reader: reader.open(texted, "#p=4", **WINDOW)
        .advance(500).frames(10).do("root.classList.add('selects'); getSelection().selectAllChildren(stage)")
        .gives("selectedText()", "sideways words"),
    "a book without text loads nothing for it": lambda reader: reader.open(ltr)
        .press("s").sees(toast="This book has no text to search.")
        .gives("[byId('search-button').hidden, document.scripts.length]", [True, 2]),
    "places found are marked one after the other": lambda reader: reader.open(texted, **WINDOW)
        .press("s").then(find, "猫").click("#hits button").frames(2).sees(2).await_text()
        # The fourth of the five letters of a vertical word.
        .gives(f"$boxes('{HERE}')[0]", [480, 352, 516, 440], within=1)
        .press("s").then(find, "o").press("Escape", "Home", "n").sees(1).press("n", "n").sees(4)
        .press(("Shift", "n")).sees(1).await_text().gives(f"$all('{HERE}').length", 1)
        .press("Escape").frames(2).gives("$all('mark').length", 0)
        .press("s").then(find, "fox").press("Escape", "End", ("Shift", "n")).sees(1).quiet(),
    "a long book loads its text in parts": lambda reader: reader.open(long, "#p=120", size=(600, 880), text=True)
        .gives("$all('script[src^=text]').map(script => script.getAttribute('src')).filter(name => name !== 'text.js')", ["text/001.js"])
        .then(lie, 120, NUMBERED[119][1])
        .press("s").then(find, "word").wait(f"{FOUND} === '250 places on 250 pages'").gives(f"{HITS}.length", 250),
    "text of a shelf belongs to its books": lambda reader: reader.open(mixed, touch=False)
        .open_from_shelf("With text").await_text().then(lie, 1, LATIN)
        .press("s").then(find, "quick").gives(FOUND, "1 place on 1 page")
        .press("Escape", "Escape", "Escape").frames(10).open_from_shelf("Without")
        .gives("[byId('search-button').hidden, $all('.text').length]", [True, 0]).quiet(),
})

chromium_tests({
    "a finger turns over text unless it is to select": lambda reader: reader.open(texted, size=(600, 880), text=True)
        .swipe((258, 101), -250).lift().sees(2).gives("selectedText()", "")
        .press("Left").await_text().advance(500).frames(3)  # Words are in their places only when the page rests.
        .gives("byId('touch-text').hidden", False).click("#touch-text input").swipe((258, 101), -250).lift().sees(1)
        .gives("getComputedStyle(document.querySelector('.line > span')).userSelect", "text"),
})


@test
def the_text_is_searched(reader):
    reader.open(texted, **WINDOW).press("s").sees(focus="words")
    places = {"QUICK brown fox": 1, "example, jumps": 1, "exam-ple": 1, "猫である": 2, "かたかな": 2, "ア": 2, "الصور": 3,
              "sideways words": 4, "<img": 5, "ﾞ": None, "nothing of this": None}
    for words, page in places.items():
        find(reader, words)
        compare([words, *reader.run(f"return [{FOUND}, ...{HITS}.map(hit => Number(hit.at(-1)))]")],
                [words, "1 place on 1 page", page] if page else [words, "Nothing was found."])
    find(reader, "fox, an example")
    reader.gives(HITS, ["The quick brown fox, an exam-ple, jumps.1"]).gives("$texts('#hits mark')", ["fox, an exam-ple"])

