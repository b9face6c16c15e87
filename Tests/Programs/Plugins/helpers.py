"""What the tests of plug-ins share beside the stand-in host: programs to try, where things are."""

import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

from host import Refused

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
FIXTURES = os.path.join(TOP, "Fixtures")


def needed(*programs):
    """Skips where a program is missing, unless JISUI_REQUIRE_TOOLS asks for all of them."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing and os.environ.get("JISUI_REQUIRE_TOOLS") == "1":
        return lambda test: test
    return unittest.skipIf(missing, f"not installed: {' '.join(missing)}")


def ask_with(host, picture, ask, **keys):
    """Asks with a picture in the slot; gives the lines and the end of the answer."""
    os.ftruncate(host.slot, 0)
    os.pwrite(host.slot, picture, 0)
    host.send({"ask": ask} | keys | {"bytes": len(picture)})
    return host.answer()


def change(host, pages, book=None, shown=lambda _: None, lines_run=None, **more):
    """Sends a list of pages to a transform; `shown` gives the picture of a page that it wants to see.

    `lines_run` is how the lines of those pages run. The lines, and the requests for pictures; the end is `host.end`.
    """
    host.send({"ask": "change", "count": len(pages), "book": book or {}} | more)
    for page in pages:
        host.send(page)
    lines, wanted = [], []
    while True:
        line = host.receive()
        if "preview" in line:
            wanted.append(line)
            picture = shown(line["preview"])
            os.ftruncate(host.slot, 0)
            os.pwrite(host.slot, picture or b"", 0)
            answer = {"bytes": len(picture or b""), "size": [1, 1]} | ({"lines": lines_run} if lines_run else {})
            host.send(answer if picture else {"error": "damaged", "message": "cannot be read"})
        elif "error" in line:
            raise Refused(line)
        elif "ok" in line:
            host.end = line
            return lines, wanted
        else:
            lines.append(line)


def processes(is_wanted):
    """The numbers of the running processes whose command line, with a zero after each part, is wanted."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                if is_wanted(file.read()):
                    found.append(number)
        except OSError:
            pass
    return found


def sleepers(seconds):
    """The processes that sleep so long: a time that nobody else sleeps."""
    return processes(f"sleep\0{seconds}\0".encode().__eq__)


def eventually(test, holds):
    """Waits until something holds, and fails when it does not in 20 s."""
    end = time.monotonic() + 20
    while not holds():
        if time.monotonic() > end:
            test.fail("it did not come about in 20 s")
        time.sleep(0.02)


class PluginTests(unittest.TestCase):
    """Tests of one program, with a folder for each. `plugin check` tests what holds of all programs (`faults_tests.py`)."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="plugin-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name, content=None):
        path = self.folder / name
        if content is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return path

    def running(self, host):
        """A process of a plug-in, which ends with the test at the latest."""
        self.addCleanup(host.close)
        return host

    def programs(self, **scripts):
        """Variables with which shell scripts stand in for programs."""
        for name, script in scripts.items():
            self.path(f"bin/{name}", f"#!/bin/sh\n{script}\n".encode()).chmod(0o755)
        return {"PATH": f"{self.path('bin')}:/usr/bin:/bin"}

    def python_alone(self):
        """Variables with which Python is the only program."""
        self.path("bin").mkdir()
        self.path("bin/python3").symlink_to("/usr/bin/python3")
        return {"PATH": str(self.path("bin"))}

    def refused(self, code, call, *arguments, **keys):
        """The refusal that a call must end with."""
        with self.assertRaises(Refused) as caught:
            call(*arguments, **keys)
        self.assertEqual(caught.exception.code, code, caught.exception.message)
        self.assertTrue(caught.exception.message)
        return caught.exception


def main():
    sys.argv[0] = os.path.basename(sys.argv[0])
    unittest.main()
