"""A reader of library scans: stamped PDFs become clean, trimmed and searchable, or images for a tablet."""

import collections

import material
from job import Job, needs


class LibraryJobs(Job):
    @needs("qpdf", "pdftotext", "tesseract")
    def test_stamped_print_becomes_searchable(self):
        material.stamped_print(self.folder / "stamped.pdf", self.folder)
        (self.folder / "plain.pdf").write_bytes(material.PRINT.read_bytes())
        self.jisui("stamped.pdf", "-o", "clean.pdf", "--no-stamps", "--trim", "--ocr", "--language", "en", lines=5)
        self.jisui("plain.pdf", "-o", "trimmed.pdf", "--trim", lines=4)
        self.judge("qpdf", "--check", "clean.pdf")
        for box, plain in zip(self.boxes("clean.pdf"), self.boxes("trimmed.pdf"), strict=True):
            for side, other in zip(box, plain):
                self.assertAlmostEqual(side, other, delta=6, msg="1 % of a page")
        words = self.words("clean.pdf")
        self.assertFalse({"gallica", "library", "copy"} & set(words))
        # The words of the unstamped book: a point fewer, because the grid of pixels may differ by a part of one.
        self.jisui("plain.pdf", "-o", "read.pdf", "--ocr", "--language", "en", lines=2)
        expected = collections.Counter(self.words("read.pdf"))
        self.assertGreater(expected.total(), 100)
        found = (expected & collections.Counter(words)).total()
        self.assertGreaterEqual(found / expected.total(), 0.99)

    @needs("pdfimages")
    def test_many_stamped_comics_become_images(self):
        pages = material.jpegs()
        for number in range(1, 13):
            material.stamped_comic(self.folder / f"comic {number}.pdf", pages[:2])
        inputs = sorted(path.name for path in self.folder.glob("*.pdf"))
        self.jisui(*inputs, "-o", "out/", "--to", "cbz", "--no-stamps", lines=len(inputs) + 6)
        for name in inputs:
            self.assertEqual(list(self.pages(f"out/{name[:-4]}.cbz").values()), pages[:2])
