#!/usr/bin/env python3
"""Judges `jisui plugin check`: it has to find each of the faults of faulty.py, and none where there is none.

    check_tests.py JISUI FOLDER

Prints a line of JSON for each fault, with "fault" when it was not found.
"""

import concurrent.futures
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FAULTY = os.path.join(HERE, "faulty.py")
EXAMPLES = os.path.join(HERE, "..", "..", "..", "Examples", "Plugins")


def faulty(*arguments):
    return subprocess.run([sys.executable, FAULTY, *arguments], capture_output=True, text=True, check=True).stdout


def findings(jisui, folder, role, fault):
    """What is found: the lines, and the status."""
    os.makedirs(folder, mode=0o755)
    faulty("--install", folder, *([fault] if fault else []))
    book = os.path.join(folder, "book.faulty")
    faulty("--sample", book)
    return checked(jisui, os.path.join(folder, f"jisui-{role}-faulty"), *([book] if role == "source" else []))


def checked(jisui, program, *books):
    ended = subprocess.run([jisui, "plugin", "check", program, *books], capture_output=True, text=True, timeout=300)
    return ended.returncode, (ended.stdout + ended.stderr).strip()


def judge(jisui, folder, role, fault):
    try:
        status, said = findings(jisui, os.path.join(folder, fault), role, fault)
    except subprocess.TimeoutExpired:
        return {"test": fault, "fault": "took too long"}
    # A card that is none is an error rather than a finding.
    if status == 1 and (said.startswith("- ") or "the manifest" in said):
        return {"test": fault}
    return {"test": fault, "fault": f"ended with {status}: {said[:300]}"}


def main():
    jisui, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    faults = [line.split("\t")[:2] for line in faulty("--list").splitlines()]
    for role, sound in [("source", ""), ("sink", "sink"), ("sink", "folder"), ("transform", "transform"), ("transform", "image")]:
        status, said = findings(jisui, os.path.join(folder, f"sound-{sound or role}"), role, sound)
        print(json.dumps({"test": f"sound {sound or role}"} | ({} if status == 0 else {"fault": said[:300]})), flush=True)
    for name in ("transform-skip-blank", "transform-whiten"):
        status, said = checked(jisui, os.path.join(EXAMPLES, f"jisui-{name}"))
        print(json.dumps({"test": f"example {name}"} | ({} if status == 0 else {"fault": said[:300]})), flush=True)
    # Most of the time nothing is done but waiting for what hangs.
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda fault: judge(jisui, folder, fault[1], fault[0]), faults):
            print(json.dumps(found), flush=True)


main()
