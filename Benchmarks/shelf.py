#!/usr/bin/env python3
"""Measures a long shelf: Benchmarks/shelf.py --jisui JISUI [--books 1000] [--pages 200] [--catalog]

Makes books of tiny pages, puts all of them on a shelf in one run, and tells how long that takes a book at the beginning and at the
end, how much memory and how many open files it needs at most; then opens the shelf in chromium: how long until it can be seen, and
how much memory the browser's renderer takes, also after scrolling to its end and after a search.
"""

import argparse
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib

# The browser's tests have a reader.py as well: this is that of the folder, which finds webdriver for both.
from reader import memory_of, renderer
from webdriver import Chromium

SHOWN = """
const covers = [...document.querySelectorAll("#books li")];
return covers.length > 0 && covers[0].getBoundingClientRect().height > 0 && performance.now();
"""


def png(number):
    """A page of 12 × 18 gray pixels, different from any other."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes((number >> 8 * (x % 3)) * (y + 3) % 256 for x in range(12)) for y in range(18))
    header = struct.pack(">IIBBBBB", 12, 18, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def make_books(folder, books, pages):
    for book in range(books):
        with zipfile.ZipFile(folder / f"Book {book + 1:05}.cbz", "w") as archive:
            for page in range(pages):
                archive.writestr(zipfile.ZipInfo(f"{page:04}.png"), png(book * pages + page))


def watch(process, shelf, books):
    """How many seconds the first and the last tenth of the books took each, and the most files that were open."""
    marks, files = [], 0
    start = time.monotonic()
    while process.poll() is None:
        try:
            files = max(files, len(os.listdir(f"/proc/{process.pid}/fd")))
            marks.append((time.monotonic() - start, sum(not name.startswith(".") for name in os.listdir(shelf / "books"))))
        except OSError:
            pass
        time.sleep(0.05)
    marks.append((time.monotonic() - start, books))

    def until(count):
        return next(moment for moment, there in marks if there >= count)

    tenth = max(1, books // 10)
    return until(tenth) / tenth, (until(books) - until(books - tenth)) / tenth, files


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--jisui", required=True)
    options.add_argument("--books", type=int, default=1000)
    options.add_argument("--pages", type=int, default=200)
    options.add_argument("--catalog", action="store_true", help="make OPDS catalogs, and a CBZ of each book")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "in").mkdir()
        make_books(scratch / "in", given.books, given.pages)
        shelf = scratch / "shelf"
        command = [given.jisui, *sorted(map(str, (scratch / "in").iterdir())), "-o", str(shelf), "--to", "web", "-q"]
        if given.catalog:
            command += ["--base-url", "https://example.org/shelf/", "--with", "cbz"]
        start = time.monotonic()
        process = subprocess.Popen(command)
        early, late, files = watch(process, shelf, given.books)
        if process.returncode != 0:
            return f"jisui ended with {process.returncode}"
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{given.books} books of {given.pages} pages: {time.monotonic() - start:.0f} s, "
              f"{early * 1000:.0f} ms a book at the beginning, {late * 1000:.0f} ms at the end; "
              f"{memory:.0f} MB, {files} files open at most")
        print(f"the list has {(shelf / 'shelf.js').stat().st_size / 1000:.0f} kB")
        with Chromium(1280, 900) as browser:
            browser.open((shelf / "index.html").as_uri())
            while not (shown := browser.run(SHOWN)):
                time.sleep(0.01)
            print(f"the shelf is seen {shown:.0f} ms after its address was opened; renderer {memory_of(renderer()):.0f} MB")
            for _ in range(60):
                browser.run("scrollBy(0, 2000); return new Promise(done => requestAnimationFrame(() => setTimeout(done, 30)))")
            print(f"after scrolling to its end {memory_of(renderer()):.0f} MB")
            took = browser.run(
                "const field = document.getElementById('shelf-search'), before = performance.now(); field.value = '99';"
                "field.dispatchEvent(new Event('input')); document.body.offsetHeight; return performance.now() - before")
            print(f"a search takes {took:.0f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
