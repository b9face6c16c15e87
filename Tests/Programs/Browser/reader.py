"""The reader in a browser, as tests work it: a window with a clock that only the test moves."""

import contextlib
import functools
import http.server
import io
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

from PIL import Image

from webdriver import Chromium, WebKit

# Timers and clocks that stand still until the test moves them on, so that no test depends on how fast a machine is.
CLOCK = """
{
  let now = 1000, count = 0;
  const timers = new Map();
  window.setTimeout = (run, delay = 0, ...rest) => { timers.set(++count, {run, rest, at: now + Number(delay)}); return count; };
  window.clearTimeout = id => timers.delete(id);
  performance.now = () => now;
  const start = Date.now();
  Date.now = () => start + now;
  window.advance = time => {
    const end = now + time;
    for (;;) {
      const due = [...timers].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      timers.delete(due[0]);
      now = Math.max(now, due[1].at);
      due[1].run(...due[1].rest);
    }
    now = end;
  };
}
"""

# Where the clock can be changed only once the reader runs, its bar begins to wait anew.
LATE = """
if (typeof barTimer === "number") clearTimeout(barTimer);
%s
if (typeof book === "object" && book) showBar(true);
""" % CLOCK

# What is seen: pages from left to right with their boxes, and what else tells of the state.
STATE = """
const box = element => { const {left, top, right, bottom} = element.getBoundingClientRect(); return [left, top, right, bottom]; };
const inView = [...document.querySelectorAll(".view:not([inert]) .page")]
  .map(page => ({page: Number(page.dataset.page), box: box(page), ready: page.matches(".ready, .broken")}))
  .sort((a, b) => a.box[0] - b.box[0]);
const root = document.documentElement;
return {
  pages: inView.map(({page}) => page), boxes: inView.map(({box}) => box), ready: inView.every(({ready}) => ready),
  layout: root.dataset.layout, bar: getComputedStyle(document.getElementById("top")).visibility === "visible",
  zoomed: root.classList.contains("zoomed"), hash: location.hash, loupe: !document.getElementById("loupe").hidden,
  toast: document.getElementById("toast").hidden ? "" : document.getElementById("toast").textContent,
  live: document.getElementById("live").textContent, held: document.querySelectorAll("#track img[src]").length,
  focus: document.activeElement?.id || document.activeElement?.dataset?.do || document.activeElement?.tagName,
};
"""


def png(width, height, seed):
    """A picture of blocks of 20 pixels in any colors, others for each seed."""
    across, down, made = (width + 19) // 20, (height + 19) // 20, io.BytesIO()
    blocks = Image.frombytes("RGB", (across, down), random.Random(seed).randbytes(3 * across * down))
    blocks.resize((20 * across, 20 * down), Image.NEAREST).crop((0, 0, width, height)).save(made, "PNG", compress_level=1)
    return made.getvalue()


def once(make):
    """The folder of a book or a shelf, which is filled the first time that it is asked for."""
    def made(self, name, *arguments, **keys):
        with self.lock:
            folder = self.folder / "web" / name
            if name not in self.made:
                folder.parent.mkdir(exist_ok=True)
                make(self, folder, *arguments, **keys)
                self.made.add(name)
            return folder
    return made


class Books:
    """Books that jisui makes, each once."""

    def __init__(self, jisui, folder):
        self.jisui, self.folder, self.made, self.lock = jisui, pathlib.Path(folder), set(), threading.Lock()

    def pages(self, name, sizes):
        folder = self.folder / "pages" / name
        if not folder.is_dir():
            folder.mkdir(parents=True)
            for number, (width, height) in enumerate(sizes, 1):
                (folder / f"{number:04}.png").write_bytes(png(width, height, number))
        return folder

    @once
    def shelf(self, folder, titles):
        """A shelf of books with these titles or lists of options, of 4 pages and one more each."""
        for number, title in enumerate(titles):
            pages = self.folder / "pages" / f"{folder.name}-{number}"
            pages.mkdir(parents=True)
            for page in range(4 + number):
                (pages / f"{page:03}.png").write_bytes(png(150, 220, 1000 * number + page))
            options = title if isinstance(title, list) else ["--title", title]
            self.run(pages, "-o", folder, "--to", "web", "--add", "-q", *options)

    def run(self, *arguments, may_warn=False):
        done = subprocess.run([self.jisui, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode not in ([0, 3] if may_warn else [0]):
            raise AssertionError(f"jisui {arguments}: {done.stderr}")

    @once
    def book(self, folder, sizes, *options):
        """A book of pages of these sizes."""
        self.run(self.pages(folder.name, sizes), "-o", folder, "--to", "web", "-q", *options)

    @once
    def typed(self, folder, pages, *options, shelf=False):
        """A book whose pages have text and links, made by jisui of a folder like its own.

        A page is its size, its lines as [direction, quarter turns, [[word, left, top, right, bottom], ...]], and its links as
        [target, left, top, right, bottom]; places are hundred-thousandths of the page.
        """
        source = self.folder / "typed" / folder.name
        (source / "text").mkdir(parents=True)
        (source / "pages").mkdir()
        for number, ((width, height), _, _) in enumerate(pages, 1):
            (source / "pages" / f"{number:04}.png").write_bytes(png(width, height, number))
        book = {
            "jisui": "web", "version": 1, "texts": list(range((len(pages) + 99) // 100)),
            "links": [[place, *link] for place, (_, _, links) in enumerate(pages) for link in links],
            "pages": [[f"{number:04}.png", *size, "plain"] for number, (size, _, _) in enumerate(pages, 1)],
        }
        (source / "book.json").write_text(json.dumps(book))
        for first in range(0, len(pages), 100):
            lines = json.dumps([lines for _, lines, _ in pages[first : first + 100]])
            (source / "text" / f"{first // 100:03}.js").write_text(f"jisui.text({lines});\n")
        self.run(source, "-o", folder, "--to", "web", "-q", *options, *(["--add"] if shelf else []), may_warn=True)


@contextlib.contextmanager
def server(folder):
    """Serves a folder as python3 -m http.server does; gives its address and the paths that were asked for."""
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            asked.append(self.path)

        def send_head(self):
            # Its dates are of whole seconds, in which a test writes a list twice: the browser would go on with the first.
            if self.path.endswith(".js"):
                del self.headers["If-Modified-Since"]
            return super().send_head()

        def end_headers(self):
            if self.path.endswith(".js"):
                self.send_header("Cache-Control", "no-cache")
            super().end_headers()

    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_port}", asked
        finally:
            running.shutdown()
            thread.join()


@contextlib.contextmanager
def nginx(folder):
    """Serves a folder as Debian's nginx does; gives its address."""
    folder = pathlib.Path(folder).resolve()
    with socket.socket() as free, tempfile.TemporaryDirectory() as scratch:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        logs = f"error_log {scratch}/error.log; pid {scratch}/pid;"
        places = " ".join(f"{kind}_temp_path {scratch}/{kind};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        site = f"server {{ listen 127.0.0.1:{port}; location / {{ alias {folder}/; }} }}"
        # Whoever runs it may read the folder.
        user = "user root;" if os.geteuid() == 0 else ""
        configuration = pathlib.Path(scratch) / "nginx.conf"
        configuration.write_text(
            f"{user} {logs} events {{}} http {{ include /etc/nginx/mime.types; access_log off; {places} {site} }}")
        # Only an administrator's shell finds it by its name.
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        running = subprocess.Popen([program, "-e", f"{scratch}/error.log", "-c", str(configuration), "-g", "daemon off;"])
        try:
            for _ in range(100):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()
            running.wait()


class Reader:
    """A book open in a window."""

    def __init__(self, browser, root, address):
        self.browser, self.root, self.address = browser, pathlib.Path(root), address
        browser.before_documents(CLOCK, LATE)

    def url(self, folder):
        path = pathlib.Path(folder).resolve()
        if not self.address:
            return path.as_uri() + "/index.html"
        return f"{self.address}/{urllib.parse.quote(str(path.relative_to(self.root.resolve())))}/index.html"

    def open(self, folder, fragment="", size=(900, 600), touch=True, keep=False, isNew=False, mobile=False, text=False):
        """Opens a book as if for the first time, unless what is remembered is to be kept.

        isNew: whether the gestures were never shown. mobile: whether the browser is one of a phone. text: whether to wait for the
        text of the page that is seen.
        """
        self.resize(*size, mobile)
        # Over a document of the same origin that saves nothing when it is left.
        self.browser.open(self.url(folder).replace("index.html", "icon.svg"))
        if not keep:
            self.browser.run("localStorage.clear()")
            if not isNew:
                self.browser.run("localStorage.setItem('jisui:1', JSON.stringify({gestures: true}))")
        self.browser.console()
        self.browser.open(self.url(folder) + fragment)
        self.browser.fingers(touch)
        # Until something is painted the browser drops what people do.
        self.browser.wait("a first paint", "performance.getEntriesByName('first-contentful-paint').length")
        if text:
            self.await_text()
        return self.settled()

    def resize(self, width, height, mobile=False):
        self.browser.resize(width, height, *([3, True] if mobile else []))
        self.frames(2)

    @contextlib.contextmanager
    def served(self, folder):
        """Opens books over a server of a folder; gives what ends it, after which its address stays."""
        elsewhere = self.address
        try:
            with contextlib.ExitStack() as stack:
                self.address, _ = stack.enter_context(server(folder))
                yield stack.close
        finally:
            self.address = elsewhere

    def run(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map(element => element.textContent)", selector)

    def boxes(self, selector):
        """The boxes of the elements of a selector in the window: left, top, right, bottom."""
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map(element => element.getBoundingClientRect())"
            ".map(({left, top, right, bottom}) => [left, top, right, bottom])", selector)

    def box(self, selector):
        return self.boxes(selector)[0]

    def click(self, selector, place=0):
        """Clicks an element of a selector, also one that lies below another."""
        self.run("document.querySelectorAll(arguments[0])[arguments[1]].click()", selector, place)

    def fill(self, selector, value, event="input"):
        self.run("const field = document.querySelector(arguments[0]); field.value = arguments[1];"
                 "field.dispatchEvent(new Event(arguments[2]));", selector, value, event)

    def open_from_shelf(self, title):
        """Opens the book of a shelf whose link has a title."""
        self.run("[...document.querySelectorAll('#books a')].find(link => link.textContent.includes(arguments[0])).click()", title)
        self.await_that(f"document.title === {json.dumps(title)} && document.querySelector('.page.ready')", "the book")
        return self.settled()

    def tab_to(self, label):
        for _ in range(12):
            self.press("Tab")
            if self.run("return document.activeElement.ariaLabel") == label:
                return
        raise AssertionError(f"Tab does not lead to {label!r}")

    def frames(self, count=1):
        for _ in range(count):
            self.browser.frame()

    def state(self):
        return self.browser.run(STATE)

    def settled(self):
        """What is seen once the pictures of the pages that are seen are there."""
        for _ in range(200):
            state = self.state()
            if state["ready"]:
                return state
            self.frames()
        raise AssertionError(f"the pictures do not come: {state}")

    def scroll(self, script):
        """Scrolls the strip by a script. A busy browser tells of it when it comes to it, which is waited for."""
        self.browser.run("strip.addEventListener('scroll', () => { window.wasScrolled = true; }, {once: true}); " + script)
        self.await_that("window.wasScrolled", "the strip to be scrolled")
        self.browser.run("window.wasScrolled = false")
        self.frames(2)

    def await_that(self, condition, what):
        try:
            self.browser.wait(what, condition)
        except TimeoutError as error:
            raise AssertionError(f"{error}; the reader says: {self.state()['toast']}") from None

    def await_text(self):
        self.await_that("document.querySelector('.view:not([inert]) .text, #strip .text')", "the text")

    def hide_bar(self):
        self.browser.run("showBar(false)")

    def advance(self, milliseconds):
        self.browser.run("advance(arguments[0])", milliseconds)

    def press(self, *keys):
        self.browser.press(*keys)
        self.frames()
        return self.settled()

    def tap(self, x, y, held=20):
        self.browser.touch("touchStart", (x, y))
        self.advance(held)
        self.browser.touch("touchEnd")
        return self.state()

    def swipe(self, start, across, steps=5, pause=400):
        """Drags a finger; `pause` is the time it rests before it lifts, so that only the way counts."""
        (x, y) = start
        # A finger finds what was painted.
        self.frames(2)
        self.browser.touch("touchStart", (x, y))
        for step in range(1, steps + 1):
            self.advance(10)
            self.browser.touch("touchMove", (x + across * step / steps, y))
        # Moves are told of once a frame.
        self.frames(2)
        self.advance(pause)

    def pinch(self, center, before, after, steps=6):
        """Spreads two fingers from a distance to another, and leaves them down."""
        (x, y) = center

        def points(distance):
            return (x - distance / 2, y), (x + distance / 2, y)

        self.browser.touch("touchStart", points(before)[0])
        self.browser.touch("touchStart", *points(before))
        for step in range(1, steps + 1):
            self.advance(10)
            self.browser.touch("touchMove", *points(before + (after - before) * step / steps))

    def lift(self):
        self.browser.touch("touchEnd")
        # What slides to its place is there at once.
        self.browser.run("for (const animation of track.getAnimations()) animation.finish()")


def open_browser(name):
    """A window for readers: "chromium" or "webkit"."""
    if name == "webkit":
        return WebKit()
    # A proxy that is not there would swallow whatever leaves the folder.
    arguments = ["--proxy-server=127.0.0.1:9", "--proxy-bypass-list=127.0.0.1"]
    # Fingers would still touch a document that is kept for going back.
    return Chromium(900, 600, arguments=["--disable-features=BackForwardCache", *arguments])
