#!/usr/bin/env python3
"""Kills a run over many books again and again: queue.py JISUI [--books N] [--kills N] [--seed N]

It makes a shelf of small books of which 3 % are broken, and converts it twice with a journal: undisturbed, and with
SIGKILL at random moments, each time resumed by the same command. The second run must make every output once and with
the same bytes, name every broken book, and leave no other file. The first must need as much memory and as many open
files at its end as at its hundredth book.
"""
import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
IMAGES = sorted((REPOSITORY / "Fixtures/good/Imaging").glob("*.png"))[:8]
BROKEN_SHARE = 0.03
FAILED, TEMPORARY = 1, 75
EARLY_BOOK = 100
# The number of books before and after, in which memory and files are looked at.
AROUND = 50
SECONDS = 3600


class Shelf:
    """A folder of books in subfolders, with the names of those that are broken."""

    def __init__(self, folder, count, chance):
        self.folder, self.broken = folder, set()
        images = [path.read_bytes() for path in IMAGES]
        for number in range(count):
            path = folder / f"shelf {number % 7}" / f"book {number}.cbz"
            path.parent.mkdir(parents=True, exist_ok=True)
            with zipfile.ZipFile(path, "w") as file:
                for page in range(1 + number % 3):
                    file.writestr(f"{page:03}.png", images[(number + page) % len(images)])
                file.writestr("ComicInfo.xml", f"<?xml version='1.0'?><ComicInfo><Title>Book {number}</Title></ComicInfo>")
            if chance.random() < BROKEN_SHARE or number == count // 2:
                path.write_bytes(chance.choice([b"", b"PK\3\4 nothing else", path.read_bytes()[:40]]))
                self.broken.add(str(path))


def command(jisui, shelf, output, journal):
    return [jisui, str(shelf.folder), "-o", f"{output}/", "--to", "pdf", "--recursive", "--journal", str(journal), "-q"]


def lines(journal):
    """The complete lines about books."""
    if not journal.exists():
        return []
    parts = journal.read_bytes().split(b"\n")[:-1]
    return [entry for entry in map(json.loads, parts) if "finished" in entry]


def digests(folder):
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*") if path.is_file()}


def usage(process):
    """The resident megabytes and the open files of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    memory = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return memory / 1024, len(os.listdir(f"/proc/{process}/fd"))


class LineCount:
    """The number of lines of a file that grows. To read the whole file each time would take the time of the run itself."""

    def __init__(self, path):
        self.path, self.offset, self.count = path, 0, 0

    def now(self):
        if self.path.exists():
            with open(self.path, "rb") as file:
                file.seek(self.offset)
                new = file.read()
            self.offset += len(new)
            self.count += new.count(b"\n")
        return self.count


def undisturbed(call, journal, books, environment):
    """Runs to the end; returns the status, and the most memory and files around an early book and around the last.

    Books side by side open and close files all the time, so that single moments differ.
    """
    run = subprocess.Popen(call, stderr=subprocess.PIPE, env=environment)
    early, late, lines = [], [], LineCount(journal)
    while run.poll() is None:
        count = lines.now()
        try:
            now = usage(run.pid)
        except (OSError, StopIteration):
            break
        if abs(count - EARLY_BOOK) <= AROUND:
            early.append(now)
        if count >= books - 2 * AROUND:
            late.append(now)
        time.sleep(0.01)
    run.communicate()
    return run.returncode, *([max(values) for values in zip(*moments)] for moments in (early, late))


def wait_for_books(run, journal, count):
    """Waits for so many new lines of books, or for the end of the run."""
    def lines():
        return journal.read_bytes().count(b"\n") if journal.exists() else 0

    # The first new line is that of the run itself.
    wanted = lines() + 1 + count
    while run.poll() is None and lines() < wanted:
        time.sleep(0.01)


def disturbed(call, journal, kills, books, seconds, chance, environment):
    """Kills the run at random moments, and resumes it; returns the number of kills and the last status."""
    done = 0
    while True:
        run = subprocess.Popen(call, stderr=subprocess.DEVNULL, env=environment)
        if done == kills:
            return done, run.wait(timeout=SECONDS)
        # Most kills come while books are converted, and some while the run is planned. Books are counted, because a
        # machine that is faster now than in the undisturbed run would be done before the last kill.
        if chance.random() < 0.75:
            wait_for_books(run, journal, chance.randrange(1, max(2, books // kills)))
        try:
            return done, run.wait(timeout=chance.uniform(0, 0.5 * seconds / kills))
        except subprocess.TimeoutExpired:
            run.kill()
            run.wait()
            done += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("jisui")
    parser.add_argument("--books", type=int, default=400)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    chance = random.Random(given.seed)
    jisui = str(Path(given.jisui).resolve())
    failures = []

    def expect(condition, text):
        if not condition:
            failures.append(text)

    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        environment = os.environ | {"TMPDIR": str(scratch / "tmp"), "LC_ALL": "C.UTF-8"}
        (scratch / "tmp").mkdir()
        shelf = Shelf(scratch / "shelf", given.books, chance)
        (whole, torn) = (scratch / "whole", scratch / "torn")
        began = time.monotonic()
        status, early, late = undisturbed(
            command(jisui, shelf, whole, scratch / "whole.jsonl"), scratch / "whole.jsonl", given.books, environment)
        seconds = time.monotonic() - began
        expect(status == FAILED, f"the undisturbed run ended with {status}")
        if early and late:
            expect(late[0] < 1.1 * early[0] + 16, f"memory grew from {early[0]:.0f} to {late[0]:.0f} MB")
            expect(late[1] <= early[1] + 16, f"open files grew from {early[1]} to {late[1]}")
        journal = scratch / "torn.jsonl"
        kills, status = disturbed(
            command(jisui, shelf, torn, journal), journal, given.kills, given.books, seconds, chance, environment)
        expect(kills == given.kills, f"the run was over after {kills} kills")
        expect(status == FAILED, f"the last resumed run ended with {status}")
        expect(digests(torn) == digests(whole), "the outputs differ from those of the undisturbed run")
        expect(len(digests(torn)) == given.books - len(shelf.broken), "not every book has one output")
        for name, folder in (("whole.jsonl", whole), ("torn.jsonl", torn)):
            entries = lines(scratch / name)
            good = [entry["inputs"][0]["path"] for entry in entries if entry["outcome"] != "failed"]
            bad = [entry["inputs"][0]["path"] for entry in entries if entry["outcome"] == "failed"]
            expect(len(good) == len(set(good)) == given.books - len(shelf.broken), f"{name}: {len(good)} lines of done books")
            expect(len(bad) == len(set(bad)) and set(bad) == shelf.broken, f"{name}: {len(bad)} lines of broken books")
            for entry in entries:
                if entry["outcome"] != "failed":
                    data = Path(entry["output"]["path"]).read_bytes()
                    expect(entry["output"]["sha256"] == hashlib.sha256(data).hexdigest(), f"{name}: a digest is wrong")
        found = sum(entry["outcome"] == "found" for entry in lines(journal))
        left = [str(path) for path in scratch.rglob("*") if ".jisui-" in path.name] + os.listdir(scratch / "tmp")
        expect(not left, f"left over: {left[:3]}")
        print(
            f"{given.books} books, {len(shelf.broken)} broken: {seconds:.1f} s undisturbed; killed {kills} times, "
            f"{found} outputs found without a line; {early and early[0]:.0f} MB and {early and early[1]} files at book "
            f"{EARLY_BOOK}, {late and late[0]:.0f} MB and {late and late[1]} at the end; seed {given.seed}")
    for text in failures:
        print(text, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
