"""Browsers that tests use as a person would, through Selenium."""

import atexit
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait


class Browser:
    """A window of a browser without a screen, a driver of Selenium's. Use it in a `with` statement."""

    def open(self, address):
        self.get(address)

    def run(self, script, *arguments):
        """Returns the result of a script, the body of a function. A promise is awaited."""
        return self.execute_script(script, *arguments)

    def wait(self, condition, *arguments):
        waiting = WebDriverWait(self, 30, poll_frequency=0.02)
        waiting.until(lambda _: self.run(f"return ({condition})", *arguments), f"{condition} stays false {arguments or ''}")

    def frames(self, count=1):
        """Lets the browser do its work before it paints."""
        for _ in range(count):
            self.run("return new Promise(done => requestAnimationFrame(() => done()))")

    def click(self, selector):
        self.find_element("css selector", selector).click()

    def drag(self, start, across, down):
        actions = ActionBuilder(self, duration=20)
        for part in range(5):
            actions.pointer_action.move_to_location(round(start[0] + across * part / 4), round(start[1] + down * part / 4))
            if part == 0:
                actions.pointer_action.pointer_down()
        actions.pointer_action.pointer_up()
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

    def release(self):
        """Lets go what a test that failed has left pressed."""
        ActionBuilder(self).clear_actions()


class Chromium(Browser, webdriver.Chrome):
    def __init__(self, width=1280, height=900, arguments=()):
        self.downloads = pathlib.Path(tempfile.mkdtemp(prefix="jisui-browser-"))
        options = webdriver.ChromeOptions()
        options.arguments.extend([*arguments, "--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},{height}"])
        options.add_experimental_option("prefs", {"download.default_directory": str(self.downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        super().__init__(options=options)

    def quit(self):
        super().quit()
        shutil.rmtree(self.downloads, ignore_errors=True)

    def devtools(self, command, **parameters):
        return self.execute_cdp_cmd(command, parameters)

    def before_documents(self, script):
        """Runs a script before those of every document that is opened from now on."""
        return self.devtools("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]

    def fingers(self, has_fingers):
        """Gives the open document a touch screen, or takes it away."""
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=has_fingers, maxTouchPoints=5)

    def touch(self, kind, *points):
        """Sends "Start", "Move", "End" or "Cancel" with the places of the fingers that are down."""
        places = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.devtools("Input.dispatchTouchEvent", type=f"touch{kind}", touchPoints=places)

    def release(self):
        # Without fingers that are down this is an error.
        with contextlib.suppress(WebDriverException):
            self.touch("Cancel")

    def resize(self, width, height, scale=1, mobile=False):
        """Gives the window another size, in its own pixels."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile)

    def console(self):
        """Returns the messages of the page's console since the last call."""
        return [entry["message"] for entry in self.get_log("browser")]

    def downloaded(self, name):
        """Waits for a file that the page saves, and returns its bytes. The file has its name only when it is whole."""
        path = self.downloads / name
        WebDriverWait(self, 60, poll_frequency=0.05).until(lambda _: path.is_file(), f"{name} was not saved")
        saved = path.read_bytes()
        path.unlink()
        return saved


class WebKit(Browser, webdriver.WebKitGTK):
    """WebKitGTK's own small browser, on a screen in memory (Xvfb). Its driver has a mouse, and neither fingers nor a console."""

    def __init__(self):
        # Xvfb chooses the screen's number and prints it. The screen's own mouse rests in its middle, at (1500, 1500).
        screen = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "3000x3000x24", "-nolisten", "tcp"],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        atexit.register(screen.kill)
        # A container does not allow the sandbox of the browser.
        os.environ |= {"DISPLAY": f":{screen.stdout.readline().strip()}", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1",
                       "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        self.script, self.at, self.size = "", None, None
        super().__init__()

    def before_documents(self, script):
        """Runs a script in every document that is opened from now on: only after the document's own."""
        self.script = script

    def open(self, address):
        super().open(address)
        self.run(self.script)
        self._await_size()

    def fingers(self, has_fingers):
        """A mouse does the work of fingers."""

    def touch(self, kind, *points):
        """Does with the mouse what one finger would, and waits for the event: this driver does not."""
        actions = ActionBuilder(self, duration=0)
        if points:
            self.at = tuple(map(round, points[0]))
            actions.pointer_action.move_to_location(*self.at)
        if kind != "Move":
            {"Start": actions.pointer_action.pointer_down, "End": actions.pointer_action.pointer_up}[kind]()
        event = {"Start": "pointerdown", "Move": "pointermove", "End": "pointerup"}[kind]
        before = self.run("return $events.length")
        actions.perform()
        self.wait("$events.slice(arguments[0]).includes(arguments[1])", before, f"{event} {self.at[0]} {self.at[1]}")

    def resize(self, width, height):
        """Gives the window another size, of which the bar at its top takes a part."""
        bar = self.run("return outerHeight - innerHeight")
        # The screen's own mouse rests on that bar: keys go to the window below it, and the page gets no event of it.
        self.set_window_rect(1400, 1490, width, height + bar)
        self.size = (width, height)
        self._await_size()

    def _await_size(self):
        """Waits until the document has the window's size, which a new document does not have at first."""
        if self.size:
            self.wait("innerWidth === arguments[0] && innerHeight === arguments[1]", *self.size)
            # The document gets the event of its new size before it paints.
            self.frames()

    def console(self):
        return []
