#!/usr/bin/env python3
"""Whether scans are read as well after they were cleaned, and how small and how sound their PDFs in layers are.

    clean_words.py --jisui BIN --truth FOLDER [--language fra] [--every 3] [--options=--whiten] pages BOOK …
    clean_words.py --jisui BIN --truth FOLDER [--language fra] [--every 3] layers BOOK …

A BOOK is a folder of images. FOLDER/BOOK/PAGE.xml is what people read on a page, as ALTO; pages without it are left out.
`pages` converts each book with the options, has tesseract read each page before and after, and counts the right words.
`layers` writes a PDF with `--bilevel mixed --ocr`. It prints the bytes beside those of JPEG images of quality 75, the right words
of the scan, of the page as poppler renders it, and of the PDF's text. Of the words that tesseract reads in the scan and the PDF
has, it counts those within half a word of their place. Then come the largest mean difference of a page between poppler and MuPDF at 150 pixels per inch, in
levels, and that of the same pages as one image each, which img2pdf wrote: the two programs scale images in different ways.
How words are compared: see ocr_recall.py. Needs tesseract, poppler's tools, mutool, qpdf and img2pdf.
"""

import argparse
import io
import os
import re
import subprocess
import tempfile
from pathlib import Path

import img2pdf
import numpy as np
from PIL import Image

from ocr_recall import truth, words

IMAGES = {".jpg", ".jpeg", ".png", ".tif", ".tiff"}


def run(*command):
    return subprocess.run([*map(str, command)], check=True, capture_output=True, env={**os.environ, "OMP_THREAD_LIMIT": "1"}).stdout


def read(image, language):
    """The words of tesseract with their boxes in pixels: (text, left, top, right, bottom)."""
    rows = [row.split("\t") for row in run("tesseract", image, "stdout", "-l", language, "tsv").decode().splitlines()[1:]]
    for _, _, _, _, _, _, left, top, width, height, _, text in (row for row in rows if len(row) == 12 and row[11].strip()):
        yield text, int(left), int(top), int(left) + int(width), int(top) + int(height)


def found(wanted, texts):
    return (words(texts) & wanted).total()


def combined(files):
    return ["--combine", "--order", "given"] if len(files) > 1 else []


def pages(options, book, files, chosen, scratch):
    target = scratch / "out"
    run(options.jisui, *files, "-o", f"{target}/", *combined(files), "--quiet", "--image-format", "png", *options.options.split())
    results = sorted(file for file in target.rglob("*") if file.suffix in IMAGES)
    assert len(results) == len(files), f"{len(results)} pages of {len(files)} came back"
    counts = np.zeros(3, int)
    for at in chosen:
        wanted = truth(options.truth / book.name, str(files[at]))
        before, after = ([text for text, *_ in read(file, options.language)] for file in (files[at], results[at]))
        counts += [wanted.total(), found(wanted, before), found(wanted, after)]
    return counts


def rendered(pdf, page, dpi, scratch):
    run("pdftoppm", "-r", dpi, "-f", page, "-l", page, "-singlefile", pdf, scratch / "poppler")
    return scratch / "poppler.ppm"


def text_of(pdf, page):
    """The words of a PDF page with their boxes as shares of the page."""
    page = run("pdftotext", "-bbox", "-f", page, "-l", page, pdf, "-").decode()
    width, height = map(float, re.search(r'<page width="([\d.]+)" height="([\d.]+)"', page).groups())
    for *box, text in re.findall(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>', page):
        yield text, np.array(list(map(float, box))) / [width, height, width, height]


def placed(scan, size, pdf):
    """How many words of the scan the PDF has, and has within half a word of their place."""
    known = [(words([text]), box) for text, box in pdf]
    everywhere = sum((count for count, _ in known), words([]))
    found = right = 0
    for text, *box in scan:
        word, box = words([text]), np.array(box) / [*size, *size]
        if not word or not word & everywhere:
            continue
        reach = (box[2:] - box[:2]) / 2
        middle = (box[:2] + box[2:]) / 2
        found += 1
        right += any(word == other and (abs((place[:2] + place[2:]) / 2 - middle) <= reach).all() for other, place in known)
    return found, right


def difference(pdf, page, scratch):
    """The mean difference between two renderers, in levels."""
    run("mutool", "draw", "-r", "150", "-o", scratch / "mupdf.ppm", pdf, page)
    one, other = (np.asarray(Image.open(file).convert("RGB")).astype(int)
                  for file in (rendered(pdf, page, 150, scratch), scratch / "mupdf.ppm"))
    rows, columns = (min(one.shape[axis], other.shape[axis]) for axis in (0, 1))
    return abs(one[:rows, :columns] - other[:rows, :columns]).mean()


def as_one_image(file, dpi, scratch):
    Image.open(file).save(scratch / "image.png")
    (scratch / "image.pdf").write_bytes(img2pdf.convert(scratch / "image.png", layout_fun=img2pdf.get_fixed_dpi_layout_fun((dpi, dpi))))
    return scratch / "image.pdf"


def layers(options, book, files, chosen, scratch):
    pdf = scratch / "book.pdf"
    run(options.jisui, *(files[at] for at in chosen), "-o", pdf, *combined(chosen), "--quiet", "--bilevel", "mixed", "--ocr",
        "--ocr-language", options.language)
    run("qpdf", "--check", pdf)
    counts = np.zeros(10)
    for page, at in enumerate(chosen, 1):
        wanted, jpeg = truth(options.truth / book.name, str(files[at])), io.BytesIO()
        with Image.open(files[at]) as image:
            size = image.size
            image.save(jpeg, "JPEG", quality=75)
        width = float(re.search(r"size:\s+([\d.]+) x", run("pdfinfo", "-f", page, "-l", page, pdf).decode())[1])
        dpi = size[0] / width * 72
        text = list(text_of(pdf, page))
        scan, result = list(read(files[at], options.language)), rendered(pdf, page, dpi, scratch)
        after = [word for word, *_ in read(result, options.language)]
        image = as_one_image(result, dpi, scratch)
        counts[:8] += [len(jpeg.getvalue()), 0, wanted.total(), found(wanted, (word for word, *_ in scan)), found(wanted, after),
                       found(wanted, (word for word, _ in text)), *placed(scan, size, text)]
        counts[8:] = np.maximum(counts[8:], [difference(pdf, page, scratch), difference(image, 1, scratch)])
    counts[1] = pdf.stat().st_size
    return counts


TASKS = {"pages": (pages, "words  before   after"),
         "layers": (layers, "JPEG      PDF    words  before   after    text  common  placed  differ  as image")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", required=True)
    parser.add_argument("--truth", required=True, type=Path)
    parser.add_argument("--language", default="fra")
    parser.add_argument("--every", type=int, default=3, help="read one page of so many")
    parser.add_argument("--options", default="--whiten", help="the options of `pages`")
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("books", nargs="+", type=Path)
    options = parser.parse_args()
    task, heading = TASKS[options.task]
    print("pages", heading)
    every = []
    for book in options.books:
        files = sorted(file for file in book.iterdir() if file.suffix in IMAGES)
        known = [at for at, file in enumerate(files) if truth(options.truth / book.name, str(file))]
        chosen = known[:: options.every]
        if not chosen:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            counts = task(options, book, files, chosen, Path(scratch))
        every.append([len(chosen), *counts])
        print(*(f"{count:7.3g}" if count != int(count) else f"{int(count):7}" for count in every[-1]), book.name, flush=True)
    total = np.sum(every, 0)
    if options.task == "layers":
        total[-2:] = np.max(every, 0)[-2:]
    print(*(f"{count:7.3g}" if count != int(count) else f"{int(count):7}" for count in total), "all")


if __name__ == "__main__":
    main()
