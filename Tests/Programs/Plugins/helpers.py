"""What the tests of plug-ins share beside the stand-in host: a folder for each test, programs to try, where things are."""

import os
import pathlib
import shutil
import tempfile
import time
import unittest

from host import Refused

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
FIXTURES = os.path.join(TOP, "Fixtures")


def needed(*programs):
    """Skips where a program is missing, unless JISUI_REQUIRE_TOOLS asks for all of them."""
    missing = [program for program in programs if not shutil.which(program)]
    return unittest.skipIf(missing and os.environ.get("JISUI_REQUIRE_TOOLS") != "1", f"not installed: {' '.join(missing)}")


def processes(is_wanted):
    """The numbers of the running processes whose command line, with a zero after each part, is wanted."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if is_wanted((process / "cmdline").read_bytes()):
                found.append(process.name)
        except OSError:
            pass
    return found


def rows(*table):
    """Runs a test with each row of a table."""
    def tests(test):
        def run(self):
            for row in table:
                with self.subTest(str(row)[:80]):
                    test(self, *(row if isinstance(row, tuple) else (row,)))
        return run
    return tests


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
        self.path("alone").mkdir()
        self.path("alone/python3").symlink_to("/usr/bin/python3")
        return {"PATH": str(self.path("alone"))}

    def refused(self, code, call, *arguments, says="", **keys):
        """The refusal that a call must end with, whose message says some words."""
        with self.assertRaises(Refused) as caught:
            call(*arguments, **keys)
        self.assertEqual(caught.exception.code, code, caught.exception.message)
        self.assertTrue(caught.exception.message)
        self.assertIn(says, caught.exception.message)
        return caught.exception

    def sleeps_until(self, seconds, is_there, within=20):
        """Waits until a process sleeps so long, a time that nobody else sleeps, or until none does."""
        end = time.monotonic() + within
        while bool(processes(f"sleep\0{seconds}\0".encode().__eq__)) != is_there:
            self.assertLess(time.monotonic(), end, f"it did not come about in {within} s")
            time.sleep(0.02)
