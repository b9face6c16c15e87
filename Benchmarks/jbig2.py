#!/usr/bin/env python3
"""Whether black-and-white pages in PDFs keep every pixel, and how small they are.

  jbig2.py --jisui JISUI [--pages 1000] [FOLDER ...]

Takes the images of one bit a pixel in the folders and in the PDFs there, and makes others until there are enough pages.
jisui writes them into PDFs. jbig2dec, poppler and MuPDF decode them, and each pixel is compared. The bytes of the
images are compared with those of libtiff's CCITT G4. Needs jbig2dec, pdfimages, mutool and tiffcp.
"""
import argparse, collections, glob, os, random, subprocess, sys, tempfile, warnings

import numpy, pikepdf
from PIL import Image, ImageDraw, ImageFont, ImageOps

BATCH = 50
LIMITS = 10_000, 40_000_000  # pixels


def of_folders(folders, scratch):
    """The images of one bit, at most 20 of a PDF, with the folder of each."""
    for path in sorted(p for folder in folders for p in glob.glob(folder + "/**/*", recursive=True)):
        source = os.path.basename(os.path.dirname(path))
        if path.lower().endswith(".pdf"):
            for old in glob.glob(scratch + "/source-*"):
                os.remove(old)
            try:
                subprocess.run(["pdfimages", "-l", "20", path, scratch + "/source"], capture_output=True, timeout=60)
            except subprocess.TimeoutExpired:
                continue
            found = sorted(glob.glob(scratch + "/source-*.pbm"))
        else:
            found = [path] if os.path.isfile(path) else []
        for file in found:
            try:
                with Image.open(file) as image:
                    if image.mode == "1" and LIMITS[0] <= image.width * image.height <= LIMITS[1]:
                        yield source, image.copy()
            except (OSError, ValueError, SyntaxError, RuntimeError, Image.DecompressionBombError):
                pass


def made(seed):
    """A page of text, of a screen, of noise, or of rules, of any size."""
    random.seed(seed)
    chance = numpy.random.default_rng(seed)
    width, height = random.randint(1, 1800), random.randint(1, 2400)
    kind = ["text", "text", "screen", "noise", "rules", "plain"][seed % 6]
    image = Image.new("1", (width, height), seed // 6 % 2 if kind == "plain" else 1)
    draw = ImageDraw.Draw(image)
    if kind == "text":
        size = random.randint(12, 60)
        font = ImageFont.load_default(size)
        for y in range(size, height - size, size * 3 // 2):
            word = lambda: "".join(random.choices("etaoinshrdlucmfwypvbgkqjxz", k=random.randint(2, 9)))
            draw.text((size, y), " ".join(word() for _ in range(2 * width // (5 * size) // 2)), font=font, fill=0)
    elif kind == "screen":
        cell = random.randint(2, 9)
        spot = chance.permutation(cell * cell).reshape(cell, cell) / cell ** 2
        tone = numpy.linspace(0, 1, width)[None, :] * numpy.linspace(.3, 1, height)[:, None]
        image = Image.fromarray(tone > numpy.tile(spot, (height // cell + 1, width // cell + 1))[:height, :width])
    elif kind == "noise":
        image = Image.fromarray(chance.random((height, width)) > random.choice([.001, .02, .5]))
    elif kind == "rules":
        for _ in range(60):
            draw.line([random.randint(0, width), random.randint(0, height), random.randint(0, width),
                       random.randint(0, height)], fill=random.randint(0, 1), width=random.randint(1, 12))
    return "made: " + kind, image


def g4_bytes(image, scratch):
    """The bytes of the G4 data in one strip; those of the better polarity."""
    sizes = []
    for polarity in image, ImageOps.invert(image.convert("L")).convert("1", dither=Image.Dither.NONE):
        polarity.save(scratch + "/plain.tif")
        subprocess.run(["tiffcp", "-c", "g4", "-r", str(image.height),
                        scratch + "/plain.tif", scratch + "/g4.tif"],
                       check=True, capture_output=True)
        with Image.open(scratch + "/g4.tif") as tiff:
            sizes.append(sum(tiff.tag_v2[279]))
    return min(sizes)


def equal(image, path):
    if not os.path.exists(path):
        return False
    with Image.open(path) as decoded:
        return decoded.size == image.size and numpy.array_equal(
            numpy.asarray(decoded.convert("L")) > 127, numpy.asarray(image))


def check(batch, jisui, scratch):
    """Yields the kind, the filter, both sizes and the wrong decoders of each page."""
    with tempfile.TemporaryDirectory(dir=scratch) as work:
        os.mkdir(work + "/pages")
        for index, (_, image) in enumerate(batch):
            image.save(f"{work}/pages/{index:04}.png")
        subprocess.run([jisui, work + "/pages", "-o", work + "/book.pdf", "--quiet"], check=True)
        subprocess.run(["pdfimages", "-png", work + "/book.pdf", work + "/poppler"], check=True)
        subprocess.run(["mutool", "extract", "book.pdf"], cwd=work, check=True, capture_output=True)
        poppler = sorted(glob.glob(work + "/poppler-*.png"))
        with pikepdf.open(work + "/book.pdf") as pdf:
            assert len(pdf.pages) == len(batch) == len(poppler)
            for index, (source, image) in enumerate(batch):
                (stream,) = pdf.pages[index].images.values()
                wrong = [] if equal(image, poppler[index]) else ["poppler"]
                if not equal(image, f"{work}/image-{stream.objgen[0]:04}.png"):
                    wrong.append("MuPDF")
                data, codec = stream.read_raw_bytes(), str(stream.Filter)
                if codec == "/JBIG2Decode":
                    with open(work + "/page.jb2", "wb") as file:
                        file.write(data)
                    subprocess.run(["jbig2dec", "-e", "-t", "pbm", "-o", work + "/page.pbm", work + "/page.jb2"],
                                   check=True, capture_output=True)
                    wrong += [] if equal(image, work + "/page.pbm") else ["jbig2dec"]
                yield source, codec, len(data), g4_bytes(image, work), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jisui", required=True)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("folders", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    Image.MAX_IMAGE_PIXELS = LIMITS[1]
    rows, codecs, failed = collections.defaultdict(lambda: [0, 0, 0]), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as scratch:
        def pages():
            count = 0
            for count, page in enumerate(of_folders(options.folders, scratch), 1):
                yield page
                if count == options.pages:
                    return
            for seed in range(options.pages - count):
                yield made(seed)

        batch, left = [], options.pages
        for page in pages():
            batch.append(page)
            left -= 1
            if len(batch) < BATCH and left:
                continue
            for source, codec, size, g4, wrong in check(batch, os.path.abspath(options.jisui), scratch):
                codecs[codec] += 1
                failed += bool(wrong)
                if wrong:
                    print("WRONG", source, ", ".join(wrong))
                for key in (source if source.startswith("made") else "folders: " + source, "all"):
                    rows[key] = [rows[key][0] + 1, rows[key][1] + size, rows[key][2] + g4]
            batch = []
    print("| Pages | Number | Bytes | Bytes of G4 | Ratio |\n|---|--:|--:|--:|--:|")
    for key, (count, size, g4) in sorted(rows.items(), key=lambda row: -row[1][2]):
        print(f"| {key} | {count} | {size:,} | {g4:,} | {size / g4:.2f} |")
    print(dict(codecs), f"pages with a wrong pixel: {failed}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
