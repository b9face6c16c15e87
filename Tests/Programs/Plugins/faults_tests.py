"""Each fault of faulty.py: `jisui plugin check` names it, and a conversion bears it. `-n 8`: most of the time they wait for what hangs."""

import os
import shutil
import subprocess

import pytest

import faulty
from examples_tests import mhtml
from faulty import png
from helpers import JISUI, TOP, Case
from unar_tests import lzh

# The programs of the repository, each with the program that it needs and the files of the books that it reads.
PROGRAMS = {
    "Examples/Plugins/jisui-sink-gallery": ("python3", {}),
    "Examples/Plugins/jisui-source-list": ("python3", {"cover.png": png(1), "book.m3p": b"#PICTURES\ncover.png\n"}),
    "Examples/Plugins/jisui-source-mhtml": ("python3", {"book.mhtml": mhtml(("image/jpeg", "1.jpg", b"\xff\xd8\xff" + bytes(50_000)))}),
    "Examples/Plugins/jisui-transform-skip-blank": ("python3", {}),
    "Examples/Plugins/jisui-transform-white-point": ("python3", {}),
    # `make test-plugins` builds it first.
    ".build/plugins/jisui-source-djvu": ("ddjvu", {"book.djvu": (TOP / "Fixtures/good/DjVuSource/book.djvu").read_bytes()}),
    "Plugins/OCRTransform/jisui-transform-ocr": ("tesseract", {}),
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


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_has_no_fault(program, case):
    needed, files = PROGRAMS[program]
    if not os.path.exists(TOP / program) or not shutil.which(needed) and os.environ.get("JISUI_REQUIRE_TOOLS") != "1":
        pytest.skip("not installed")
    paths = [case.path(name, data) for name, data in files.items()]
    is_judged("", TOP / program, *(path for path in paths if path.stem == "book"))


# Continuous integration judges a third of the faults, another one in each run.
SEED = os.environ.get("JISUI_SEED")
JUDGED = [fault for place, fault in enumerate(faulty.FAULTS) if SEED is None or place % 3 == int(SEED) % 3]


@pytest.mark.parametrize("fault", faulty.SOUND + JUDGED)
def test_fault_is_named(fault, case):
    program = case.faulty(fault)
    words, *_ = faulty.FAULTS.get(fault, ("",))
    is_judged(words, program, *[case.path("book.faulty")] if faulty.role_of(fault) == "source" else [])


def convert(fault, case, *arguments, form="file"):
    """Converts pages to the format of a faulty sink, or a book with a faulty source or transform."""
    if faulty.role_of(fault) != "sink":
        case.faulty()
        case.faulty(fault)
        is_used = faulty.role_of(fault) == "transform"
        return case.jisui("book.faulty", "-o", "output", "--to", "cbz", *["--faulty"] if is_used else [], *arguments)
    case.faulty(fault, form)
    for number in range(1, 6):
        case.path(f"pages/{number}.png", png(number))
    return case.jisui("pages", "-o", "output", "--to", "faulty", "--page-timeout", "2", *arguments)


def intact_pages(case, *arguments):
    """The pages of the book without a fault."""
    intact = Case(case.path("intact"))
    intact.is_converted(convert("", intact, *arguments), (0, 3))
    return intact.pages("output")


def is_told(fault, ended, seconds):
    assert says(faulty.FAULTS[fault][0], ended.stderr)
    assert "did not answer" not in ended.stderr or f"within {seconds} seconds" in ended.stderr


def costs_a_page(fault, case, sandbox=None):
    """The third page is missing, and the others are as they were. Some need a part of the system's sandbox."""
    if sandbox and sandbox not in case.sandbox():
        pytest.skip(f"the system has no sandbox of {sandbox}")
    ended = convert(fault, case, "--page-timeout", "8", "--jobs", "1")
    case.is_converted(ended, 3)
    is_told(fault, ended, 8)
    assert "page 3: skipped" in ended.stderr
    intact = intact_pages(case)
    assert case.pages("output") == intact[:2] + intact[3:]
    assert not [name for name in os.listdir("/tmp") if name.startswith("faulty-opened")]


def publishes_nothing(fault, case, form="file"):
    ended = convert(fault, case, form=form)
    case.is_converted(ended, 1)
    is_told(fault, ended, 2)
    assert not case.path("output").exists()


def is_ended(fault, case):
    """However it ends, little is said and nothing is left."""
    ended = convert(fault, case)
    case.is_converted(ended, (0, 1, 3))
    assert len(ended.stderr) < 4000


def changes_nothing(fault, case, *arguments):
    """A transform that fails only for previews is not used for the pages either: the boxes would not fit them."""
    ended = convert(fault, case, *arguments)
    case.is_converted(ended, 3)
    assert ended.stderr.count("page 1: not changed by jisui-transform-faulty") == 1
    assert case.pages("output") == intact_pages(case, *arguments)


OUTCOMES = {"page": costs_a_page, "nothing": publishes_nothing, "noise": is_ended, "image": changes_nothing}


@pytest.mark.parametrize("fault, outcome", [
    (fault, outcome) for fault, (_, _, _, *outcomes) in faulty.FAULTS.items() for outcome in outcomes])
def test_conversion_bears_a_fault(fault, outcome, case):
    kind, *more = outcome.split()
    OUTCOMES[kind](fault, case, *more)
