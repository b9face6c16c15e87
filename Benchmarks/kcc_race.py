#!/usr/bin/env python3
"""Races jisui against KCC on one manga for a Kobo Libra 2, and prints a Markdown table.

    kcc_race.py --jisui BIN --kcc FOLDER --python PYTHON --book BOOK.cbz [--pages N] [--runs 3] [--check]

FOLDER is a checkout of KCC (github.com/ciromattia/kcc), and PYTHON that of a virtual environment with the packages of its
requirements-docker.txt, numpy and PyMuPDF. Both programs make an EPUB for a Kobo from right to left with the margins
cropped: of PNGs with 16 gray levels, and of JPEGs. KCC rotates and splits nothing (`--norotate`, `-r 2`), and neither does
jisui. The programs take turns, run by run, and each first runs once untimed. Figures are medians. Memory is that of the
largest process; KCC has one for each processor. With --check the exit status is 1 if jisui is less than 8 times as fast with
PNGs, or 4 times with JPEGs, or writes a larger file.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

JISUI = ["--device", "kobo-libra-2", "--direction", "rtl", "--trim", "page"]
KCC = ["-p", "KoL", "-f", "EPUB", "-m", "-c", "1", "--norotate", "-r", "2"]
#: The title, the options of jisui and those of KCC, and how many times as fast jisui is at least.
RACES = [
    ("PNG, 16 grays", ["--shades", "16"], ["--forcepng"], 8),
    ("JPEG, quality 85", ["--quality", "85", "--image-format", "jpeg"], ["--jpeg-quality", "85"], 4),
]


def first_pages(book, count, folder):
    """Returns a book of the first pages."""
    part = folder / "book.cbz"
    with zipfile.ZipFile(book) as whole, zipfile.ZipFile(part, "w") as archive:
        names = sorted(name for name in whole.namelist() if name.lower().endswith((".jpg", ".jpeg", ".png")))
        for name in names[:count]:
            archive.writestr(name, whole.read(name))
    return part


def run(command, folder):
    """Returns the seconds, the memory in MB of the largest process, the bytes and the images of the new book."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        command = [part.replace("OUT", place) for part in command]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("JISUI_")}
        begin = time.monotonic()
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(
                ["/usr/bin/time", "-f", "%M", "-o", f"{folder}/memory", *command], cwd=place, stdout=log, stderr=log,
                env=environment)
            status = process.wait()
            seconds = time.monotonic() - begin
            log.seek(0)
            text = log.read().decode(errors="replace")
        files = [file for file in Path(place).rglob("*.epub")]
        if status not in (0, 3) or not files:
            sys.exit(f"{' '.join(command)}: status {status}, {len(files)} files\n{text[-2000:]}")
        book = max(files, key=lambda file: file.stat().st_size)
        with zipfile.ZipFile(book) as archive:
            images = sum(name.lower().endswith((".jpg", ".jpeg", ".png")) for name in archive.namelist())
        memory = int(Path(f"{folder}/memory").read_text().split()[-1]) / 1024
        return seconds, memory, book.stat().st_size, images


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", required=True)
    parser.add_argument("--kcc", required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--book", required=True)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    missed = False
    print("| Pages | Program | Time, s | Memory, MB | Size, MB | Images | Faster |\n|---|---|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        book = first_pages(options.book, options.pages, folder)
        for title, ours, theirs, bound in RACES:
            commands = {
                "jisui": [os.path.abspath(options.jisui), str(book), "-o", "OUT/book.kepub.epub", *JISUI, *ours],
                "KCC": [os.path.abspath(options.python), f"{os.path.abspath(options.kcc)}/kcc-c2e.py", *KCC, *theirs,
                        "-o", "OUT/book.epub", str(book)],
            }
            results = {program: [] for program in commands}
            for number in range(options.runs + 1):
                for program, command in commands.items():
                    result = run(command, folder)
                    if number:
                        results[program].append(result)
            median = {
                program: [statistics.median(figures) for figures in zip(*runs)] for program, runs in results.items()}
            ratio = median["KCC"][0] / median["jisui"][0]
            for program, (seconds, memory, size, images) in median.items():
                faster = f"{ratio:.1f} ×" if program == "jisui" else ""
                print(f"| {title} | {program} | {seconds:.2f} | {memory:.0f} | {size / 1e6:.1f} | {images:.0f} | {faster} |",
                      flush=True)
            if ratio < bound or median["jisui"][2] > median["KCC"][2]:
                missed = True
    sys.exit(1 if options.check and missed else 0)


if __name__ == "__main__":
    main()
