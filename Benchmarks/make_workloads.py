"""Makes the books that bench.py converts. The same seed gives the same books; what exists is kept.

    make_workloads.py --out DIR [--seed N]

book200/, book200.pdf  200 scanned pages of 2.2 megapixels: the JPEGs, and a PDF of them
book2000.pdf           2,000 such pages
bitonal100.pdf         100 pages of CCITT G4 at 600 dpi
vector60.pdf           60 pages that hold no picture
webtoon60/             60 colored pages of 800 × 2,400 pixels, to stand below each other
manga180/              180 pages of line art and screentone of 1,350 × 1,920 pixels, to stand beside each other
"""

import argparse
import io
import random
import shutil
from pathlib import Path

import img2pdf
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas

WORDS = "rain lamp river stone paper winter garden letter shadow morning silver thread harbour quiet mountain bell".split()


def lines(chance, count):
    return [" ".join(chance.choices(WORDS, k=9)) for _ in range(count)]


def typeset(chance, size, mode, paper, ink):
    """A page of a book: a text block with indents, and a page number."""
    page = Image.new(mode, size, paper)
    draw = ImageDraw.Draw(page)
    em = size[0] // 38
    font = ImageFont.load_default(em)
    for number, line in enumerate(lines(chance, 38)):
        draw.text((5 * em + (2 * em if number % 7 == 0 else 0), (5 + number * 1.2) * em), line, fill=ink, font=font)
    draw.text((size[0] / 2, 51 * em), str(chance.randrange(10, 400)), fill=ink, font=font)
    return page


def scanned(chance, noise):
    """What a scanner sees of it: cream paper with a grain. The grain is one large picture, cut at another place for each
    page, for to draw it afresh would take most of the time."""
    size = 1240, 1754
    page = typeset(chance, size, "RGB", (243, 238, 226), (38, 34, 32))
    x, y = chance.randrange(200), chance.randrange(200)
    grain = noise.crop((x, y, x + size[0], y + size[1]))
    out = io.BytesIO()
    ImageChops.add(page, Image.merge("RGB", [grain] * 3), offset=-128).save(out, "JPEG", quality=75)
    return out.getvalue()


def bitonal(chance):
    size = 3496, 4961
    page = typeset(chance, size, "1", 1, 0)
    draw = ImageDraw.Draw(page)
    for _ in range(3000):  # dust
        x, y = chance.randrange(size[0]), chance.randrange(size[1])
        draw.rectangle((x, y, x + chance.randrange(3), y + chance.randrange(3)), fill=0)
    out = io.BytesIO()
    page.save(out, "TIFF", compression="group4", dpi=(600, 600))
    return out.getvalue()


def long_pdf(path, pictures):
    """A PDF of JPEGs written page by page: 2,000 of them would not fit into memory."""
    offsets = []
    with path.open("wb") as file:
        def add(head, stream=None):
            offsets.append(file.tell())
            file.write(b"%d 0 obj\n%s\n" % (len(offsets), head))
            if stream is not None:
                file.write(b"stream\n" + stream + b"\nendstream\n")
            file.write(b"endobj\n")

        file.write(b"%PDF-1.7\n")
        add(b"<</Type /Catalog /Pages 2 0 R>>")
        count = len(pictures)
        kids = b" ".join(b"%d 0 R" % (3 + 3 * i) for i in range(count))
        add(b"<</Type /Pages /Count %d /Kids [%s]>>" % (count, kids))
        content = b"q 298 0 0 421 0 0 cm /Im Do Q"
        for i, picture in enumerate(pictures):
            data, first = picture.read_bytes(), 3 + 3 * i
            width, height = Image.open(io.BytesIO(data)).size
            add(
                b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 298 421] /Contents %d 0 R"
                b" /Resources <</XObject <</Im %d 0 R>>>>>>" % (first + 1, first + 2)
            )
            add(b"<</Length %d>>" % len(content), content)
            add(
                b"<</Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8"
                b" /Filter /DCTDecode /Length %d>>" % (width, height, len(data)),
                data,
            )
        start = file.tell()
        file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1))
        file.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
        file.write(b"trailer\n<</Size %d /Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, start))


def vector(chance, path):
    canvas = Canvas(str(path), pagesize=A5, invariant=True)
    width, height = A5
    for _ in range(60):
        for number, line in enumerate(lines(chance, 40)):
            canvas.setFont("Times-Roman", 10)
            canvas.drawString(40, height - 50 - 12.5 * number, line)
        for _ in range(12):
            canvas.setStrokeGray(chance.random())
            canvas.bezier(*(chance.uniform(0, (width, height)[i % 2]) for i in range(8)))
        canvas.showPage()
    canvas.save()


def panel(chance, size, tone):
    """A drawing in black on white: strokes, and a patch of screentone."""
    width, height = size
    art = Image.new("L", size, 255)
    patch = chance.uniform(0.2, 0.6)
    art.paste(tone.crop((0, 0, int(width * patch), int(height * patch))), (width // 5, height // 4))
    draw = ImageDraw.Draw(art)
    for _ in range(40):
        x, y = chance.randrange(width), chance.randrange(height)
        points = [(x, y)]
        for _ in range(6):
            x, y = x + chance.randrange(-80, 81), y + chance.randrange(-60, 61)
            points.append((x, y))
        draw.line(points, fill=chance.randrange(60), width=chance.randrange(2, 7), joint="curve")
    draw.rectangle((0, 0, width - 1, height - 1), outline=0, width=4)
    return art


def screentone(pitch):
    """Dots on a grid that stands at 45 degrees."""
    tone = Image.new("L", (1024, 1024), 255)
    draw = ImageDraw.Draw(tone)
    for row in range(0, 1024 // pitch * 2):
        for column in range(0, 1024 // pitch):
            x, y = column * pitch + row % 2 * pitch / 2, row * pitch / 2
            draw.ellipse((x, y, x + pitch * 0.45, y + pitch * 0.45), fill=40)
    return tone.filter(ImageFilter.BoxBlur(1))


def webtoon(chance, tone):
    width, height = 800, 2400
    top, bottom = ([chance.randrange(60, 255) for _ in range(3)] for _ in range(2))
    gradient = Image.linear_gradient("L").resize((width, height))
    low, high = (Image.new("RGB", (width, height), tuple(color)) for color in (bottom, top))
    page = Image.composite(low, high, gradient)
    y = chance.randrange(200)
    while y < height - 200:
        part = min(chance.randrange(350, 800), height - y - 40)
        tint = Image.new("RGB", (width - 80, part), tuple(chance.randrange(170, 256) for _ in range(3)))
        page.paste(ImageChops.multiply(tint, panel(chance, tint.size, tone).convert("RGB")), (40, y))
        y += part + chance.randrange(60, 200)
    return page


def manga(chance, tones):
    width, height = 1350, 1920
    page = Image.new("L", (width, height), 255)
    y = 110
    while y < height - 300:
        part = min(chance.randrange(350, 700), height - 140 - y)
        split = chance.randrange(400, 900)
        for left, right in ((95, split), (split + 20, width - 95)):
            page.paste(panel(chance, (right - left, part), chance.choice(tones)), (left, y))
        y += part + 24
    return page


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    out = wanted.out
    out.mkdir(parents=True, exist_ok=True)

    def make(name, write):
        """Written under another name first, so that what exists is whole."""
        if not (out / name).exists():
            print("making", name, flush=True)
            part = out / f"{name}.part"
            shutil.rmtree(part) if part.is_dir() else part.unlink(missing_ok=True)
            write(part, random.Random(f"{wanted.seed} {name}"))
            part.rename(out / name)

    def folder(part, chance):
        part.mkdir()
        grain = Image.frombytes("L", (1440, 1954), chance.randbytes(1440 * 1954))
        noise = grain.filter(ImageFilter.BoxBlur(1)).point(lambda value: 128 + (value - 128) // 20)
        for number in range(1, 201):
            (part / f"{number:04}.jpg").write_bytes(scanned(chance, noise))

    make("book200", folder)
    pictures = sorted((out / "book200").iterdir())

    make("book200.pdf", lambda part, _: part.write_bytes(img2pdf.convert([str(p) for p in pictures], nodate=True)))
    make("book2000.pdf", lambda part, _: long_pdf(part, pictures * 10))
    make(
        "bitonal100.pdf",
        lambda part, chance: part.write_bytes(img2pdf.convert([bitonal(chance) for _ in range(100)], nodate=True)),
    )
    def pages(count, draw, quality):
        def write(part, chance):
            part.mkdir()
            for number in range(1, count + 1):
                draw(chance).save(part / f"{number:04}.jpg", quality=quality)

        return write

    tones = [screentone(pitch) for pitch in (8, 10, 14)]
    make("webtoon60", pages(60, lambda chance: webtoon(chance, tones[1]), 85))
    make("manga180", pages(180, lambda chance: manga(chance, tones), 88))
    make("vector60.pdf", lambda part, chance: vector(chance, part))


if __name__ == "__main__":
    main()
