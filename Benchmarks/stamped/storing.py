"""The ways in which a PDF stores a scan."""

import io
from dataclasses import dataclass

import numpy
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageOps

from stamped.jbig2 import encoded

RESOLUTION = 300  # pixels per inch of scans that do not state one


@dataclass
class Stored:
    """An image XObject: the bytes of its stream, its size in pixels, and what its dictionary says besides."""

    data: bytes
    size: tuple
    entries: dict

    def put(self, pdf):
        # An object of one PDF cannot be put into another.
        made = {list: Array, dict: lambda value: Dictionary(**value)}
        entries = {key: made.get(type(value), lambda own: own)(value) for key, value in self.entries.items()}
        return pdf.make_stream(
            self.data, Type=Name.XObject, Subtype=Name.Image, Width=self.size[0], Height=self.size[1], **entries)


def points(image):
    """The size of the paper in points."""
    dpi = float(image.info.get("dpi", (RESOLUTION, RESOLUTION))[0] or RESOLUTION)
    dpi = dpi if dpi > 72 else RESOLUTION
    return image.width * 72 / dpi, image.height * 72 / dpi


def space(image):
    return {"1": Name.DeviceGray, "L": Name.DeviceGray, "RGB": Name.DeviceRGB}[image.mode]


def own(path, image):
    """The file of a JPEG as it is."""
    return Stored(path.read_bytes(), image.size, dict(
        ColorSpace=space(image), BitsPerComponent=8, Filter=Name.DCTDecode))


def jpeg(image, **options):
    file = io.BytesIO()
    image.save(file, "JPEG", **{"quality": 85, **options})
    return Stored(file.getvalue(), image.size, dict(
        ColorSpace=space(image), BitsPerComponent=8, Filter=Name.DCTDecode))


def jpeg2000(image, rate):
    file = io.BytesIO()
    image.save(file, "JPEG2000", quality_mode="rates", quality_layers=[rate], irreversible=True)
    return Stored(file.getvalue(), image.size, dict(Filter=Name.JPXDecode))


def flate(image):
    import zlib
    return Stored(zlib.compress(image.tobytes()), image.size, dict(
        ColorSpace=space(image), BitsPerComponent=8, Filter=Name.FlateDecode))


def bilevel(image):
    """The image in black and white, by one threshold for all of it."""
    return ImageOps.grayscale(image).point(lambda level: 255 if level > 127 else 0).convert("1", dither=Image.Dither.NONE)


def fax_data(image):
    """CCITT group 4 data, in which black is 0."""
    file = io.BytesIO()
    image.save(file, "TIFF", compression="group4", tiffinfo={278: image.height})
    file.seek(0)
    tiff = Image.open(file)
    start, length = tiff.tag_v2[273][0], tiff.tag_v2[279][0]
    return file.getvalue()[start:start + length], tiff.tag_v2[262] == 0


def fax(image, **entries):
    data, white_is_zero = fax_data(image)
    parameters = dict(K=-1, Columns=image.width, Rows=image.height, BlackIs1=False)
    decode = dict(Decode=[1, 0]) if not white_is_zero else {}
    return Stored(data, image.size, {
        "ColorSpace": Name.DeviceGray, "BitsPerComponent": 1, "Filter": Name.CCITTFaxDecode,
        "DecodeParms": parameters, **decode, **entries})


def jbig2(image, **entries):
    return Stored(encoded(image), image.size, {
        "ColorSpace": Name.DeviceGray, "BitsPerComponent": 1, "Filter": Name.JBIG2Decode, **entries})


def encodings(path):
    """The names of ways to store a scan, and the scan stored so. The first is the JPEG as it is."""
    image = Image.open(path)
    image.load()
    image = image if image.mode in ("L", "RGB") else image.convert("RGB")
    yield "own", own(path, image)
    color = image.convert("RGB")
    yield "420", jpeg(color, subsampling="4:2:0")
    yield "444", jpeg(color, subsampling="4:4:4")
    yield "gray", jpeg(ImageOps.grayscale(image))
    yield "progressive", jpeg(image, progressive=True)
    yield "flate", flate(image)
    yield "g4", fax(bilevel(image))
    # Coding takes some seconds a megapixel.
    small = image.reduce(-(-image.width // 1200)) if image.width > 1200 else image
    yield "jbig2", jbig2(bilevel(small))


def layers(image):
    """Paper and ink of a scan: its paper in a third of the resolution, where the ink is, and the ink's colors."""
    dark = numpy.asarray(bilevel(image)) == 0
    pixels = numpy.asarray(image.convert("RGB")).astype(float)
    paper = pixels.copy()
    paper[dark] = numpy.median(pixels[~dark], axis=0) if (~dark).any() else 255
    third = (max(1, image.width // 3), max(1, image.height // 3))
    background = Image.fromarray(paper.astype("uint8")).resize(third, Image.Resampling.BOX)
    ink = pixels.copy()
    ink[~dark] = numpy.median(pixels[dark], axis=0) if dark.any() else 0
    return background, Image.fromarray(numpy.where(dark, 0, 255).astype("uint8")).convert("1"), Image.fromarray(
        ink.astype("uint8"))
