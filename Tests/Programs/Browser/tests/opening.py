"""Opening a book: its requests, foreign scripts, memory, failures; the language of the browser, and phones."""

from books import HOSTILE, PAGE, book, changed, ltr, rtl, typed
from reader import chromium_test, chromium_tests, compare, tests

from .shelves import series
from .text import PAGES, texted

hostile = book("hostile", [PAGE] * 2, "--title", HOSTILE, "--author", "<script>alert(2)</script>")
moved = changed("moved", rtl, {})
broken = changed("broken", rtl, {"pages/0005.png": b"\x89PNG no more"})
many = book("many", [(60, 88)] * 2000, "--direction", "rtl", "--no-thumbnails")
huge = book("huge", [(6000, 6000)] * 5)
kept = typed("kept", PAGES, "--title", "Kept")
# The addresses of all that was loaded.
LOADED = "[...$all('[src], link').map(({src, href}) => src || href), ...performance.getEntriesByType('resource').map(({name}) => name)]"
# A request that would leave the folder, over the proxy that does not exist, and the rule that refuses it.
REFUSED = """new Promise(done => {
  addEventListener("securitypolicyviolation", event => done(event.effectiveDirective));
  new Image().src = "http://127.0.0.1:9/x.png";
})"""
# Each way to run a foreign script, and how it fails.
FOREIGN = """(() => {
  const script = document.createElement("script");
  script.append("window.ran = true");
  return [
    () => document.head.append(script), () => { script.src = "pages/x.js"; }, () => { document.body.innerHTML = "<b>"; },
    () => trustedTypes.createPolicy("other", {}),
  ].map(attempt => { try { attempt(); return Boolean(window.ran); } catch (error) { return error.name; } });
})()"""
FAILS_ONCE = "const real = load; load = () => { load = real; return Promise.reject(new Error('503')); };"
GROUND = "getComputedStyle(byId('reader')).backgroundColor"
BROKEN = "$texts('.view [data-page=\"5\"] p, #strip [data-page=\"5\"] p')"
HELD = "$all('#track img[src]').length"
BUTTONS = "$all('#top button').filter(button => button.offsetWidth)"
# The English texts that are seen or read aloud: not the letters on keys, and nothing of a book.
ENGLISH = """(() => {
  const texts = [], nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) if (!nodes.currentNode.parentElement.closest("kbd, noscript, bdi, #count")) texts.push(nodes.currentNode.data);
  for (const name of ["aria-label", "title", "placeholder", "alt"]) {
    texts.push(...$all(`body [${name}]`).map(element => element.getAttribute(name).replace(/ \\([^)]*\\)$/, "")));
  }
  return texts.filter(text => /[A-Za-z]{2,}/.test(text.replace(/clips\\.json|Shift|Enter|Esc/g, "")));
})()"""

tests({
    "a hostile title stays text": lambda reader: reader.open(hostile).sees(title=HOSTILE)
        .gives("[$texts('#title')[0], $all('#title *, title *').length, document.scripts.length]", [HOSTILE, 0, 2]),
    "no request leaves the folder and no foreign script runs": lambda reader: reader.open(rtl).press("t").press("Escape")
        .gives(f"{LOADED}.some(address => address.endsWith('/pages/0001.png'))", True)
        .gives(f"{LOADED}.filter(address => !address.startsWith(new URL('.', location)))", [])
        .gives(REFUSED, "img-src").gives(FOREIGN, [False, "TypeError", "TypeError", "TypeError"]),
    "the place is remembered when the folder moves": lambda reader: reader.open(rtl)
        .press("Left", "Left", "Left").sees(7, 6).advance(300)
        .open(moved, keep=True).sees(7, 6).open(moved, "#p=9", keep=True).sees(9, 8),
    "a broken picture is reported once in its place": lambda reader: reader.open(broken, "#p=2", size=(600, 900))
        .press("Left", "Left", "Left").sees(5).gives(BROKEN, ["Page 5 cannot be shown."]).press("Left").sees(6)
        .press("w").wait("stripPages[4].box.matches('.broken')")
        .do("emptyPage(stripPages[4]); return fillPage(stripPages[4])").gives(BROKEN, ["Page 5 cannot be shown."]),
    "text that failed is loaded again": lambda reader: reader.open(texted, size=(600, 880), text=True).do(f"texts.clear(); {FAILS_ONCE}")
        .gives("linesOf(0).then(() => 'read', () => linesOf(0)).then(lines => lines.length)", 3),
    "memory that the browser refuses lasts for the visit": lambda reader: reader.open(ltr, touch=False)
        .do("Storage.prototype.setItem = () => { throw new Error('full'); }").press("Right", "b").advance(1000)
        .gives("(({page, bookmarks}) => [page, bookmarks.length])(memoryOf(book.id))", [1, 1]),
    "hints of keys are for keyboards": lambda reader: reader.open(ltr, touch=False)
        .press("h").sees(dialog="help").gives("document.querySelector('[data-do=bookmark]').title", "Bookmark (B)"),
    "a theme changes the colors and is remembered": lambda reader: reader.open(rtl)
        .click("[data-do=view]").click("[name=theme][value=dark]").gives(GROUND, "rgb(0, 0, 0)")
        .click("[name=theme][value=light]").gives(GROUND, "rgb(231, 230, 227)")
        .open(rtl, keep=True).gives(GROUND, "rgb(231, 230, 227)"),
})

chromium_tests({
    "opens with an empty console": lambda reader: reader.open(rtl).sees(1).quiet(),
    "large pages keep to the limit of memory": lambda reader: reader.open(huge, "#p=2")  # Each has 144 MB when it is decoded.
        .frames(100).gives("$all('#track .page').map(page => Number(page.dataset.page)).sort()", [2, 3, 4, 5]),
    # On a shelf there is one button more, in the first of two rows.
    "a phone has every button and no hints of keys": lambda reader: reader.open(ltr, size=(390, 844), mobile=True)
        .do("document.querySelector('[data-do=shelf]').hidden = false")
        .gives(f"{BUTTONS}.map(button => button.dataset.do)", ["shelf", "bookmark", "clip", "contents", "pages", "marks", "view", "help"])
        .gives(f"{BUTTONS}.filter(({{title}}) => title.includes('('))", [])
        .gives(f"{BUTTONS}.map(button => button.getBoundingClientRect()).filter(({{left, right, width, height}}) =>"
               " left < 0 || right > innerWidth || width < 36 || height < 44)", [])
        .gives("$boxes('[data-do=shelf], [data-do=bookmark], [data-do=help]').map(([left]) => left < 20 || left > 300 && 'right')",
               [True, True, "right"])
        .gives("document.documentElement.scrollWidth <= innerWidth", True)
        .do("actions.help()").sees(dialog="gestures").do("byId('gestures').close(); actions.clip()")
        .gives("document.querySelector('#cut p').innerText", "Drag a rectangle over a part of the page. A tap ends this."),
})


@chromium_test
def many_pages_are_turned_and_few_are_held(reader):
    reader.open(many)
    for turn in range(10, 301, 10):
        reader.press(*["Left"] * 10).sees(2 * turn + 1, 2 * turn).gives(f"0 < {HELD} && {HELD} <= 8", True)
    reader.press("End").sees(2000)


@chromium_test
def storage_that_the_browser_blocks_is_reported(reader):
    blocked = reader.browser.before_documents(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})")
    try:
        reader.open(rtl, keep=True, new=True).press("Left").sees(3, 2).advance(300)
        reader.gives("toast.textContent.startsWith('This browser does not let pages be remembered')", True)
    finally:
        reader.browser.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=blocked)


@chromium_test
def a_book_is_kept_for_reading_without_a_network(reader):
    ask = "window.confirm = text => { window.asked = text; return true; }"
    with reader.served() as stop:
        reader.open(kept).do(ask).click("[data-do=offline]").wait("toast.textContent === '23 of 23 files are kept.'")
        reader.gives("asked", "Keep 6 pages, about 1 MB, on this device?").wait("navigator.serviceWorker.controller")
        stop()
        reader.open(kept, "#p=2", keep=True, text=True).sees(2, 3)
        # The second time the button takes the book away.
        reader.do(ask).click("[data-do=offline]").wait("toast.textContent === 'The book is not kept any more.'")
        reader.gives("asked", "The book is kept on this device. Remove it?")
        reader.gives("caches.open('jisui').then(cache => cache.keys()).then(keys => keys.map(({url}) => url.split('/web/kept/')[1])"
                     ".filter(name => name.includes('/') || name === 'book.js'))", [])


@chromium_test
def the_reader_speaks_japanese(reader):
    def speak(languages):
        agent = reader.run("return navigator.userAgent")
        reader.browser.devtools("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=languages)

    try:
        speak("fr,ja-JP,en")
        reader.open(series).sees(title="本棚").gives("root.lang", "ja").gives(ENGLISH, [])
        reader.click("#books a").wait("document.querySelector('.page.ready')")
        for action in ["bookmark", "contents", "pages", "marks", "view", "help", "print", "last", "next"]:
            compare([action, reader.run(f"actions.{action}(); return {ENGLISH}")], [action, []])
        speak("en-GB,ja")
        reader.quiet().open(series).sees(title="Books").gives("root.lang", "en")
    finally:
        speak("en-US")
