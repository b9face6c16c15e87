"""What other programs see of a PDF and of what became of it: libjpeg's coefficients, poppler's and mupdf's drawings."""

import io
import subprocess
import tempfile
from pathlib import Path

import jpeglib
import numpy
import pikepdf
from PIL import Image
from skimage.metrics import structural_similarity

Image.MAX_IMAGE_PIXELS = None


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, **options).stdout


def poppler(pdf, size=None, resolution=150):
    """The first page of a PDF in red, green and blue: at a size in pixels, or at a resolution."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "page"
        scale = ["-scale-to-x", size[0], "-scale-to-y", size[1]] if size else ["-r", resolution]
        run("pdftocairo", "-png", "-singlefile", "-cropbox", *scale, pdf, target)
        pixels = numpy.asarray(Image.open(f"{target}.png").convert("RGB")).astype(int)
        # It may round the paper up to one pixel more.
        return pixels[:size[1], :size[0]] if size else pixels


def painted(pdf, plain, size):
    """For each pixel of the scan, whether something lies over it, also where it does not show on this scan.

    The pages are drawn with the scan replaced by black, by white and by a color. `plain` is the page without anything over it.
    """
    result = numpy.zeros(size[::-1], bool)
    with tempfile.TemporaryDirectory() as folder:
        for color in ((0, 0, 0), (255, 255, 255), (190, 70, 128)):
            drawings = []
            for index, source in enumerate((pdf, plain)):
                flat = Path(folder) / f"{index}.pdf"
                with pikepdf.open(source) as document:
                    pictures = document.pages[0].Resources.XObject.values()
                    scan = max(pictures, key=lambda picture: picture.get("/Width", 0) * picture.get("/Height", 0))
                    for key in ("/DecodeParms", "/Decode", "/ImageMask", "/Mask", "/SMask"):
                        if key in scan:
                            del scan[key]
                    scan.write(bytes(color))
                    scan.Width, scan.Height, scan.BitsPerComponent = 1, 1, 8
                    scan.ColorSpace = pikepdf.Name.DeviceRGB
                    document.save(flat)
                drawings.append(poppler(flat, size))
            result |= (drawings[0] != drawings[1]).any(axis=2)
    return result


def mupdf(pdf, resolution=150):
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "page.png"
        run("mutool", "draw", "-q", "-r", resolution, "-o", target, pdf, 1)
        return numpy.asarray(Image.open(target).convert("RGB")).astype(int)


def decoded(path):
    """The pixels of a picture file; those of a JPEG are djpeg's."""
    if path.suffix == ".jpg":
        return numpy.asarray(Image.open(io.BytesIO(run("djpeg", "-pnm", path))).convert("RGB")).astype(int)
    return numpy.asarray(Image.open(path).convert("RGB")).astype(int)


def similarity(one, other):
    """The structural similarity of two drawings in gray, the first brought to the size of the second."""
    image = Image.fromarray(one.astype("uint8")).convert("L")
    other = Image.fromarray(other.astype("uint8")).convert("L")
    if image.size != other.size:
        image = image.resize(other.size, Image.Resampling.BOX if image.width > other.width else Image.Resampling.BICUBIC)
    return structural_similarity(numpy.asarray(image), numpy.asarray(other))


def embedded_jpeg(pdf):
    """The bytes of the only picture of a PDF's first page."""
    with pikepdf.open(pdf) as document:
        picture, = document.pages[0].Resources.XObject.values()
        return picture.read_raw_bytes()


def optimized(jpeg):
    """The bytes of a JPEG with tables made for it, which is how jisui writes one."""
    progressive = ["-progressive"] if b"\xff\xc2" in jpeg[:2000] else []
    return len(run("jpegtran", "-optimize", "-copy", "all", *progressive, input=jpeg))


class Patch:
    """What was changed in a JPEG that something was laid over."""

    def __init__(self, source, result, painted):
        """
        - source, result: paths of JPEGs of one size.
        - painted: for each pixel, whether the page shows something else than the scan there.
        """
        before, after = jpeglib.read_dct(str(source)), jpeglib.read_dct(str(result))
        factors = numpy.asarray(before.samp_factor).reshape(-1, 2)
        # A gray JPEG that got colors has larger units.
        units = [8 * numpy.asarray(picture.samp_factor).reshape(-1, 2).max(axis=0) for picture in (before, after)]
        unit = numpy.maximum(*units)
        height, width = painted.shape
        rows, columns = -(-height // unit[0]), -(-width // unit[1])
        whole = numpy.zeros((rows * unit[0], columns * unit[1]), bool)
        whole[:height, :width] = painted
        touched = whole.reshape(rows, unit[0], columns, unit[1]).any(axis=(1, 3))
        self.share = touched.mean()
        self.wrong = 0
        for name, factor in zip(("Y", "Cb", "Cr"), factors):
            one, other = getattr(before, name, None), getattr(after, name, None)
            if one is None or other is None:
                continue
            changed = (one != other).any(axis=(2, 3))
            blocks = numpy.repeat(numpy.repeat(touched, unit[0] // 8 * factor[0] // factors[:, 0].max(), axis=0),
                                  unit[1] // 8 * factor[1] // factors[:, 1].max(), axis=1)
            self.wrong += int((changed & ~blocks[:changed.shape[0], :changed.shape[1]]).sum())
        pixels = numpy.repeat(numpy.repeat(touched, unit[0], axis=0), unit[1], axis=1)[:height, :width]
        self.inside = pixels
        ring = pixels.copy()
        ring[1:] |= pixels[:-1]
        ring[:-1] |= pixels[1:]
        ring[:, 1:] |= pixels[:, :-1]
        ring[:, :-1] |= pixels[:, 1:]
        self.outside = ~ring
