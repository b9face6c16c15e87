"""What lies over scans. Each function adds it to the first page of a PDF; sizes are in points."""

import io

import pikepdf
from pikepdf import Array, Dictionary, Name
from reportlab import rl_config
from reportlab.lib.colors import Color
from reportlab.pdfgen import canvas

rl_config.useA85 = 0


def drawn(draw):
    """An overlay that is drawn with a pen."""
    def add(pdf, width, height):
        file = io.BytesIO()
        pen = canvas.Canvas(file, pagesize=(width, height))
        draw(pen, width, height)
        pen.showPage()
        pen.save()
        # What is laid over the page must stay open until it has been copied.
        over = pikepdf.open(io.BytesIO(file.getvalue()))
        pdf.pages[0].add_overlay(over.pages[0])
    add.__doc__ = draw.__doc__
    return add


@drawn
def text(pen, width, height):
    """A line at the foot."""
    pen.setFont("Helvetica", 8)
    pen.drawString(width * 0.1, 14, "Downloaded from an archive on 24 November 2026. For personal use only.")


@drawn
def watermark(pen, width, height):
    """A translucent word across the page."""
    pen.setFillColor(Color(0.5, 0.5, 0.5, alpha=0.3))
    pen.setFont("Helvetica-Bold", width / 7)
    pen.translate(width / 2, height / 2)
    pen.rotate(50)
    pen.drawCentredString(0, 0, "SPECIMEN")


@drawn
def all_over(pen, width, height):
    """Translucent words over the whole page."""
    pen.setFillColor(Color(0.5, 0.5, 0.5, alpha=0.3))
    pen.setFont("Helvetica-Bold", 18)
    for row in range(int(height // 60)):
        for column in range(int(width // 100) + 1):
            pen.drawString(column * 100 + row % 2 * 40, row * 60 + 20, "COPY")


@drawn
def stamp(pen, width, height):
    """A red stamp."""
    red = Color(0.8, 0.1, 0.1, alpha=0.8)
    pen.setStrokeColor(red)
    pen.setFillColor(red)
    pen.setLineWidth(2)
    pen.roundRect(width * 0.55, height * 0.8, 110, 40, 6, fill=0)
    pen.setFont("Helvetica-Bold", 16)
    pen.drawString(width * 0.55 + 10, height * 0.8 + 14, "RECEIVED")


@drawn
def bates(pen, width, height):
    """A number in a corner, as lawyers put on each page."""
    pen.setFont("Courier", 9)
    pen.drawRightString(width - 20, height - 20, "ABC-000127")


@drawn
def box(pen, width, height):
    """An opaque box, as redactions are."""
    pen.setFillColor(Color(0, 0, 0))
    pen.rect(*BOX(width, height), stroke=0, fill=1)


def BOX(width, height):
    """Where the opaque box lies: left, bottom, width, height."""
    return width * 0.2, height * 0.5, width * 0.4, 24


@drawn
def invisible(pen, width, height):
    """A text layer that cannot be seen."""
    layer = pen.beginText(width * 0.1, height * 0.5)
    layer.setTextRenderMode(3)
    layer.setFont("Helvetica", 12)
    layer.textLine("words that were read off the scan")
    pen.drawText(layer)


def annotate(pdf, **entries):
    note = pdf.make_indirect(Dictionary(Type=Name.Annot, F=4, **entries))
    pdf.pages[0].Annots = pdf.make_indirect(Array([note]))


def highlight(pdf, width, height):
    """A highlight annotation, which multiplies."""
    x, y = width * 0.2, height * 0.6
    appearance = pdf.make_stream(
        b"/M gs 1 1 0 rg 0 0 200 14 re f", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 200, 14]),
        Group=Dictionary(S=Name.Transparency),
        Resources=Dictionary(ExtGState=Dictionary(M=Dictionary(BM=Name.Multiply))))
    annotate(
        pdf, Subtype=Name.Highlight, Rect=Array([x, y, x + 200, y + 14]), C=Array([1, 1, 0]),
        QuadPoints=Array([x, y + 14, x + 200, y + 14, x, y, x + 200, y]), AP=Dictionary(N=appearance))


def link(pdf, width, height):
    """A link without a border."""
    annotate(
        pdf, Subtype=Name.Link, Rect=Array([20, 20, 120, 40]), Border=Array([0, 0, 0]),
        A=Dictionary(S=Name.URI, URI="https://example.org/"))


def framed_link(pdf, width, height):
    """A link with the border that links have by themselves."""
    annotate(
        pdf, Subtype=Name.Link, Rect=Array([20, 20, 120, 40]), A=Dictionary(S=Name.URI, URI="https://example.org/"))


OVERLAYS = [text, watermark, all_over, stamp, bates, box, invisible, highlight, link, framed_link]
