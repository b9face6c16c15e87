"""JBIG2 (ITU-T T.88) of one generic region, with the coder of the fixtures; numpy finds the contexts of whole pages.

Poppler 22.12 misreads regions of group 4 data, so that these are coded arithmetically.
"""

import importlib.util
from pathlib import Path

import numpy

# Not by a search path: this file has the same name.
_place = Path(__file__).parents[2] / "Fixtures/make/jbig2.py"
_spec = importlib.util.spec_from_file_location("fixture_jbig2", _place)
fixture = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(fixture)

# Template 0: the pixels that make up the context, as columns and rows from the pixel; the last four are adaptive.
TEMPLATE = [
    (-1, 0), (-2, 0), (-3, 0), (-4, 0), (2, -1), (1, -1), (0, -1), (-1, -1), (-2, -1), (1, -2), (0, -2), (-1, -2),
    (3, -1), (-3, -1), (2, -2), (-2, -2)]


def encoded(image):
    """The segments of a page that is a black and white image, as PDF holds them."""
    black = 1 - numpy.asarray(image).astype(numpy.uint32)
    padded = numpy.pad(black, ((2, 0), (4, 3)))
    height, width = black.shape
    contexts = sum(
        padded[2 + row:2 + row + height, 4 + column:4 + column + width] << bit
        for bit, (column, row) in enumerate(TEMPLATE))
    coder = fixture.Coder()
    for context, pixel in zip(contexts.ravel().tolist(), black.ravel().tolist()):
        coder.bit(context, pixel)
    adaptive = bytes(place & 0xFF for pixel in TEMPLATE[12:] for place in pixel)
    region = fixture.region(width, height) + b"\x00" + adaptive + coder.finish()
    return fixture.page_information(width, height) + fixture.segment(2, 38, region)
