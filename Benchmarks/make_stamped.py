"""Makes PDFs of scans with something over, around or between them. The same arguments give the same files.

    make_stamped.py --out DIR SCAN.jpg ... [--pages 1]

Each scan becomes one PDF for each kind of page. Their names say which scan and kind they show:

plain       the scan alone
text        one line of text at the foot
watermark   a translucent word across the page
all-over    translucent words over the whole page
stamp       a red stamp, and a Bates number
box         an opaque box, as redactions are
highlight   a highlight annotation, which multiplies
invisible   a text layer that cannot be seen
margins     white paper around the scan
turned      a line of text on a page that is turned by 90 degrees and cropped
strips      the scan as eight strips
g4          a line of text over the scan in black and white, as fax G4
flate       a line of text over the scan without JPEG
"""

import argparse
import io
from pathlib import Path

import img2pdf
import pikepdf
from PIL import Image, ImageOps
from pikepdf import Array, Dictionary, Name
from reportlab import rl_config
from reportlab.lib.colors import Color
from reportlab.pdfgen import canvas

rl_config.useA85 = 0
RESOLUTION = 300  # pixels per inch of scans that do not state one


def points(image):
    dpi = image.info.get("dpi", (RESOLUTION, RESOLUTION))[0] or RESOLUTION
    dpi = dpi if dpi > 72 else RESOLUTION
    return image.width * 72 / dpi, image.height * 72 / dpi


def page_of(picture, width, height):
    """A PDF of one page that is the picture, whose data are not changed."""
    layout = img2pdf.get_layout_fun((width, height))
    return pikepdf.open(io.BytesIO(img2pdf.convert(picture, layout_fun=layout, engine=img2pdf.Engine.internal)))


def drawing(width, height, draw):
    file = io.BytesIO()
    pen = canvas.Canvas(file, pagesize=(width, height))
    draw(pen, width, height)
    pen.showPage()
    pen.save()
    return pikepdf.open(io.BytesIO(file.getvalue()))


def text(pen, width, height):
    pen.setFont("Helvetica", 8)
    pen.drawString(width * 0.1, 14, "Downloaded from an archive on 24 November 2026. For personal use only.")


def watermark(pen, width, height):
    pen.setFillColor(Color(0.5, 0.5, 0.5, alpha=0.3))
    pen.setFont("Helvetica-Bold", width / 7)
    pen.translate(width / 2, height / 2)
    pen.rotate(50)
    pen.drawCentredString(0, 0, "SPECIMEN")


def all_over(pen, width, height):
    pen.setFillColor(Color(0.5, 0.5, 0.5, alpha=0.3))
    pen.setFont("Helvetica-Bold", 18)
    for row in range(int(height // 60)):
        for column in range(int(width // 100) + 1):
            pen.drawString(column * 100 + row % 2 * 40, row * 60 + 20, "COPY")


def stamp(pen, width, height):
    red = Color(0.8, 0.1, 0.1, alpha=0.8)
    pen.setStrokeColor(red)
    pen.setFillColor(red)
    pen.setLineWidth(2)
    pen.roundRect(width * 0.6, height * 0.8, 110, 40, 6, fill=0)
    pen.setFont("Helvetica-Bold", 16)
    pen.drawString(width * 0.6 + 10, height * 0.8 + 14, "RECEIVED")
    pen.setFillColor(Color(0, 0, 0))
    pen.setFont("Courier", 9)
    pen.drawRightString(width - 20, height - 20, "ABC-000127")


def box(pen, width, height):
    pen.setFillColor(Color(0, 0, 0))
    pen.rect(width * 0.2, height * 0.5, width * 0.4, 24, stroke=0, fill=1)


def invisible(pen, width, height):
    layer = pen.beginText(width * 0.1, height * 0.5)
    layer.setTextRenderMode(3)
    layer.setFont("Helvetica", 12)
    layer.textLine("words that were read off the scan")
    pen.drawText(layer)


def laid_over(pdf, draw, width, height):
    # What is laid over it must stay open until the page has been copied.
    over = drawing(width, height, draw)
    pdf.pages[0].add_overlay(over.pages[0])
    return pdf


def highlighted(pdf, width, height):
    x, y = width * 0.2, height * 0.6
    appearance = pdf.make_stream(
        b"/M gs 1 1 0 rg 0 0 200 14 re f", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 200, 14]),
        Group=Dictionary(S=Name.Transparency),
        Resources=Dictionary(ExtGState=Dictionary(M=Dictionary(BM=Name.Multiply))))
    pdf.pages[0].Annots = pdf.make_indirect(Array([pdf.make_indirect(Dictionary(
        Type=Name.Annot, Subtype=Name.Highlight, Rect=Array([x, y, x + 200, y + 14]), F=4,
        QuadPoints=Array([x, y + 14, x + 200, y + 14, x, y, x + 200, y]), C=Array([1, 1, 0]),
        AP=Dictionary(N=appearance)))]))
    return pdf


def with_margins(jpeg, width, height):
    pdf = page_of(jpeg, width, height)
    page = pdf.pages[0]
    page.MediaBox = Array([-36, -48, width + 36, height + 24])
    if "/CropBox" in page:
        del page["/CropBox"]
    return pdf


def turned(pdf, width, height):
    laid_over(pdf, text, width, height)
    pdf.pages[0].Rotate = 90
    pdf.pages[0].CropBox = Array([10, 5, width - 7.5, height - 20])
    return pdf


def strips(image, width, height, count=8):
    """The scan as JPEGs that lie below each other, cut where MCUs end."""
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(width, height))
    page, content, top = pdf.pages[0], "", 0
    page.Resources = Dictionary(XObject=Dictionary())
    step = -(-image.height // count) // 16 * 16 or 16
    while top < image.height:
        bottom = image.height if image.height - top < 2 * step else top + step
        file = io.BytesIO()
        part = image.crop((0, top, image.width, bottom))
        part.save(file, "JPEG", quality=85)
        name = f"/S{top}"
        page.Resources.XObject[name] = pdf.make_stream(
            file.getvalue(), Type=Name.XObject, Subtype=Name.Image, Width=part.width, Height=part.height,
            ColorSpace=Name.DeviceGray if image.mode == "L" else Name.DeviceRGB, BitsPerComponent=8,
            Filter=Name.DCTDecode)
        scale = height / image.height
        content += f"q {width} 0 0 {(bottom - top) * scale:.6f} 0 {height - bottom * scale:.6f} cm {name} Do Q\n"
        top = bottom
    page.Contents = pdf.make_stream(content.encode())
    return pdf


def kinds(path):
    """The names of the kinds, and a PDF of each."""
    jpeg = path.read_bytes()
    image = Image.open(io.BytesIO(jpeg))
    image.load()
    width, height = points(image)

    def scan():
        return page_of(jpeg, width, height)

    yield "plain", scan()
    for draw in (text, watermark, all_over, stamp, box, invisible):
        yield draw.__name__.replace("_", "-"), laid_over(scan(), draw, width, height)
    yield "highlight", highlighted(scan(), width, height)
    yield "margins", with_margins(jpeg, width, height)
    yield "turned", turned(scan(), width, height)
    yield "strips", strips(image, width, height)
    file = io.BytesIO()
    ImageOps.grayscale(image).point(lambda level: 255 if level > 127 else 0).convert("1").save(
        file, "TIFF", compression="group4")
    yield "g4", laid_over(page_of(file.getvalue(), width, height), text, width, height)
    file = io.BytesIO()
    image.save(file, "PNG")
    yield "flate", laid_over(page_of(file.getvalue(), width, height), text, width, height)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scans", nargs="+", type=Path, metavar="SCAN.jpg")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--only", nargs="*", help="kinds to make")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for path in options.scans:
        for kind, pdf in kinds(path):
            if options.only and kind not in options.only:
                continue
            pdf.save(options.out / f"{path.stem}.{kind}.pdf", static_id=True)


if __name__ == "__main__":
    main()
