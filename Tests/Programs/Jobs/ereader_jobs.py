"""A reader of manga on a Kobo, a Kindle and a phone."""

import re
import zipfile

import material
from job import Job, needs

MANGA = (
    '<?xml version="1.0"?><ComicInfo><Title>One</Title><Series>Bobby</Series><Number>1</Number>'
    "<Manga>YesAndRightToLeft</Manga></ComicInfo>"
)


class EreaderJobs(Job):
    def images(self, book):
        """The sizes of the JPEGs in a book."""
        with zipfile.ZipFile(self.folder / book) as file:
            return [material.jpeg_size(file.read(name)) for name in file.namelist() if re.search(r"\.jpe?g$", name)]

    # Debian's epubcheck does not know the properties of EPUB 3.3 that Kobo reads.
    @needs("xmllint")
    def test_volume_for_kobo(self):
        material.archive(self.folder / "volume 1.cbz", material.jpegs(), documents=[("ComicInfo.xml", MANGA)])
        self.jisui("volume 1.cbz", "-o", "volume 1.kepub.epub", "--epub-for", "kobo", "--fit", "758x1024", "--trim", lines=5)
        self.judge("unzip", "-q", "volume 1.kepub.epub", "-d", "kobo")
        documents = [path for path in (self.folder / "kobo").rglob("*") if path.suffix in (".xhtml", ".opf", ".xml")]
        self.judge("xmllint", "--noout", "--nonet", *documents)
        sizes = self.images("volume 1.kepub.epub")
        self.assertEqual(len(sizes), 4)
        for width, height in sizes:
            self.assertTrue(width <= 758 and height <= 1024 and (width == 758 or height == 1024), (width, height))
        self.assertIn('page-progression-direction="rtl"', self.judge("unzip", "-p", "volume 1.kepub.epub", "*.opf"))

    @needs("java", "epubcheck")
    def test_volumes_for_kindle(self):
        pages = material.jpegs()
        for number in (1, 2, 10):
            material.archive(self.folder / f"Bobby v{number:02d}.cbz", pages[:2])
        inputs = sorted(path.name for path in self.folder.glob("*.cbz"))
        self.jisui(
            *inputs, "-o", "kindle/", "--to", "epub", "--epub-for", "kindle", "--guess", "--direction", "rtl",
            "--fit", "1072x1448", "--gray", lines=len(inputs) + 4)
        for name in inputs:
            book = f"kindle/{name[:-4]}.epub"
            self.judge("java", "-jar", "/usr/bin/epubcheck", book)
            self.assertEqual(len(self.images(book)), 2)
            self.assertIn("Bobby", self.judge("unzip", "-p", book, "*.opf"))

    @needs("djpeg")
    def test_webtoon_for_phone(self):
        material.archive(self.folder / "episode.cbz", material.jpegs())
        self.jisui("episode.cbz", "-o", "episode.jpg", "--to", "strip", "--fit", "720x", "--quality", "80", lines=4)
        self.judge("djpeg", "-fast", "-outfile", "episode.ppm", "episode.jpg")
        width, height = material.jpeg_size((self.folder / "episode.jpg").read_bytes())
        self.assertEqual(width, 720)
        self.assertGreater(height, 3 * 720)
