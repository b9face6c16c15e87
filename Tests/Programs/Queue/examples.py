#!/usr/bin/env python3
"""Runs the examples for engines (Examples/Clusters) that can run here: examples.py JISUI

Each has to make the outputs of one run over the whole shelf, of which one book is broken. An engine that is not
installed is left out, and named.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
EXAMPLES = REPOSITORY / "Examples/Clusters"
PAGE = REPOSITORY / "Fixtures/good/PDFSource/vector.pdf"
BOOKS = 30


def run(folder, *call):
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(
        call, cwd=folder, env=os.environ | {"PATH": path, "LC_ALL": "C.UTF-8", "HOME": str(folder)}, capture_output=True,
        text=True, timeout=600)


def place(scratch, name, jisui):
    folder = Path(scratch) / name
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/jisui").symlink_to(jisui)
    (folder / "shelf/a").mkdir(parents=True)
    for number in range(BOOKS):
        shutil.copy(PAGE, folder / f"shelf/a/book {number}.pdf")
    (folder / "shelf/broken.pdf").write_bytes(b"%PDF nothing else")
    return folder


def outputs(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def journals(folder):
    return [
        entry for path in folder.glob("journals/*[0-9].jsonl") for entry in map(json.loads, path.read_text().splitlines())
        if "finished" in entry]


def main():
    jisui, failures, left_out = Path(sys.argv[1]).resolve(), [], []

    def expect(condition, text):
        if not condition:
            failures.append(text)

    with tempfile.TemporaryDirectory() as scratch:
        whole = place(scratch, "whole", jisui)
        run(whole, "bin/jisui", "shelf/", "-o", "out/", "--to", "cbz", "--recursive", "-q")
        reference = outputs(whole / "out")
        expect(len(reference) == BOOKS, f"{len(reference)} outputs of one run")
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
            folder = place(scratch, name, jisui)
            outcome = run(folder, *call)
            expect(outcome.returncode == 0, f"{name}: {outcome.returncode}: {outcome.stderr[-800:]}")
            expect(outputs(folder / "out") == reference, f"{name}: the outputs differ")
            entries = journals(folder)
            expect(len(entries) == BOOKS + 1, f"{name}: {len(entries)} lines")
            expect(sum(entry["outcome"] == "failed" for entry in entries) == 1, f"{name}: not one broken book")
        if shutil.which("kubernetes-validate"):
            outcome = run(whole, "kubernetes-validate", "--strict", str(EXAMPLES / "kubernetes.yaml"))
            expect(outcome.returncode == 0, f"kubernetes.yaml: {outcome.stdout}{outcome.stderr}")
        else:
            left_out.append("kubernetes-validate")
        expect(run(whole, "bash", "-n", str(EXAMPLES / "slurm.sh")).returncode == 0, "slurm.sh is no script of bash")
    for text in failures:
        print(text, file=sys.stderr)
    print("Examples for engines: " + (f"left out {', '.join(left_out)}" if left_out else "all ran"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
