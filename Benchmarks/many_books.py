#!/usr/bin/env python3
"""Converts thousands of small books in one run, and shows whether the later ones cost more than the earlier.

    Benchmarks/many_books.py --jisui .build/release/jisui [--books 3000] [--check]

A third of the books are CBZ, a third PDF, a third folders of pictures; all become CBZ. While jisui is at work, its memory,
its open files, its computing time and the books that are done are looked at; the table tells of each sixth of the run. With
--check the exit status is 1 when memory, open files or the computing time of a book still grow after the first sixth.
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "Fixtures" / "good"
PICTURES = ["baseline.jpg", "progressive-icc.jpg", "gray.png", "lossy.webp", "orientation-6.jpg"]
PARTS = 6


def make_books(folder, count):
    """Books by turns of each kind, all of much the same size."""
    pictures = [FIXTURES / "Imaging" / name for name in PICTURES]
    chance = random.Random(count)
    books = []
    for number in range(count):
        chosen = [chance.choice(pictures) for _ in range(5)]
        path = folder / f"book{number:05}"
        if number % 3 == 0:
            path = path.with_suffix(".cbz")
            with zipfile.ZipFile(path, "w") as archive:
                for page, picture in enumerate(chosen):
                    archive.write(picture, f"{page}{picture.suffix}")
        elif number % 3 == 1:
            path = path.with_suffix(".pdf")
            shutil.copy(FIXTURES / "PDFSource" / "mixed.pdf", path)
        else:
            path.mkdir()
            for page, picture in enumerate(chosen):
                shutil.copy(picture, path / f"{page}{picture.suffix}")
        books.append(path)
    return books


def memory(process):
    """What is in memory of a process, in kilobytes."""
    for line in pathlib.Path(f"/proc/{process}/status").read_text().split("\n"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def computing(process):
    """The seconds that a process has computed, on all processors."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watch(process, folder, count):
    """Samples of a run: computing time, the books that are done, memory, open files."""
    samples = []
    while process.poll() is None:
        try:
            files = len(os.listdir(f"/proc/{process.pid}/fd"))
            resident, seconds = memory(process.pid), computing(process.pid)
        except (FileNotFoundError, PermissionError):
            break
        done = sum(1 for name in os.listdir(folder) if not name.startswith("."))
        samples.append((seconds, done, resident, files))
        time.sleep(0.05)
    return samples


def parts_of(samples, count):
    """For each part of the run: its last book, milliseconds of computing a book, the most memory and the most open files."""
    rows = []
    for part in range(PARTS):
        low, high = count * part // PARTS, count * (part + 1) // PARTS
        within = [sample for sample in samples if low <= sample[1] <= high]
        books = within[-1][1] - within[0][1]
        seconds = within[-1][0] - within[0][0]
        rows.append((high, 1000 * seconds / max(1, books), max(s[2] for s in within), max(s[3] for s in within)))
    return rows


def growth(rows):
    """What grew from the second part to the last, and by how much more than it may."""
    _, early, memory_then, files_then = rows[1]
    _, late, memory_now, files_now = rows[-1]
    found = []
    if memory_now > memory_then * 1.1 + 2048:
        found.append(f"memory: {memory_then / 1024:.0f} -> {memory_now / 1024:.0f} MB")
    if files_now > files_then + 2:
        found.append(f"open files: {files_then} -> {files_now}")
    if late > early * 1.3:
        found.append(f"computing a book: {early:.1f} -> {late:.1f} ms")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", type=pathlib.Path, required=True)
    parser.add_argument("--books", type=int, default=3000)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jisui-books-") as folder:
        root = pathlib.Path(folder)
        (root / "in").mkdir()
        (root / "out").mkdir()
        books = make_books(root / "in", given.books)
        options = ["--to", "cbz", "--dpi", "72", "-q", "--report", str(root / "report"), "-o", f"{root / 'out'}/"]
        process = subprocess.Popen([given.jisui.resolve(), *books, *options])
        samples = watch(process, root / "out", given.books)
        made = len(os.listdir(root / "out"))
        if process.returncode != 0 or made != given.books:
            print(f"exit status {process.returncode}, {made} of {given.books} books", file=sys.stderr)
            return 1
    print("| books | ms of computing a book | memory, MB | open files |\n|--:|--:|--:|--:|")
    rows = parts_of(samples, given.books)
    for last, each, resident, files in rows:
        print(f"| {last} | {each:.1f} | {resident / 1024:.0f} | {files} |")
    found = growth(rows)
    print("it grows: " + "; ".join(found) if found else "flat")
    return 1 if found and given.check else 0


if __name__ == "__main__":
    sys.exit(main())
