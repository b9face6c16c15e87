#!/usr/bin/env python3
"""Sinks that stall, break the protocol or leave what must not appear: jisui publishes nothing of theirs. See jisui_case.py."""

import os

from helpers import png
from jisui_case import expect, is_converted, main

# The faults of faulty.py, and what must be said of each, or a list of which one must.
FAULTS = {
    "sink-exits": "ended with status 4", "sink-hangs": "within 2 seconds", "sink-stops": "within 2 seconds", "sink-crashes": "signal 11",
    "sink-babbles": "not a JSON object",
    # The second answer is there before the next request, or comes as the answer to it.
    "sink-answers-twice": ["without a request", "the same name as page 3"], "sink-answers-too-often": "without a request",
    "sink-answers-for-another": "answers for page 2 when it was asked for page 3", "sink-name-dots": "gave page 3 no valid name",
    "sink-name-whole": "gave page 3 no valid name", "sink-name-escapes": "gave page 3 no valid name",
    "sink-name-empty": "gave page 3 no valid name", "sink-writes-nothing": "left an empty output", "sink-ends": "ended with status 0",
    "sink-writes-late": "continued to write", "sink-finish-refused": "does not want to",
}
OF_FOLDERS = {
    "folder-link": "leads out of its output", "folder-link-up": "leads out of its output",
    # Where the system has a sandbox of calls, this refuses to make it.
    "folder-pipe": ["neither a file nor a folder", "not permitted"],
    "folder-escapes": "control characters", "folder-wrong-name": "but did not write it",
}


def make_pages(own):
    os.makedirs(own.path("book"))
    for number in range(1, 6):
        with open(own.path(f"book/{number}.png"), "wb") as file:
            file.write(png(number))


def publishes_nothing(case, fault, words, form):
    case.faulty(fault, form)
    output = case.path(f"{fault}.faulty")
    ended = case.jisui("book", "-o", output, "--to", "faulty", "--page-timeout", "2")
    expect(ended.returncode == 1, f"{fault}, {form}: ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    expect(any(word in ended.stderr for word in ([words] if isinstance(words, str) else words)), f"{fault}, {form}: {ended.stderr}")
    expect(not os.path.exists(output), f"{fault}, {form}: published")
    expect(not case.leftovers(), f"{fault}, {form}: left {case.leftovers()}")


def a_file_of_a_faulty_sink_does_not_appear(case):
    make_pages(case)
    case.faulty("sink")
    is_converted(case, case.jisui("book", "-o", "sound.faulty"))
    for fault, words in FAULTS.items():
        publishes_nothing(case, fault, words, "file")
    publishes_nothing(case, "sink-stops", "within 2 seconds", "stream")


def a_folder_of_a_faulty_sink_does_not_appear(case):
    make_pages(case)
    case.faulty("folder-links-inside")
    is_converted(case, case.jisui("book", "-o", "inside/", "--to", "faulty"))
    expect(os.readlink(case.path("inside/cover.png")) == "1.png", "a link to another page is gone")
    for fault, words in (FAULTS | OF_FOLDERS).items():
        publishes_nothing(case, fault, words, "folder")


main(globals())
