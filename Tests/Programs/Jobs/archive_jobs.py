"""An archive's night: many books, some of them damaged, converted again and again until all are done."""

import json
import shutil

import material
from job import Job, needs


class ArchiveJobs(Job):
    def shelf(self):
        """Six sound books and a damaged one."""
        pages = material.jpegs()
        (self.folder / "in").mkdir()
        for number in range(1, 4):
            material.archive(self.folder / f"in/journal {number}.cbz", pages[number - 1 : number + 1])
            material.stamped_comic(self.folder / f"in/sheet {number}.pdf", pages[number - 1 : number + 1])
        (self.folder / "in/broken.pdf").write_bytes(b"%PDF-1.4\nnothing else")
        return sorted(str(path.relative_to(self.folder)) for path in (self.folder / "in").iterdir())

    @needs("unzip")
    def test_night_goes_on_where_it_stopped(self):
        inputs = self.shelf()
        command = [*inputs, "-o", "out/", "--to", "cbz", "--verify", "--skip-existing", "--report", "report.jsonl"]
        first = self.jisui(*command, status=1, lines=len(inputs) + 6)
        self.assertEqual(sum("error:" in line for line in first.lines), 1, first)
        reports = [json.loads(line) for line in (self.folder / "report.jsonl").read_text().splitlines()]
        self.assertEqual(sum("error" in report for report in reports), 1)
        for path in (self.folder / "out").iterdir():
            self.assertEqual(len(self.pages(path)), 2)
        # By the next night, the damaged book was replaced.
        shutil.copy(self.folder / "in/sheet 1.pdf", self.folder / "in/broken.pdf")
        second = self.jisui(*command, lines=5)
        self.assertEqual(len(list((self.folder / "out").iterdir())), len(inputs), second)
        self.assertIn("6 done before", str(second))

    @needs("qpdf", "pdfimages")
    def test_two_folders_have_books_of_one_name(self):
        pages = material.jpegs()
        for place, name in enumerate(["1901", "1902"]):
            (self.folder / name).mkdir()
            material.archive(self.folder / name / "issue 1.cbz", pages[place : place + 2])
            material.archive(self.folder / name / f"only in {name}.cbz", pages[:1])
        inputs = ["1901/issue 1.cbz", "1901/only in 1901.cbz", "1902/issue 1.cbz", "1902/only in 1902.cbz"]
        # The clash is named before the first byte, and does not stop the others.
        first = self.jisui(*inputs, "-o", "out/", "--to", "pdf", status=1, lines=8)
        self.assertIn("--name", str(first))
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()), ["only in 1901.pdf", "only in 1902.pdf"])
        self.jisui(*inputs, "-o", "named/", "--to", "pdf", "--name", "{folder} {name}", lines=8)
        names = sorted(path.name for path in (self.folder / "named").iterdir())
        self.assertEqual(names, ["1901 issue 1.pdf", "1901 only in 1901.pdf", "1902 issue 1.pdf", "1902 only in 1902.pdf"])
        for name in names:
            self.judge("qpdf", "--check", f"named/{name}")
