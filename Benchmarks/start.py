#!/usr/bin/env python3
"""Prints the processor time of jisui's start: start.py [--jisui PROGRAM] [--runs N]

Processor time, because other programs on the machine change it less than the time until the end. The empty program does
nothing, but is linked with the same libraries: the rest is jisui's own.
"""
import argparse
import re
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def milliseconds(command, runs):
    """The median and the smallest processor time."""
    times = []
    for _ in range(runs):
        before = used()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        times.append((used() - before) * 1000)
    return statistics.median(times), min(times)


def libraries(program):
    """The paths of the libraries that a program names, without the C library."""
    dynamic = subprocess.run(["readelf", "--dynamic", program], check=True, capture_output=True, text=True).stdout
    named = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    loaded = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    paths = dict(re.findall(r"^\s+(\S+) => (\S+)", loaded, re.M))
    return [paths[name] for name in named if not re.match(r"lib(c|m)\.so|ld-", name)]


def empty_program(folder, linked):
    source = folder / "empty.c"
    source.write_text("int main(void) { return 0; }\n")
    program = folder / f"empty-{len(linked)}"
    subprocess.run(["cc", source, "-o", program, "-Wl,--no-as-needed", *linked], check=True)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", type=Path, default=Path(".build/release/jisui"))
    parser.add_argument("--runs", type=int, default=40)
    wanted = parser.parse_args()
    jisui = wanted.jisui.resolve()
    book = Path(__file__).resolve().parent.parent / "Fixtures/good/PDFSource/real-bobby-make-believe.pdf"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        linked = libraries(jisui)
        commands = {
            "empty program, no libraries": [empty_program(folder, [])],
            "empty program, without qpdf": [empty_program(folder, [path for path in linked if "libqpdf" not in path])],
            "empty program, all libraries": [empty_program(folder, linked)],
            "jisui --version": [jisui, "--version"],
            "jisui formats": [jisui, "formats"],
            "jisui BOOK -o OUT, 4 pages": [jisui, book, "-o", folder / "book.cbz", "--force"],
        }
        print("| Start | median | smallest |\n|---|--:|--:|")
        for title, command in commands.items():
            median, smallest = milliseconds(command, wanted.runs)
            print(f"| {title} | {median:.1f} ms | {smallest:.1f} ms |", flush=True)


if __name__ == "__main__":
    main()
