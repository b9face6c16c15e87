"""Books to convert, the conversions of the fault tests, and single runs of them with something failing."""

import functools
import hashlib
import io
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import zipfile
import zlib

FIXTURES = pathlib.Path(__file__).resolve().parents[3] / "Fixtures" / "good"
SOURCES = pathlib.Path(__file__).resolve().parent


def png(width, height, gray):
    """A PNG of 8-bit gray; `gray(x, y)` gives each pixel."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(gray(x, y) for x in range(width)) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def text_page(number):
    """A page of dashes that stand for text, with margins that differ from page to page."""
    left, top = 60 + 5 * number, 80

    def gray(x, y):
        if not (left <= x < 520 and top <= y < 780):
            return 255
        return 0 if (y - top) % 20 < 9 and (x - left) // 7 % 8 != number % 8 else 255

    return png(600, 860, gray)


def noise(number, side):
    """A picture that does not compress."""
    chance = random.Random(number)
    return png(side, side, lambda x, y: chance.randrange(256))


def make_books(folder):
    """Writes the inputs; returns their paths by name."""
    folder.mkdir()
    books = {"pdf": folder / "book.pdf"}
    shutil.copy(FIXTURES / "PDFSource" / "mixed.pdf", books["pdf"])
    for name, start in [("rar", "rar5"), ("7z", "7zip")]:
        books[name] = folder / f"book.{name}"
        shutil.copy(next((FIXTURES / "ArchiveSource").glob(f"{start}.*")), books[name])
    books["folder"] = folder / "pictures"
    books["folder"].mkdir()
    for index, name in enumerate(["baseline.jpg", "gray.png", "lossy.webp", "progressive-icc.jpg"]):
        picture = FIXTURES / "Imaging" / name
        shutil.copy(picture, books["folder"] / f"{index + 1}{picture.suffix}")
    (books["folder"] / "5.png").write_bytes(noise(5, 200))
    (books["folder"] / "notes.txt").write_text("not a page")
    books["cbz"] = folder / "book.cbz"
    with zipfile.ZipFile(books["cbz"], "w") as archive:
        for index, name in enumerate(["baseline.jpg", "gray.png", "orientation-6.jpg"]):
            # zipfile writes the time of writing, unless told otherwise.
            entry = zipfile.ZipInfo(f"{index + 1}{pathlib.Path(name).suffix}")
            entry.compress_type = zipfile.ZIP_DEFLATED if index == 1 else zipfile.ZIP_STORED
            archive.writestr(entry, (FIXTURES / "Imaging" / name).read_bytes())
        archive.writestr(zipfile.ZipInfo("4.png"), noise(4, 200))
        archive.writestr(zipfile.ZipInfo("ComicInfo.xml"), "<ComicInfo><Title>Four</Title></ComicInfo>")
    books["text"] = folder / "text"
    books["text"].mkdir()
    for number in range(3):
        (books["text"] / f"{number + 1}.png").write_bytes(text_page(number))
    return books


class Conversion:
    """One way through jisui: a name, an input, an output and options."""

    def __init__(self, name, book, output, *options):
        self.name, self.book, self.output, self.options = name, book, output, options

    def __str__(self):
        return self.name


CONVERSIONS = [
    Conversion("PDF to CBZ", "pdf", "book.cbz", "--dpi", "72"),
    Conversion("folder to folder", "folder", "pages/"),
    Conversion("CBZ to CB7", "cbz", "book.cb7"),
    Conversion("strip of slices", "folder", "slices/", "--to", "strip", "--strip-max", "100"),
    Conversion("trim", "text", "trimmed.cbz", "--trim", "page", "--trim-sheet", "@/sheet.html"),
]
# What is killed: every kind of sink, and tiles, which are a folder of folders.
KILLED = CONVERSIONS + [
    Conversion("RAR to CBT", "rar", "book.cbt"),
    Conversion("tiles", "folder", "tiles/", "--to", "strip", "--tiles"),
    Conversion("web", "folder", "web/", "--to", "web", "--with", "cbz"),
]
# What is killed on a shelf: its first book, another of that name, which takes its place, and one that comes afterwards.
SHELVED = [
    Conversion("a first book", "cbz", "shelf/", "--to", "web", "--add", "--title", "Old"),
    Conversion("the book that replaces it", "folder", "shelf/", "--to", "web", "--add", "--title", "Old"),
    Conversion("another book", "text", "shelf/", "--to", "web", "--add", "--title", "New"),
]
# What is read from a disk with bad sectors: every kind of source.
DAMAGED = CONVERSIONS[:3] + [
    Conversion("RAR to CBZ", "rar", "book.cbz"),
    Conversion("7z to CBZ", "7z", "book.cbz"),
]


def digest(path):
    """What stands for a file's content: of zip archives what they hold, of PNGs their pixels, without the sizes that
    ComicInfo tells of them, and without the digests in sheets. Where there is no memory to compress, they are stored as
    they are."""
    return hashlib.sha256(content(path.suffix, path.read_bytes())).hexdigest()


@functools.lru_cache
def content(suffix, data):
    """The bytes of a file, without what compression made of them. Those of a broken file are its own."""
    try:
        if suffix == ".cbz":
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                entries = [(name, archive.read(name)) for name in archive.namelist()]
            return repr([(name, content(pathlib.Path(name).suffix, entry)) for name, entry in entries]).encode()
        # A page that cannot be read once more has no digest there. Its name is compared instead.
        if suffix == ".html":
            return re.sub(rb",?\s*&quot;\d+&quot;: &quot;image:[0-9a-f]+&quot;", b"", data)
        if suffix == ".png":
            return png_content(data)
        if suffix == ".xml":
            return re.sub(rb' ImageSize="\d+"', b"", data)
    except (zipfile.BadZipFile, zlib.error, struct.error, ValueError, IndexError):
        pass
    return data


def png_content(data):
    """The pixels of a PNG with all that is said of them (PNG specification, 9.2, undone)."""
    chunks, place = [], 8
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        body = data[place + 8 : place + 8 + length]
        if struct.unpack_from(">I", data, place + 8 + length) != (zlib.crc32(kind + body),):
            raise ValueError("a chunk's checksum is wrong")
        chunks.append((kind, body))
        place += length + 12
    width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    if interlaced:
        raise ValueError("interlaced rows are not undone here")
    bits = depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    step, length = max(1, bits // 8), (width * bits + 7) // 8
    filtered = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    rows, above = [], bytes(length)
    for start in range(0, height * (length + 1), length + 1):
        row = bytearray(filtered[start + 1 : start + 1 + length])
        undo_filter(filtered[start], row, above, step)
        rows.append(row)
        above = row
    return repr([chunk for chunk in chunks if chunk[0] != b"IDAT"]).encode() + b"".join(rows)


def undo_filter(kind, row, above, step):
    """Turns the differences of a row of a PNG into its values."""
    for i in range(len(row)):
        left, up, corner = (row[i - step], above[i], above[i - step]) if i >= step else (0, above[i], 0)
        if kind == 1:
            row[i] = row[i] + left & 255
        elif kind == 2:
            row[i] = row[i] + up & 255
        elif kind == 3:
            row[i] = row[i] + (left + up) // 2 & 255
        elif kind == 4:
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            row[i] = row[i] + nearest & 255


# The file with the numbers of calls. It lies where jisui may write.
COUNTS = "counts"


def tree(folder, but=None):
    """Every path below a folder but for one, with what stands for a file's content; hidden ones too."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name == but:
            continue
        if path.is_symlink() or path.is_file():
            found[name] = digest(path)
        else:
            found[name] = "folder"
    return found


class Outcome:
    """What one run left: how it ended, what it said, what stands in its folders."""

    def __init__(self, status, error, outputs, temporary):
        self.status, self.error, self.outputs, self.temporary = status, error, outputs, temporary

    def remains(self):
        """What is there under a temporary name."""
        hidden = [name for name in self.outputs if any(part.startswith(".") for part in name.split("/"))]
        return hidden + [f"{name} in TMPDIR" for name in self.temporary]

    def without_remains(self):
        remains = self.remains()
        shown = {name: digest for name, digest in self.outputs.items() if name not in remains}
        return Outcome(self.status, self.error, shown, {})


class Workbench:
    """A folder with the inputs, in which runs get folders of their own."""

    def __init__(self, folder, jisui):
        self.folder, self.jisui = folder, str(jisui)
        self.library = folder / "faults.so"
        compiler = next(filter(shutil.which, ["cc", "gcc", "clang"]))
        options = ["-O1", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", self.library]
        subprocess.run([compiler, *options, *sorted(SOURCES.glob("*.c"))], check=True)
        self.books = make_books(folder / "books")
        self.digests = tree(folder / "books")
        self.references = {}

    def sources_are_whole(self):
        return tree(self.folder / "books") == self.digests

    def place(self, name):
        """A folder for the runs of one case, with the old output in it if there is to be one."""
        place = self.folder / name
        shutil.rmtree(place, ignore_errors=True)
        (place / "out").mkdir(parents=True)
        (place / "tmp").mkdir()
        return place

    def start(self, conversion, place, faults, replaces=False, report=None):
        output = place / "out"
        options = [option.replace("@", str(output)) for option in conversion.options]
        command = [self.jisui, str(self.books[conversion.book]), "-o", f"{output}/{conversion.output}", "-j", "2"]
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(place),
            "TMPDIR": str(place / "tmp"),
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
        }
        if faults is not None:
            environment |= {"LD_PRELOAD": str(self.library), "JISUI_FAULT_BELOW": str(self.folder)}
            environment |= {f"JISUI_FAULT_{name}": str(value) for name, value in faults.items()}
        return subprocess.Popen(
            command + options + (["--force"] if replaces else []),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def finish(self, process, place, seconds=60):
        try:
            error = process.communicate(timeout=seconds)[1].decode(errors="replace")
        except subprocess.TimeoutExpired:
            process.kill()
            error = process.communicate()[1].decode(errors="replace") + "(did not end)\n"
        return Outcome(process.returncode, error, tree(place / "out"), tree(place / "tmp", but=COUNTS))

    def run(self, conversion, place, faults=None, replaces=False):
        return self.finish(self.start(conversion, place, faults, replaces), place)

    def put_old(self, conversion, place):
        """Puts an older output where the new one will be: that of the book's first page. Returns what stands there."""
        older = Conversion(conversion.name, conversion.book, conversion.output, *conversion.options, "--pages", "1")
        self.run(older, place)
        return tree(place / "out")

    def reference(self, conversion):
        """What a run without faults makes."""
        if conversion not in self.references:
            place = self.place(f"reference {conversion}")
            outcome = self.run(conversion, place)
            if outcome.status != 0 or outcome.temporary:
                raise SystemExit(f"{conversion} fails without a fault: {outcome.status} {outcome.error}")
            self.references[conversion] = outcome.outputs
        return self.references[conversion]

    def counts(self, conversion, **faults):
        """How many calls of each class a conversion makes."""
        outcome, counts = self.counted(conversion, self.place(f"counts {conversion}"), **faults)
        if outcome.outputs != self.reference(conversion):
            raise SystemExit(f"{conversion} differs when it is watched: {outcome.error}")
        return counts

    def counted(self, conversion, place, replaces=False, **faults):
        """What a run leaves, and how many calls of each class it makes."""
        outcome = self.run(conversion, place, {"COUNTS": place / "tmp" / COUNTS} | faults, replaces)
        lines = (place / "tmp" / COUNTS).read_text().split("\n")
        return outcome, {name: int(count) for name, count in (line.split() for line in lines if line)}


def top(outputs):
    """The outputs of a run by their first name: a folder with all that is in it."""
    grouped = {}
    for name, digest in outputs.items():
        grouped.setdefault(name.split("/")[0], {})[name] = digest
    return grouped


def complaints_about_files(outcome, old, reference):
    """What is wrong with what a run left: every output is absent, as it was, or whole, and nothing else is there."""
    wrong = []
    for name, found in top(outcome.outputs).items():
        if name not in top(reference):
            wrong.append(f"left behind: {name}")
        elif found != top(reference)[name] and found != top(old).get(name):
            wrong.append(f"neither old nor whole: {name} ({len(found)} of {len(top(reference)[name])})")
    wrong += [f"gone: {name}" for name in top(old) if name not in top(outcome.outputs)]
    wrong += [f"left in TMPDIR: {name}" for name in outcome.temporary]
    return wrong


SIGNAL_NAMES = {-number.value: number.name for number in signal.Signals}
