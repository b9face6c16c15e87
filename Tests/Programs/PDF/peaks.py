#!/usr/bin/env python3
"""peaks.py FOLDER JISUI OPTION ...: convert each PDF of a folder to CBZ and to PDF.

Prints one line for each: the names, the peak memory of the largest process in megabytes, the exit status, and the bytes of the
output, or 0.
"""

import os
import resource
import subprocess
import sys


def peak(command):
    """The exit status and the peak memory of a command, which a process of its own waits for."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        os.write(writer, b"%d %d" % (status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        found = answer.read().split()
    os.wait()
    return found


def main():
    folder, program, *options = sys.argv[1:]
    for name in sorted(os.listdir(folder)):
        for kind in ("cbz", "pdf"):
            output = os.path.join(folder, "output." + kind)
            # A page that takes long says nothing about memory.
            limits = ["--page-timeout", "5"]
            status, megabytes = peak([program, os.path.join(folder, name), "-o", output, *limits, *options])
            size = os.path.getsize(output) if os.path.exists(output) else 0
            print(f"{name}:{kind} {megabytes} {status} {size}", flush=True)
            if size:
                os.remove(output)


main()
