#!/usr/bin/env python3
"""Judges `jisui plugin check`: it has to say the words of each fault of faulty.py, and nothing where there is none.

    check_tests.py JISUI FOLDER

Prints a line of JSON for each plug-in, with "fault" when that is not so.
"""

import concurrent.futures
import json
import os
import subprocess

import faulty
from jisui_case import FOLDER, JISUI, TOP, says

EXAMPLES = [os.path.join(TOP, f"Examples/Plugins/jisui-transform-{name}") for name in ("skip-blank", "whiten")]


def installed(fault):
    """The plug-in with a fault in a folder of its own, and the book of a source."""
    folder = os.path.join(FOLDER, fault or "source")
    os.makedirs(folder, mode=0o755)
    faulty.sample(os.path.join(folder, "book.faulty"))
    program = faulty.install(folder, fault)
    return [program] + ([os.path.join(folder, "book.faulty")] if faulty.role_of(fault) == "source" else [])


def judge(name, command, words):
    # A busy machine may start a program more slowly than jisui allows: it is judged once more.
    for _ in range(2):
        try:
            ended = subprocess.run([JISUI, "plugin", "check", *command], capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return {"test": name, "fault": "took too long"}
        said = (ended.stdout + ended.stderr).strip()
        if ended.returncode == (1 if words else 0) and says(words, said):
            return {"test": name}
    return {"test": name, "fault": f"ended with {ended.returncode}: {said[:300]}, not '{words}'"}


def main():
    checks = [(os.path.basename(path), [path], "") for path in EXAMPLES]
    checks += [(f"sound {name or 'source'}", installed(name), "") for name in faulty.SOUND if name != "folder-links-inside"]
    # Continuous integration judges a third of the faults, another one in each run.
    seed = os.environ.get("JISUI_SEED")
    faults = [name for place, name in enumerate(faulty.FAULTS) if seed is None or place % 3 == int(seed) % 3]
    checks += [(name, installed(name), faulty.FAULTS[name][0]) for name in faults]
    # Most of the time nothing is done but waiting for what hangs.
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda check: judge(*check), checks):
            print(json.dumps(found), flush=True)


main()
