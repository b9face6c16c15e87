#!/usr/bin/env python3
"""Prints the test suites of the modules that changed since the branch left its upstream, or since the last commit.

The suites of a module are its own (Imaging: ImagingTests), or else those that depend on it. A module that no suite
depends on has the suites of the modules that use it.
"""

import json
import subprocess

# The command has a suite of its own; the others that depend on it only run it.
OWN = {"jisui": "CommandTests"}
# The protocol of processes is tested with plug-ins.
MORE = {"Processes": {"ExternalAdaptersTests"}}
# The conformance suite finds fixtures by itself.
FIXTURES, CONFORMANCE = "Fixtures/", "AdapterConformanceTests"


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def changed_files():
    # A branch without an upstream is compared with its last commit.
    branch = output("git", "rev-parse", "--symbolic-full-name", "HEAD").strip()
    upstream = output("git", "for-each-ref", "--format=%(upstream)", branch).strip()
    base = output("git", "merge-base", "HEAD", upstream).strip() if upstream else "HEAD"
    return (output("git", "diff", "--name-only", base) + output(
        "git", "ls-files", "--others", "--exclude-standard")).splitlines()


def suites_of(name, targets):
    """The suites of a module, by the targets of the package."""
    own = name if targets[name]["type"] == "test" else OWN.get(name, f"{name}Tests")
    if own in targets:
        return {own} | MORE.get(name, set())
    users = [user for user, target in targets.items() if name in target["uses"]]
    suites = {user for user in users if targets[user]["type"] == "test"}
    return suites or {suite for user in users for suite in suites_of(user, targets)}


def main():
    package = json.loads(output("swift", "package", "dump-package"))
    targets = {
        target["name"]: {
            "type": target["type"], "folder": (target.get("path") or f"Sources/{target['name']}") + "/",
            "uses": {kind[0] for dependency in target["dependencies"] for kind in dependency.values()},
        }
        for target in package["targets"]
    }
    suites = set()
    for file in changed_files():
        for name, target in targets.items():
            if file.startswith(target["folder"]):
                suites |= suites_of(name, targets)
        if file.startswith(FIXTURES):
            suites.add(CONFORMANCE)
    print(*sorted(suites))


if __name__ == "__main__":
    main()
