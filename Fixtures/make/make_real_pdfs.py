"""Makes the two scanned books of Fixtures/good/PDFSource out of scans that are in the public domain.

    make_real_pdfs.py --comic DIR --book DIR

--comic holds Bobby-Make-Believe_1915__0.jpg … __3.jpg, --book holds 0002.tif … of Hobbes' Leviathan, 1668;
../README.md tells where they come from."""

import argparse
import datetime
import hashlib
import io
from pathlib import Path

import img2pdf
from PIL import Image

from make_pdfs import OUT

parser = argparse.ArgumentParser()
parser.add_argument("--comic", type=Path, required=True)
parser.add_argument("--book", type=Path, required=True)
folders = parser.parse_args()

rows = []


def write(name, pictures, dpi, **facts):
    when = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)
    layout = img2pdf.get_fixed_dpi_layout_fun((dpi, dpi))
    data = img2pdf.convert(
        pictures, layout_fun=layout, creationdate=when, moddate=when, producer="", engine=img2pdf.Engine.internal, **facts
    )
    (OUT / name).write_bytes(data)


def row(name, number, treatment, picture, encoding, colour, bits, data):
    digest = hashlib.sha256(data).hexdigest()
    rows.append([name, number, treatment, "-", *picture.size, encoding, colour, bits, digest])


name, pictures = "real-bobby-make-believe.pdf", []
for number, path in enumerate(sorted(folders.comic.glob("Bobby-Make-Believe_1915__?.jpg")), 1):
    pictures.append(path.read_bytes())
    row(name, number, "verbatim", Image.open(path), "jpeg", "-", "-", pictures[-1])
write(name, pictures, 100, title="Bobby Make-Believe", author="Frank King")

name, pictures = "real-leviathan.pdf", []
for number, page in enumerate(("0002", "0003", "0005", "0007"), 1):
    bitmap = Image.open(folders.book / f"{page}.tif")
    coded = io.BytesIO()
    bitmap.save(coded, "TIFF", compression="group4")
    pictures.append(coded.getvalue())
    row(name, number, "lossless", bitmap, "png", "gray", 1, bitmap.tobytes())
write(name, pictures, 400, title="Leviathan", author="Thomas Hobbes")

columns = "file page treatment reason width height encoding colour depth sha256".split()
(OUT / "expected-real.tsv").write_text("\n".join("\t".join(map(str, r)) for r in [columns, *rows]) + "\n")
