#!/usr/bin/env python3
"""Starts Slurm with two nodes on this machine, and runs Examples/Clusters/slurm.sh: slurm.py JISUI [--books N]

It needs root, and the Debian packages slurmctld, slurmd, slurm-client and munge. In the middle, one node is set DOWN,
while its old step may still run. The end has to be that of one run: every output with the same bytes, every book in
the merged journals, and the broken one named. Everything that the script starts, it ends by its process id.
"""
import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
EXAMPLE = REPOSITORY / "Examples/Clusters/slurm.sh"
PAGE = REPOSITORY / "Fixtures/good/PDFSource/vector.pdf"
PARTS, SECONDS = 16, 420

CONFIGURATION = """\
ClusterName=jisui
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser=root
SlurmdUser=root
SlurmctldPort=26817
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=20
MaxArraySize=10001
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobRequeue=1
SchedulerParameters=sched_interval=5
NodeName=n[1-2] NodeHostname={host} NodeAddr=127.0.0.1 Port=[26818-26819] CPUs=2 RealMemory=500 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Cluster:
    """Slurm on this machine."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        for name in ("state", "spool-n1", "spool-n2"):
            (folder / name).mkdir(parents=True)
        (folder / "slurm.conf").write_text(CONFIGURATION.format(host=socket.gethostname(), folder=folder))
        self.environment = os.environ | {"SLURM_CONF": str(folder / "slurm.conf")}
        key, socket_path = folder / "munge.key", folder / "munge.socket"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.start(
            "munged", "--foreground", "--force", f"--key-file={key}", f"--socket={socket_path}",
            f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed")
        time.sleep(1)
        self.start("slurmctld", "-D")
        for node in ("n1", "n2"):
            self.start("slurmd", "-D", "-N", node)

    def start(self, *call):
        log = open(self.folder / f"{call[0]}.out", "ab")
        self.processes.append(subprocess.Popen(call, env=self.environment, stdout=log, stderr=log))

    def call(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60)

    def wait(self, condition, seconds):
        for _ in range(seconds * 2):
            if condition():
                return True
            time.sleep(0.5)
        return False

    def end(self):
        self.call("scancel", "--name", "jisui")
        time.sleep(1)
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def outputs(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def entries(journal):
    lines = journal.read_text().splitlines() if journal.exists() else []
    return [entry for entry in map(json.loads, lines) if "finished" in entry]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("jisui")
    parser.add_argument("--books", type=int, default=1000)
    given = parser.parse_args()
    jisui, failures = Path(given.jisui).resolve(), []

    def expect(condition, text):
        if not condition:
            failures.append(text)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        work = Path(scratch) / "work"
        (work / "bin").mkdir(parents=True)
        (work / "bin/jisui").symlink_to(jisui)
        for number in range(given.books):
            path = work / f"shelf/{number % 9}/book {number}.pdf"
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PAGE, path)
        (work / "shelf/broken.pdf").write_bytes(b"%PDF nothing else")
        subprocess.run(
            [jisui, "shelf/", "-o", "whole/", "--to", "cbz", "--recursive", "-q"], cwd=work, stderr=subprocess.DEVNULL)
        reference = outputs(work / "whole")
        cluster = Cluster(Path(scratch) / "slurm")
        try:
            up = cluster.wait(lambda: cluster.call("sinfo", "-h", "-o", "%T").stdout.split() == ["idle"], 60)
            expect(up, "the nodes did not come up: " + cluster.call("sinfo").stdout)
            sent = subprocess.run(
                ["sbatch", f"--export=PATH={work / 'bin'}:/usr/bin:/bin", str(EXAMPLE), "shelf", "out"], cwd=work,
                env=cluster.environment, capture_output=True, text=True)
            expect(sent.returncode == 0, sent.stderr)
            begun = cluster.wait(lambda: sum(1 for path in (work / "out").rglob("*.cbz")) > given.books // 4, 120)
            expect(begun, "no work was begun")
            # Its step lives on for a while: two processes work on one part.
            cluster.call("scontrol", "update", "NodeName=n2", "State=DOWN", "Reason=test")
            time.sleep(3)
            cluster.call("scontrol", "update", "NodeName=n2", "State=RESUME")

            def is_over():
                # A task that was started again waits for two minutes.
                for line in cluster.call("squeue", "-h", "-t", "PD", "-o", "%i").stdout.split():
                    cluster.call("scontrol", "update", f"JobId={line}", "StartTime=now")
                return not cluster.call("squeue", "-h").stdout.strip()

            expect(cluster.wait(is_over, SECONDS), "not over: " + cluster.call("squeue").stdout)
        finally:
            cluster.end()
        expect(outputs(work / "out") == reference, "the outputs differ from those of one run")
        journals = sorted((work / "journals").glob("shard-*.jsonl"))
        expect(len(journals) == PARTS, f"{len(journals)} journals")
        subprocess.run([jisui, "journal", "merge", *journals, "-o", "all.jsonl"], cwd=work, check=True)
        merged = entries(work / "all.jsonl")
        expect(len(merged) == given.books + 1, f"{len(merged)} books in the merged journal")
        failed = [entry["inputs"][0]["path"] for entry in merged if entry["outcome"] == "failed"]
        expect(failed == [str(work / "shelf/broken.pdf")], f"failed: {failed[:3]}")
        restarts = sum(path.read_text().count('"began"') for path in journals) - PARTS
        print(f"Slurm: {given.books} books in {PARTS} parts on two nodes, {restarts} tasks started again")
        for text in failures:
            print(text, file=sys.stderr)
        if failures:
            for path in sorted(work.glob("slurm-*.out"))[:3]:
                print(path.read_text()[-300:], file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
