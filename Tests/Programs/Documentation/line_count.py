#!/usr/bin/env python3
"""Counts the lines of Swift code in folders: line_count.py [--at-most N] FOLDER…

Comments and empty lines count. The output is the number of lines of each folder that has more than N, or of all folders
without --at-most. With a folder that has too many the exit status is 1.
"""
import argparse
import sys
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--at-most", type=int, metavar="N", help="fail if a folder has more lines")
    options = parser.parse_args()
    too_long = 0
    for folder in options.folders:
        lines = sum(len(path.read_text().splitlines()) for path in folder.rglob("*.swift"))
        is_too_long = options.at_most is not None and lines > options.at_most
        too_long += is_too_long
        if options.at_most is None or is_too_long:
            print(f"{folder}: {lines} lines" + (f", at most {options.at_most} are allowed" if is_too_long else ""))
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
