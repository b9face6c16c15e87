#!/usr/bin/env python3
"""Gives each parser an hour of fuzzing over as many runs as that takes, and notes it in hours.tsv beside this file.

    Tests/Programs/Fuzz/hours.py PROGRAM [PARSER ...] [--slice SECONDS]

PROGRAM is the built Fuzz; without PARSERs it is about all of them. The parser that was fuzzed least comes next, two at
a time, each for a slice or what is left of its hour, until all have had theirs; it may be stopped, and goes on from
there. What counts is the processor's time, so that a busy machine only takes longer. A parser that fails is told, as
`make fuzz` tells it, and gets no more in this run, which exits with 1.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HOUR = 3600
RUN = pathlib.Path(__file__).resolve().with_name("run")
LEDGER = RUN.with_name("hours.tsv")
HEAD = "parser\tseconds\n"


def spent():
    """The seconds that each parser has had."""
    lines = LEDGER.read_text().splitlines()[1:] if LEDGER.exists() else []
    return {name: int(seconds) for name, seconds in (line.split("\t") for line in lines)}


def note(name, seconds):
    known = spent()
    known[name] = known.get(name, 0) + seconds
    new = LEDGER.with_suffix(".new")
    new.write_text(HEAD + "".join(f"{name}\t{known[name]}\n" for name in sorted(known)))
    new.rename(LEDGER)


def least(names, busy):
    """The parser that is to be fuzzed next; None where each has had its hour, or is at it."""
    known = spent()
    waiting = [name for name in names if name not in busy and known.get(name, 0) < HOUR]
    return min(waiting, key=lambda name: known.get(name, 0), default=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("parsers", nargs="*", metavar="PARSER", help="only these")
    parser.add_argument("--slice", type=int, default=600, help="seconds at a time (600)")
    wanted = parser.parse_args()
    program = wanted.program.resolve()
    environment = {name: value for name, value in os.environ.items() if name != "TARGET"}
    told = subprocess.run([program], env=environment, capture_output=True, text=True, check=True).stdout
    names = [line.split()[0] for line in told.splitlines()]
    if unknown := set(wanted.parsers) - set(names):
        parser.error(f"no such parser: {', '.join(sorted(unknown))}")
    names = wanted.parsers or names
    running, failed = {}, set()
    while True:
        while len(running) < 2 and (name := least(names, failed | {name for name, _, _ in running.values()})):
            output = tempfile.TemporaryFile("w+")
            seconds = min(wanted.slice, HOUR - spent().get(name, 0))
            run = subprocess.Popen([RUN, program, str(seconds), name], stdout=output)
            # Python itself waits for children that nobody holds, and they would be waited for in vain here.
            running[run.pid] = name, output, run
        if not running:
            break
        pid, status, usage = os.wait4(-1, 0)
        name, output, run = running.pop(pid)
        run.returncode = os.waitstatus_to_exitcode(status)
        note(name, round(usage.ru_utime + usage.ru_stime))
        if status != 0:
            failed.add(name)
            output.seek(0)
            print(output.read(), end="", flush=True)
        output.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
