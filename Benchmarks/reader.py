#!/usr/bin/env python3
"""Measures the reader for browsers: Benchmarks/reader.py --jisui JISUI [--pages 2000]

Makes a book of JPEGs of 1500 × 2200 pixels with ImageMagick, converts it, and compares making the folder with making plain numbered
pages, and with vipsthumbnail. Then it reads the book in chromium: how long the first page, a turn and a jump take, beside one bare
picture, a page of all pictures and the page that mokuro makes, and how much memory the browser's renderer has after 50 and after 300
turns, beside a page that shows one picture after the other and keeps none.
"""

import argparse
import importlib.util
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import types

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Tests/Programs/Browser"))
from webdriver import Chromium

READY = "return document.querySelector('.view:not([inert]) .page.ready') !== null && performance.now()"
# How long after a key the next frame comes, and whether the page is whole in it.
TURN = """
const key = arguments[0], before = performance.now();
document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
return new Promise(done => requestAnimationFrame(() => {
  const frame = performance.now() - before;
  const ready = () => [...document.querySelectorAll(".view:not([inert]) .page")].every(page => page.classList.contains("ready"));
  const isReady = ready(), thumbnail = document.querySelector(".view:not([inert]) .page").style.backgroundImage !== "" || isReady;
  const wait = () => ready() ? done([frame, isReady, performance.now() - before, thumbnail]) : requestAnimationFrame(wait);
  wait();
}));
"""


def is_ours(number):
    """Whether a process was started by this one, at whatever remove."""
    while number > 1:
        if number == os.getpid():
            return True
        # Behind the name, which may hold anything, come the state and the parent.
        number = int(pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
    return False


def memory_of(process):
    """The proportional memory of a process by its folder in /proc, in MB; 0 for one that is gone."""
    try:
        line = next(l for l in (process / "smaps_rollup").read_text().splitlines() if l.startswith("Pss:"))
        return int(line.split()[1]) / 1024
    except (OSError, StopIteration):
        return 0


def renderer():
    """The largest renderer, as a folder in /proc."""
    def is_renderer(process):
        try:
            return b"--type=renderer" in (process / "cmdline").read_bytes() and is_ours(int(process.name))
        except OSError:
            return False

    return max(filter(is_renderer, pathlib.Path("/proc").iterdir()), key=memory_of)


def given_back(browser, process):
    """What a renderer has left when memory is short, in MB: Chromium keeps decoded pictures, also of pages that are gone, in memory
    that it gives back on demand, up to half a gigabyte on a desktop. No page can ask it to keep less."""
    browser.devtools("Memory.simulatePressureNotification", level="critical")
    time.sleep(3)
    return memory_of(process)


def first_page(browser, address):
    browser.open("about:blank")
    browser.open(address)
    for _ in range(1000):
        ready = browser.run(READY)
        if ready:
            return ready
        time.sleep(0.005)
    return float("nan")


def bare(browser, address):
    browser.open("about:blank")
    browser.open(address)
    return browser.run("await document.images[0].decode(); return performance.now()")


def write_mokuro(file, pages):
    """Writes the page that mokuro makes of a book without text; false where mokuro is not there.

    What it reads text with takes gigabytes, and is not needed for that: empty modules stand for it.
    """
    found = importlib.util.find_spec("mokuro")
    if found is None:
        return False
    package = types.ModuleType("mokuro")
    package.__path__, package.__version__ = found.submodule_search_locations, ""
    sys.modules |= {"mokuro": package, "cv2": types.ModuleType("cv2")}
    maker = importlib.import_module("mokuro.legacy.overlay_generator")
    empty = {"img_width": 1500, "img_height": 2200, "blocks": []}
    names = [pathlib.Path(f"pages/{number:04}.jpg") for number in range(1, pages + 1)]
    file.write_text(maker.get_index_html([maker.get_page_html(empty, name) for name in names], "book"))
    return True


def one_by_one(browser, home, pages):
    """Shows one picture after the other, and keeps none but the one that is seen; the renderer's memory then, in MB."""
    browser.open(f"{home}/bare.html")
    for number in range(1, pages + 1):
        browser.run(NEXT, f"pages/{number:04}.jpg")
    return memory_of(renderer())


NEXT = """
const picture = new Image();
picture.src = arguments[0];
return picture.decode().then(() => {
  document.body.replaceChildren(picture);
  return new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)));
});
"""


def timed(*command):
    start = time.monotonic()
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return time.monotonic() - start


def compare_making(jisui, pages, scratch):
    """Prints how long making a folder of these pages takes: medians of runs in turn, for the disk has its moods."""
    web = ["--to", "web", "--direction", "ltr"]
    ways = {"folder": ["--to", "folder"], "without": [*web, "--no-thumbnails"], "with": web}
    times = {way: [] for way in ways}
    for _ in range(9):
        for way, options in ways.items():
            shutil.rmtree(scratch / way, ignore_errors=True)
            os.sync()
            times[way].append(timed(jisui, pages, "-o", scratch / way, *options, "-q"))
    plain, without, whole = (statistics.median(times[way]) for way in ["folder", "without", "with"])
    print(f"making {len(list(pages.iterdir()))} pages: {without / plain:.2f} x the folder sink without thumbnails, {whole:.2f} s with them")
    try:
        small = scratch / "small"
        small.mkdir()
        vips = statistics.median(
            timed("vipsthumbnail", *sorted(pages.iterdir()), "-s", "256", "-o", f"{small}/%s.jpg") for _ in range(3))
        print(f"  the thumbnails alone: {(whole - without) / vips:.2f} x vipsthumbnail")
    except FileNotFoundError:
        print("  vipsthumbnail is not installed")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--jisui", required=True)
    options.add_argument("--pages", type=int, default=2000)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        pages = scratch / "pages"
        pages.mkdir()
        for number in range(1, 21):
            subprocess.run(
                ["convert", "-size", "1500x2200", "-seed", str(number), "plasma:white-gray", "-colorspace", "gray", "-quality", "70",
                 str(scratch / f"{number}.jpg")], check=True)
        for number in range(given.pages):
            (pages / f"{number:05}.jpg").hardlink_to(scratch / f"{number % 20 + 1}.jpg")

        few = scratch / "few"
        few.mkdir()
        for number in range(200):
            (few / f"{number:05}.jpg").hardlink_to(scratch / f"{number % 20 + 1}.jpg")
        compare_making(given.jisui, few, scratch)

        subprocess.run([given.jisui, pages, "-o", scratch / "web", "--to", "web", "-q", "--direction", "rtl"], check=True)
        (scratch / "web" / "bare.html").write_text("<!DOCTYPE html><img src=pages/0001.jpg>")
        (scratch / "web" / "all.html").write_text(
            "<!DOCTYPE html>" + "".join(f"<img src=pages/{number:04}.jpg>" for number in range(1, given.pages + 1)))
        home = (scratch / "web").as_uri()
        with Chromium(1280, 900) as browser:
            alone = statistics.median(bare(browser, f"{home}/bare.html") for _ in range(5))
            first = statistics.median(first_page(browser, f"{home}/index.html#p=1") for _ in range(5))
            print(f"first page: {first:.0f} ms, a bare picture {alone:.0f} ms")
            frames, prepared = [], 0
            for turn in range(1, 301):
                time.sleep(0.25)
                frame, ready, _, _ = browser.run(TURN, "ArrowLeft")
                frames.append(frame)
                prepared += ready
                if turn == 50:
                    reading = renderer()
                    early = memory_of(reading)
            frames.sort()
            heap = browser.run("return performance.memory.usedJSHeapSize / 1e6")
            print(f"turns: next frame after {frames[150]:.1f} ms (p50), {frames[285]:.1f} ms (p95); {prepared} of 300 were prepared")
            print(f"renderer: {early:.0f} MB after 50 turns, {memory_of(reading):.0f} MB after 300; scripts {heap:.1f} MB")
            print(f"  {given_back(browser, reading):.0f} MB when memory is short")
            jumps = [browser.run(TURN, key) for key in ["End", "Home"] * 5]
            print(f"jumps: whole after {statistics.median(j[2] for j in jumps):.0f} ms, "
                  f"thumbnail in the next frame in {sum(j[3] for j in jumps)} of {len(jumps)}")
        with Chromium(1280, 900) as browser:
            print(f"pictures one by one, none of them kept: {one_by_one(browser, home, min(100, given.pages)):.0f} MB, "
                  f"{given_back(browser, renderer()):.0f} MB when memory is short")
        with Chromium(1280, 900) as browser:
            alone = bare(browser, f"{home}/all.html")
            time.sleep(10)
            print(f"a page of all pictures: the first after {alone:.0f} ms, {memory_of(renderer()):.0f} MB, "
                  f"{given_back(browser, renderer()):.0f} MB when memory is short")
        if write_mokuro(scratch / "web" / "mokuro.html", given.pages):
            with Chromium(1280, 900) as browser:
                browser.open(f"{home}/mokuro.html")
                shown = browser.run("return performance.now()")
                time.sleep(10)
                print(f"mokuro's page of the same book: loaded after {shown:.0f} ms, {memory_of(renderer()):.0f} MB")
        else:
            print("mokuro is not installed")


if __name__ == "__main__":
    main()
