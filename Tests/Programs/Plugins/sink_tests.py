#!/usr/bin/env python3
"""Sinks that stall, break the protocol or leave what must not appear: jisui publishes nothing of theirs. See jisui_case.py."""

import json
import os
import signal
import threading
import time

from helpers import png
from jisui_case import expect, is_converted, main

# Writes its pages as files, or one behind the other, and misbehaves as its option says: on the third page, or in the end.
SINK = """#!/usr/bin/env python3
import json, os, signal, socket, time
host = socket.socket(fileno=3)
def say(**answer): host.sendall(json.dumps(answer).encode() + b"\\n")
folder, fault = os.environ.get("JISUI_OUTPUT"), ""
for line in host.makefile("r"):
    ask = json.loads(line)
    if ask["ask"] == "hello":
        fault = ask["settings"].get("odd-fault", "")
        say(ok=True, version=1)
    elif ask["ask"] == "begin": say(ok=True)
    elif ask["ask"] == "add":
        number = ask["number"]
        if fault == "slow": time.sleep(0.02)
        if number == 3:
            if fault == "dies": os._exit(4)
            if fault == "stalls": time.sleep(1000)
            if fault == "stops": os.kill(os.getpid(), signal.SIGSTOP)
            if fault == "babbles": host.sendall(b"what?\\n")
            if fault == "answers-twice": say(ok=True, name="3.png")
        data = os.pread(4, ask["bytes"], 0)
        if folder: open(f"{folder}/{number}.png", "wb").write(data)
        else: os.write(5, data)
        if number == 4 and fault == "answers-for-another": say(ok=True, name="4.png", id=ask["id"] - 1); continue
        names = {"dots": "../3.png", "whole": "/etc/passwd", "escapes": "\\x1b[31m", "empty-name": "", "wrong-name": "4.jpg"}
        say(ok=True, name=names.get(fault, f"{number}.png") if number == 3 else f"{number}.png")
    elif ask["ask"] == "finish":
        if fault == "links": os.symlink("/etc/passwd", f"{folder}/link")
        if fault == "links-up": os.symlink("../../x", f"{folder}/link")
        if fault == "links-inside": os.symlink("1.png", f"{folder}/cover.png")
        if fault == "pipe": os.mkfifo(f"{folder}/pipe")
        if fault == "escaping-file": open(f"{folder}/\\x1b[31m", "w").write("x")
        if fault == "empties":
            for name in os.listdir(folder) if folder else []: open(f"{folder}/{name}", "w").close()
            if not folder: os.ftruncate(5, 0)
        if fault == "ends": os._exit(0)
        if fault == "answers-too-often":
            say(ok=True, name="6.png")
            time.sleep(1)
        say(ok=True)
        if fault == "goes-on":
            time.sleep(0.05)
            os.write(5, b"more") if not folder else open(f"{folder}/more", "w").write("more")
"""


def install(case, form):
    card = {"jisui": [1], "role": "sink", "id": "odd", "summary": "books for tests", "extensions": ["odd"], "form": form,
            "displays": ["png"],
            "settings": [{"name": "odd-fault", "kind": "text", "valueName": "word", "help": "How it misbehaves"}]}
    program = os.path.join(case.plugins, "jisui-sink-odd")
    for path, text in ((program, SINK), (program + ".json", json.dumps(card))):
        with open(path, "w") as file:
            file.write(text)
    os.chmod(program, 0o755)
    os.makedirs(case.path("book"))
    for number in range(1, 6):
        with open(case.path(f"book/{number}.png"), "wb") as file:
            file.write(png(number))


def publishes_nothing(case, output, fault, words, *more):
    """`words` are what must be said, or a list of which one must."""
    ended = case.jisui("book", "-o", output, "--to", "odd", "--odd-fault", fault, "--page-timeout", "2", *more)
    expect(ended.returncode == 1, f"{fault} ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    expect(any(word in ended.stderr for word in ([words] if isinstance(words, str) else words)), f"{fault}: {ended.stderr}")
    expect(not os.path.exists(case.path(output)), f"{fault} was published")
    expect(not case.leftovers(), f"{fault} left {case.leftovers()}")


FAULTS = {"dies": "ended with status 4", "stalls": "within 2 seconds", "stops": "within 2 seconds", "babbles": "not a JSON object",
          # The second answer is there before the next request, or comes as the answer to it.
          "answers-twice": ["without a request", "the same name as page 3"], "answers-too-often": "without a request",
          "answers-for-another": "answers for page 3 when it was asked for page 4", "dots": "gave page 3 no valid name", "whole": "gave page 3 no valid name",
          "escapes": "gave page 3 no valid name", "empty-name": "gave page 3 no valid name", "empties": "left an empty output",
          "ends": "ended with status 0", "goes-on": "continued to write"}


def a_file_of_a_faulty_sink_does_not_appear(case):
    install(case, "file")
    is_converted(case, case.jisui("book", "-o", "sound.odd"))
    for fault, words in FAULTS.items():
        publishes_nothing(case, f"{fault}.odd", fault, words)


def a_folder_of_a_faulty_sink_does_not_appear(case):
    install(case, "folder")
    is_converted(case, case.jisui("book", "-o", "sound/", "--to", "odd"))
    is_converted(case, case.jisui("book", "-o", "inside/", "--to", "odd", "--odd-fault", "links-inside"))
    expect(os.readlink(case.path("inside/cover.png")) == "1.png", "a link to another page is gone")
    more = {"links": "leads out of its output", "links-up": "leads out of its output", 
            # The sandbox refuses it where the kernel can.
            "pipe": ("neither a file nor a folder", "Operation not permitted"), "escaping-file": "control characters", "wrong-name": "but did not write it"}
    for fault, words in (FAULTS | more).items():
        publishes_nothing(case, fault, fault, words)


def a_sink_that_is_stopped_in_the_middle_loses_its_output(case):
    """From outside, as by a person or a debugger: what was written before is no book."""
    install(case, "stream")
    for number in range(6, 400):
        with open(case.path(f"book/{number}.png"), "wb") as file:
            file.write(png(number))

    def stop():
        until = time.monotonic() + 60
        while time.monotonic() < until:
            for number in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{number}/cmdline", "rb") as file:
                        if os.path.join(case.plugins, "jisui-sink-odd").encode() in file.read():
                            os.kill(int(number), signal.SIGSTOP)
                            return
                except OSError:
                    pass

    thread = threading.Thread(target=stop)
    thread.start()
    # It takes its time, so that it is not done before it is found. It may have been stopped while it said hello, which has a
    # time of its own.
    publishes_nothing(case, "stopped.odd", "slow", "did not answer within")
    thread.join()


main(globals())
