#!/usr/bin/env python3
"""Runs the examples for engines (Examples/Clusters) that can run here: examples.py JISUI [--books N] [--broken N] [--kills N]

Each has to make the outputs of one run over the whole shelf, of which some books are broken. Snakemake is also killed with
everything that it started, and called again. An engine that is not installed is left out, and named.
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
EXAMPLES = REPOSITORY / "Examples/Clusters"
PAGE = REPOSITORY / "Fixtures/good/PDFSource/vector.pdf"
UNITS = ["jisui.service", "jisui.timer", "jisui-watch.service"]
SECONDS = 3600


def run(folder, *call):
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(
        call, cwd=folder, env=os.environ | {"PATH": path, "LC_ALL": "C.UTF-8", "HOME": str(folder)}, capture_output=True,
        text=True, timeout=SECONDS)


def killed(folder, call, books):
    """Kills a call and everything that it started when the journals have a number of books."""
    environment = os.environ | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "HOME": str(folder)}
    process = subprocess.Popen(
        call, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while process.poll() is None and len(journals(folder)) < books:
        time.sleep(0.05)
    was_running = process.poll() is None
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return was_running


def units(folder, jisui):
    """Verifies the units of systemd; returns the complaints."""
    for name in UNITS:
        (folder / name).write_text((EXAMPLES / name).read_text().replace("/usr/bin/jisui", str(jisui)))
    outcome = run(folder, "systemd-analyze", "verify", "--man=no", *(str(folder / name) for name in UNITS))
    return outcome.stdout + outcome.stderr if outcome.returncode else "\n".join(
        line for line in outcome.stderr.splitlines() if any(name in line for name in UNITS))


def place(scratch, name, jisui, books, broken):
    folder = Path(scratch) / name
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/jisui").symlink_to(jisui)
    (folder / "shelf/a").mkdir(parents=True)
    for number in range(books):
        shutil.copy(PAGE, folder / f"shelf/a/book {number}.pdf")
    for number in range(broken):
        (folder / f"shelf/broken {number}.pdf").write_bytes(b"%PDF nothing else")
    return folder


def outputs(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def journals(folder):
    lines = [line for path in folder.glob("journals/*[0-9].jsonl") for line in path.read_text().split("\n")[:-1]]
    return [entry for entry in map(json.loads, lines) if "finished" in entry]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("jisui")
    parser.add_argument("--books", type=int, default=30)
    parser.add_argument("--broken", type=int, default=1)
    parser.add_argument("--kills", type=int, default=1)
    given = parser.parse_args()
    jisui, failures, left_out = Path(given.jisui).resolve(), [], []

    def expect(condition, text):
        if not condition:
            failures.append(text)

    with tempfile.TemporaryDirectory() as scratch:
        whole = place(scratch, "whole", jisui, given.books, given.broken)
        run(whole, "bin/jisui", "shelf/", "-o", "out/", "--to", "cbz", "--recursive", "-q")
        reference = outputs(whole / "out")
        expect(len(reference) == given.books, f"{len(reference)} outputs of one run")
        engines = {
            "parallel": [str(EXAMPLES / "parallel.sh"), "shelf", "out"],
            "snakemake": [
                "snakemake", "--snakefile", str(EXAMPLES / "Snakefile"), "--cores", "2", "--keep-going", "--retries", "3",
                "--config", "shelf=shelf", "out=out", "parts=4"],
        }
        for name, call in engines.items():
            if not shutil.which(name):
                left_out.append(name)
                continue
            folder, kills = place(scratch, name, jisui, given.books, given.broken), 0
            for number in range(given.kills if name == "snakemake" else 0):
                kills += killed(folder, call, (number + 1) * given.books // (given.kills + 1))
                # As Snakemake asks after a kill.
                run(folder, *call, "--unlock")
            expect(kills == (given.kills if name == "snakemake" else 0), f"{name}: it was over before kill {kills + 1}")
            outcome = run(folder, *call)
            expect(outcome.returncode == 0, f"{name}: {outcome.returncode}: {outcome.stderr[-800:]}")
            expect(outputs(folder / "out") == reference, f"{name}: the outputs differ")
            entries = journals(folder)
            expect(len({entry["inputs"][0]["path"] for entry in entries}) == len(entries) == given.books + given.broken,
                   f"{name}: {len(entries)} lines")
            expect(sum(entry["outcome"] == "failed" for entry in entries) == given.broken, f"{name}: other broken books")
            expect(not list(folder.rglob(".*.jisui-*")), f"{name}: temporary files are left")
        if shutil.which("kubernetes-validate"):
            outcome = run(whole, "kubernetes-validate", "--strict", str(EXAMPLES / "kubernetes.yaml"))
            expect(outcome.returncode == 0, f"kubernetes.yaml: {outcome.stdout}{outcome.stderr}")
        else:
            left_out.append("kubernetes-validate")
        if shutil.which("systemd-analyze"):
            complaints = units(whole, jisui)
            expect(not complaints, f"units of systemd: {complaints}")
        else:
            left_out.append("systemd-analyze")
        expect(run(whole, "bash", "-n", str(EXAMPLES / "slurm.sh")).returncode == 0, "slurm.sh is no script of bash")
    for text in failures:
        print(text, file=sys.stderr)
    print(
        f"Examples for engines, {given.books} books and {given.broken} broken ones: "
        + (f"left out {', '.join(left_out)}" if left_out else "all ran"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
