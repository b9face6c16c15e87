"""What the tests of jisui with plug-ins share: a folder for each, jisui in it, and how they are run.

    SCRIPT JISUI FOLDER [PART OF A NAME]

Prints a line of JSON for each test, with "fault" when it failed.
"""

import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import time
import traceback
import zipfile

import faulty
from helpers import TOP, processes

JISUI = os.path.abspath(sys.argv[1])
FOLDER = os.path.abspath(sys.argv[2])


class Case:
    """A folder with a folder of plug-ins, a home of its own, and jisui in it."""

    def __init__(self, name):
        self.folder = os.path.join(FOLDER, name.replace("/", "-"))
        self.plugins = os.path.join(self.folder, "plugins")
        os.makedirs(self.plugins)
        for folder in (self.folder, self.plugins):
            os.chmod(folder, 0o755)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data="text"):
        """Writes a file, and returns its path."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        return self.path(name)

    def read(self, name):
        with open(self.path(name)) as file:
            return json.loads(file.readline())

    def sandbox(self):
        """The parts of the sandbox that the system has: "files", "calls"."""
        return json.loads(self.jisui("plugin", "list", "--json").stdout)["sandbox"]

    def faulty(self, *fault):
        """Installs the plug-in of faulty.py, with a fault, and the form of a sink's output."""
        faulty.install(self.plugins, *fault)
        faulty.sample(self.path("book.faulty"))

    def copy(self, name):
        """Installs a plug-in of the repository."""
        for ending in ("", ".json"):
            shutil.copy(os.path.join(TOP, name + ending), self.plugins)

    def change_card(self, name, **members):
        """Sets members of a card."""
        with open(os.path.join(self.plugins, f"jisui-{name}.json"), "r+") as file:
            card = json.load(file) | members
            file.seek(0)
            json.dump(card, file)
            file.truncate()

    def jisui(self, *arguments, folder=None, program=JISUI, **variables):
        environment = {"PATH": os.environ["PATH"], "HOME": self.path("home"), "JISUI_PLUGIN_PATH": self.plugins,
                       "TMPDIR": self.folder} | variables
        return subprocess.run([program, *arguments], capture_output=True, text=True, env=environment, cwd=folder or self.folder,
                              timeout=200)

    def convert(self, *arguments, status=0, says="", **more):
        """Has jisui convert a book, which ends with a status, or one of several, and leaves nothing else."""
        ended = self.jisui(*arguments, **more)
        is_converted(self, ended, status)
        expect(says in ended.stderr, f"{arguments}: {ended.stderr}")
        return ended

    def pages(self, name):
        """The pictures of a CBZ, in their order."""
        with zipfile.ZipFile(self.path(name)) as book:
            return [book.read(entry) for entry in book.namelist() if entry != "ComicInfo.xml"]

    def leftovers(self):
        """What jisui left hidden, and processes that are still there. The system takes a moment to end those that were killed."""
        for _ in range(100):
            left = [name for name in os.listdir(self.folder) if name.startswith(".")]
            left += processes(lambda line: self.plugins.encode() in line)
            if not left:
                break
            time.sleep(0.1)
        return left


def expect(is_kept, what):
    if not is_kept:
        raise AssertionError(what)


def is_converted(case, ended, status=0):
    statuses = status if isinstance(status, tuple) else (status,)
    expect(ended.returncode in statuses, f"ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    expect(not case.leftovers(), f"left {case.leftovers()}")


def run_tests(tests, workers=1):
    """Runs tests, (name, function of a case), and prints what each found."""
    def run(test):
        name, function = test
        try:
            function(Case(name))
        except Exception as fault:
            return {"test": name, "fault": f"{fault}" or traceback.format_exc()}
        return {"test": name}

    wanted = [test for test in tests if not sys.argv[3:] or sys.argv[3] in test[0]]
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for found in pool.map(run, wanted):
            print(json.dumps(found), flush=True)


def main(members):
    """Runs the functions of a script whose argument is a case."""
    run_tests((name, test) for name, test in members.items()
              if getattr(test, "__module__", "") == "__main__" and test.__code__.co_varnames[: test.__code__.co_argcount] == ("case",))
