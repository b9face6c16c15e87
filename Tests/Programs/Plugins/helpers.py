"""What the tests of plug-ins share: a folder for each, in it processes of a plug-in (`host.py`), or jisui with plug-ins."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import time
import zipfile

import pytest

import faulty
from host import Refused

TOP = pathlib.Path(__file__).resolve().parents[3]
FIXTURES = TOP / "Fixtures"
JISUI = pathlib.Path(os.environ.get("JISUI_UNDER_TEST", TOP / ".build/plain/jisui")).resolve()


def processes(pattern):
    """The numbers of the running processes whose command line matches."""
    return subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True).stdout.split()


class Folder:
    def path(self, name, content=None):
        """The path of a file, which is written where a content is given."""
        path = self.folder / name
        if content is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path


class PluginTests(Folder):
    """Tests of one program, with a folder for each. `plugin check` tests what holds of all programs (`faults_tests.py`)."""

    @pytest.fixture(autouse=True)
    def prepare(self, tmp_path):
        self.folder = tmp_path
        with contextlib.ExitStack() as self.ending:
            yield

    def running(self, host):
        """A process of a plug-in, which ends with the test at the latest."""
        return self.ending.enter_context(host)

    def programs(self, **scripts):
        """Variables with which shell scripts stand in for programs."""
        for name, script in scripts.items():
            self.path(f"bin/{name}", f"#!/bin/sh\n{script}\n").chmod(0o755)
        return {"PATH": f"{self.path('bin')}:/usr/bin:/bin"}

    def python_alone(self):
        """Variables with which Python is the only program."""
        self.path("alone").mkdir()
        self.path("alone/python3").symlink_to("/usr/bin/python3")
        return {"PATH": self.path("alone")}

    def refused(self, code, call, *arguments, says="", **keys):
        """The refusal that a call must end with, whose message says some words."""
        with pytest.raises(Refused, match=f"(?s)^{code}: (?=.).*{re.escape(says)}") as caught:
            call(*arguments, **keys)
        return caught.value

    def sleeps_until(self, seconds, is_there, within=20):
        """Waits until a process sleeps so long, a time that nobody else sleeps, or until none does."""
        end = time.monotonic() + within
        while bool(processes(f"^sleep {seconds}$")) != is_there:
            assert time.monotonic() < end, f"it did not come about in {within} s"
            time.sleep(0.02)


class Case(Folder):
    """Jisui in a folder, with a folder of plug-ins and a home of its own."""

    def __init__(self, folder):
        self.folder, self.plugins = folder, folder / "plugins"
        self.plugins.mkdir(0o755, parents=True)

    def read(self, name):
        return json.loads(self.path(name).read_text().splitlines()[0])

    def sandbox(self):
        """The parts of the sandbox that the system has: "files", "calls"."""
        return json.loads(self.jisui("plugin", "list", "--json").stdout)["sandbox"]

    def faulty(self, *fault):
        """Installs the plug-in of faulty.py, with a fault, and the form of a sink's output."""
        faulty.sample(self.path("book.faulty"))
        return faulty.install(self.plugins, *fault)

    def copy(self, name):
        """Installs a plug-in of the repository."""
        for ending in ("", ".json"):
            shutil.copy(f"{TOP}/{name}{ending}", self.plugins)

    def change_card(self, name, **members):
        """Sets members of a card."""
        path = self.plugins / f"jisui-{name}.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | members))

    def jisui(self, *arguments, folder=None, program=JISUI, **variables):
        environment = {"PATH": os.environ["PATH"], "HOME": self.path("home"), "JISUI_PLUGIN_PATH": self.plugins,
                       "TMPDIR": self.folder} | variables
        return subprocess.run([program, *arguments], capture_output=True, text=True, env=environment, cwd=folder or self.folder,
                              timeout=200)

    def is_converted(self, ended, status=0):
        """Expects that jisui ended with a status, or one of several, and left nothing."""
        assert ended.returncode in (status if isinstance(status, tuple) else (status,)), ended.stdout + ended.stderr
        assert self.leftovers() == []

    def convert(self, *arguments, status=0, says="", **more):
        """Has jisui convert a book."""
        ended = self.jisui(*arguments, **more)
        self.is_converted(ended, status)
        assert says in ended.stderr
        return ended

    def pages(self, name):
        """The pictures of a CBZ, in their order."""
        with zipfile.ZipFile(self.path(name)) as book:
            return [book.read(entry) for entry in book.namelist() if entry != "ComicInfo.xml"]

    def leftovers(self):
        """What jisui left hidden, and processes that are still there. The system takes a moment to end those that were killed."""
        for _ in range(100):
            left = [*self.folder.glob(".*"), *processes(str(self.plugins))]
            if not left:
                break
            time.sleep(0.1)
        return left
