#!/usr/bin/env python3
"""Compares the keys, values and codes of jisui's JSON with the tables that document them: keys.py [JISUI]

The sources are read, in both directions: what they write or read must be in a table, and what a table has must be in
the sources. With the path of a program, books of Fixtures are converted as well. Each key in a report then must be in
the table, have the type of its row, and be there as its row says; and each row must occur in one of the reports.

These formats are stable. A failure means that a table is incomplete, or that a key was renamed by mistake.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
FIXTURES = REPOSITORY / "Fixtures"
SECONDS = 300
REPORT = REPOSITORY / "docs/reference/report.md"
OTHERS = REPOSITORY / "docs/reference/json.md"
MESSAGES = REPOSITORY / "docs/reference/messages.md"
FILES = REPOSITORY / "docs/reference/decision-files.md"
PROTOCOL = REPOSITORY / "docs/dev/plugin-protocol.md"

failures = []


def expect(holds, text):
    if not holds:
        failures.append(text)


# The tables

def tables(page):
    """(heading, header, rows) of each table of a page; cells are texts."""
    found, heading, rows = [], "", []
    for line in page.read_text().split("\n") + [""]:
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
            rows.append([cell.strip() for cell in cells])
        elif rows:
            found.append((heading, rows[0], rows[2:]))
            rows = []
    return found


def table(page, heading, first=None):
    """The rows of the first table below a heading, or of that whose first column has a name."""
    for title, header, rows in tables(page):
        if title == heading and first in (None, header[0]):
            return rows
    expect(False, f"{page.name}: no table below '{heading}'")
    return []


def spans(cell):
    return re.findall(r"`([^`]*)`", cell)


def groups(rows):
    """{the code in a bold row: the code in the first cells of the rows below it}"""
    found, current = {}, []
    for row in rows:
        if row[0].startswith("**"):
            current = spans(row[0].split("**")[1])
            found |= {name: set() for name in current}
        else:
            for name in current:
                found[name] |= set(spans(row[0]))
    return found


# The sources

def sources(*folders):
    paths = [path for folder in folders for path in sorted((REPOSITORY / folder).rglob("*.swift"))]
    return {path.relative_to(REPOSITORY): source(path) for path in paths}


def source(path):
    """A file without its comments."""
    return re.sub(r"(?m)^\s*//.*$", "", (REPOSITORY / path).read_text())


def raw_values(path, name):
    """The raw values of an enumeration of strings."""
    text = source(path)
    match = re.search(rf"enum {name}: String[^{{]*{{", text)
    if not match:
        expect(False, f"{path}: no enumeration {name}")
        return set()
    depth, place = 1, match.end()
    while depth and place < len(text):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        place += 1
    values = set()
    for line in text[match.end():place].split("\n"):
        if case := re.fullmatch(r"\s*case ([^:(]*)", line.split("//")[0].rstrip()):
            for item in case[1].split(","):
                word, _, value = item.partition("=")
                values.add(value.strip().strip('"') or word.strip())
    return values


def written_keys(*paths):
    """The keys of objects that files of Swift write: `("key", …)`, `"key": …` and `FindingCount("key")`."""
    pattern = (r'(?<!note)(?<!add)(?<!Code)(?<!whole)\(\s*"([a-z]\w*)",\s|(?<!case )(?<![?] )"([a-z][\w-]*)":\s'
               r'|FindingCount\("(\w+)"\)')
    return {key for path in paths for pair in re.findall(pattern, source(path)) for key in pair if key}


def metadata_keys():
    """The keys of the metadata of a book, which have one table."""
    return set(re.findall(r'\bMetadataField\(\s*"([a-z]+)"', source("Sources/PageModel/MetadataField.swift")))


def read_keys(text):
    """The keys that Swift reads from an object."""
    pattern = (r'\b(?:json|answer|end|line|self)\["([A-Za-z-]+)"\]'
               r'|\b(?:wholeNumber|flag|text|words|line|list)\(\s*"([A-Za-z]+)"|\("([a-z]+)", \\Self\.')
    return {key for pair in re.findall(pattern, text) for key in pair if key}


def warning_codes():
    """The codes of warnings and notes in the sources."""
    codes = set()
    for text in sources("Sources", "Plugins").values():
        codes |= set(re.findall(r'\b(?:code(?::| =)|note\(|warning\()\s*"([a-z]+(?:-[a-z]+)*)"', text))
        codes |= set(re.findall(r'\badd\(\s*"([a-z]+(?:-[a-z]+)+)",\s', text))
        for pair in re.findall(r'\bcode:[^\n"]*\?\s*"([a-z-]+)"\s*:\s*"([a-z-]+)"', text):
            codes |= set(pair)
    return codes


def note_codes():
    """The codes of notes in the sources, each of which has one definition with a text."""
    texts = sources("Sources", "Plugins").values()
    codes = [code for text in texts for code in re.findall(r'\bNote\.Code\(\s*"([a-z-]+)"', text)]
    expect(len(codes) == len(set(codes)), f"notes: defined twice: {sorted({code for code in codes if codes.count(code) > 1})}")
    empty = {code for text in texts for code in re.findall(r'\bNote\.Code\(\s*"([a-z-]+)",\s*""', text)}
    expect(not empty, f"notes: without a text: {sorted(empty)}")
    return set(codes)


def compare(what, documented, found):
    expect(found <= documented, f"{what}: not in the table: {sorted(found - documented)}")
    expect(documented <= found, f"{what}: not in the sources: {sorted(documented - found)}")


def last_parts(rows):
    """The last parts of the keys in the first cells; capitals stand for any key."""
    keys = {key.split(".")[-1].removesuffix("[]") for row in rows if not row[0].startswith("**") for key in spans(row[0])}
    return {key for key in keys if not key.isupper()}


REPORT_SOURCES = [
    *sorted(str(path.relative_to(REPOSITORY)) for path in (REPOSITORY / "Sources/Audit/Reporting").glob("*.swift")),
    "Sources/Audit/Digests/PageDigests.swift", "Sources/Planning/Reason.swift",
    "Sources/Directions/DirectionMessages.swift",
    "Sources/Audit/Verification/Verification.swift", "Sources/Metadata/MetadataFile.swift",
    "Sources/Metadata/FileNameGuess.swift", "Sources/AdapterKit/MetadataField+JSON.swift",
    "Sources/Work/ReportStream.swift", "Plugins/Trim/PageLayout.swift", "Plugins/Flatten/FlattenedPage.swift",
    "Plugins/Rotate/BookOrientation.swift", "Plugins/Clean/Whiten/PaperFinding.swift",
    "Plugins/Clean/Specks/SpeckFinding.swift", "Plugins/Clean/Tones/ToneFinding.swift",
    "Plugins/Clean/ShowThrough/ShowThroughFinding.swift", "Plugins/Clean/Borders/BorderFinding.swift",
    "Plugins/Clean/Bilevel/Enlargement.swift",
    "Plugins/Spreads/SpreadFinding.swift", "Plugins/Webtoon/Webtoon.swift",
]


def check_report():
    rows = table(REPORT, "Keys")
    # `code` of a reason is written where all notes are.
    # `authors` are in `info` and in the files of the web reader alone.
    found = written_keys(*REPORT_SOURCES) - {"authors"} | metadata_keys() | {"code"}
    compare("keys of the report", last_parts(rows) | {"code"}, found)
    values = groups(table(REPORT, "Values"))
    enumerations = {
        "pages[].treatment": ("Sources/PageModel/ImageEncoding", "Treatment"), "direction": ("Sources/PageModel/PageSequence", "Direction"),
        "readingDirection.evidence": ("Sources/Directions/ReadingDirection", "Hint"), "pages[].side": ("Sources/PageModel/Side", "Side"),
        "changes.keptWhole": ("Plugins/Trim/PageLayout", "Trimming"), "book.creators[].role": ("Sources/PageModel/Credit", "CreatorRole"),
        "pages[].digests.image.of": ("Sources/Audit/Digests/PageDigests", "Cover"),
    }
    for key, (path, name) in enumerations.items():
        # A page that was trimmed was not kept whole.
        found = raw_values(f"{path}.swift", name) - ({"trimmed"} if name == "Trimming" else set())
        compare(f"values of {key}", values.get(key, set()), found)
    codes = {code for row in table(REPORT, "Reason codes", "Code") for code in spans(row[0])}
    compare("reason codes", codes, note_codes())
    roles = {role for row in table(REPORT, "Reason codes", "`role`") for role in spans(row[0])}
    compare("roles of reasons", roles, raw_values("Sources/Planning/Reason.swift", "Role"))


def check_codes():
    codes = {(code, row[1]) for row in table(REPORT, "Codes") for code in spans(row[0])}
    compare("error codes", {code for code, kind in codes if kind == "error"}, raw_values("Sources/PageModel/AdapterError.swift", "Code"))
    others = {code for code, kind in codes if kind != "error"}
    found, literals = warning_codes(), set()
    for text in sources("Sources", "Plugins").values():
        literals |= set(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', text))
    expect(found <= others, f"codes of warnings: not in the table: {sorted(found - others)}")
    expect(others <= literals, f"codes of warnings: not in the sources: {sorted(others - literals)}")
    messages = {code for _, header, rows in tables(MESSAGES) if header[-1] == "Code" for row in rows for code in spans(row[-1])}
    compare("codes in messages.md", {code for code, _ in codes}, messages)


def check_others():
    kinds = {span for row in table(OTHERS, "Kinds of active content") for span in spans(row[0])}
    compare("kinds of active content", kinds, raw_values("Sources/PageModel/ActiveContent.swift", "Kind"))
    rows = [row for title, header, rows in tables(OTHERS) if title == "jisui info" for row in rows]
    # The shared ones are written by other files.
    shared = {"role", "name", "evidence", "reason", "direction", "year", "code", "message", "hint", "page"}
    found = written_keys("Sources/jisui/Info.swift", "Sources/jisui/TextInfo.swift") - {"metadata"}
    found |= metadata_keys() | {"authors"}
    expect(found <= last_parts(rows), f"info: not in the table: {sorted(found - last_parts(rows))}")
    expect(last_parts(rows) <= found | shared, f"info: not in the sources: {sorted(last_parts(rows) - found - shared)}")
    for heading, path in (("jisui formats", "Formats"), ("jisui plugin list", "Plugins"), ("jisui catalog", "Catalog"),
                          ("jisui diff and jisui verify", "Comparison/ComparisonJSON"), ("jisui devices", "Devices")):
        compare(heading, last_parts(table(OTHERS, heading)), written_keys(f"Sources/jisui/{path}.swift"))


def check_files():
    """The decision files: each key that is read is in a table, and each key of a table is read."""
    paths = {
        "Boxes": "Plugins/Trim/Sheet/TrimFile.swift", "Spreads": "Plugins/Spreads/SpreadFile.swift",
        "Curves": "Plugins/Flatten/FlattenFile.swift", "Cleaning": "Plugins/Clean/Sheet/CleanFile.swift", "Clips": "Plugins/Clips/Clips.swift",
        "Book": "Sources/DecisionFiles/DecisionBook.swift",
    }
    # The version, the options, the book and the list are read for all kinds at one place, and some texts are only written.
    common = {"options", "direction", "book", "pages", "spreads", "jisui-trim", "jisui-spreads", "jisui-flatten", "jisui-clean"}
    for title, path in paths.items():
        documented = set()
        for heading, header, rows in tables(FILES):
            if heading.startswith(title + ":"):
                place = header.index("Key")
                documented |= {key for row in rows for key in spans(row[place])}
        compare(f"file '{title}'", documented | common, read_keys(source(path)) | common)


def check_protocol():
    """The keys of requests and answers, and of the manifest."""
    page = PROTOCOL.read_text()
    code = set(re.findall(r"[A-Za-z-]+", " ".join(spans(page) + re.findall(r"```.*?```", page, re.S))))
    texts = sources("Sources/ExternalAdapters/Source", "Sources/ExternalAdapters/Sink", "Sources/ExternalAdapters/Transform",
                    "Sources/ExternalAdapters/Manifests") | {
        path: source(path) for path in (
            "Sources/ExternalAdapters/Plugin.swift", "Sources/ExternalAdapters/PluginText.swift",
            "Sources/ExternalAdapters/AnswerLine.swift", "Sources/Processes/IPC/PluginProcess.swift",
            "Sources/Processes/IPC/ReceivedLine.swift")}
    # Plug-ins have `authors` in place of `creators`, and no `volume`.
    found = metadata_keys() - {"creators", "volume"}
    for path, text in texts.items():
        found |= read_keys(text) | written_keys(path) | set(re.findall(r'\badd\("([a-z]+)",', text))
        found |= set(re.findall(r'\("([a-z]+)", \w+\)', text)) - {"plug"}
    expect(found <= code, f"protocol: not in {PROTOCOL.name}: {sorted(found - code)}")
    documented = set()
    for _, header, rows in tables(PROTOCOL):
        for place, cell in enumerate(header):
            if cell.startswith("Key"):
                documented |= {key for row in rows for key in spans(row[place])}
    expect(documented <= found, f"protocol: not in the sources: {sorted(documented - found)}")
    needs = {span for _, header, rows in tables(PROTOCOL) if header[0].startswith("Permission") for row in rows for span in spans(row[0])}
    compare("permissions of plug-ins", needs, raw_values("Sources/ExternalAdapters/Manifests/PluginManifest.swift", "Need"))


# The program

class Row:
    """A row of the table of keys. `group` is the bold row above it."""

    def __init__(self, cells, group):
        self.type, self.present, self.group = re.sub(r"\[(\w+)\]\([^)]*\)", r"\1", cells[1]), cells[2], group

    def admits(self, value):
        kind = self.type.split(" (")[0].split(",")[0].replace(" or null", "")
        if value is None:
            return "or null" in self.type
        if kind == "box":
            return isinstance(value, list) and len(value) == 4 and all(type(number) is int for number in value)
        if kind.startswith("list of "):
            return isinstance(value, list) and all(isinstance(item, dict if "objects" in kind else str) for item in value)
        kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict}
        return isinstance(value, kinds[kind]) and (kind == "boolean" or not isinstance(value, bool))


def common_path(path):
    """Some objects have the keys of others."""
    path = path.replace("with[].pages[]", "pages[]").replace("with[].verification.", "verification.")
    path = path.replace("volumes[].outputFiles[]", "outputFiles[]")
    path = re.sub(r"^notes\[\]", "warnings[]", path)
    path = re.sub(r"digests\.parts\[\]\.(image|pixels)", r"digests.\1", path)
    if not path.endswith(("parts[]", "parts[].source")):
        path = path.replace("pages[].parts[]", "pages[]")
    path = re.sub(r"^recipe\.[a-z-]+$", "recipe.SETTING", path)
    path = re.sub(r"^counts\.\w+$", "counts.TREATMENT", path)
    path = re.sub(r"^changes\.operations\.[\w-]+$", "changes.operations.NAME", path)
    return re.sub(r"^changes\.keptWhole\.[a-z-]+$", "changes.keptWhole.REASON", path)


class Reports:
    """The reports that were seen, and the rows of the table that they have shown."""

    def __init__(self):
        self.rows, group = {}, ""
        for row in table(REPORT, "Keys"):
            if row[0].startswith("**"):
                group = row[0]
            else:
                self.rows[spans(row[0])[0]] = Row(row, group)
        self.seen = set()
        self.codes = {code for row in table(REPORT, "Codes") for code in spans(row[0])}
        self.values = {
            code: set(spans(row[1])) for row in table(REPORT, "Reason codes", "Code") for code in spans(row[0])}

    def read(self, report, name):
        self.name, self.has_failed = name, "error" in report
        self.read_object(report, "")

    def read_object(self, members, path):
        for key, value in members.items():
            here = common_path(f"{path}{key}")
            if path == "pages[].reasons[]." and key not in ("role", "code"):
                here = f"{path}VALUE"
                # The values of the code in `cause` are those of that code.
                known = self.values.get(members["code"], set()) | self.values.get(members.get("cause"), set())
                expect(key in known, f"{self.name}: '{key}' is not in the row of {members['code']}")
            if here not in self.rows:
                expect(False, f"{self.name}: '{here}' is not in the table")
                continue
            self.seen.add(here)
            row = self.rows[here]
            expect(row.admits(value), f"{self.name}: '{here}' is {json.dumps(value)[:60]}, not {row.type}")
            if here in ("warnings[].code", "error.code"):
                expect(value in self.codes, f"{self.name}: the code {value} is not in the table")
            if isinstance(value, dict):
                self.read_object(value, f"{here}.")
            for item in value if isinstance(value, list) else []:
                if isinstance(item, dict):
                    self.read_object(item, f"{here}[].")
        for key, row in self.rows.items():
            name = key.removeprefix(path)
            if key.startswith(path) and not re.search(r"[.\[]|^[A-Z]+$", name) and self.is_due(row, members, path):
                expect(name in members, f"{self.name}: '{key}' is missing")

    def is_due(self, row, members, path):
        """Whether an object must have the key of a row."""
        if row.present == "always, also on failure":
            return True
        if path == "verification." and members.get("format") is None or self.has_failed and not path:
            return False
        if path == "pages[]." and "with" in row.group:
            # An option adds all keys of its group.
            return row.present == "always" and any(
                other.group == row.group and key.removeprefix(path) in members for key, other in self.rows.items())
        parent = path.rstrip(".[]").rpartition(".")[2]
        return row.present in ("always", f"with `{parent}`")


# Rows that no conversion here can show, and the reason.
UNSEEN = {
    "missingSandbox": "the system has a complete sandbox, or it has not",
    "pages[].showThroughPage": "no book of Fixtures has both sides of a leaf; CleanTests reads it",
    "pages[].showThroughCorrelation": "no book of Fixtures has both sides of a leaf; CleanTests reads it",
}

PDF = FIXTURES / "good/PDFSource"
# (the arguments, the exit statuses that are right)
CONVERSIONS = [
    ("jpeg.pdf -o a.cbz -n", 0), ("jpeg.pdf -o a.cbz", 0), ("jpeg.pdf -o a.cbz -n --trim", 0),
    ("jpeg.pdf outline.pdf -o two.cbz --combine", (0, 3)),
    ("scan.pdf -o s.cbz --rotate auto --trim --deskew --flatten --whiten --despeckle --borders", (0, 3)), ("scan.pdf -o m.cbz --trim --flatten --spreads merge --cover paired", (0, 3)),
    ("scan.pdf -o p.cbz --spreads pair --trim page", (0, 3)), ("outline.pdf -o p.epub --spreads pair --verify", (0, 3)),
    ("text.pdf -o web/ --to web --with cbz --verify", (0, 3)), ("text.pdf -o t.cbz", (0, 3)),
    ("crop-smaller.pdf -o c.epub", (0, 3)), ("crop-smaller.pdf -o c.pdf --rebuild", (0, 3)),
    ("scan.pdf -o b.cbz --bilevel --bilevel-dpi 600", (0, 3)),
    ("guess.pdf -o g.cbz --guess", (0, 3)), ("gray8.pdf -o i.cbz --gray", 0), ("gray8.pdf -o n.cbz --invert", 0), ("cut.pdf -o d.cbz", 3),
    ("scan.pdf -o w.cbz --webtoon --fit 200x100", (0, 3)),
    ("missing.pdf -o e.cbz", 1), ("missing.pdf -o e.cbz -n", 1), ("mixed.pdf -o strip.png", (0, 3)),
    ("jpeg.pdf -o book.faulty --verify", (0, 3)), ("outline.pdf -o v.cbz --split-volumes 1pages", (0, 3)),
    ("gray8.pdf -o tones.cbz --bilevel mixed", (0, 3)),
]


def run(program, arguments, folder, environment):
    return subprocess.run(
        [program, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)


def check_program(program):
    reports = Reports()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name in ("jpeg", "outline", "text", "crop-smaller", "gray8", "mixed"):
            shutil.copy(PDF / f"{name}.pdf", folder)
        shutil.copy(PDF / "real-bobby-make-believe.pdf", folder / "scan.pdf")
        shutil.copy(PDF / "jpeg.pdf", folder / "guess.pdf")
        shutil.copy(PDF / "jpeg.pdf", folder / "Name v03 #012 (2019).pdf")
        shutil.copy(FIXTURES / "bad/PDFSource/jpeg-cut.pdf", folder / "cut.pdf")
        plugins = folder / "plugins"
        plugins.mkdir(mode=0o755)
        # A sink whose books no source reads.
        faulty = REPOSITORY / "Tests/Programs/Plugins/faulty.py"
        subprocess.run([sys.executable, faulty, plugins, "sink"], check=True, stdout=subprocess.DEVNULL)
        os.chmod(folder, 0o755)
        environment = {"PATH": os.environ["PATH"], "HOME": scratch, "TMPDIR": scratch, "JISUI_PLUGIN_PATH": str(plugins)}
        for line, statuses in CONVERSIONS:
            words = ["Name v03 #012 (2019).pdf" if word == "guess.pdf" else word for word in line.split()]
            done = run(program, [*words, "-q", "--report", "report.json"], folder, environment)
            if done.returncode not in (statuses if isinstance(statuses, tuple) else (statuses,)):
                expect(False, f"jisui {line}: ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
                continue
            for text in (folder / "report.json").read_text().splitlines():
                reports.read(json.loads(text), f"jisui {line}")
            (folder / "report.json").unlink()
    unseen = {key for key in reports.rows if key not in reports.seen and not key.endswith("parts[].KEY")} - set(UNSEEN)
    expect(not unseen, f"keys of the table that no report here has: {sorted(unseen)}")


def main():
    check_report()
    check_codes()
    check_others()
    check_files()
    check_protocol()
    if len(sys.argv) > 1:
        check_program(Path(sys.argv[1]).resolve())
    for failure in dict.fromkeys(failures):
        print(f"keys: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
