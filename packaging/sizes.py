#!/usr/bin/env python3
"""Prints what a built program consists of: sizes.py PROGRAM

The symbols are summed by Swift module. All C++ is the Swift runtime and the shim for qpdf; C is shims and the runtime.
"""
import collections
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWN = {folder.name for place in ("Sources", "Plugins") for folder in (ROOT / place).iterdir()}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def origin(symbol):
    """The Swift module of a mangled name, or its language."""
    found = re.match(r"\$s(\d+)(.*)", symbol)
    if found and found[2][: int(found[1])]:
        module = found[2][: int(found[1])]
        return "jisui's modules" if module in OWN else module
    if symbol.startswith("$s"):
        return "Swift's standard library"
    return "C++" if symbol.startswith("_Z") else "C"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = sys.argv[1]
    sections = [line.split() for line in output("size", "--format=sysv", program).splitlines()]
    sections = {line[0]: int(line[1]) for line in sections if len(line) == 3 and line[1].isdigit()}
    debug = sum(size for name, size in sections.items() if name.startswith(".debug"))
    print(f"{os.path.getsize(program) / 1e6:7.1f} MB  the file")
    print(f"{debug / 1e6:7.1f} MB  debugging symbols, which packages do not have")
    for name, size in sorted(sections.items(), key=lambda pair: -pair[1]):
        if size > 400_000 and not name.startswith(".debug"):
            print(f"{size / 1e6:7.1f} MB  section {name}")
    totals = collections.Counter()
    for line in output("nm", "--print-size", "--defined-only", program).splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[2] not in "bB":
            totals[origin(fields[3])] += int(fields[1], 16)
    for name, size in totals.most_common():
        if size > 200_000:
            print(f"{size / 1e6:7.1f} MB  symbols of {name}")


if __name__ == "__main__":
    main()
