#!/usr/bin/env python3
"""Makes disks fail below a run over many books, and looks at what it says, how it ends and how it is resumed:
failures.py JISUI

Each failure has to be one clear line and the status 75, by which an engine tries again. The next run, without the
failure, has to finish the rest: every book once, with the bytes of an undisturbed run.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
FAULTS = REPOSITORY / "Tests/Programs/Faults"
PAGE = REPOSITORY / "Fixtures/good/PDFSource/vector.pdf"
BOOKS, DONE, FAILED, TEMPORARY, INTERRUPTED = 12, 0, 1, 75, 130


class Place:
    """A folder with a shelf, and the runs over it."""

    def __init__(self, folder, jisui, library):
        self.folder, self.jisui, self.library = Path(folder), jisui, library
        for name in ("shelf", "tmp", "log"):
            (self.folder / name).mkdir()
        for number in range(BOOKS):
            shutil.copy(PAGE, self.folder / f"shelf/book {number:02}.pdf")

    def run(self, *options, output="out", journal="log/journal", before=(), **faults):
        environment = os.environ | {"TMPDIR": str(self.folder / "tmp"), "LC_ALL": "C.UTF-8"}
        if faults:
            environment["LD_PRELOAD"] = self.library
            environment |= {f"JISUI_FAULT_{name}": str(value) for name, value in faults.items()}
        call = [*before, self.jisui, "shelf", "--recursive", "-o", f"{output}/", "--to", "cbz", "--journal", journal, *options]
        return subprocess.run(call, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300)

    def outputs(self, output="out"):
        return {path.name: path.read_bytes() for path in (self.folder / output).rglob("*") if path.is_file()}

    def entries(self, journal="log/journal"):
        lines = (self.folder / journal).read_text().splitlines()
        return [entry for entry in map(json.loads, lines) if "finished" in entry]


def errors(outcome):
    return [line for line in outcome.stderr.splitlines() if line.startswith("jisui: error:")]


class Check:
    def __init__(self):
        self.failures = []

    def expect(self, condition, text, outcome=None):
        if not condition:
            self.failures.append(text + (f" ({outcome.returncode}): {outcome.stderr[-600:]}" if outcome else ""))

    def resumed(self, place, whole, name, status=DONE):
        """The next run finishes the rest."""
        outcome = place.run()
        self.expect(outcome.returncode == status, f"{name}: the next run failed", outcome)
        self.expect(place.outputs() == whole, f"{name}: the outputs differ")
        done = [entry["inputs"][0]["path"] for entry in place.entries() if entry["outcome"] != "failed"]
        self.expect(len(done) == len(set(done)) == BOOKS, f"{name}: {len(done)} lines of done books")
        self.expect(not os.listdir(place.folder / "tmp"), f"{name}: temporary files are left")

    def fails_once(self, place, whole, name, words, outcome):
        told = errors(outcome)
        self.expect(outcome.returncode == TEMPORARY, f"{name}: another status", outcome)
        self.expect(len(told) == 1 and words in told[0], f"{name}: {told}", outcome)
        hidden = [path for path in place.folder.rglob(".*") if ".jisui-" in path.name]
        self.expect(not hidden, f"{name}: {hidden} is left")
        for path, data in place.outputs().items() if (place.folder / "out").exists() else ():
            self.expect(whole.get(path) == data, f"{name}: {path} is not complete")
        self.resumed(place, whole, name)


def main():
    jisui = str(Path(sys.argv[1]).resolve())
    check = Check()
    with tempfile.TemporaryDirectory() as scratch:
        library = f"{scratch}/faults.so"
        sources = sorted(map(str, FAULTS.glob("*.c")))
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, *sources, "-ldl"], check=True)
        count = 0

        def place():
            nonlocal count
            count += 1
            (Path(scratch) / str(count)).mkdir()
            return Place(Path(scratch) / str(count), jisui, library)

        first = place()
        outcome = first.run()
        check.expect(outcome.returncode == DONE, "an undisturbed run failed", outcome)
        whole = first.outputs()
        check.expect(len(whole) == BOOKS, f"{len(whole)} outputs")
        for kind, words in (("ENOSPC", "the disk is full"), ("EIO", "disk input/output error")):
            for call in ("write", "fsync"):
                name = f"{call} of outputs, {kind}"
                own = place()
                (own.folder / "out").mkdir()
                below = own.folder / "out"
                check.fails_once(
                    own, whole, name, words, own.run(CALL=call, AT=5, KIND=kind, ALWAYS=1, BELOW=below))
            name = f"write of the journal, {kind}"
            own = place()
            check.fails_once(
                own, whole, name, words, own.run(CALL="write", AT=6, KIND=kind, ALWAYS=1, BELOW=own.folder / "log"))
            name = f"the journal's first line, {kind}"
            own = place()
            outcome = own.run(CALL="write", AT=1, KIND=kind, ALWAYS=1, BELOW=own.folder / "log")
            check.expect(not (own.folder / "out").exists(), f"{name}: something was converted")
            check.fails_once(own, whole, name, words, outcome)
        own = place()
        name = "an input that cannot be read for a moment"
        outcome = own.run(CALL="read", AT=20, KIND="EIO", ALWAYS=1, BELOW=own.folder / "shelf")
        check.expect(outcome.returncode == TEMPORARY, name, outcome)
        check.resumed(own, whole, name)
        # A journal that cannot be written is no matter of time.
        own = place()
        (own.folder / "log").chmod(0o555)
        if not os.access(own.folder / "log", os.W_OK):
            outcome = own.run()
        else:
            outcome = own.run(journal="/proc/self/status")
        check.expect(outcome.returncode == FAILED and len(errors(outcome)) == 1, "a read-only journal", outcome)
        check.expect(not (own.folder / "out").exists(), "a read-only journal: something was converted")
        # Two runs on one journal.
        own = place()
        (own.folder / "log/journal").touch()
        outcome = own.run(before=("flock", "log/journal"))
        check.fails_once(own, whole, "two runs on one journal", "another run of jisui uses the journal", outcome)
        # A clock that is set back: what is done stays done.
        if shutil.which("faketime"):
            own = place()
            own.run("--include", "book 0*")
            outcome = own.run(before=("faketime", "2001-01-01"))
            check.expect(outcome.returncode == DONE and "10 done before" in outcome.stderr, "a clock set back", outcome)
            check.resumed(own, whole, "a clock set back")
        # Systems that end a run and start it again.
        for signal, status in (("TERM", TEMPORARY), ("HUP", TEMPORARY), ("INT", INTERRUPTED)):
            own = place()
            outcome = own.run(before=("timeout", "-s", signal, "--preserve-status", "0.1"))
            check.expect(outcome.returncode in (status, DONE, 128 + 15, 128 + 1, 128 + 2), f"SIG{signal}", outcome)
            check.resumed(own, whole, f"SIG{signal}")
        own = place()
        outcome = own.run(before=("prlimit", "--nproc=1") if os.geteuid() else ("setpriv", "--reuid", "54321", "--clear-groups", "prlimit", "--nproc=1"))
        check.expect(outcome.returncode in (TEMPORARY, FAILED), "no threads", outcome)
    for text in check.failures:
        print(text, file=sys.stderr)
    print(f"{count} runs over {BOOKS} books that fail and are resumed: {len(check.failures)} complaints")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
