#!/usr/bin/env python3
"""Finds Swift functions that are too long: long_functions.py [--at-most N] [--list] FOLDER…

The length of a function is the number of lines between the braces of its body, with comments and empty lines. Functions
are `func`, `init`, `deinit`, `subscript` and computed properties. Functions and closures within a function count as
part of it. The output is the place, name and length of each function of more than N lines (60 by default), and --list
prints all of them. With a function that is too long the exit status is 1.
"""
import argparse
import sys
from pathlib import Path

from inline_numbers import CLOSING, MEMBERS, OPENING, tokens, without_strings

FUNCTIONS = {"func", "init", "deinit", "subscript", "var"}


def body(all_tokens, start):
    """The indices of the braces of the declaration's body; None if it has none, as in a protocol."""
    depth, is_variable = 0, all_tokens[start][1] == "var"
    for index in range(start + 1, len(all_tokens)):
        _, text, line = all_tokens[index]
        if depth == 0:
            if text == "{":
                return index, end(all_tokens, index)
            # A stored property ends with its line or has a value.
            is_stored = is_variable and (text == "=" or line > all_tokens[index - 1][2])
            if text in MEMBERS or text == "}" or is_stored:
                return None
        depth += (text in OPENING) - (text in CLOSING)
        if depth < 0:
            return None
    return None


def end(all_tokens, opening):
    """The index of the bracket that closes the one at an index."""
    depth = 0
    for index in range(opening, len(all_tokens)):
        depth += (all_tokens[index][1] in OPENING) - (all_tokens[index][1] in CLOSING)
        if depth == 0:
            return index
    return len(all_tokens) - 1


def functions(path):
    """The lines, names and lengths of the functions in a file, without those within others."""
    all_tokens = list(tokens(without_strings(path.read_text())))
    found, index = [], 0
    while index < len(all_tokens):
        kind, text, line = all_tokens[index]
        before = all_tokens[index - 1][1] if index else ""
        braces = body(all_tokens, index) if text in FUNCTIONS and before != "." else None
        if braces:
            opening, closing = braces
            name = all_tokens[index + 1][1] if text in ("func", "var") else text
            found.append((line, name, max(0, all_tokens[closing][2] - all_tokens[opening][2] - 1)))
            index = closing
        index += 1
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--at-most", type=int, default=60, metavar="N", help="fail if a function has more lines (default: 60)")
    parser.add_argument("--list", action="store_true", help="print all functions")
    options = parser.parse_args()
    too_long = 0
    for folder in options.folders:
        for path in sorted(folder.rglob("*.swift")) if folder.is_dir() else [folder]:
            for line, name, length in functions(path):
                too_long += length > options.at_most
                if options.list or length > options.at_most:
                    print(f"{path}:{line}: {name} has {length} lines")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
