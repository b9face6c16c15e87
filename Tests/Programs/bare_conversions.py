#!/usr/bin/env python3
"""Lists conversions of floating-point numbers to whole ones that end the program when the number does not fit.

    Tests/Programs/bare_conversions.py FOLDER...

`Int(_:)` traps on infinity, on what is not a number, and on what is too large; numbers from files are all of these. Use
`Int(checked:)` or `Int(clamping:to:)` (PageModel/Geometry.swift), or `UInt8(clamping:)` and its like. Where the code itself
keeps the number in range, and the conversion has to be fast, a comment "in range: WHY" on the line or one of the two before says so.

It is a rule of thumb: an argument is taken for floating-point when it rounds, divides Doubles, or has a fraction in it.
"""

import pathlib
import re
import sys

CALL = re.compile(r"(?<![\w.])U?Int(?:8|16|32|64)?\(")
LABELS = ("checked:", "clamping:", "exactly:", "truncatingIfNeeded:", "bitPattern:", "ascii:")
WHOLE_ALREADY = LABELS + ("Int(checked:", "Int(clamping:")
FLOATING = re.compile(
    r"\.rounded\(|\bDouble\(|\bFloat\(|\b(?:floor|ceil|round|pow|sqrt|log2|abs)\(\s*[a-z.]*(?:[a-z]Double)?|"
    r"\.squareRoot\(|(?<![\w.])\d+\.\d|\b1e\d|\b(?:scale|share|slope|angle|ratio|degrees|seconds)\b"
)
WHOLE = re.compile(r"\babs\(")
REASON = re.compile(r"//.*\b[Ii]n range: \w")


def argument(text, start):
    """What stands between the bracket before `start` and the one that closes it."""
    depth = 1
    for index in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return text[start:index]
    return text[start:]


def bare(path):
    """The lines of a file with such a conversion, by number."""
    text = path.read_text()
    lines = text.split("\n")
    for match in CALL.finditer(text):
        number = text.count("\n", 0, match.start())
        line = lines[number]
        if line.strip().startswith("//") or "func " + match.group()[:-1] in line:
            continue
        inner = argument(text, match.end())
        if inner.lstrip().startswith(WHOLE_ALREADY) or not FLOATING.search(WHOLE.sub("", inner)):
            continue
        if any(REASON.search(line) for line in lines[max(0, number - 2) : number + 1]):
            continue
        yield number + 1, line.strip()


def main():
    found = 0
    for folder in sys.argv[1:]:
        for path in sorted(pathlib.Path(folder).rglob("*.swift")):
            for number, line in bare(path):
                found += 1
                print(f"{path}:{number}: {line}")
    if found:
        print(f"{found} bare conversions: Int(checked:) and Int(clamping:to:) do not trap")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
