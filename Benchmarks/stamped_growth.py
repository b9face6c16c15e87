#!/usr/bin/env python3
"""Compares the bytes of jisui's pages with those of the images in scanned PDFs.

    stamped_growth.py --jisui BIN FOLDER

For each PDF in FOLDER it prints the growth: the bytes of the output pages divided by the bytes of the
images on the same pages of the PDF. It needs pdfimages of Poppler.

- Each image counts on each page that shows it, once. Its mask counts, too.
- A one-bit image counts as the larger of its own bytes and of the PNG that pdfimages makes of it,
  because fax and JBIG2 have no place in a comic archive.
- Pages without an image are left out.
"""
import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess
import tempfile

UNITS = {"B": 1, "K": 1 << 10, "M": 1 << 20}


def prices(pdf: pathlib.Path) -> dict[int, int]:
    """Returns the bytes of the images on each page that has any."""
    listing = subprocess.run(["pdfimages", "-list", pdf], capture_output=True, text=True, check=True).stdout
    result: collections.Counter[int] = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["pdfimages", "-png", pdf, f"{folder}/i"], capture_output=True, check=False)
        seen = set()
        for line in listing.splitlines()[2:]:
            words = line.split()
            match = re.search(r"([\d.]+)([BKM])\s+[\d.]+%\s*$", line)
            if not match:
                continue
            page, number, kind = int(words[0]), int(words[1]), words[2]
            # A mask has the number of its image.
            key = (page, kind, words[10], words[11])
            if key in seen and words[10] != "[inline]":
                continue
            seen.add(key)
            size = int(float(match.group(1)) * UNITS[match.group(2)])
            png = pathlib.Path(f"{folder}/i-{number:03d}.png")
            if words[7] == "1" and png.exists():
                size = max(size, png.stat().st_size)
            result[page] += size
    return result


def growth(jisui: str, pdf: pathlib.Path) -> tuple[float, dict[str, int]] | None:
    """Returns the growth of a PDF, and how often its pages have each treatment; None if jisui failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = f"{folder}/report.json"
        subprocess.run(
            [jisui, pdf, "-o", f"{folder}/out.cbz", "--report", report, "--quiet"],
            capture_output=True, check=False)
        pages = json.loads(pathlib.Path(report).read_text()).get("pages")
    if not pages:
        return None
    images = prices(pdf)
    made = sum(page["bytes"] or 0 for page in pages if int(page["source"].split()[-1]) in images)
    return made / sum(images.values()), dict(collections.Counter(page["treatment"] for page in pages))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", required=True)
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    rows = []
    for pdf in sorted(path for path in arguments.folder.iterdir() if path.suffix.lower() == ".pdf"):
        result = growth(arguments.jisui, pdf)
        if result is None:
            print(f"failed  {pdf.stem[:60]}", flush=True)
            continue
        factor, treatments = result
        rows.append(factor)
        print(f"{factor:6.2f}  {pdf.stem[:60]}  {treatments}", flush=True)
    print(f"median {statistics.median(rows):.2f} of {len(rows)}")


if __name__ == "__main__":
    main()
