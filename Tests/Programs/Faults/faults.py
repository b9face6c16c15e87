#!/usr/bin/env python3
"""Makes every kind of system call fail, at every point of several conversions, and looks at what jisui leaves.

    Tests/Programs/Faults/faults.py JISUI [--all | --short] [--seed N] [--jobs N] [--only WORD]

By default every point of the classes with few calls is tried, and an even sample of the others; with --all every point;
with --short a few, in less than a minute. Exits with 1 when anything was found, and says how to see it again.
"""

import argparse
import concurrent.futures
import ctypes
import json
import os
import pathlib
import random
import signal
import sys
import tempfile
import time

from workbench import CONVERSIONS, DAMAGED, KILLED, SHELVED, SIGNAL_NAMES, Workbench, complaints_about_files

# What the message must say of each error.
WORDS = {
    "EIO": "input/output error",
    "ENOSPC": "disk is full",
    "EINTR": "interrupted system call",
    "ENOMEM": "memory",
    "EMFILE": "too many open files",
    "EACCES": "permission denied",
}
# How each class of call may fail. "+" is for: from that call on, every one.
KINDS = {
    "read": ["EIO", "EIO+", "EINTR", "short"],
    "write": ["EIO", "ENOSPC", "ENOSPC+", "EINTR", "short"],
    "fsync": ["EIO", "ENOSPC", "EINTR"],
    "rename": ["EIO", "ENOSPC", "EACCES"],
    "link": ["EIO", "ENOSPC", "EACCES"],
    "unlink": ["EIO", "EACCES+"],
    "mkdir": ["EIO", "ENOSPC"],
    "open": ["EIO", "ENOSPC", "EMFILE", "EINTR"],
    "close": ["EIO", "EINTR"],
    "readdir": ["EIO"],
    "stat": ["EIO"],
    "mmap": ["ENOMEM"],
    "malloc": ["ENOMEM", "ENOMEM+"],
    "new": ["ENOMEM"],
}
# Smaller allocations never fail. Swift's runtime ends the program when it gets no memory, and so do poppler and GLib:
# what is asked is that the death is loud, and leaves nothing that the next run does not remove.
LEAST_ALLOCATION = 16 << 10
MEMORY = ["mmap", "malloc", "new"]
# What is needed for cleaning up as well: when it fails right then, the next run cleans up.
CLEANING = ["unlink", "open", "readdir", "close", "stat"] + MEMORY


class Case:
    """One run, or a run and the next: what is done to it, and what is wrong with what it leaves."""

    def __init__(self, name, check):
        self.name, self.check = name, check


def points(count, most, chance):
    """All calls from 1 to `count`, or `most` of them, evenly spread."""
    if count <= most:
        return range(1, count + 1)
    step = count / most
    return sorted({1 + int(min(count - 1, (index + chance.random()) * step)) for index in range(most)})


def failing(bench, conversion, call, kind, point, replaces):
    faults = {"CALL": call, "AT": point, "KIND": kind.rstrip("+"), "LEAST": LEAST_ALLOCATION}
    if kind.endswith("+"):
        faults["ALWAYS"] = 1

    def check(place):
        old = bench.put_old(conversion, place) if replaces else {}
        outcome = bench.run(conversion, place, faults, replaces)
        reference = bench.reference(conversion)
        wrong = complaints_about_message(outcome, kind, reference, mayDie=call in MEMORY)
        remains = outcome.remains()
        if remains and call not in CLEANING:
            wrong.append(f"left behind: {remains[0]}")
        outcome = outcome.without_remains()
        # Of a page that was left out a warning has told; and a sheet tells of pages that could not be looked at, and lacks
        # their pictures.
        if outcome.status != 3:
            if outcome.status != 0 or call in MEMORY:
                outcome.outputs.pop("sheet.html", None)
                old.pop("sheet.html", None)
            wrong += complaints_about_files(outcome, old, reference)
        if remains:
            wrong += complaints_about_next(bench, conversion, place, {})
        return wrong

    mode = "replacing" if replaces else "new"
    return Case(f"{conversion}, {mode}: {call} {point} {kind}", check)


def complaints_about_message(outcome, kind, reference, mayDie=False):
    """What is wrong with how a run ended and what it said."""
    error, status = outcome.error, outcome.status
    lines = [line for line in error.split("\n") if line.startswith("jisui: ")]
    word = WORDS.get(kind.rstrip("+"))
    if status == 0:
        differing = [name for name in reference if outcome.outputs.get(name) != reference[name]]
        missing = [name for name in differing if name != "sheet.html" or kind.rstrip("+") != "ENOMEM"]
        return [f"exit status 0 without {missing[0]}"] if missing else []
    if kind in ("EINTR", "short"):
        return [f"exit status {status} for {kind}: {error}"]
    if status < 0:
        loud = "crashed" in error
        return [] if mayDie and loud else [f"died of {SIGNAL_NAMES.get(status, status)}: {error}"]
    if status not in (1, 3, 75):
        return [f"exit status {status}: {error}"]
    # Nothing that a disk without room or without a way to it does is for good.
    if status == 1 and kind.rstrip("+") in ("ENOSPC", "EIO") and word in error.lower() and "no page of it" not in error:
        return [f"exit status 1 for {kind}, which is worth a retry: {error}"]
    told = [line for line in lines if line.startswith(("jisui: error:", "jisui: warning:"))]
    if sum(line.startswith("jisui: error:") for line in told) != (0 if status == 3 else 1):
        return [f"exit status {status} says: {error}"]
    # When no page was left, the last line sums up what the others tell. Without memory poppler takes a file for damaged.
    excused = ["no page of it can be read"] + ["(PDF document is damaged)"] * (kind.rstrip("+") == "ENOMEM")
    # A process that works for jisui dies of it as jisui would, and that is told of the page.
    deaths = ["was ended by signal"] * (kind.rstrip("+") == "ENOMEM")
    wrong = [line for line in told if not any(part in line.lower() for part in [word, *deaths])]
    wrong = [line for line in wrong if not line.endswith(tuple(excused))]
    wrong = [f"does not tell the cause: {line}" for line in wrong]
    return wrong + [f"names no file: {line}" for line in told if "/" not in line]


def complaints_about_next(bench, conversion, place, faults):
    """What is wrong with what a run leaves that comes after one which could not clean up."""
    outcome = bench.run(conversion, place, faults, replaces=True)
    wrong = [] if outcome.status == 0 else [f"the next run: {outcome.status} {outcome.error}"]
    return wrong + complaints_about_files(outcome, {}, bench.reference(conversion))


def killed(bench, conversion, name, faults, delay=None, replaces=False):
    """A run that is killed, and the next, which must clean up."""

    def check(place):
        old = bench.put_old(conversion, place) if replaces else {}
        reference = bench.reference(conversion)
        process = bench.start(conversion, place, faults, replaces)
        if delay is not None:
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
        outcome = bench.finish(process, place)
        wrong = complaints_about_files(outcome.without_remains(), old, reference)
        plain = {"PLAIN": 1} if "PLAIN" in faults else {}
        return wrong + complaints_about_next(bench, conversion, place, plain)

    return Case(f"{conversion}: {name}", check)


def shelved(bench, call, point, plain, isFirst):
    """A run killed while it makes a shelf, or replaces a book on one: the list names whole books only, and the next run, of another
    book, leaves no folder that it does not name."""
    (first, replacing, other) = SHELVED

    def check(place):
        if not isFirst:
            bench.run(first, place)
        faults = {"CALL": call, "AT": point, "KIND": "SIGKILL"} | plain
        bench.run(first if isFirst else replacing, place, faults, replaces=not isFirst)
        shelf = place / "out" / "shelf"
        wrong = complaints_about_shelf(shelf)
        outcome = bench.run(other, place, plain)
        if outcome.status != 0:
            return wrong + [f"the next run: {outcome.status} {outcome.error}"]
        wrong += complaints_about_shelf(shelf)
        slugs = {book["slug"] for book in listed(shelf)}
        wrong += [f"is nobody's: {path.name}" for path in (shelf / "books").iterdir() if path.name not in slugs]
        return wrong + [f"left behind: {name}" for name in outcome.outputs if "/." in name or name.endswith("/unlisted")]

    return Case(f"{'a new shelf' if isFirst else 'a book replaced on a shelf'}: killed before {call} {point} {plain or ''}", check)


def listed(shelf):
    """The books that a shelf lists."""
    if not (shelf / "shelf.js").is_file():
        return []
    return json.loads((shelf / "shelf.js").read_text().removeprefix("jisui.shelf(").removesuffix(");\n"))["books"]


def complaints_about_shelf(shelf):
    """What is missing of the books that a shelf lists."""
    wrong = []
    for book in listed(shelf):
        folder = shelf / "books" / book["slug"]
        if not (folder / "book.json").is_file():
            wrong.append(f"is listed and not there: {folder.name}")
            continue
        pages = json.loads((folder / "book.json").read_text())["pages"]
        wrong += [f"has no page: {folder.name}/{page[0]}" for page in pages if not (folder / "pages" / page[0]).is_file()]
    return wrong


def interrupted(bench, conversion, call, point, pause, plain):
    """Two times SIGINT right before a call: the second ends the run, whatever it is about to do."""
    faults = {"CALL": call, "AT": point, "KIND": "SIGINT", "PAUSE": pause} | plain

    def check(place):
        outcome = bench.run(conversion, place, faults)
        reference = bench.reference(conversion)
        # A spool that has a name for a moment is the next run's to remove.
        wrong = complaints_about_next(bench, conversion, place, plain) if outcome.temporary else []
        outcome.temporary = {}
        wrong += complaints_about_files(outcome, {}, reference)
        if outcome.status not in (0, 130) or outcome.status == 0 and outcome.outputs != reference:
            wrong.append(f"exit status {outcome.status}: {outcome.error}")
        elif outcome.status == 130 and bool(outcome.outputs) == ("; nothing was written" in outcome.error):
            wrong.append(f"there is {list(outcome.outputs) or 'nothing'}: {outcome.error}")
        return wrong

    return Case(f"{conversion}: SIGINT twice, {pause} ms apart, before {call} {point} {plain or ''}", check)


def unreadable(bench, conversion, path, start, count, once):
    """A bad sector in a file of the input."""
    faults = {"BAD": f"{path.stat().st_ino}:{start}-{start + count}"}
    if once:
        faults["ONCE"] = 1

    def check(place):
        outcome = bench.run(conversion, place, faults)
        reference = bench.reference(conversion)
        if once:
            if outcome.status != 0 or outcome.outputs != reference:
                return [f"an error that passes does not pass: {outcome.status} {outcome.error}"]
            return []
        if outcome.status == 0:
            return [] if outcome.outputs == reference else ["exit status 0, and the output differs"]
        wrong = complaints_about_message(outcome, "EIO", reference)
        if outcome.status in (1, 75):
            wrong += complaints_about_files(outcome, {}, reference)
        return wrong

    kind = "for a moment" if once else "for ever"
    return Case(f"{conversion}: bytes {start}-{start + count} of {path.name} unreadable {kind}", check)


def crashing(bench, conversion, name, point):
    """A crash must name the book, and leave nothing that the next run does not remove."""

    def check(place):
        outcome = bench.run(conversion, place, {"CALL": "read", "AT": point, "KIND": name})
        wrong = []
        # Runs differ by a call or two: the last may not have come.
        if outcome.status == 0 and outcome.outputs == bench.reference(conversion):
            return []
        if outcome.status != -getattr(signal, name):
            wrong.append(f"exit status {outcome.status}, not that of {name}")
        if bench.books[conversion.book].name not in outcome.error or name not in outcome.error:
            wrong.append(f"says only: {outcome.error}")
        return wrong + complaints_about_next(bench, conversion, place, {})

    return Case(f"{conversion}: {name} at read {point}", check)


def keeps_processes_to_files():
    """Whether the kernel can keep a process to some files: Landlock in its second version (landlock_create_ruleset(2))."""
    create, only_version = 444, 1
    return ctypes.CDLL(None).syscall(create, None, 0, only_version) >= 2


def escaping(bench, conversion, point):
    """jisui itself, taken over by a hostile file, must neither read the user's other files nor write any."""

    def check(place):
        foreign = bench.folder / f"foreign {place.name}"
        foreign.mkdir(exist_ok=True)
        (foreign / "file").write_text("nobody else's business")
        faults = {"CALL": "read", "AT": point, "KIND": "escape", "ESCAPE": foreign / "file"}
        outcome = bench.run(conversion, place, faults)
        # Runs differ by a call or two: the last may not have come.
        lines = [line for line in outcome.error.splitlines() if line.startswith("escape:")]
        denied = "escape: reading: Permission denied; writing: Permission denied"
        wrong = [line for line in lines if line != denied]
        wrong += [] if outcome.outputs == bench.reference(conversion) else ["the output differs"]
        return wrong + ([] if [path.name for path in foreign.iterdir()] == ["file"] else ["a file was written"])

    return Case(f"{conversion}: escape at read {point}", check)


def cases(bench, amount, chance):
    """Everything that is tried, for an amount: "all", "usual" or "short"."""
    most = {"all": sys.maxsize, "usual": 40, "short": 1}[amount]
    for conversion in CONVERSIONS + KILLED + DAMAGED:
        bench.reference(conversion)
    for conversion in CONVERSIONS:
        counts = bench.counts(conversion, LEAST=LEAST_ALLOCATION)
        for call, kinds in KINDS.items():
            for kind in kinds:
                for point in points(counts[call], most, chance):
                    # Both with nothing at the destination, and with something that is replaced.
                    for replaces in [False, True] if amount == "all" else [chance.random() < 0.5]:
                        yield failing(bench, conversion, call, kind, point, replaces)

    calls = ["write", "fsync", "rename", "link", "unlink", "mkdir", "open", "close"]
    for conversion in KILLED:
        for plain in [{}, {"PLAIN": 1}]:
            counts = bench.counts(conversion, **plain)
            for call in chance.sample(calls, 3) if amount == "short" else calls:
                for point in points(counts[call], most, chance):
                    faults = {"CALL": call, "AT": point, "KIND": "SIGKILL"} | plain
                    name = f"killed before {call} {point} {plain or ''}"
                    yield killed(bench, conversion, name, faults, replaces=chance.random() < 0.5)
                    if call in ("fsync", "rename", "link", "unlink"):
                        yield interrupted(bench, conversion, call, point, chance.choice([0, 1, 20]), plain)
            times = {"all": 60, "usual": 30, "short": 1}[amount]
            begin = time.monotonic()
            bench.run(conversion, bench.place("timing"), plain)
            duration = time.monotonic() - begin
            for _ in range(times):
                delay = chance.random() * duration
                yield killed(bench, conversion, f"killed after {delay:.3f} s {plain or ''}", plain, delay)

    for isFirst in [True, False]:
        for plain in [{}, {"PLAIN": 1}]:
            place = bench.place("counts of a shelf")
            if not isFirst:
                bench.run(SHELVED[0], place)
            counts = bench.counted(SHELVED[0] if isFirst else SHELVED[1], place, replaces=not isFirst, **plain)[1]
            calls = ["rename", "mkdir", "unlink", "link", "open"]
            for call in chance.sample(calls, 3) if amount == "short" else calls:
                for point in points(counts[call], most, chance):
                    yield shelved(bench, call, point, plain, isFirst)

    for conversion in DAMAGED:
        book = bench.books[conversion.book]
        for path in sorted(book.iterdir()) if book.is_dir() else [book]:
            size = path.stat().st_size
            for place in points(max(1, size // 256), {"all": 400, "usual": 24, "short": 1}[amount], chance):
                for once in [False, True]:
                    yield unreadable(bench, conversion, path, (place - 1) * 256, 256, once)

    for conversion in CONVERSIONS if keeps_processes_to_files() else []:
        yield escaping(bench, conversion, 1)

    for conversion in CONVERSIONS:
        for name in ["SIGSEGV", "SIGBUS", "SIGILL", "SIGABRT", "SIGFPE", "SIGTRAP"]:
            for point in points(bench.counts(conversion)["read"], 1 if amount == "short" else 3, chance):
                yield crashing(bench, conversion, name, point)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jisui", type=pathlib.Path)
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--all", dest="amount", action="store_const", const="all", default="usual")
    amount.add_argument("--short", dest="amount", action="store_const", const="short")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="only cases whose name has this in it")
    given = parser.parse_args()

    print(f"Faults: seed {given.seed}", flush=True)
    begin, found, done = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory(prefix="jisui-faults-") as folder:
        bench = Workbench(pathlib.Path(folder), given.jisui.resolve())
        chosen = [case for case in cases(bench, given.amount, random.Random(given.seed)) if given.only in case.name]

        def run(numbered):
            number, case = numbered
            place = bench.place(f"case {number}")
            return case, case.check(place)

        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            for case, wrong in pool.map(run, enumerate(chosen)):
                done += 1
                found += bool(wrong)
                for complaint in wrong:
                    print(f"{case.name}\n    {complaint.strip()}", flush=True)
        if not bench.sources_are_whole():
            found += 1
            print("a source was changed")
    print(f"{done} faults in {time.monotonic() - begin:.0f} s, {found} not borne well (seed {given.seed})")
    return 1 if found or not done else 0


if __name__ == "__main__":
    sys.exit(main())
