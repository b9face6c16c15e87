#!/usr/bin/env python3
"""Converts every file of a corpus to a CBZ, and looks for what must never happen.

    sweep.py --jisui BIN --corpus DIR --out report.tsv [--only WORD] [--timeout 20] [--jobs 1]
             [-- OPTION...]

A case is each file below DIR, and each folder below DIR/books as one book (its files are no cases of their own). The
exit status is 0 when no promise was broken. Options of jisui after -- have it change the pages, too.
The promises:

  exit      the command exits with 0, 1 or 3, by itself and in time
  words     exit 1 and 3 say why, in few lines; exit 0 says one line at most
  result    after exit 0 and 3 there is a readable CBZ with at least a page; after 1 there is none
  leftovers nothing else is left beside the result, or in TMPDIR
"""

import argparse
import concurrent.futures
import os
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

COLUMNS = "file exit seconds peak_mb pages stderr_lines broken first_line".split()
MOST_LINES = 12
NOT_PAGES = {"ComicInfo.xml"}


def cases(corpus):
    """What the manifest and its like are is no input."""
    books = corpus / "books"
    for path in sorted(corpus.rglob("*")):
        if path.parent == books and path.is_dir():
            yield path
        elif path.is_file() and path.parent != corpus and books not in path.parents:
            yield path


def pages(book):
    with zipfile.ZipFile(book) as archive:
        if archive.testzip():
            raise zipfile.BadZipFile("a member's CRC is wrong")
        return sum(name not in NOT_PAGES for name in archive.namelist())


def convert(jisui, case, timeout, options):
    """(exit status or None, seconds, peak memory in MB, stderr, pages or None, what is left, why the result is bad)"""
    with tempfile.TemporaryDirectory(prefix="sweep-") as scratch:
        out, temporary = Path(scratch, "out"), Path(scratch, "tmp")
        out.mkdir(), temporary.mkdir()
        result = out / "x.cbz"
        start = time.monotonic()
        with open(Path(scratch, "stderr"), "w+b") as stderr:
            process = subprocess.Popen(
                [jisui, str(case), "-o", str(result), *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr,
                env={**os.environ, "TMPDIR": str(temporary)}, start_new_session=True,
            )  # fmt: skip
            status, peak = wait(process, start + timeout)
            seconds = time.monotonic() - start
            stderr.seek(0)
            said = stderr.read().decode("utf-8", "replace")
        left = [path.name for path in (*out.iterdir(), *temporary.iterdir()) if path != result]
        count, bad = None, None
        if result.exists():
            try:
                count = pages(result)
            except (zipfile.BadZipFile, OSError) as error:
                bad = str(error)
        return status, seconds, peak, said, count, left, bad


def wait(process, deadline):
    """The exit status, or None when time is up; waited for by wait4, which alone tells the memory it took."""
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, used.ru_maxrss / 1024
        if time.monotonic() > deadline:
            os.killpg(process.pid, signal.SIGKILL)
            _, _, used = os.wait4(process.pid, 0)
            process.returncode = -signal.SIGKILL
            return None, used.ru_maxrss / 1024
        time.sleep(0.01)


def judge(status, said, count, left, bad):
    lines = [line for line in said.splitlines() if line.strip()]
    if status is None:
        yield "exit: timeout"
        return  # killed: what it leaves behind is no fault
    if status < 0:
        yield f"exit: {signal.Signals(-status).name}"
    elif status not in (0, 1, 3):
        yield f"exit: {status}"
    if status in (1, 3) and not lines:
        yield "words: none"
    if len(lines) > MOST_LINES:
        yield f"words: {len(lines)} lines"
    if status == 0 and len(lines) > 1:  # one sums up
        yield "words: though all is well"
    if bad:
        yield f"result: {bad}"
    if status in (0, 3) and not count and not bad:
        yield "result: no pages"
    if status == 1 and (count or bad):
        yield "result: though it failed"
    if left:
        yield "leftovers: " + ", ".join(left[:3])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="", help="only the files whose path holds this word")
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("options", nargs="*", help="options of jisui")
    wanted = parser.parse_args()
    jisui = str(wanted.jisui.resolve())
    found = [case for case in cases(wanted.corpus) if wanted.only in str(case.relative_to(wanted.corpus))]
    if not found:
        sys.exit(f"{wanted.corpus} holds nothing to convert")

    broken, exits = 0, {}
    with wanted.out.open("w") as report, concurrent.futures.ThreadPoolExecutor(wanted.jobs) as pool:
        print(*COLUMNS, sep="\t", file=report)
        outcomes = pool.map(lambda case: convert(jisui, case, wanted.timeout, wanted.options), found)
        for case, (status, seconds, peak, said, count, left, bad) in zip(found, outcomes):
            name = case.relative_to(wanted.corpus)
            faults = list(judge(status, said, count, left, bad))
            first = next((line.strip() for line in said.splitlines() if line.strip()), "")
            row = [
                name, "-" if status is None else status, f"{seconds:.2f}", f"{peak:.0f}", "-" if count is None else count,
                len(said.splitlines()), "; ".join(faults) or "-", first[:200],
            ]  # fmt: skip
            print(*(str(cell).replace("\t", " ") for cell in row), sep="\t", file=report, flush=True)
            exits[status] = exits.get(status, 0) + 1
            if faults:
                broken += 1
                print(f"{name}: {'; '.join(faults)}")
    told = ", ".join(f"{count} × {'timeout' if status is None else status}" for status, count in exits.items())
    print(f"{len(found)} cases; exit {told}; {broken} broken")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
