"""A developer who puts jisui into a script."""

import io
import json
import zipfile

import material
from job import Job, needs


class DeveloperJobs(Job):
    def test_pipe_passes_pages_on(self):
        pages = material.jpegs()
        material.archive(self.folder / "book.cbz", pages)
        result = self.jisui("book.cbz", "--to", "cbz", "-o", "-", "-q", lines=0)
        with zipfile.ZipFile(io.BytesIO(result.output)) as file:
            self.assertIsNone(file.testzip())
            self.assertEqual([file.read(name) for name in file.namelist() if name.endswith(".jpg")], pages)

    @needs("pdfimages")
    def test_report_names_each_page(self):
        material.stamped_comic(self.folder / "book.pdf", material.jpegs())
        result = self.jisui("book.pdf", "-o", "pages/", "--report", "-", lines=3)
        report = json.loads(result.output)
        self.assertEqual([page["treatment"] for page in report["pages"]], ["patched"] * 4)
        self.assertEqual(report["warnings"], [])
        plan = json.loads(self.jisui("info", "book.pdf", "--json", lines=0).output)
        self.assertEqual(len(plan["pages"]), len(list((self.folder / "pages").iterdir())))
