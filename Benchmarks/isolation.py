#!/usr/bin/env python3
"""What it costs to draw, unpack and decode in processes of their own: jisui --isolate none beside --isolate auto.

isolation.py --jisui BIN --data DIR [--runs 9] [--only WORD]

DIR is what make_workloads.py made. Other books are made of its pages, by jisui and by Pillow, beside them. Both ways take turns; the
figure is the median of the ratios of one turn, with the lowest and the highest in brackets: 1.05 is 5 % slower with processes. Outputs
must be the same to the last byte.
"""

import argparse
import filecmp
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

VERBATIM, OTHER = 1.01, 1.10  # the most that it may cost


def books(jisui, data):
    """Title, input, what is asked of it, and the bound."""
    made = data / "isolation"
    made.mkdir(exist_ok=True)
    pages = sorted((data / "book200").iterdir())

    def of_jisui(name, *more):
        path = made / name
        if not path.exists():
            subprocess.run([jisui, data / "book200", "-q", "-o", f"{made}/{name}", *more], check=True)
        return path

    def of_pillow(name, ending, count, **options):
        folder = made / name
        if not folder.exists():
            from PIL import Image

            folder.mkdir()
            for page in pages[:count]:
                Image.open(page).save(folder / f"{page.stem}.{ending}", **options)
        return folder

    png = ["--image-format", "png"]
    yield "200 JPEG pages, PDF → folder", data / "book200.pdf", [], VERBATIM
    yield "200 JPEGs, folder → folder", data / "book200", [], VERBATIM
    yield "200 JPEGs cropped, folder → folder", data / "book200", ["--crop", "5%"], VERBATIM
    yield "200 JPEGs decoded and encoded", data / "book200", ["--quality", "60"], VERBATIM
    yield "100 pages of CCITT G4, PDF → folder", data / "bitonal100.pdf", [], VERBATIM
    yield "200 JPEGs, tar → folder", of_jisui("book.cbt"), [], OTHER
    yield "200 JPEGs, 7z → folder", of_jisui("book.cb7"), [], OTHER
    yield "60 vector pages, drawn at 150 dpi", data / "vector60.pdf", ["--dpi", "150"], OTHER
    yield "30 JPEG XL pages → PNG", of_jisui("jxl/", "--image-format", "jxl", "--quality", "90", "--pages", "1-30"), png, OTHER
    yield "30 TIFF pages → PNG", of_jisui("tiff/", "--image-format", "tiff", "--pages", "1-30"), png, OTHER
    yield "30 JPEG 2000 pages → PNG", of_pillow("jp2", "jp2", 30, quality_mode="rates", quality_layers=[10]), png, OTHER
    yield "30 AVIF pages → PNG", of_pillow("avif", "avif", 30, quality=80), png, OTHER


def differences(one, other):
    found = filecmp.dircmp(one, other)
    return found.left_only + found.right_only + filecmp.cmpfiles(one, other, found.common_files, shallow=False)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", required=True, type=pathlib.Path)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="")
    wanted = parser.parse_args()
    jisui = wanted.jisui.resolve()
    late = 0
    with tempfile.TemporaryDirectory() as folder:
        outputs = {way: pathlib.Path(folder) / way for way in ["none", "auto"]}
        for title, source, more, bound in books(jisui, wanted.data.resolve()):
            if wanted.only not in title:
                continue
            ratios = []
            for turn in range(wanted.runs + 1):
                seconds = {}
                for way in list(outputs)[:: 1 if turn % 2 else -1]:
                    shutil.rmtree(outputs[way], ignore_errors=True)
                    start = time.monotonic()
                    command = [jisui, source, "-q", "-o", f"{outputs[way]}/", "--isolate", way, *more]
                    subprocess.run(command, check=True)
                    seconds[way] = time.monotonic() - start
                if turn > 0:  # The first fills the caches.
                    ratios.append(seconds["auto"] / seconds["none"])
            if wrong := differences(*outputs.values()):
                sys.exit(f"{title}: not the same: {wrong[:3]}")
            middle = statistics.median(ratios)
            late += middle > bound
            spread = f"({min(ratios):.2f}–{max(ratios):.2f})"
            print(f"{title:<40} {middle:.3f} {spread}, at most {bound}{' ✗' if middle > bound else ''}", flush=True)
    sys.exit(late > 0)


if __name__ == "__main__":
    main()
