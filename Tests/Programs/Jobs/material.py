"""The books of the jobs, made from the fixtures as libraries, scanners and shops make them."""

import pathlib
import subprocess
import tempfile
import zipfile

FIXTURES = pathlib.Path(__file__).resolve().parents[3] / "Fixtures"
COMIC = FIXTURES / "good/PDFSource/real-bobby-make-believe.pdf"
PRINT = FIXTURES / "good/PDFSource/real-leviathan.pdf"

#: The line that a library prints at the foot of each page, and the watermark over it.
LINE = "Source gallica.bnf.fr"
WATERMARK = "LIBRARY COPY"


def jpegs():
    """The four color pages of a comic, as JPEG files."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["pdfimages", "-j", COMIC, f"{folder}/page"], check=True)
        return [path.read_bytes() for path in sorted(pathlib.Path(folder).glob("*.jpg"))]


def jpeg_size(data):
    """The width and the height in the frame header of a JPEG."""
    place = 2
    while place < len(data):
        marker, length = data[place + 1], int.from_bytes(data[place + 2 : place + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[place + 7 : place + 9], "big"), int.from_bytes(data[place + 5 : place + 7], "big")
        place += 2 + length
    raise ValueError("no frame")


def overlay(width, height):
    """The content of a page that has the library's line and watermark, over a page of so many points."""
    return (
        f"q 0.3 g BT /F 9 Tf 20 12 Td ({LINE}) Tj ET Q "
        f"q 0.8 0.8 0.9 rg BT /F {height / 14:.1f} Tf .7 .7 -.7 .7 {width * 0.25:.1f} {height * 0.3:.1f} Tm ({WATERMARK}) Tj ET Q"
    )


def pdf(path, pages):
    """Writes a PDF of pages: each a JPEG or None, a content that is drawn over it, and its width and height in points."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>".encode(), b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids = []
    for jpeg, content, width, height in pages:
        image = ""
        if jpeg is not None:
            columns, rows = jpeg_size(jpeg)
            content = f"q {width} 0 0 {height} 0 0 cm /I Do Q {content}"
            objects.append(
                f"<</Type/XObject/Subtype/Image/Width {columns}/Height {rows}/ColorSpace/DeviceRGB/BitsPerComponent 8"
                f"/Filter/DCTDecode/Length {len(jpeg)}>>stream\n".encode() + jpeg + b"\nendstream"
            )
            image = f"/XObject<</I {len(objects)} 0 R>>"
        objects.append(f"<</Length {len(content)}>>stream\n{content}\nendstream".encode())
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width} {height}]/Contents {len(objects)} 0 R"
            f"/Resources<</Font<</F 3 0 R>>{image}>>>>".encode()
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {len(kids)}>>".encode()
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    data += f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{data.rindex(b'xref')}\n%%EOF\n".encode()
    path.write_bytes(data)
    return path


def stamped_comic(path, pages):
    """A PDF of JPEG pages with the line and the watermark in the contents of each page."""
    return pdf(path, [(jpeg, overlay(430, 600), 430, 600) for jpeg in pages])


def stamped_print(path, folder):
    """The printed book, with the line and the watermark as forms over each page, as programs add them."""
    stamp = pdf(folder / "stamp.pdf", [(None, overlay(420, 640), 420, 640)])
    subprocess.run(["qpdf", PRINT, "--overlay", stamp, "--from=", "--repeat=1", "--", path], check=True)
    return path


def archive(path, pages, name="page {:02d}.jpg", documents=()):
    """A comic archive of JPEG files, and of further files: pairs of a name and its text."""
    with zipfile.ZipFile(path, "w") as file:
        for number, page in enumerate(pages, 1):
            file.writestr(name.format(number), page)
        for document, text in documents:
            file.writestr(document, text)
    return path
