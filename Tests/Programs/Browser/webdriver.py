"""Browsers that are worked as a person would, over WebDriver (W3C), with nothing but Python's own library."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {
    "Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015", "Escape": "\ue00c", "Tab": "\ue004",
    "Shift": "\ue008", "Enter": "\ue007", "Home": "\ue011", "End": "\ue010", "PageUp": "\ue00e", "PageDown": "\ue00f",
}


# Keeps the events of a document, with their places: to wait for them, and to tell of them when a test fails.
EVENTS = """
window.events = [];
for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel", "dragstart", "resize", "hashchange"]) {
  addEventListener(kind, ({clientX, clientY}) => { events.push([kind, clientX, clientY]); }, {capture: true});
}
"""


class Refused(Exception):
    """What the driver said instead of doing what was asked."""


class Browser:
    """A window of a browser without a screen. Use it in a `with` statement.

    command: the driver with its arguments but for the port.
    """

    def __init__(self, command, environment=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="jisui-browser-"))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.log = open(self.folder / "log", "w")
        self.driver = subprocess.Popen(
            [*command, f"--port={port}"], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=environment
        )
        self.address = f"http://127.0.0.1:{port}"
        self.session = None

    def _begin(self, capabilities):
        """Opens the window."""
        try:
            self._await_driver()
            answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
            self.session = f"/session/{answer['sessionId']}"
        except BaseException:
            self.__exit__()
            raise

    def _await_driver(self):
        for _ in range(300):
            try:
                if self._call("GET", "/status")["ready"]:
                    return
            except OSError:
                time.sleep(0.1)
        raise Refused(f"{self.driver.args[0]} does not answer")

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Refused(f"{value['error']}: {(value['message'].splitlines() or [''])[0]}") from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self._call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.log.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def open(self, address):
        self._call("POST", f"{self.session}/url", {"url": address})

    def run(self, script, *arguments):
        """What a script returns, the body of a function."""
        return self._call("POST", f"{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def frame(self):
        """Lets the browser do what it does before it paints."""
        self.run("return new Promise(done => requestAnimationFrame(() => done()))")

    def wait(self, what, condition, *arguments):
        """Waits until a condition of the page holds, an expression of a script. A busy page takes long."""
        for _ in range(1000):
            if self.run(f"return Boolean({condition})", *arguments):
                return
            self.frame()
        raise Refused(f"waited for {what} for nothing")

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
        except (Refused, OSError) as error:
            return f"{error}"

    def find(self, selector):
        return self._call("POST", f"{self.session}/element", {"using": "css selector", "value": selector})

    def click(self, selector):
        self._call("POST", f"{self.session}/element/{self.find(selector)[ELEMENT]}/click", {})

    def drag(self, start, across, down):
        """Drags from a point of the window, as (x, y), by so many pixels."""
        def moved(x, y, duration):
            return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": duration, "origin": "viewport"}

        (x, y) = start
        steps = [moved(x, y, 0), {"type": "pointerDown", "button": 0}]
        steps += [moved(x + across * part / 4, y + down * part / 4, 20) for part in range(1, 5)]
        steps.append({"type": "pointerUp", "button": 0})
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}
        self._call("POST", f"{self.session}/actions", {"actions": [mouse]})

    def press(self, *keys):
        """Presses keys one after the other; ("Shift", "Left") holds the first while the second is pressed."""
        steps = []
        for key in keys:
            held = [KEYS.get(name, name) for name in ([key] if isinstance(key, str) else key)]
            steps += [{"type": "keyDown", "value": name} for name in held]
            steps += [{"type": "keyUp", "value": name} for name in reversed(held)]
        self._call("POST", f"{self.session}/actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def tab(self):
        """The tab that is worked, to come back to with `switch`."""
        return self._call("GET", f"{self.session}/window")

    def open_tab(self):
        """Opens another tab and works that one."""
        self.switch(self._call("POST", f"{self.session}/window/new", {"type": "tab"})["handle"])

    def switch(self, tab):
        self._call("POST", f"{self.session}/window", {"handle": tab})

    def close_tab(self, back):
        """Closes the tab that is worked and goes back to another."""
        self._call("DELETE", f"{self.session}/window")
        self.switch(back)

    def screenshot(self, path):
        import base64

        pathlib.Path(path).write_bytes(base64.b64decode(self._call("GET", f"{self.session}/screenshot")))


class Chromium(Browser):
    """Debian's chromium."""

    def __init__(self, width=1280, height=900, arguments=()):
        super().__init__(["chromedriver"])
        self.downloads = self.folder / "downloads"
        self.downloads.mkdir()
        arguments = list(arguments)
        arguments += ["--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},{height}"]
        arguments.append(f"--user-data-dir={self.folder / 'profile'}")
        preferences = {"download.default_directory": str(self.downloads), "download.prompt_for_download": False}
        options = {"args": arguments, "prefs": preferences}
        self._begin({"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}})

    def before_documents(self, script, late):
        """Has a script run before those of every document that is opened."""
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=EVENTS + script)

    def fingers(self, has_fingers):
        """Whether the document that is open has to do with fingers."""
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=has_fingers, maxTouchPoints=5)

    def devtools(self, command, **parameters):
        """What a command of the DevTools protocol returns."""
        return self._call("POST", f"{self.session}/goog/cdp/execute", {"cmd": command, "params": parameters})

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
        return [entry["message"] for entry in self._call("POST", f"{self.session}/se/log", {"type": "browser"})]

    def downloaded(self, name, seconds=20):
        """The bytes of a file that the page had saved, once it is whole."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if (self.downloads / name).is_file():
                return (self.downloads / name).read_bytes()
            time.sleep(0.1)
        raise Refused(f"{name} was not saved; there is {[path.name for path in self.downloads.iterdir()]}")


class WebKit(Browser):
    """WebKitGTK's own small browser, on a screen that nobody sees (Xvfb)."""

    def __init__(self):
        self.screen, number = self._screen()
        # In a container there is nothing that its sandbox could be made of.
        environment = {
            **os.environ, "DISPLAY": f":{number}", "GDK_BACKEND": "x11", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
            "LIBGL_ALWAYS_SOFTWARE": "1",
        }
        self.script, self.at, self.size = "", None, None
        super().__init__(["WebKitWebDriver"], environment)
        self._begin({})

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
            raise Refused("Xvfb does not begin")
        return screen, number

    def __exit__(self, *arguments):
        try:
            super().__exit__(*arguments)
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

    def touch(self, kind, *points):
        """Does with the mouse what one finger would."""
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0, "origin": "viewport"} for x, y in points[:1]]
        if len(points) > 1 or kind == "touchCancel":
            raise Refused("a mouse can not do that")
        button = {"touchStart": [{"type": "pointerDown", "button": 0}], "touchEnd": [{"type": "pointerUp", "button": 0}]}.get(kind, [])
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves + button}
        event = {"touchStart": "pointerdown", "touchMove": "pointermove", "touchEnd": "pointerup"}[kind]

        def act():
            self._call("POST", f"{self.session}/actions", {"actions": [mouse]})

        # Its driver does not wait for a busy page. A page is not told of a move that leads nowhere.
        at = next(((move["x"], move["y"]) for move in moves), self.at)
        leads_nowhere, self.at = kind == "touchMove" and at == self.at, at
        if leads_nowhere:
            act()
        else:
            self.told(event, act, at)

    def resize(self, width, height):
        """Gives the window another size, of which the bar at its top takes a part."""
        rest = self.run("return outerHeight - innerHeight")
        # The screen's own mouse rests on that bar: keys go to the window below it, and the page is not told of it.
        self._call("POST", f"{self.session}/window/rect", {"x": 1400, "y": 1490, "width": width, "height": height + rest})
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
