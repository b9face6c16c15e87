#!/usr/bin/env python3
"""Sinks that stall, break the protocol or leave what must not appear: jisui publishes nothing of theirs. See jisui_case.py."""

import os

from faulty import FAULTS, FOLDER_FAULTS, SINK_FAULTS
from helpers import png
from jisui_case import expect, is_converted, main, says

# The others look right in a run; `plugin check` finds them.
SEEN = [fault for fault in SINK_FAULTS if fault not in ("sink-differs", "sink-writes-beside", "sink-loses")]


def make_pages(own):
    os.makedirs(own.path("book"))
    for number in range(1, 6):
        with open(own.path(f"book/{number}.png"), "wb") as file:
            file.write(png(number))


def publishes_nothing(case, fault, form):
    case.faulty(fault, form)
    output = case.path(f"{fault}.faulty")
    ended = case.jisui("book", "-o", output, "--to", "faulty", "--page-timeout", "2")
    expect(ended.returncode == 1, f"{fault}, {form}: ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    expect(says(FAULTS[fault][0], ended.stderr), f"{fault}, {form}: {ended.stderr}")
    expect("did not answer" not in ended.stderr or "within 2 seconds" in ended.stderr, f"{fault}, {form}: {ended.stderr}")
    expect(not os.path.exists(output), f"{fault}, {form}: published")
    expect(not case.leftovers(), f"{fault}, {form}: left {case.leftovers()}")


def a_file_of_a_faulty_sink_does_not_appear(case):
    make_pages(case)
    case.faulty("sink")
    is_converted(case, case.jisui("book", "-o", "sound.faulty"))
    for fault in SEEN:
        publishes_nothing(case, fault, "file")
    publishes_nothing(case, "sink-stops", "stream")


def a_folder_of_a_faulty_sink_does_not_appear(case):
    make_pages(case)
    case.faulty("folder-links-inside")
    is_converted(case, case.jisui("book", "-o", "inside/", "--to", "faulty"))
    expect(os.readlink(case.path("inside/cover.png")) == "1.png", "a link to another page is gone")
    for fault in SEEN + list(FOLDER_FAULTS):
        publishes_nothing(case, fault, "folder")


main(globals())
