#!/usr/bin/env python3
"""Runs the commands that the documentation shows, and compares what they print: commands.py JISUI [--record] [FILE...]

A block of the language `console` is executed: a line `$ COMMAND` in a shell, and the lines after it are its output
and errors, as a terminal shows them. A line `...` stands for any number of lines. An exit status other than 0 is
shown as `(exit status N)`. Numbers of bytes depend on the libraries, and are not compared.

A comment `<!-- setup: COMMAND -->` is run before the blocks below it and is not shown. Each file has a folder of its
own, with a link `Fixtures`. Blocks of other languages are for reading only. With --record the output in the files is
replaced, except where it has a line `...`. The Japanese pages, README.ja.md and docs/ja, show Japanese messages.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
SECONDS = 300


def pages(names):
    if names:
        return [Path(name).resolve() for name in names]
    return [REPOSITORY / "README.md", REPOSITORY / "README.ja.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]


def run(command, folder, environment):
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=SECONDS)
    lines = done.stdout.decode(errors="replace").splitlines()
    return lines + ([f"(exit status {done.returncode})"] if done.returncode else [])


def comparable(line):
    line = re.sub(r"\b[0-9.]+ (bytes|kB|MB)\b", "SIZE", line)
    line = re.sub(r"[0-9a-f]{64}", "DIGEST", line)
    return line.rstrip()


def matches(shown, printed):
    """Whether the output is that of the page, where `...` stands for any lines."""
    shown, printed = [comparable(line) for line in shown], [comparable(line) for line in printed]
    if not shown or "..." not in shown:
        return shown == printed
    gap = shown.index("...")
    if shown[:gap] != printed[:gap]:
        return False
    rest = shown[gap + 1:]
    return any(matches(rest, printed[start:]) for start in range(gap, len(printed) + 1))


def check(page, environment, records):
    """Runs a page; returns the failures as texts."""
    failures, result = [], []
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch) / "work"
        temporary = Path(scratch) / "tmp"
        for folder in (work, temporary):
            folder.mkdir()
        (work / "Fixtures").symlink_to(REPOSITORY / "Fixtures")
        environment = environment | {"TMPDIR": str(temporary), "HOME": str(work)}
        if page.name.endswith(".ja.md") or page.parent.name == "ja":
            environment["LC_ALL"] = "ja_JP.UTF-8"
        lines = page.read_text().split("\n")
        place = 0
        is_shown = False
        while place < len(lines):
            line = lines[place]
            setup = re.fullmatch(r"<!-- setup: (.*) -->", line)
            if setup:
                printed = run(setup[1], work, environment)
                if printed and printed[-1].startswith("(exit status"):
                    failures.append(f"{page}:{place + 1}: the setup failed\n" + "\n".join(printed))
            if line.startswith("```"):
                is_shown = line == "```console"
            result.append(line)
            place += 1
            if not (is_shown and line.startswith("$ ")):
                continue
            number, command = place, line[2:]
            while command.endswith("\\"):
                command = command[:-1] + lines[place].removeprefix("> ")
                result.append(lines[place])
                place += 1
            shown = []
            while not lines[place].startswith(("```", "$ ")):
                shown.append(lines[place])
                place += 1
            blank = []
            while shown and not shown[-1].strip():
                blank.append(shown.pop())
            printed = run(command, work, environment)
            if matches(shown, printed):
                result += shown
            elif records and "..." not in shown:
                result += printed
            else:
                result += shown
                failures.append(
                    f"{page}:{number}: $ {command}\n" + "\n".join(["it shows:", *shown, "it printed:", *printed]))
            result += blank
        left = list(temporary.iterdir())
        if left:
            failures.append(f"{page}: temporary files are left behind: {left}")
    if records:
        page.write_text("\n".join(result))
    return failures


def main():
    arguments = [word for word in sys.argv[1:] if word != "--record"]
    program = Path(arguments[0]).resolve()
    names = arguments[1:]
    environment = {
        "PATH": f"{program.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "COLUMNS": "80",
        "SOURCE_DATE_EPOCH": "0",
    }
    failures = [text for page in pages(names) for text in check(page, environment, "--record" in sys.argv)]
    print("\n\n".join(failures) if failures else f"Documentation: {len(pages(names))} pages show what is printed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
