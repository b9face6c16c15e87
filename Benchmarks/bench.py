"""Runs jisui beside its peers on the workloads and prints the ratios as a Markdown table.

    bench.py --jisui BIN --data DIR [--runs 5] [--only WORD] [--check]

The programs take turns, run by run, so that a busy machine slows them alike; each first runs once untimed, to read the
input into memory. Every run writes into an empty folder beside the workloads, removed outside the time that is taken.
Figures are medians; "at 2 to 5" beside a ratio tells the least and the greatest of the runs. With --check the exit
status is 1 when a bound is missed.

jisui ends when its output is on the disk, and the peers do not wait for that. The last line tells what this costs here.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Duel:
    """Ours against another's: `OUT` in an argument is the empty folder of the run, `DATA` that of the workloads, `VENV` that of
    the programs that make bench has installed."""

    title: str
    ours: list
    peer: list
    at_least: float  # peer's time over ours
    peer_name: str = ""
    memory: int = 0  # MB that ours may take
    compares_size: bool = False  # whether our output may be no larger than the peer's


def each(command):
    """A command for each page of the book, two at a time."""
    return ["sh", "-c", "ls -d DATA/book200/* | xargs -P2 -I{} sh -c '" + command + "'"]


def each_two(command, pages=200):
    """A command for two pages, $0 and $1, two at a time."""
    return ["sh", "-c", f"ls -d DATA/book200/* | head -{pages} | xargs -P2 -n2 sh -c '{command}'"]


def replaced(text, words):
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return text


JISUI = "JISUI"
MERGE = [JISUI, "DATA/book200", "-o", "OUT/", "--spreads", "merge", "--cover", "paired"]
DUELS = [
    Duel("200 JPEG pages, PDF → folder", [JISUI, "DATA/book200.pdf", "-o", "OUT/"],
         ["pdfimages", "-all", "DATA/book200.pdf", "OUT/p"], 4),
    Duel("200 JPEG pages, PDF → folder", [JISUI, "DATA/book200.pdf", "-o", "OUT/"],
         ["mutool", "extract", "DATA/book200.pdf"], 1),
    # 8 seconds where mutool takes 14, and mutool has not even written an archive then.
    Duel("100 pages of CCITT G4, PDF → CBZ", [JISUI, "DATA/bitonal100.pdf", "-o", "OUT/book.cbz"],
         ["mutool", "extract", "DATA/bitonal100.pdf"], 14 / 8),
    Duel("200 JPEGs, folder → CBZ", [JISUI, "DATA/book200", "-o", "OUT/book.cbz"],
         ["7z", "a", "-tzip", "-mx0", "-bd", "OUT/book.cbz", "DATA/book200"], 1),
    # An EPUB is a zip archive with some documents more.
    Duel("200 JPEGs, folder → EPUB", [JISUI, "DATA/book200", "-o", "OUT/book.epub"],
         ["7z", "a", "-tzip", "-mx0", "-bd", "OUT/book.zip", "DATA/book200"], 0.8),
    Duel("200 JPEGs, folder → PDF", [JISUI, "DATA/book200", "-o", "OUT/book.pdf"],
         ["sh", "-c", "VENV/img2pdf DATA/book200/* -o OUT/book.pdf"], 1.5, "img2pdf", compares_size=True),
    Duel("200 JPEG pages trimmed, PDF → PDF", [JISUI, "DATA/book200.pdf", "-o", "OUT/book.pdf", "--trim", "page"],
         ["sh", "-c", "VENV/pdfcropmargins -p 0 -o OUT/book.pdf DATA/book200.pdf"], 4, "pdfCropMargins"),
    Duel("60 vector pages, drawn at 150 dpi",
         [JISUI, "DATA/vector60.pdf", "-o", "OUT/", "--jobs", "2", "--dpi", "150"],
         ["pdftocairo", "-png", "-r", "150", "DATA/vector60.pdf", "OUT/p"], 1.7),
    Duel("200 JPEG pages cropped by 5 % each side", [JISUI, "DATA/book200", "-o", "OUT/", "--crop", "5%", "--lossless"],
         each("convert {} -gravity center -crop 90%x90%+0+0 +repage -quality 90 OUT/$(basename {})"), 3, "convert × 2"),
    Duel("200 JPEG pages cropped by 5 % each side", [JISUI, "DATA/book200", "-o", "OUT/", "--crop", "5%", "--lossless"],
         each("jpegtran -crop 1116x1578+62+88 -copy all -outfile OUT/$(basename {}) {}"), 1, "jpegtran × 2"),
    # Three times as fast as KCC's cropping in two processes is meant, the fastest peer that trims page by page. It is not in
    # Debian, and took 1/1.9 of ImageMagick's time where this bound is from.
    Duel("200 JPEG pages trimmed, PDF → CBZ", [JISUI, "DATA/book200.pdf", "-o", "OUT/book.cbz", "--trim", "page", "--lossless"],
         each("convert {} -fuzz 20% -trim +repage -quality 90 OUT/$(basename {})"), 5.6, "convert × 2"),
    Duel("200 JPEG pages trimmed, PDF → CBZ", [JISUI, "DATA/book200.pdf", "-o", "OUT/book.cbz", "--trim", "page", "--lossless"],
         each("jpegtran -crop 1116x1578+62+88 -copy all -outfile OUT/$(basename {}) {}"), 1 / 1.3,
         "jpegtran × 2, told the boxes"),
    Duel("48 spreads merged", MERGE + ["--lossless", "--pages", "1-96"],
         each_two("jpegtran -crop 2496x1760+0+0 -copy all -outfile OUT/$(basename $0).t $0; "
                  "jpegtran -drop +1248+0 $1 -optimize -copy all -outfile OUT/$(basename $0) OUT/$(basename $0).t", 96),
         1, "jpegtran -crop, -drop × 2"),
    Duel("100 spreads merged", MERGE, each_two("vips join $0 $1 OUT/$(basename $0)[Q=90] horizontal --expand"), 1,
         "vips join × 2"),
    Duel("100 spreads merged", MERGE, each_two("convert $0 $1 +append -quality 90 OUT/$(basename $0)"), 2.5,
         "convert +append × 2"),
    Duel("200 JPEG pages decoded and encoded", [JISUI, "DATA/book200", "-o", "OUT/", "--quality", "60"],
         each("djpeg {} | cjpeg -quality 60 -optimize -outfile OUT/$(basename {})"), 0.85, "djpeg, cjpeg × 2"),
    Duel("200 JPEG pages, folder → web, no thumbnails",
         [JISUI, "DATA/book200", "-o", "OUT/web/", "--to", "web", "--no-thumbnails", "--direction", "ltr"],
         [JISUI, "DATA/book200", "-o", "OUT/pages/", "--to", "folder"], 0.9, "numbered pages"),
    Duel("200 JPEG pages, folder → web with thumbnails", [JISUI, "DATA/book200", "-o", "OUT/web/", "--to", "web"],
         ["sh", "-c", "vipsthumbnail DATA/book200/* -s 256 -o OUT/%s.jpg"], 1, "vipsthumbnail"),
    Duel("60 webtoon pages → one PNG", [JISUI, "DATA/webtoon60", "-o", "OUT/strip.png"],
         ["sh", "-c", 'vips arrayjoin "$(ls -d DATA/webtoon60/* | tr "\\n" " ")" OUT/strip.png --across 1'],
         1.5, "vips arrayjoin", 100, True),
    Duel("180 manga pages → one wide PNG",
         [JISUI, "DATA/manga180", "-o", "OUT/strip.png", "--strip-direction", "horizontal"],
         ["sh", "-c", 'vips arrayjoin "$(ls -d DATA/manga180/* | tr "\\n" " ")" OUT/strip.png --across 180'],
         1, "vips arrayjoin", 150),
]  # fmt: skip

WARNED = 3  # jisui's exit status when it left something out, such as the text of pages that became images
START_UP = 0.030  # seconds
MEMORY = 120  # MB, on 200 pages
GROWTH = 1.15  # from 200 pages to 2,000


class Failure(Exception):
    pass


class Bench:
    def __init__(self, jisui, data):
        self.jisui, self.data = jisui.resolve(), data.resolve()
        self.missed = False

    def run(self, command):
        """(seconds, peak memory in MB, bytes written)"""
        scratch = Path(tempfile.mkdtemp(prefix="run-", dir=self.data))
        words = {"JISUI": str(self.jisui), "DATA": str(self.data), "OUT": str(scratch)}
        folders = {"DATA/": f"{self.data}/", "OUT/": f"{scratch}/", "VENV/": f"{self.data.parent}/venv/bin/"}
        argv = [words[a] if a in words else replaced(a, folders) for a in command]
        # What an earlier run has written is on the disk before the clock starts: else the next one pays for it.
        os.sync()
        try:
            with open(scratch.with_suffix(".log"), "w+") as log:
                start = time.perf_counter()
                process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=scratch)
                _, status, used = os.wait4(process.pid, 0)
                seconds = time.perf_counter() - start
                process.returncode = os.waitstatus_to_exitcode(status)
                if process.returncode not in (0, WARNED):
                    log.seek(0)
                    last = (log.read().strip().splitlines() or ["(no message)"])[-1]
                    raise Failure(f"{Path(argv[0]).name} exits with {process.returncode}: {last}")
            size = sum(file.stat().st_size for file in scratch.rglob("*") if file.is_file())
            return seconds, used.ru_maxrss / 1024, size
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.with_suffix(".log").unlink(missing_ok=True)

    def line(self, title, ours, other, figure, bound, holds):
        self.missed |= not holds
        print(f"| {title} | {ours} | {other} | {figure} | {bound} | {'yes' if holds else '**no**'} |", flush=True)

    def failed(self, title, why, bound):
        self.line(title, "–", "–", str(why), bound, False)

    def duel(self, duel, runs):
        name = duel.peer_name or (" ".join(duel.peer[:2]) if duel.peer[0] == "mutool" else duel.peer[0])
        bound = f"≥ {duel.at_least:.2f} ×"
        try:
            self.run(duel.ours), self.run(duel.peer)
            pairs = [(self.run(duel.ours), self.run(duel.peer)) for _ in range(runs)]
        except (Failure, OSError) as why:
            return self.failed(duel.title, why, bound)
        ours, peers = (statistics.median(run[0] for run in runs) for runs in zip(*pairs))
        ratios = [theirs[0] / own[0] for own, theirs in pairs]
        ratio = statistics.median(ratios)
        figure = f"{ratio:.2f} × (at {min(ratios):.2f} to {max(ratios):.2f})"
        self.line(duel.title, f"{ours:.3f} s", f"{name} {peers:.3f} s", figure, bound, ratio >= duel.at_least)
        own, theirs = pairs[-1]
        if duel.memory:
            peaks = f"{own[1]:.0f} MB", f"{name} {theirs[1]:.0f} MB"
            self.line(f"{duel.title}: peak memory", *peaks, "–", f"≤ {duel.memory} MB", own[1] <= duel.memory)
        if duel.compares_size:
            sizes = f"{own[2] / 1e6:.1f} MB", f"{name} {theirs[2] / 1e6:.1f} MB"
            self.line(f"{duel.title}: size", *sizes, "–", "≤ the peer's", own[2] <= theirs[2])

    def disk(self, runs):
        """Prints the time until 78 MB are on the disk, after they were written."""
        book = (self.data / "book200.pdf").read_bytes()
        seconds = []
        for _ in range(runs):
            os.sync()
            with tempfile.TemporaryFile(dir=self.data) as file:
                file.write(book)
                file.flush()
                start = time.perf_counter()
                os.fsync(file.fileno())
                seconds.append(time.perf_counter() - start)
        print(f"\n{statistics.median(seconds):.3f} s until {len(book) // 1_000_000} MB are on this disk: jisui waits for "
              "it, the peers do not")

    def start_up(self, runs):
        title, bound = "`jisui --version`", f"≤ {START_UP * 1000:.0f} ms"
        try:
            seconds = statistics.median(self.run([JISUI, "--version"])[0] for _ in range(4 * runs))
        except (Failure, OSError) as why:
            return self.failed(title, why, bound)
        self.line(title, f"{seconds * 1000:.1f} ms", "–", "–", bound, seconds <= START_UP)

    def memory(self, runs):
        small = None
        for pages, runs in ((200, runs), (2000, min(runs, 3))):
            title = f"{pages} JPEG pages, PDF → CBZ: peak memory"
            command = [JISUI, f"DATA/book{pages}.pdf", "-o", "OUT/book.cbz"]
            bound = f"≤ {MEMORY} MB" if pages == 200 else f"≤ {GROWTH:.2f} × that of 200"
            try:
                peak = statistics.median(self.run(command)[1] for _ in range(runs))
            except (Failure, OSError) as why:
                self.failed(title, why, bound)
                continue
            if pages == 200:
                small = peak
                self.line(title, f"{peak:.0f} MB", "–", "–", bound, peak <= MEMORY)
            else:
                growth = peak / small if small else float("inf")
                self.line(title, f"{peak:.0f} MB", "–", f"{growth:.2f} ×", bound, growth <= GROWTH)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="only the lines whose title holds this word")
    parser.add_argument("--check", action="store_true")
    wanted = parser.parse_args()
    bench = Bench(wanted.jisui, wanted.data)

    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {wanted.runs} runs each\n")
    print("| Task | jisui | peer | peer's time over jisui's | must be | holds |\n|---|--:|--:|--:|--:|---|")
    for duel in DUELS:
        if wanted.only in duel.title:
            bench.duel(duel, wanted.runs)
    if wanted.only in "start-up --version":
        bench.start_up(wanted.runs)
    if wanted.only in "peak memory":
        bench.memory(wanted.runs)
    if any(wanted.only in duel.title for duel in DUELS):
        bench.disk(wanted.runs)
    sys.exit(1 if wanted.check and bench.missed else 0)


if __name__ == "__main__":
    main()
