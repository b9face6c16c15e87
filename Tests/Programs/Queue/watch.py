#!/usr/bin/env python3
"""Fills a hot folder while jisui watches it: watch.py JISUI [--files N] [--seed N]

Files are copied in slowly, renamed, overwritten and removed at random moments. The run is stopped once by SIGTERM and once by
SIGKILL, and started again. At the end each complete book must have been converted once, with the bytes of an undisturbed
run. Its source must be in the folder for converted books, broken ones in the other, and nothing else may be left.
"""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
PAGE = REPOSITORY / "Fixtures/good/PDFSource/vector.pdf"
ARCHIVE = REPOSITORY / "Fixtures/good/ArchiveSource"
IMAGE = REPOSITORY / "Fixtures/good/Imaging/gray.png"
SETTLE, DONE = 2, 0
# The longest pause of a program that writes, in seconds. A busy machine adds to it.
PAUSE = 0.4
SECONDS = 900


class Feeder:
    """Programs that write into the hot folder, each file in its own way."""

    def __init__(self, folder, chance, count):
        self.folder, self.chance = folder, chance
        # The books that must be converted, by name, with their files; and those that cannot be.
        self.whole, self.broken = {}, set()
        self.images = IMAGE.read_bytes()
        self.bytes = PAGE.read_bytes()
        ways = [self.slowly, self.renamed, self.moved, self.overwritten, self.removed, self.pages, self.broken_one]
        self.plan = [(ways[number % len(ways)], number) for number in range(count)]
        chance.shuffle(self.plan)
        # Broken files are taken last, because they might still be incomplete.
        self.plan.sort(key=lambda step: step[0] != self.broken_one)

    def variant(self, number):
        """A PDF of its own."""
        return self.bytes + f"\n% book {number}\n".encode()

    def write(self, path, data, pause=0.0):
        with open(path, "wb") as file:
            for start in range(0, len(data), max(1, len(data) // 4)):
                file.write(data[start:start + max(1, len(data) // 4)])
                file.flush()
                time.sleep(pause)

    def slowly(self, number):
        """A copy with pauses that are shorter than the time to settle."""
        name = f"slow {number}.pdf"
        self.write(self.folder / name, self.variant(number), PAUSE)
        self.whole[name] = self.variant(number)

    def renamed(self, number):
        """A download that gets its name at the end, after a long pause."""
        name, hidden = f"download {number}.pdf", self.chance.choice([".{}.aB3x9z", "{}.part", "{}.crdownload", "{}.tmp", "{}~"])
        part = self.folder / hidden.format(f"download {number}.pdf")
        data = self.variant(number)
        part.write_bytes(data[:len(data) // 2])
        time.sleep(self.chance.uniform(0, 2 * SETTLE))
        part.write_bytes(data)
        part.rename(self.folder / name)
        self.whole[name] = data

    def moved(self, number):
        """A file that another program wrote elsewhere."""
        name = f"sub/moved {number}.pdf"
        elsewhere = self.folder.parent / f"elsewhere {number}"
        elsewhere.write_bytes(self.variant(number))
        (self.folder / "sub").mkdir(exist_ok=True)
        elsewhere.rename(self.folder / name)
        self.whole[name] = self.variant(number)

    def overwritten(self, number):
        """A scanner that writes a file again before it is settled."""
        name = f"again {number}.pdf"
        for version in range(3):
            self.write(self.folder / name, self.variant(number + version * 1_000_000), PAUSE / 8)
            time.sleep(self.chance.uniform(0, PAUSE))
        self.whole[name] = self.variant(number + 2 * 1_000_000)

    def removed(self, number):
        """A file that is taken back before it is settled."""
        path = self.folder / f"removed {number}.pdf"
        path.write_bytes(self.variant(number))
        time.sleep(self.chance.uniform(0, PAUSE))
        path.unlink()

    def pages(self, number):
        """A folder of images, one after the other."""
        name = f"scan {number}"
        (self.folder / name).mkdir()
        for page in range(3):
            (self.folder / name / f"{page}.png").write_bytes(self.images)
            time.sleep(self.chance.uniform(0, PAUSE))
        self.whole[name] = self.images

    def broken_one(self, number):
        name = f"broken {number}.pdf"
        (self.folder / name).write_bytes(f"%PDF-1.4 nothing else {number}".encode())
        self.broken.add(name)

    def run(self, writers=12):
        """Lets several programs write at once."""
        plan, lock = iter(self.plan), threading.Lock()

        def work():
            while True:
                with lock:
                    way, number = next(plan, (None, 0))
                if way is None:
                    return
                way(number)

        threads = [threading.Thread(target=work) for _ in range(writers)]
        for thread in threads:
            thread.start()
        return threads


class Watcher:
    """The run of jisui, which is ended and started again."""

    def __init__(self, jisui, root, environment):
        self.call = [
            jisui, "watch", "in/", "-o", "out/", "--to", "cbz", "--settle", str(SETTLE), "--done", "done", "--failed", "failed",
            "--jobs", "2"]
        self.root, self.environment, self.runs = root, environment, 0
        self.log = open(root / "log", "ab")
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.call, cwd=self.root, env=self.environment, stderr=self.log, stdout=self.log)
        self.runs += 1

    def end(self, number):
        self.process.send_signal(number)
        return self.process.wait(timeout=60)


def entries(journal):
    lines = journal.read_bytes().split(b"\n")[:-1] if journal.exists() else []
    return [entry for entry in map(json.loads, lines) if "finished" in entry]


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def reference(jisui, root, whole, environment):
    """The outputs of one run over the complete books."""
    shelf = root / "reference"
    for name, data in whole.items():
        if name.startswith("scan"):
            (shelf / name).mkdir(parents=True)
            for page in range(3):
                (shelf / name / f"{page}.png").write_bytes(data)
        else:
            (shelf / name).parent.mkdir(parents=True, exist_ok=True)
            (shelf / name).write_bytes(data)
    subprocess.run(
        [jisui, "reference/", "-o", "whole/", "--to", "cbz", "--recursive", "-q"], cwd=root, env=environment, check=True)
    return root / "whole"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("jisui")
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    chance, jisui, failures = random.Random(given.seed), str(Path(given.jisui).resolve()), []

    def expect(condition, text):
        if not condition:
            failures.append(text)

    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        for name in ("in", "tmp"):
            (root / name).mkdir()
        environment = os.environ | {"TMPDIR": str(root / "tmp"), "LC_ALL": "C.UTF-8"}
        feeder, watcher = Feeder(root / "in", chance, given.files), Watcher(jisui, root, environment)
        journal = root / "out/.jisui.journal.jsonl"
        began = time.monotonic()
        watcher.start()
        threads = feeder.run()
        for end, share in ((signal.SIGTERM, 0.3), (signal.SIGKILL, 0.6)):
            while len(entries(journal)) < share * len(feeder.plan) * 0.7 and time.monotonic() - began < SECONDS:
                time.sleep(0.05)
            status = watcher.end(end)
            if end == signal.SIGTERM:
                expect(status == DONE, f"SIGTERM: status {status}")
            watcher.start()
        for thread in threads:
            thread.join()

        def is_over():
            left = files(root / "in")
            return not left and not any(threads_alive.is_alive() for threads_alive in threads)

        while not is_over() and time.monotonic() - began < SECONDS and watcher.process.poll() is None:
            time.sleep(0.1)
        expect(watcher.process.poll() is None, "the run ended by itself")
        expect(watcher.end(signal.SIGTERM) == DONE, "the status at the end")
        seconds = time.monotonic() - began
        lines = entries(journal)
        good = [entry["inputs"][0]["path"] for entry in lines if entry["outcome"] != "failed"]
        prefix = len(str(root.resolve() / "in")) + 1
        expect(len(good) == len(set(good)), "a book was converted twice")
        expect({path[prefix:] for path in good} == set(feeder.whole), f"{len(good)} books of {len(feeder.whole)}")
        bad = {entry["inputs"][0]["path"][prefix:] for entry in lines if entry["outcome"] == "failed"}
        expect(bad == feeder.broken, f"{bad ^ feeder.broken} failed or did not")
        whole = reference(jisui, root, feeder.whole, environment)
        made = {name for name in files(root / "out") if not name.startswith(".")}
        expect(made == files(whole), f"other outputs: {sorted(made ^ files(whole))[:3]}")
        for name in made & files(whole):
            expect((root / "out" / name).read_bytes() == (whole / name).read_bytes(), f"{name} has other bytes")
        sources = {name if name.startswith("sub/") else name.split("/")[0] for name in files(root / "done")}
        expect(sources == set(feeder.whole), f"other sources: {sorted(sources ^ set(feeder.whole))[:3]}")
        for name, data in feeder.whole.items():
            path = root / "done" / name
            kept = [file.read_bytes() for file in path.iterdir()] if path.is_dir() else [path.read_bytes()] if path.exists() else []
            expect(kept and all(one == data for one in kept), f"the source {name} changed")
        expect(files(root / "failed") == feeder.broken, "other sources failed")
        hidden = [str(path) for path in root.rglob("*") if ".jisui-" in path.name] + os.listdir(root / "tmp")
        expect(not hidden, f"left over: {hidden[:3]}")
        print(
            f"{given.files} files in a hot folder: {len(good)} books, {len(bad)} broken ones, {watcher.runs} runs, "
            f"{seconds:.0f} s; seed {given.seed}")
        if failures:
            sys.stderr.write((root / "log").read_text(errors="replace")[-3000:])
    for text in failures[:20]:
        print(text, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
