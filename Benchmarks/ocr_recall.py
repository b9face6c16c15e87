#!/usr/bin/env python3
"""How many words of a page does --ocr find, and how many does tesseract find by itself?

    Benchmarks/ocr_recall.py --truth FOLDER --language fra [--pixels 1000,2000] PICTURE…

The truth is what a person read on the page: an ALTO file in the folder, named as the picture. Each picture is read by tesseract as it
is, and by the plug-in as jisui hands it over: in gray, reduced by a whole number so that its shorter side keeps so many pixels. A word
counts if it has two letters or digits; ſ is s, accents and case do not count. Found are those of the page that were read, and right
those read that are on the page. Needs imagemagick and tesseract-ocr with the language.
"""

import argparse
import collections
import html
import os
import re
import subprocess
import sys
import unicodedata

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../Tests/Programs/Plugins"))
from host import Host  # noqa: E402

PLUGIN = os.path.join(HERE, "../Plugins/OCRTransform/jisui-transform-ocr")
BY_ITSELF = "tesseract by itself"


def words(texts):
    """How often each word comes."""
    plain = ("".join(c for c in unicodedata.normalize("NFKD", text.replace("ſ", "s")).lower() if c.isalnum()) for text in texts)
    return collections.Counter(word for word in plain if len(word) > 1)


def truth(folder, picture):
    """The words of an ALTO file; nothing where there is none."""
    path = os.path.join(folder, os.path.basename(picture).split(".")[0] + ".xml")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return words(word for line in re.findall(r'\bCONTENT="([^"]*)"', file.read()) for word in html.unescape(line).split())


def convert(*arguments):
    return subprocess.run(["convert", *arguments, "-colorspace", "Gray", "-depth", "8", "pgm:-"], check=True, capture_output=True).stdout


def read_by_itself(path, language):
    text = subprocess.run(["tesseract", path, "stdout", "-l", language], check=True, capture_output=True,
                          env={**os.environ, "OMP_THREAD_LIMIT": "1"}).stdout.decode()
    return words(text.split())


def read_by_plugin(picture, language):
    with Host(PLUGIN, patience=600) as host:
        host.hello(role="transform", settings={"ocr": "true", "ocr-language": language})
        os.ftruncate(host.slot, 0)
        os.pwrite(host.slot, picture, 0)
        host.send({"ask": "text", "id": 1, "bytes": len(picture)})
        lines, _ = host.answer()
    return words(word[4] for line in lines for word in line["line"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pictures", nargs="+")
    parser.add_argument("--truth", required=True)
    parser.add_argument("--language", default="eng")
    parser.add_argument("--pixels", default="1000,2000")
    options = parser.parse_args()
    pages, count, read, found = 0, 0, collections.Counter(), collections.Counter()
    for path in options.pictures:
        wanted = truth(options.truth, path)
        if not wanted:
            continue
        whole = convert(path)
        short = min(map(int, whole.split(None, 3)[1:3]))
        results, known = {BY_ITSELF: read_by_itself(path, options.language)}, {}
        for size in map(int, options.pixels.split(",")):
            factor = max(1, short // size)
            if factor not in known:
                picture = whole if factor == 1 else convert(path, "-scale", f"{100 / factor}%")
                known[factor] = read_by_plugin(picture, options.language)
            results[f"--ocr at {size} pixels"] = known[factor]
        pages, count = pages + 1, count + wanted.total()
        for name, result in results.items():
            read[name] += result.total()
            found[name] += (result & wanted).total()
        print(path, wanted.total(), *((result & wanted).total() for result in results.values()), flush=True)
    print(f"{pages} pages of {count} words")
    for name in read:
        print(f"{name}\tfound {100 * found[name] / count:.1f} %\tright {100 * found[name] / max(1, read[name]):.1f} %")


if __name__ == "__main__":
    main()
