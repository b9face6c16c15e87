"""Makes PDFs of scans with something over, around or between them. The same arguments give the same files.

    make_stamped.py --out DIR SCAN.jpg ... [--only KIND ...]

Each scan becomes PDFs of three sorts, called SCAN.KIND.pdf:

- as it is, with each overlay over it: text, watermark, all-over, stamp, bates, box, invisible, highlight, link, framed-link;
- stored in each of eight ways (own, 420, 444, gray, progressive, flate, g4, jbig2), with a line of text over it: text-420 …;
- in each layout: margins, marked-margin, turned, strips-2 …, tiles, tiles-overlapping, layers-soft-mask, layers-stencil.

`plain` is the scan alone, and `plain-g4` … are the stored scans alone: the sizes to compare with.
"""

import argparse
from pathlib import Path

from PIL import Image

from stamped import layouts, overlays, storing


def kinds(path):
    """The names of the kinds, and a PDF of each."""
    image = Image.open(path)
    image.load()
    width, height = storing.points(image)
    for name, stored in storing.encodings(path):
        suffix = "" if name == "own" else f"-{name}"
        yield f"plain{suffix}", layouts.whole(stored, width, height)
        for overlay in overlays.OVERLAYS if name == "own" else [overlays.text]:
            pdf = layouts.whole(stored, width, height)
            overlay(pdf, width, height)
            yield overlay_name(overlay) + suffix, pdf
    yield from layouts.layouts(path)


def overlay_name(overlay):
    return next(name for name, value in vars(overlays).items() if value is overlay).replace("_", "-")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scans", nargs="+", type=Path, metavar="SCAN.jpg")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--only", nargs="*", help="kinds to make")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for path in options.scans:
        for kind, pdf in kinds(path):
            if not options.only or kind in options.only:
                pdf.save(options.out / f"{path.stem}.{kind}.pdf", static_id=True)


if __name__ == "__main__":
    main()
