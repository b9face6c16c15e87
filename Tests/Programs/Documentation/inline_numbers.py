#!/usr/bin/env python3
"""Counts the numbers in Swift code that should be named: inline_numbers.py [--at-most N] [--list | --quiet] FOLDER…

A number other than 0, 1 and 2 counts unless it is a value of a property of a type whose name ends in "Limits": there it
has a name, a unit and a reason. A line that begins a static constant does not count either: it names a weight, a unit
or a coefficient of a formula. Strings, comments and indices such as `[3]` or `.3` do not count. The output is the count
of each file and of all. --list prints the lines as well, and --quiet nothing. With more than N the exit status is 1.
"""
import argparse
import re
import sys
from collections import Counter
from pathlib import Path

TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*)
  | (?P<number>0[xob][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][-+]?[0-9]+)?)
  | (?P<word>[A-Za-z_$`][\w`]*)
  | (?P<newline>\n)
  | (?P<space>[ \t\r]+)
  | (?P<sign>.)
    """,
    re.VERBOSE,
)
TYPES = {"struct", "enum", "class", "actor", "extension"}
MEMBERS = {"let", "var", "func", "init", "subscript", "case", "typealias", "deinit"} | TYPES
SMALL = {"0", "1", "2", "0.0", "1.0", "2.0"}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, set(")]}")


def without_strings(text):
    """The text with spaces in place of strings and block comments. All other characters keep their places."""
    result, place = list(text), 0

    def blank(start, end):
        for index in range(start, end):
            if result[index] != "\n":
                result[index] = " "

    while place < len(text):
        if text.startswith("//", place):
            place = text.find("\n", place) if "\n" in text[place:] else len(text)
        elif text.startswith("/*", place):
            end = end_of_comment(text, place)
            blank(place, end)
            place = end
        elif opening := re.compile(r'(#*)("""|")').match(text, place):
            end = end_of_string(text, opening)
            blank(place, end)
            place = end
        else:
            place += 1
    return "".join(result)


def end_of_comment(text, place):
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(text, place):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)


def end_of_string(text, opening):
    """The end of a string, which may contain others in its interpolations."""
    hashes, quotes = opening[1], opening[2]
    escape, closing, place = "\\" + hashes, quotes + hashes, opening.end()
    while place < len(text):
        if text.startswith(closing, place):
            return place + len(closing)
        if text.startswith(escape + "(", place):
            place = end_of_interpolation(text, place + len(escape) + 1)
        elif text.startswith(escape, place):
            place += len(escape) + 1
        elif quotes == '"' and text[place] == "\n":
            return place
        else:
            place += 1
    return len(text)


def end_of_interpolation(text, place):
    depth = 1
    while place < len(text) and depth > 0:
        if opening := re.compile(r'(#*)("""|")').match(text, place):
            place = end_of_string(text, opening)
            continue
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        place += 1
    return place


def tokens(text):
    """The kinds, texts and line numbers of the tokens, without spaces and comments."""
    line = 1
    for match in TOKEN.finditer(text):
        if match.lastgroup in ("number", "word", "sign"):
            yield match.lastgroup, match[0], line
        line += match[0].count("\n")


class Scopes:
    """The open braces and brackets at a place, and whether a number there is the value of a property of limits."""

    def __init__(self):
        # For each open bracket: its sign, and whether it is the body of a type of limits.
        self.open = []
        self.announced = None
        self.declaration = None

    @property
    def is_limits(self):
        """Whether the place is a member of a type of limits: no brace of a function or closure is open in it."""
        braces = [is_limits for sign, is_limits in self.open if sign == "{"]
        return bool(braces) and braces[-1]

    def read(self, kind, text, before):
        if kind == "word" and before != ".":
            if text in TYPES and not (text == "class" and before in MEMBERS):
                self.announced = ""
            elif self.announced == "":
                self.announced = text
            if text in MEMBERS and self.is_limits:
                self.declaration = text
        elif kind == "word" and self.announced and before == ".":
            # `extension Outer.InnerLimits`
            self.announced = text
        elif text in OPENING:
            is_type = text == "{" and self.announced
            is_limits = bool(is_type) and (self.announced.endswith("Limits") or self.is_limits)
            self.open.append((text, is_limits))
            if text == "{":
                self.announced = None
        elif text in CLOSING and self.open:
            self.open.pop()

    @property
    def is_named(self):
        return self.is_limits and self.declaration in ("let", "var")


CONSTANT = re.compile(r"\s*((private|fileprivate|public|package) )?static let ")


def numbers(path):
    """The line numbers and texts of the numbers that count."""
    found, scopes = [], Scopes()
    code = path.read_text()
    constants = {number for number, line in enumerate(code.split("\n"), 1) if CONSTANT.match(line)}
    all_tokens = list(tokens(without_strings(code)))
    for index, (kind, text, line) in enumerate(all_tokens):
        before = all_tokens[index - 1][1] if index else ""
        after = all_tokens[index + 1][1] if index + 1 < len(all_tokens) else ""
        if kind != "number":
            scopes.read(kind, text, before)
            continue
        # `list[3]` and `$0.3`, but not the array `[3]` and the range `...3`.
        is_member = before == "." and is_value(all_tokens, index - 2)
        is_index = is_member or before == "[" and after == "]" and is_value(all_tokens, index - 2)
        if text not in SMALL and not is_index and not scopes.is_named and line not in constants:
            found.append((line, text))
    return found


def is_value(all_tokens, index):
    """Whether the token ends a value, so that a bracket or a dot after it begins an index."""
    if index < 0:
        return False
    kind, text, _ = all_tokens[index]
    return kind == "word" and text not in ("in", "return", "case", "where") or text in ("]", ")")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--at-most", type=int, metavar="N", help="fail if more numbers are found")
    parser.add_argument("--list", action="store_true", help="print the lines with numbers")
    parser.add_argument("--quiet", action="store_true", help="print only that there are too many")
    options = parser.parse_args()
    total = 0
    for folder in options.folders:
        paths = sorted(folder.rglob("*.swift")) if folder.is_dir() else [folder]
        for path in paths:
            found = numbers(path)
            total += len(found)
            if found and not options.quiet:
                print(f"{len(found):5}  {path}")
            if options.list:
                lines = path.read_text().split("\n")
                for line, count in Counter(line for line, _ in found).items():
                    print(f"       {line}: {lines[line - 1].strip()}")
    if not options.quiet:
        print(f"{total:5}  numbers in all")
    if options.at_most is not None and total > options.at_most:
        names = ", ".join(str(folder) for folder in options.folders)
        print(f"{names}: {total} numbers without a name, {total - options.at_most} too many", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
