"""The reader in a browser, as tests use it: a window with a clock that only the test moves (tools.js)."""

import contextlib
import functools
import json
import pathlib
import urllib.parse

from selenium.common.exceptions import TimeoutException

from books import Books, server
from webdriver import Chromium, WebKit

# Stands for the value that the test noted last.
NOTED = object()
# Tests by their names: what to do with a reader, and the browsers to do it in.
TESTS = {}


def tests(table, browsers=("chromium", "webkit")):
    """Adds a table of tests: their names, and functions of a reader, each one expression of steps."""
    TESTS.update({name: (steps, browsers) for name, steps in table.items()})


def test(function, add=tests):
    """Adds a test whose steps depend on each other."""
    add({function.__name__.replace("_", " "): function})


# Tests that need what only chromium's driver has: fingers, the console, saved files.
chromium_tests = functools.partial(tests, browsers=["chromium"])
chromium_test = functools.partial(test, add=chromium_tests)


def perform(name, reader):
    """Does what a test does. What happened in the document is printed for a test that fails."""
    try:
        TESTS[name][0](reader)
    except (AssertionError, TimeoutException):
        print("events:", reader.run("return window.$events?.slice(-9)"))
        raise
    finally:
        reader.browser.release()


def compare(found, wanted, within=0):
    """Fails unless two values are equal, or numbers and lists of numbers are within a distance of each other."""
    pairs = zip(found, wanted, strict=True) if isinstance(found, list) and within else [(found, wanted)]
    if not all(abs(one - other) <= within if within else one == other for one, other in pairs):
        raise AssertionError(f"{found!r} is not {wanted!r}" + (f" within {within}" if within else ""))


class Reader:
    """A book open in a window. Every step returns the reader, so that the next can follow."""

    def __init__(self, browser, books, address=None):
        self.browser, self.books, self.address, self.noted = browser, books, address, None
        tools = pathlib.Path(__file__).with_name("tools.js").read_text()
        browser.before_documents("(() => { %s })();" % tools)

    def url(self, folder):
        if not self.address:
            return folder.as_uri() + "/index.html"
        return f"{self.address}/{urllib.parse.quote(str(folder.relative_to(self.books.folder)))}/index.html"

    def open(self, book, fragment="", size=(900, 600), touch=True, keep=False, new=False, mobile=False, text=False):
        """Opens a book as if for the first time.

        keep: with what the browser remembers. new: in a browser that has not shown what touches do. mobile: on a phone. text: waits
        for the text of the page that is seen.
        """
        self.resize(*size, *([3, True] if mobile else []))
        self.browser.fingers(touch and mobile)
        address = self.url(book(self.books))
        # Over a document of the same origin that saves nothing when it is left.
        self.browser.open(address.replace("index.html", "icon.svg"))
        if not keep:
            self.do("localStorage.clear()")
        if not new:
            self.do("localStorage.setItem('jisui:1', localStorage.getItem('jisui:1') ?? JSON.stringify({gestures: true}))")
        self.browser.console()
        self.browser.open(address + fragment)
        self.browser.fingers(touch)
        # Before the first paint the browser drops what people do, and touches for another frame.
        self.wait("performance.getEntriesByName('first-contentful-paint').length").frames(2)
        return self.await_text() if text else self.settle()

    @contextlib.contextmanager
    def served(self):
        """Opens books over a server; gives the function that ends it."""
        with contextlib.ExitStack() as stack:
            elsewhere, self.address = self.address, stack.enter_context(server(self.books.folder))
            try:
                yield stack.close
            finally:
                self.address = elsewhere

    def run(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def do(self, script, *arguments):
        """Runs a script in the document. A promise that it returns is awaited."""
        self.run(script, *arguments)
        return self

    def then(self, step, *arguments):
        step(self, *arguments)
        return self

    def __getattr__(self, name):
        """A step that the browser does: `wait`, `frames`, `drag` or `touch`."""
        if name not in ("wait", "frames", "drag", "touch"):
            raise AttributeError(name)
        return lambda *arguments: self.then(lambda _: getattr(self.browser, name)(*arguments))

    def settle(self):
        """Waits for the pictures of the pages that are seen."""
        return self.do("return $state()")

    def await_text(self):
        return self.settle().wait("document.querySelector('.view:not([inert]) .text, #strip .text')")

    def advance(self, milliseconds):
        return self.do("advance(arguments[0])", milliseconds)

    def resize(self, width, height, *device):
        self.browser.resize(width, height, *device)
        return self.frames(2)

    def scroll(self, script):
        """Scrolls the strip by a script, and waits for the event, which a busy browser sends late."""
        self.do("strip.addEventListener('scroll', () => { window.wasScrolled = true; }, {once: true}); " + script)
        return self.wait("window.wasScrolled").do("window.wasScrolled = false").frames(2)

    def click(self, selector):
        """Clicks an element, also one that lies below another."""
        return self.do("document.querySelector(arguments[0]).click()", selector)

    def saved(self, selector, name="marks.json"):
        """Clicks a button that saves a file as JSON, and returns its contents. The browser saves files for a person only."""
        self.browser.click(selector)
        return json.loads(self.browser.downloaded(name))

    def fill(self, selector, value, event="input"):
        return self.do("const field = document.querySelector(arguments[0]); field.value = arguments[1];"
                       "field.dispatchEvent(new Event(arguments[2]));", selector, value, event)

    def open_from_shelf(self, title):
        self.do("$all('#books a').find(link => link.textContent.includes(arguments[0])).click()", title)
        return self.wait("document.title === arguments[0] && document.querySelector('.page.ready')", title).settle()

    def press(self, *keys):
        self.browser.press(*keys)
        return self.settle()

    def tab_to(self, condition):
        """Presses Tab until a condition of the focused element holds. The focus is always visible."""
        for _ in range(12):
            self.press("Tab").gives("document.activeElement.matches(':focus-visible')", True)
            self.gives("getComputedStyle(document.activeElement).outlineStyle === 'none'", False)
            if self.run(f"return (element => {condition})(document.activeElement)"):
                return self
        raise AssertionError(f"Tab does not lead to {condition}")

    def turn_wheel(self, down, ctrl=False):
        self.browser.devtools(
            "Input.dispatchMouseEvent", type="mouseWheel", x=450, y=300, deltaX=0, deltaY=down, modifiers=2 if ctrl else 0)
        return self.frames(2)

    def tap(self, x, y):
        return self.touch("Start", (x, y)).advance(20).touch("End")

    def swipe(self, start, across, steps=5, rest=400):
        """Drags a finger, which rests before it is lifted, so that only the way counts."""
        # A finger finds what was painted.
        self.frames(2).touch("Start", start)
        for step in range(1, steps + 1):
            self.advance(10).touch("Move", (start[0] + across * step / steps, start[1]))
        # The page gets moves once a frame.
        return self.frames(2).advance(rest)

    def pinch(self, center, before, after):
        """Moves two fingers from a distance to another, and leaves them down."""
        def points(distance):
            return [(center[0] + side * distance / 2, center[1]) for side in (-1, 1)]

        self.touch("Start", points(before)[0]).touch("Start", *points(before))
        for step in range(1, 7):
            self.advance(10).touch("Move", *points(before + (after - before) * step / 6))
        return self

    def lift(self):
        """Lifts all fingers. Pages that slide to their places are there at once."""
        return self.touch("End").do("for (const animation of track.getAnimations()) animation.finish();")

    def sees(self, *pages, **wanted):
        """Expects pages, from left to right, and values of `$state`."""
        wanted |= {"pages": list(pages)} if pages else {}
        state = self.run("return $state()")
        compare({name: state[name] for name in wanted}, wanted)
        return self

    def gives(self, expression, wanted, within=0):
        """Expects the value of an expression of the document, or a number within a distance of it."""
        compare(self.run(f"return {expression}"), self.noted if wanted is NOTED else wanted, within)
        return self

    def note(self, expression):
        self.noted = self.run(f"return {expression}")
        return self

    def quiet(self):
        compare(self.browser.console(), [])
        return self


@contextlib.contextmanager
def reading(jisui, folder, browser="chromium", over="file"):
    """Gives a reader of the books that jisui makes in a folder, which are opened over the file system or nginx."""
    books = Books(jisui, folder)
    # A proxy that does not exist gets every request that leaves the folder. Fingers would still touch a document that is kept
    # for going back.
    arguments = ["--disable-features=BackForwardCache", "--proxy-server=127.0.0.1:9", "--proxy-bypass-list=127.0.0.1"]
    with WebKit() if browser == "webkit" else Chromium(900, 600, arguments) as window:
        with server(books.folder) if over == "nginx" else contextlib.nullcontext() as address:
            yield Reader(window, books, address)
