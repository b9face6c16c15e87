"""A Japanese reader who scans own books: messages are Japanese, pages go from right to left, lines run down."""

import re

import material
from job import Job, needs


def is_japanese(line):
    """Whether a line has no English sentence; names of files, formats and options are English everywhere."""
    return re.search(r"[ぁ-んァ-ヶ一-龠]", line) and not re.search(r"\b[a-z]{3,} [a-z]{3,} [a-z]{3,}\b", line)


class JapaneseJobs(Job):
    @needs("pdftotext", "tesseract")
    def test_vertical_novel_becomes_searchable(self):
        page = material.FIXTURES / "ocr/japanese-vertical.png"
        (self.folder / "小説").mkdir()
        (self.folder / "小説/001.png").write_bytes(page.read_bytes())
        result = self.jisui("小説", "-o", "小説.pdf", "--ocr", lines=5, language="ja_JP.UTF-8")
        for line in result.lines:
            self.assertTrue(is_japanese(line), line)
        self.judge("qpdf", "--check", "小説.pdf")
        text = self.judge("pdftotext", "小説.pdf", "-")
        self.assertGreater(len(re.findall(r"[ぁ-んァ-ヶ一-龠]", text)), 10, text)

    @needs("unzip")
    def test_volume_becomes_comic_from_right_to_left(self):
        pages = material.jpegs()
        (self.folder / "漫画").mkdir()
        for number, page in enumerate(pages, 1):
            (self.folder / f"漫画/第{number}頁.jpg").write_bytes(page)
        result = self.jisui(
            "漫画", "-o", "漫画 第3巻.cbz", "--guess", "--direction", "rtl", "--title", "漫画", lines=5, language="ja_JP.UTF-8")
        for line in result.lines:
            self.assertTrue(is_japanese(line), line)
        self.assertEqual(list(self.pages("漫画 第3巻.cbz").values()), pages)
        self.assertIn("YesAndRightToLeft", self.judge("unzip", "-p", "漫画 第3巻.cbz", "ComicInfo.xml"))
