#!/usr/bin/env python3
"""Each fault of faulty.py: `jisui plugin check` names it, and a conversion bears it. See jisui_case.py for how this is run."""

import functools
import os
import pathlib
import shutil
import subprocess
import threading

import faulty
from examples_tests import mhtml
from faulty import png
from jisui_case import JISUI, TOP, Case, expect, is_converted, run_tests
from unar_tests import lzh

# The programs of the repository, each with the program that it needs and the files of the books that it reads. The one for OCR would
# take minutes: `ocr_tests.py` tests what is asked of every program.
PROGRAMS = {
    "Examples/Plugins/jisui-sink-gallery": ("python3", {}),
    "Examples/Plugins/jisui-source-list": ("python3", {"cover.png": png(1), "book.m3p": b"#PICTURES\ncover.png\n"}),
    "Examples/Plugins/jisui-source-mhtml": ("python3", {"book.mhtml": mhtml(("image/jpeg", "1.jpg", b"\xff\xd8\xff" + bytes(50_000)))}),
    "Examples/Plugins/jisui-transform-skip-blank": ("python3", {}),
    "Examples/Plugins/jisui-transform-white-point": ("python3", {}),
    # `make test-plugins` builds it first.
    ".build/plugins/jisui-source-djvu": ("ddjvu", {"book.djvu": pathlib.Path(TOP, "Fixtures/good/DjVuSource/book.djvu").read_bytes()}),
    "Plugins/UnarSource/jisui-source-unar": ("unar", {"book.lzh": lzh(("1.png", png(1)), ("2.png", png(2)), ("notes.txt", b"notes"))}),
}


def says(words, text):
    return any(word in text for word in words.split("|"))


def is_judged(words, *command):
    """`jisui plugin check` says the words of a fault, or nothing where there is none."""
    # A busy machine may start a program more slowly than jisui allows: it is judged once more.
    for _ in range(2):
        ended = subprocess.run([JISUI, "plugin", "check", *command], capture_output=True, text=True, timeout=300)
        said = (ended.stdout + ended.stderr).strip()
        if ended.returncode == (1 if words else 0) and says(words, said):
            return
    raise AssertionError(f"ended with {ended.returncode}: {said[:300]}, not '{words}'")


def is_named(fault, case):
    case.faulty(fault)
    words, *_ = faulty.FAULTS.get(fault, ("",))
    role = faulty.role_of(fault)
    is_judged(words, os.path.join(case.plugins, f"jisui-{role}-faulty"), *[case.path("book.faulty")] if role == "source" else [])


def has_no_fault(program, case):
    needed, files = PROGRAMS[program]
    program = os.path.join(TOP, program)
    if not os.path.exists(program) or not shutil.which(needed) and os.environ.get("JISUI_REQUIRE_TOOLS") != "1":
        return
    paths = [case.write(name, data) for name, data in files.items()]
    is_judged("", program, *(path for path in paths if "book." in path))


# What a conversion makes of a fault.

def convert(fault, case, *arguments, form="file"):
    """Converts pages to the format of a faulty sink, or a book with a faulty source or transform."""
    if faulty.role_of(fault) != "sink":
        case.faulty()
        case.faulty(fault)
        is_used = faulty.role_of(fault) == "transform"
        return case.jisui("book.faulty", "-o", "output", "--to", "cbz", *["--faulty"] if is_used else [], *arguments)
    case.faulty(fault, form)
    for number in range(1, 6):
        case.write(f"pages/{number}.png", png(number))
    return case.jisui("pages", "-o", "output", "--to", "faulty", "--page-timeout", "2", *arguments)


INTACT, CONVERTING = {}, threading.Lock()


def intact_pages(*arguments):
    """The pages of the book without a fault, which is converted once."""
    with CONVERTING:
        if arguments not in INTACT:
            case = Case("intact pages " + " ".join(arguments))
            expect(convert("", case, *arguments).returncode in (0, 3), "the book without a fault has one")
            INTACT[arguments] = case.pages("output")
        return INTACT[arguments]


def is_told(fault, ended, seconds):
    expect(says(faulty.FAULTS[fault][0], ended.stderr), ended.stderr)
    expect("did not answer" not in ended.stderr or f"within {seconds} seconds" in ended.stderr, ended.stderr)


def costs_a_page(fault, case, sandbox=None):
    """The third page is missing, and the others are as they were. Some need a part of the system's sandbox."""
    if sandbox and sandbox not in case.sandbox():
        return
    ended = convert(fault, case, "--page-timeout", "8", "--jobs", "1")
    is_converted(case, ended, 3)
    is_told(fault, ended, 8)
    expect("page 3: skipped" in ended.stderr, ended.stderr)
    expect(case.pages("output") == intact_pages()[:2] + intact_pages()[3:], "the other pages are not as they were")
    expect(not [name for name in os.listdir("/tmp") if name.startswith("faulty-opened")], "a file was made")


def publishes_nothing(fault, case, form="file"):
    ended = convert(fault, case, form=form)
    expect(ended.returncode == 1, f"ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    is_told(fault, ended, 2)
    expect(not os.path.exists(case.path("output")), "published")
    expect(not case.leftovers(), f"left {case.leftovers()}")


def is_ended(fault, case):
    """However it ends, little is said and nothing is left."""
    ended = convert(fault, case)
    expect(ended.returncode in (0, 1, 3), f"ended with {ended.returncode}: {ended.stderr[:300]}")
    expect(len(ended.stderr) < 4000, f"{len(ended.stderr)} characters of errors")
    expect(not case.leftovers(), f"left {case.leftovers()}")


def changes_nothing(fault, case, *arguments):
    """A transform that fails only for previews is not used for the pages either: the boxes would not fit them."""
    ended = convert(fault, case, *arguments)
    is_converted(case, ended, 3)
    expect(ended.stderr.count("page 1: not changed by jisui-transform-faulty") == 1, ended.stderr)
    expect(case.pages("output") == intact_pages(*arguments), "a page is not as it was")


OUTCOMES = {"page": costs_a_page, "nothing": publishes_nothing, "noise": is_ended, "image": changes_nothing}


def tests():
    """Each test by its name. The programs come first, because they take the longest."""
    yield from ((f"check {program}", functools.partial(has_no_fault, program)) for program in PROGRAMS)
    yield from ((f"check {fault or 'source'}", functools.partial(is_named, fault)) for fault in faulty.SOUND)
    # Continuous integration judges a third of the faults, another one in each run.
    seed = os.environ.get("JISUI_SEED")
    for place, (fault, (_, _, _, *outcomes)) in enumerate(faulty.FAULTS.items()):
        if seed is None or place % 3 == int(seed) % 3:
            yield f"check {fault}", functools.partial(is_named, fault)
        for outcome in outcomes:
            kind, *more = outcome.split()
            yield f"convert {fault} {outcome}", lambda case, fault=fault, kind=kind, more=more: OUTCOMES[kind](fault, case, *more)


if __name__ == "__main__":
    # Most of the time nothing is done but waiting for what hangs.
    run_tests(tests(), workers=8)
