#!/usr/bin/python3
"""Makes the pictures of the documentation from fixtures: pictures/make.py JISUI FOLDER [NAME...]

NAMEs are those of the pictures, without extensions: by default all. `reader_pictures.py` makes those of the web reader.
The charts are drawn from tables in docs/ and Benchmarks/: make them again when a figure changes.
"""

import pathlib
import shutil
import sys
import tempfile

import charts
import diagrams
import terminal
from photos import Studio

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(REPOSITORY / "Tests/Programs/Browser"))
FIXTURES = REPOSITORY / "Fixtures/good/PDFSource"
BOOKS = {"comic": "bobby-make-believe", "book": "bobby-make-believe", "scan": "leviathan"}
DRAWINGS = {
    "spreads": diagrams.spreads, "taps": diagrams.taps, "overview": diagrams.overview,
    "performance": lambda: charts.performance(REPOSITORY / "docs"), "accuracy": lambda: charts.accuracy(REPOSITORY / "docs"),
}
PHOTOS = {"crop": Studio.crop, "sheet": Studio.sheet, "straighten": Studio.straighten, "stamp": Studio.stamp, "strip": Studio.webtoon}


def main(jisui, target, names):
    target.mkdir(exist_ok=True)
    names = names or [*DRAWINGS, *PHOTOS, "terminal"]
    for name in names:
        if name in DRAWINGS:
            (target / f"{name}.svg").write_text(DRAWINGS[name]())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, book in BOOKS.items():
            shutil.copy(FIXTURES / f"real-{book}.pdf", folder / f"{name}.pdf")
        if "terminal" in names:
            (target / "terminal.svg").write_text(terminal.recording(jisui, folder))
        if any(name in PHOTOS for name in names):
            from webdriver import Chromium

            with Chromium() as browser:
                studio = Studio(jisui, browser, folder, target)
                for name in names:
                    if name in PHOTOS:
                        PHOTOS[name](studio)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:])
