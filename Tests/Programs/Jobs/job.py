"""One job: a command as a person types it, the lines that it prints, its exit status, and other programs that judge the result."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile

#: The program under test, set by jobs.py.
JISUI = "jisui"
#: The folder of the OCR plug-in, which is a script and needs no build.
PLUGINS = pathlib.Path(__file__).resolve().parents[3] / "Plugins/OCRTransform"


class Result:
    """The end of a run."""

    def __init__(self, run):
        self.status = run.returncode
        self.output = run.stdout
        self.lines = run.stderr.decode().splitlines()

    def __str__(self):
        return f"exit status {self.status}\n" + "\n".join(self.lines)


def needs(*programs):
    """Skips a job without a program, unless JISUI_REQUIRE_TOOLS asks for all of them."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing and not os.environ.get("JISUI_REQUIRE_TOOLS"):
        return unittest.skip("needs " + ", ".join(missing))
    return lambda test: test


class Job(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def jisui(self, *arguments, status=0, lines, language="C.UTF-8"):
        """Runs jisui in the folder of the job. It may print at most so many lines."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "JISUI_"))}
        environment |= {"LC_ALL": language, "JISUI_PLUGIN_PATH": str(PLUGINS)}
        run = subprocess.run([JISUI, *map(str, arguments)], cwd=self.folder, capture_output=True, env=environment)
        result = Result(run)
        self.assertEqual(result.status, status, result)
        self.assertLessEqual(len(result.lines), lines, result)
        return result

    def judge(self, *command, status=0):
        """Runs another program in the folder of the job, and returns its output."""
        run = subprocess.run([str(part) for part in command], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, status, f"{command}\n{run.stdout}{run.stderr}")
        return run.stdout

    def words(self, pdf):
        """The words of a PDF in lower case, as poppler finds them."""
        return re.findall(r"\w+", self.judge("pdftotext", "-layout", pdf, "-").lower())

    def boxes(self, pdf):
        """The crop box of each page of a PDF, in points, as poppler finds them."""
        shown = self.judge("pdfinfo", "-box", "-f", 1, "-l", 999, pdf)
        return [tuple(map(float, box.split())) for box in re.findall(r"CropBox:\s+(.*)", shown)]

    def pages(self, archive):
        """The images of an archive by name, in the order of the archive; unzip checks it first."""
        self.judge("unzip", "-tqq", archive)
        with zipfile.ZipFile(self.folder / archive) as file:
            return {name: file.read(name) for name in file.namelist() if not name.endswith((".xml", "/"))}
