"""How scans are laid out on their pages."""

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import Image

from stamped import overlays, storing


def page(width, height, placed):
    """A PDF of one page of pictures: each with the matrix that brings the unit square to its place, from the bottom up."""
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(width, height))
    pictures, content = Dictionary(), ""
    for number, (stored, matrix) in enumerate(placed):
        pictures[f"/S{number}"] = stored.put(pdf)
        content += f"q {' '.join(f'{value:.6f}' for value in matrix)} cm /S{number} Do Q\n"
    pdf.pages[0].Resources = Dictionary(XObject=pictures)
    pdf.pages[0].Contents = pdf.make_stream(content.encode())
    return pdf


def whole(stored, width, height):
    return page(width, height, [(stored, (width, 0, 0, height, 0, 0))])


def margins(stored, width, height):
    """White paper around the scan."""
    pdf = whole(stored, width, height)
    pdf.pages[0].MediaBox = Array([-36, -48, width + 36, height + 24])
    return pdf


def turned(stored, width, height):
    """A line of text on a page that is turned by 90 degrees and cropped."""
    pdf = whole(stored, width, height)
    overlays.text(pdf, width, height)
    pdf.pages[0].Rotate = 90
    pdf.pages[0].CropBox = Array([10, 5, width - 7.5, height - 20])
    return pdf


def marked_margin(stored, width, height):
    """White paper around the scan, and a line of text on the paper."""
    pdf = margins(stored, width, height)
    pdf.pages[0].Contents = pdf.make_stream(
        pdf.pages[0].Contents.read_bytes() + b"BT /F 8 Tf 10 -30 Td (Downloaded from an archive) Tj ET")
    pdf.pages[0].Resources.Font = Dictionary(
        F=pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)))
    return pdf


def pieces(image, width, height, columns, rows, overlap=0):
    """The scan as JPEGs beside and below each other, cut where MCUs end; each repeats `overlap` pixels of the next."""
    def cuts(length, count):
        step = -(-length // count) // 16 * 16 or 16
        starts = [place for place in range(0, length, step) if place == 0 or length - place >= step]
        return list(zip(starts, starts[1:] + [length]))
    scale, placed = (width / image.width, height / image.height), []
    for top, bottom in cuts(image.height, rows):
        for left, right in cuts(image.width, columns):
            edges = (left, top, min(image.width, right + overlap), min(image.height, bottom + overlap))
            part = image.crop(edges)
            placed.append((storing.jpeg(part, quality=85), (
                part.width * scale[0], 0, 0, part.height * scale[1], left * scale[0], height - edges[3] * scale[1])))
    return page(width, height, placed)


def layered_by_soft_mask(image, width, height):
    """Paper as JPEG 2000, and ink as JPEG 2000 with a mask of one bit: the layout of archive-pdf-tools."""
    background, mask, ink = storing.layers(image)
    pdf = page(width, height, [
        (storing.jpeg2000(background, 100), (width, 0, 0, height, 0, 0)),
        (storing.jpeg2000(ink, 400), (width, 0, 0, height, 0, 0))])
    inverse = Image.eval(mask.convert("L"), lambda level: 255 - level).convert("1")
    pdf.pages[0].Resources.XObject.S1.SMask = storing.fax(inverse).put(pdf)
    return pdf


def layered_by_stencil(image, width, height):
    """Paper as JPEG, and black ink as a stencil: the layout of DjVu files that were made PDFs."""
    background, mask, _ = storing.layers(image)
    stencil = storing.fax(mask)
    stencil.entries.pop("ColorSpace")
    stencil.entries["ImageMask"] = True
    return page(width, height, [
        (storing.jpeg(background, quality=60), (width, 0, 0, height, 0, 0)), (stencil, (width, 0, 0, height, 0, 0))])


def layouts(path):
    """The names of layouts, and a PDF of the scan in each."""
    image = Image.open(path)
    image.load()
    image = image if image.mode in ("L", "RGB") else image.convert("RGB")
    width, height = storing.points(image)
    stored = storing.own(path, image)
    for layout in (margins, marked_margin, turned):
        yield layout.__name__.replace("_", "-"), layout(stored, width, height)
    yield "margins-g4", margins(storing.fax(storing.bilevel(image)), width, height)
    for count in (2, 8, 16):
        yield f"strips-{count}", pieces(image, width, height, 1, count)
    yield "tiles", pieces(image, width, height, 3, 4)
    yield "tiles-overlapping", pieces(image, width, height, 3, 4, overlap=1)
    yield "layers-soft-mask", layered_by_soft_mask(image, width, height)
    yield "layers-stencil", layered_by_stencil(image, width, height)
