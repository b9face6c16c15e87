"""Browsers that are worked as a person would, through Selenium."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.keys import Keys

# Keeps the events of a document, with their places: to wait for them, and to tell of them when a test fails.
EVENTS = """
window.events = [];
for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel", "dragstart", "resize", "hashchange"]) {
  addEventListener(kind, ({clientX, clientY}) => { events.push([kind, clientX, clientY]); }, {capture: true});
}
"""


class Browser:
    """A window of a browser without a screen, a driver of Selenium's. Use it in a `with` statement."""

    def open(self, address):
        self.get(address)

    def run(self, script, *arguments):
        """What a script returns, the body of a function."""
        return self.execute_script(script, *arguments)

    def frame(self):
        """Lets the browser do what it does before it paints."""
        self.run("return new Promise(done => requestAnimationFrame(() => done()))")

    def wait(self, what, condition, *arguments):
        """Waits until a condition of the page holds, an expression of a script. A busy page takes long."""
        for _ in range(1000):
            if self.run(f"return Boolean({condition})", *arguments):
                return
            self.frame()
        raise TimeoutError(f"waited for {what} for nothing")

    def told(self, event, act, place=None):
        """Acts, and waits until the page is told of it by an event, at a place (x, y) if one is given."""
        before = self.run("return events.length")
        act()
        self.wait(
            f"the {event} at {place}",
            "events.slice(arguments[0]).some(([kind, ...place]) => kind === arguments[1] && `${place}` === (arguments[2] ?? `${place}`))",
            before, event, place and "%d,%d" % place)

    def last_events(self):
        """The last events of the page as text, or why they cannot be told."""
        try:
            return self.run("return window.events?.slice(-12).map(event => event.join(' ')).join(', ')")
        except Exception as error:
            return f"{error}"

    def click(self, selector):
        self.find_element("css selector", selector).click()

    def drag(self, start, across, down):
        """Drags from a point of the window, as (x, y), by so many pixels."""
        actions = ActionBuilder(self, duration=20)
        mouse = actions.pointer_action
        mouse.move_to_location(*map(round, start)).pointer_down()
        for part in range(1, 5):
            mouse.move_to_location(round(start[0] + across * part / 4), round(start[1] + down * part / 4))
        mouse.pointer_up()
        actions.perform()

    def press(self, *keys):
        """Presses keys one after the other; ("Shift", "Left") holds the first while the second is pressed."""
        actions = ActionBuilder(self)
        for key in keys:
            held = [getattr(Keys, name.upper(), name) for name in ([key] if isinstance(key, str) else key)]
            for name in held:
                actions.key_action.key_down(name)
            for name in reversed(held):
                actions.key_action.key_up(name)
        actions.perform()


class Chromium(Browser, webdriver.Chrome):
    """Debian's chromium."""

    def __init__(self, width=1280, height=900, arguments=()):
        self.downloads = pathlib.Path(tempfile.mkdtemp(prefix="jisui-browser-"))
        options = webdriver.ChromeOptions()
        for argument in (*arguments, "--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},{height}"):
            options.add_argument(argument)
        options.add_experimental_option(
            "prefs", {"download.default_directory": str(self.downloads), "download.prompt_for_download": False})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        super().__init__(options=options)

    def quit(self):
        super().quit()
        shutil.rmtree(self.downloads, ignore_errors=True)

    def before_documents(self, script, late):
        """Has a script run before those of every document that is opened."""
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=EVENTS + script)

    def fingers(self, has_fingers):
        """Whether the document that is open has to do with fingers."""
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=has_fingers, maxTouchPoints=5)

    def devtools(self, command, **parameters):
        """What a command of the DevTools protocol returns."""
        return self.execute_cdp_cmd(command, parameters)

    def touch(self, kind, *points):
        """Tells of fingers: "touchStart", "touchMove", "touchEnd" or "touchCancel", with those that are down."""
        places = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]

        def act():
            self.devtools("Input.dispatchTouchEvent", type=kind, touchPoints=places)

        # The driver waits for what a page may prevent.
        if kind == "touchCancel":
            self.told("pointercancel", act)
        else:
            act()

    def resize(self, width, height, scale=1, mobile=False):
        """Gives the window another size, in its own pixels."""
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile
        )

    def console(self):
        """What the page's console said since it was asked last."""
        return [entry["message"] for entry in self.get_log("browser")]

    def downloaded(self, name, seconds=20):
        """Takes a file away that the page had saved, once it is whole: its bytes."""
        path, end = self.downloads / name, time.monotonic() + seconds
        while not path.is_file():
            if time.monotonic() > end:
                raise TimeoutError(f"{name} was not saved; there is {[path.name for path in self.downloads.iterdir()]}")
            time.sleep(0.1)
        saved = path.read_bytes()
        path.unlink()
        return saved


class WebKit(Browser, webdriver.WebKitGTK):
    """WebKitGTK's own small browser, on a screen that nobody sees (Xvfb)."""

    def __init__(self):
        self.screen, number = self._screen()
        # In a container there is nothing that its sandbox could be made of.
        os.environ.update({
            "DISPLAY": f":{number}", "GDK_BACKEND": "x11", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LIBGL_ALWAYS_SOFTWARE": "1"
        })
        self.script, self.at, self.size = "", None, None
        try:
            super().__init__()
        except BaseException:
            self.screen.terminate()
            raise

    @staticmethod
    def _screen():
        """A screen, and its number, which it chooses itself and tells. Its own mouse rests at (1500, 1500), its middle."""
        reading, writing = os.pipe()
        screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "3000x3000x24", "-nolisten", "tcp"], pass_fds=[writing],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        if not number:
            raise OSError("Xvfb does not begin")
        return screen, number

    def quit(self):
        try:
            super().quit()
        finally:
            self.screen.terminate()
            self.screen.wait()

    def before_documents(self, script, late):
        """Has a script run in every document that is opened: here the late one, after its own."""
        self.script = EVENTS + late

    def open(self, address):
        super().open(address)
        self.run(self.script)
        self._await_size()

    def fingers(self, has_fingers):
        """Its driver has a mouse and no fingers."""

    def touch(self, kind, point=None):
        """Does with the mouse what one finger would."""
        actions = ActionBuilder(self, duration=0)
        if point:
            actions.pointer_action.move_to_location(*map(round, point))
        {"touchStart": actions.pointer_action.pointer_down, "touchEnd": actions.pointer_action.pointer_up}.get(kind, lambda: None)()
        event = {"touchStart": "pointerdown", "touchMove": "pointermove", "touchEnd": "pointerup"}[kind]
        # Its driver does not wait for a busy page. A page is not told of a move that leads nowhere.
        at = tuple(map(round, point)) if point else self.at
        leads_nowhere, self.at = kind == "touchMove" and at == self.at, at
        if leads_nowhere:
            actions.perform()
        else:
            self.told(event, actions.perform, at)

    def resize(self, width, height):
        """Gives the window another size, of which the bar at its top takes a part."""
        rest = self.run("return outerHeight - innerHeight")
        # The screen's own mouse rests on that bar: keys go to the window below it, and the page is not told of it.
        self.set_window_rect(1400, 1490, width, height + rest)
        self.size = (width, height)
        self._await_size()

    def _await_size(self):
        """Waits until the document has the window's size. It first has another, also one that is opened in a window of this size."""
        if self.size:
            self.wait("the window of %d × %d" % self.size, "innerWidth === arguments[0] && innerHeight === arguments[1]", *self.size)
            # It is told before it paints.
            self.frame()

    def console(self):
        """Its driver tells nothing of it."""
        return []
