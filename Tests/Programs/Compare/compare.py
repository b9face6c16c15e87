#!/usr/bin/env python3
"""Makes differences of books, and lets jisui find them: compare.py JISUI [--all] [--unchanged]

A book of JPEG and PNG pages is written as CBZ, folder, PDF and EPUB. Each kind of difference is made in a copy of the
book, which is then compared with the book over all pairs of containers: `jisui diff` must find the difference, measure
it rightly and report no other. By default each pair gets a few kinds, with --all each gets all (more than 200 in total).
Then `jisui verify` must find what was done to the outputs of a shelf.

--unchanged does not make the differences: every expectation must then fail, except those of equal books.
"""
import argparse
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CONTAINERS = ["cbz", "folder", "pdf", "epub"]
EQUAL, UNREADABLE, DIFFERENT = 0, 1, 3
# The pages of the book, and those with a bookmark.
FORMATS = ["jpeg", "png", "jpeg", "gray", "jpeg", "png", "gray", "jpeg", "png"]
BOOKMARKS = {0: "Cover", 4: "Chapter 2", 7: "Chapter 3"}
SECONDS = 300


# Images

def pixels(seed, width=120, height=160):
    """A drawing of soft shapes in color, different for each seed."""
    chance = random.Random(seed)
    shapes = [
        (chance.randrange(width), chance.randrange(height), chance.randrange(15, 60), [chance.randrange(200) for _ in "rgb"])
        for _ in range(7)]
    rows = []
    for y in range(height):
        row = []
        for x in range(width):
            color = [245, 240, 230]
            for left, top, radius, shade in shapes:
                if (x - left) ** 2 + (y - top) ** 2 < radius ** 2:
                    color = [(c + s) // 2 for c, s in zip(color, shade)]
            row.append(color)
        rows.append(row)
    return rows


def png(rows, gray=False):
    data = b"".join(b"\0" + bytes(v for color in row for v in (color[:1] if gray else color)) for row in rows)

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0 if gray else 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def jpeg(rows, quality=90):
    plain = b"P6 %d %d 255\n" % (len(rows[0]), len(rows)) + bytes(v for row in rows for color in row for v in color)
    return subprocess.run(["cjpeg", "-quality", str(quality)], input=plain, stdout=subprocess.PIPE, check=True).stdout


def encoded(format, rows):
    return jpeg(rows) if format == "jpeg" else png(rows, gray=format == "gray")


class Book:
    """The pages, bookmarks and metadata of a book."""

    def __init__(self):
        self.rows = [pixels(seed) for seed in range(len(FORMATS))]
        self.pages = [(f"{place:02}.{'jpg' if format == 'jpeg' else 'png'}", encoded(format, self.rows[place]))
                      for place, format in enumerate(FORMATS)]
        self.bookmarks = dict(BOOKMARKS)
        self.fields = {"Title": "The Title", "Writer": "A. Writer", "Series": "Series", "Number": "3", "Manga": "YesAndRightToLeft"}

    def copy(self):
        other = Book.__new__(Book)
        other.rows, other.pages = self.rows, list(self.pages)
        other.bookmarks, other.fields = dict(self.bookmarks), dict(self.fields)
        return other

    def replace(self, place, data):
        self.pages[place] = (self.pages[place][0], data)

    def remove(self, place):
        del self.pages[place]
        self.bookmarks = {page - (page > place): title for page, title in self.bookmarks.items()}

    def write(self, jisui, folder):
        """Writes all containers; returns their paths by name."""
        folder.mkdir()
        marks = "".join(
            f'<Page Image="{place}"' + (f' Bookmark="{self.bookmarks[place]}"' if place in self.bookmarks else "") + "/>"
            for place in range(len(self.pages)))
        fields = "".join(f"<{name}>{value}</{name}>" for name, value in self.fields.items())
        with zipfile.ZipFile(folder / "book.cbz", "w") as file:
            # Names are in the order of the pages, also of those that changed places.
            for place, (name, data) in enumerate(self.pages):
                file.writestr(f"{place:02}{Path(name).suffix}", data)
            file.writestr("ComicInfo.xml", f"<?xml version='1.0'?><ComicInfo>{fields}<Pages>{marks}</Pages></ComicInfo>")
        paths = {"cbz": folder / "book.cbz", "folder": folder / "pages", "pdf": folder / "book.pdf", "epub": folder / "book.epub"}
        for name, path in paths.items():
            if name != "cbz":
                options = ["--comic-info"] if name == "folder" else []
                run([jisui, "-q", paths["cbz"], "-o", f"{path}/" if name == "folder" else path, *options], (0, 3))
        return paths


def run(call, statuses):
    done = subprocess.run([str(part) for part in call], capture_output=True, timeout=SECONDS)
    if done.returncode not in statuses:
        raise SystemExit(f"{' '.join(map(str, call))}: status {done.returncode}: {done.stderr.decode()}")
    return done


# Differences: each function changes a book and returns what `diff` must report.
# An expectation is {"pages": [(sign, result, number in the other book, isMoved, further values)], "fields": […]}.

def jpegs(book):
    return [place for place, (name, _) in enumerate(book.pages) if name.endswith("jpg")]


def pngs(book):
    return [place for place, format in enumerate(FORMATS) if format == "png"]


def free(book):
    """The places without a bookmark on them."""
    return [place for place in range(len(book.pages)) if place not in book.bookmarks]


def found(*pages, fields=()):
    return {"pages": list(pages), "fields": sorted(fields)}


def comment(book, chance):
    """A comment of one byte, which no pixel shows."""
    place = chance.choice(jpegs(book))
    data = book.pages[place][1]
    book.replace(place, data[:2] + b"\xff\xfe\0\3" + b"x" + data[2:])
    return found(("=", "samePixels", place + 1, False, {}))


def byte(book, chance):
    """One byte of a quantization table."""
    place = chance.choice(jpegs(book))
    data = bytearray(book.pages[place][1])
    table = data.index(b"\xff\xdb") + 5
    data[table] += 3
    book.replace(place, bytes(data))
    return found(("*", "differentPixels", place + 1, False, {}))


def pixel(book, chance):
    """One sample of one pixel, by a known difference."""
    place, step = chance.choice(pngs(book)), chance.choice([1, 2, 17, 40])
    rows = [[list(color) for color in row] for row in book.rows[place]]
    color = rows[chance.randrange(len(rows))][chance.randrange(len(rows[0]))]
    color[0] += step if color[0] < 128 else -step
    book.replace(place, png(rows))
    mean = step / (len(rows) * len(rows[0]) * 3)
    return found(("*", "differentPixels", place + 1, False, {"maximum": step, "mean": mean}))


def order(book, chance):
    """A page that comes later."""
    places = free(book)
    start = chance.choice([place for place in places if place + 1 in places])
    book.pages[start], book.pages[start + 1] = book.pages[start + 1], book.pages[start]
    return found(("*", None, (start + 1, start + 2), True, {}))


def missing(book, chance):
    place = chance.choice(free(book))
    book.remove(place)
    return found(("-", "missing", place + 1, False, {}))


def quality(book, chance):
    place = chance.choice(jpegs(book))
    book.replace(place, jpeg(book.rows[place], chance.choice([40, 60, 75])))
    return found(("*", "differentPixels", place + 1, False, {}))


def cropped(book, place, chance):
    left, top = chance.randrange(1, 20), chance.randrange(20)
    rows = [row[left:] for row in book.rows[place][top:]]
    book.replace(place, encoded(FORMATS[place], rows))
    return found(("*", "differentSize", place + 1, False, {"width": len(rows[0]), "height": len(rows)}))


def crop_jpeg(book, chance):
    return cropped(book, chance.choice(jpegs(book)), chance)


def crop_png(book, chance):
    return cropped(book, chance.choice(pngs(book)), chance)


def renamed_bookmark(book, chance):
    book.bookmarks[chance.choice(list(book.bookmarks))] = "Another title"
    return found(fields=["outline"])


def moved_bookmark(book, chance):
    place = chance.choice([place for place in book.bookmarks if place + 1 not in book.bookmarks and place + 1 < len(book.pages)])
    book.bookmarks[place + 1] = book.bookmarks.pop(place)
    return found(fields=["outline"])


def field(book, chance):
    name, value, key = chance.choice(
        [("Title", "Another", "title"), ("Writer", "B. Writer", "creators"), ("Manga", "No", "direction"), ("Series", "Other", "series")])
    book.fields[name] = value
    return found(fields=[key])


def several(book, chance):
    """A page of another quality and, after it, a missing page."""
    place = 2
    book.replace(place, jpeg(book.rows[place], 50))
    book.remove(5)
    return found(("*", "differentPixels", place + 1, False, {}), ("-", "missing", 6, False, {}))


KINDS = [
    comment, byte, pixel, order, missing, quality, crop_jpeg, crop_png, renamed_bookmark, moved_bookmark, field, several,
]


def objection(result, expected, swapped):
    """Why a result is not what was expected; None if it is."""
    # Containers store PNG files in different ways.
    pages = [page for page in result["pages"]
             if page["sign"] != "=" or page["result"] == "samePixels" and FORMATS[page["other"]["number"] - 1] == "jpeg"
             and len(result["pages"]) == len(FORMATS) and page["book"]["number"] == page["other"]["number"]]
    fields = sorted(difference["field"] for difference in result["metadata"])
    if fields != expected["fields"]:
        return f"fields {fields}"
    if len(pages) != len(expected["pages"]):
        return f"{len(pages)} pages: {pages}"
    for page, (sign, word, number, is_moved, values) in zip(pages, expected["pages"]):
        side = "other"
        if sign == "-":
            sign, word, side = ("+", "added", "other") if swapped else (sign, word, "book")
        numbers = number if isinstance(number, tuple) else (number,)
        if page["sign"] != sign or word not in (None, page["result"]) or page["isMoved"] != is_moved:
            return f"page {page}"
        if page[side]["number"] not in numbers:
            return f"another page: {page}"
        for key, value in values.items():
            own = page.get(key, page["book" if swapped else "other"].get(key))
            if abs(own - value) > 1e-9:
                return f"{key} is {own} and not {value}"
    return None


def differences(jisui, scratch, given, chance):
    """Compares all pairs; returns the number of differences and the failures."""
    original = Book()
    books = original.write(jisui, scratch / "original")
    failures, tasks = [], []
    for kind in KINDS:
        book = original.copy()
        expected = kind(book, chance)
        changed = (original if given.unchanged else book).write(jisui, scratch / kind.__name__)
        tasks += [(kind, one, other, changed, expected, swapped)
                  for one in CONTAINERS for other in CONTAINERS for swapped in ([False, True] if kind is missing or kind is order else [False])]
    if not given.all:
        tasks = [task for number, task in enumerate(tasks) if number % 5 == 0]
    count = len(tasks)
    tasks += [(None, one, other, books, found(), False) for one in CONTAINERS for other in CONTAINERS]

    def compared(task):
        kind, one, other, changed, expected, swapped = task
        pair = [books[one], changed[other]]
        call = [jisui, "diff", "--json", "-q", *(reversed(pair) if swapped else pair)]
        status = EQUAL if not expected["fields"] and all(page[0] == "=" for page in expected["pages"]) else DIFFERENT
        done = run(call, (EQUAL, DIFFERENT, UNREADABLE))
        result = json.loads(done.stdout)
        problem = objection(result, expected, swapped)
        if problem is None and done.returncode != status:
            problem = f"status {done.returncode}"
        return problem and f"{kind.__name__ if kind else 'equal'}, {one} and {other}{' swapped' if swapped else ''}: {problem}"

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [problem for problem in pool.map(compared, tasks) if problem]
    return count, failures


# Verification

def outputs(jisui, scratch, given):
    """Verifies the outputs of a shelf before and after changes of them; returns the failures."""
    (shelf, out, journal) = (scratch / "shelf", scratch / "out", scratch / "out/night.jsonl")
    names = ["same", "truncated", "changed", "removed", "other"]
    failures = []

    def expect(holds, text):
        if not holds:
            failures.append(f"verify: {text}")

    def verify(*options, statuses):
        done = run([jisui, "verify", out, "--json", *options], (EQUAL, DIFFERENT, UNREADABLE))
        expect(done.returncode in statuses, f"{options}: status {done.returncode}: {done.stderr.decode()[-300:]}")
        return {Path(line["output"]).stem: line for line in map(json.loads, done.stdout.splitlines())}

    for place, name in enumerate(names):
        path = shelf / "inner" / f"{name}.cbz"
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w") as file:
            for number in range(10):
                file.writestr(f"{number}.jpg", jpeg(pixels(100 * place + number, 40, 50)))
    out.mkdir()
    run([jisui, "-q", shelf, "-o", f"{out}/", "--to", "pdf", "--recursive", "--journal", journal], (EQUAL,))
    lines = verify("--against", shelf, statuses=[EQUAL])
    expect({name: line["sign"] for name, line in lines.items()} == dict.fromkeys(names, "="), f"untouched: {lines}")
    expect(all(line["digest"]["isSame"] for line in lines.values()), "the journal's digests")
    samples = [verify("--against", shelf, "--sample", "20%", statuses=[EQUAL]) for _ in "12"]
    numbers = [[[page["other"]["number"] for page in line["pages"]] for line in sample.values()] for sample in samples]
    expect(numbers[0] == numbers[1] and all(len(pages) == 2 for pages in numbers[0]), f"the sample is {numbers}")
    expect(all(line["isSample"] and line["checkedPages"] == 2 for line in samples[0].values()), "the sample says so")
    if not given.unchanged:
        inner = out / "inner"
        with open(inner / "truncated.pdf", "r+b") as file:
            file.truncate(1500)
        data = (inner / "changed.pdf").read_bytes()
        # A coefficient in the data of a page.
        place = data.index(b"\xff\xda") + 200
        (inner / "changed.pdf").write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1:])
        (inner / "removed.pdf").unlink()
        shutil.copy(inner / "same.pdf", inner / "more.pdf")
        (inner / "other.pdf").write_bytes((inner / "other.pdf").read_bytes() + b"% a comment\n")
    lines = verify(statuses=[UNREADABLE])
    signs = {name: line["sign"] for name, line in lines.items()}
    expected = {"same": "=", "truncated": "!", "removed": "-", "other": "*", "more": "="}
    expect({**signs, "changed": None} == {**expected, "changed": None}, f"by digests alone: {signs}")
    expect(signs.get("changed") in "*!", f"a changed byte is {signs.get('changed')}")
    lines = verify("--against", shelf, "--sample", "10%", statuses=[UNREADABLE])
    signs = {name: line["sign"] for name, line in lines.items()}
    expect({**signs, "changed": None} == {**expected, "more": "+", "changed": None}, f"against the inputs: {signs}")
    expect(signs.get("changed") in "*!", f"a changed byte is {signs.get('changed')} against the inputs")
    return failures


def page(jisui, scratch, given):
    """Makes the web page of two books; returns the failures."""
    book = Book()
    paths = book.write(jisui, scratch / "one")
    expected = pixel(book, random.Random(1))
    place = scratch / "one" if given.unchanged else scratch / "two"
    others = paths if given.unchanged else book.write(jisui, place)
    html = scratch / "differences.html"
    run([jisui, "diff", "-q", paths["cbz"], others["epub"], "--html", html], (EQUAL, DIFFERENT))
    text = html.read_text()
    images = re.findall(r'src="data:image/(jpeg|png);base64,[A-Za-z0-9+/]+=*"', text)
    problems = []
    if images != ["jpeg", "jpeg", "png"] or f"page {expected['pages'][0][2]} " not in text or re.search(r'(src|href)="(?!data:)', text):
        problems.append(f"the web page has the images {images}")
    # An input is not replaced.
    if run([jisui, "diff", "-q", paths["cbz"], others["epub"], "--html", others["epub"], "--force"], (0, 3, 64)).returncode != 64:
        problems.append("the web page replaced an input")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("jisui")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--unchanged", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    jisui = str(Path(given.jisui).resolve())
    os.environ["LC_ALL"] = "C.UTF-8"
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        os.environ["TMPDIR"] = str(scratch)
        count, failures = differences(jisui, scratch, given, random.Random(given.seed))
        for name, part in (("outputs", outputs), ("page", page)):
            (scratch / name).mkdir()
            failures += part(jisui, scratch / name, given)
    print(f"{count} differences over {len(CONTAINERS) ** 2} pairs; {len(failures)} failures; seed {given.seed}")
    for text in failures:
        print(text, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
