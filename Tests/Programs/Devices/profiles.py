#!/usr/bin/env python3
"""Converts a small book for each device that jisui knows, and opens the result with other programs.

    profiles.py JISUI [DEVICE...]

The book has five pages from right to left, one of them a double page, and a table of contents with three lines. For
each profile, the output is that of its first format. It must have all pages in their order, each with the bytes that
jisui writes for that device into a folder; the direction; the table of contents; and the sides of pages where the format
has them. Equal outputs of several devices are judged once.

Judges are epubcheck, mobitool, calibre's ebook-convert, KindleUnpack (the package `mobi` of PyPI), qpdf, poppler and
unzip. A missing program is named at the end. `make test` does not run this: it takes minutes.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from xml.etree import ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Jobs"))
import material  # noqa: E402

COMIC_INFO = """<?xml version="1.0"?><ComicInfo><Title>Tall &amp; Wide</Title><Writer>A. Writer</Writer>
<LanguageISO>ja</LanguageISO><Manga>YesAndRightToLeft</Manga><Pages>
<Page Image="0" Type="FrontCover" Bookmark="Cover"/><Page Image="1"/><Page Image="2"/>
<Page Image="3" DoublePage="true" Bookmark="The spread"/><Page Image="4" Bookmark="The end"/></Pages></ComicInfo>"""
TITLES = ["Cover", "The spread", "The end"]
#: EPUB 3.3 and the rules of Kobo have properties that older versions of epubcheck do not know.
UNKNOWN_TO_EPUBCHECK = re.compile(r"rendition:|page-spread|OPF-0(27|28)|Check finished|EPUBCheck completed|Messages:")
missing = set()


class Failure(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Failure(text)


def run(*command, folder=None):
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout + done.stderr


def available(program):
    if shutil.which(program):
        return True
    missing.add(program)
    return False


def judged(*command, folder=None):
    """Runs a judge, and returns its output; nothing without that program."""
    if not available(command[0]):
        return ""
    status, output = run(*command, folder=folder)
    expect(status == 0, f"{command[0]}: status {status}: {output[-300:]}")
    return output


def make_book(jisui, folder):
    """Returns a CBZ whose fourth page is wide."""
    pages = material.jpegs()
    for number in (2, 3):
        (folder / f"{number}.jpg").write_bytes(pages[number])
    status, output = run(
        jisui, "2.jpg", "3.jpg", "-o", "wide.jpg", "--combine", "--strip-direction", "horizontal",
        "--direction", "rtl", folder=folder)
    expect(status == 0, output)
    pages.insert(3, (folder / "wide.jpg").read_bytes())
    path = folder / "book.cbz"
    with zipfile.ZipFile(path, "w") as archive:
        for number, page in enumerate(pages, 1):
            archive.writestr(f"{number}.jpg", page)
        archive.writestr("ComicInfo.xml", COMIC_INFO)
    return path


def local(element):
    return element.tag.split("}")[-1]


def judge_epub(path, pages):
    if available("java") and available("epubcheck"):
        # Debian's program is a jar, which only some kernels start by its name.
        _, output = run("java", "-jar", shutil.which("epubcheck"), path)
        expect("EPUBCheck" in output, output[-300:])
        faults = [line for line in output.splitlines() if re.match("ERROR|FATAL", line)]
        faults = [line for line in faults if not UNKNOWN_TO_EPUBCHECK.search(line)]
        expect(not faults, f"epubcheck: {faults[:3]}")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        package = next(name for name in names if name.endswith(".opf"))
        base = pathlib.PurePosixPath(package).parent
        root = ElementTree.fromstring(archive.read(package))
        places = {item.get("id"): str(base / item.get("href")) for item in root.iter() if local(item) == "item"}
        spine = next(element for element in root.iter() if local(element) == "spine")
        expect(spine.get("page-progression-direction") == "rtl", "direction")
        images, sides = [], []
        for reference in spine:
            document = places[reference.get("idref")]
            text = archive.read(document).decode()
            found = re.search(r'(?:xlink:href|src)="([^"]+\.(?:jpe?g|png|gif|webp))"', text)
            target = os.path.normpath(pathlib.PurePosixPath(document).parent / found.group(1))
            images.append(archive.read(target))
            side = re.search("page-spread-(left|right|center)", reference.get("properties") or "")
            sides.append(side.group(1) if side else None)
        expect(images == pages, "pages differ")
        # After a cover that stands alone, the right page of a spread is read first.
        expect(sides[1:3] == ["right", "left"], f"sides {sides}")
        contents = archive.read(places[next(item.get("id") for item in root.iter()
                                            if local(item) == "item" and "nav" in (item.get("properties") or ""))]).decode()
        expect(all(title in contents for title in TITLES), "table of contents")


def judge_azw3(path, pages):
    folder = path.parent / "mobi"
    folder.mkdir()
    if judged("mobitool", "-s", "-o", folder, path):
        unpacked = folder / f"{path.stem}_markup"
        found = [file.read_bytes() for file in sorted(unpacked.glob("resource*")) if file.suffix in (".jpg", ".png", ".gif")]
        small = [page for page in pages if len(page) <= 127 << 10]
        expect([image for image in found if image in small] == small, "mobitool: pages")
        package = next(unpacked.glob("*.opf")).read_text()
        expect("horizontal-rl" in package, "mobitool: direction")
        contents = next(unpacked.glob("*.ncx")).read_text()
        expect(all(title in contents for title in TITLES), "mobitool: table of contents")
    if available("ebook-convert"):
        output = path.parent / "calibre.epub"
        judged("ebook-convert", path, output, "--output-profile", "tablet")
        with zipfile.ZipFile(output) as archive:
            found = [archive.read(name) for name in archive.namelist() if re.search(r"\.(jpe?g|png|gif)$", name)]
            # Of large PNGs, calibre takes the smaller copies.
            same = [page for page in pages if page[:2] == b"\xff\xd8" or len(page) <= 127 << 10]
            expect(all(page in found for page in same), "calibre: pages")
            contents = " ".join(archive.read(name).decode() for name in archive.namelist() if name.endswith(".ncx"))
            expect(all(title in contents for title in TITLES), "calibre: table of contents")
    try:
        import mobi
    except ImportError:
        missing.add("mobi of PyPI (KindleUnpack)")
        return
    folder, _ = mobi.extract(str(path))
    try:
        package = next(pathlib.Path(folder).rglob("content.opf")).read_text()
        sides = re.findall("<itemref[^>]*page-spread-(left|right|center)", package)
        expect(sides[:2] == ["right", "left"] or sides[1:3] == ["right", "left"], f"KindleUnpack: sides {sides}")
        expect('page-progression-direction="rtl"' in package, "KindleUnpack: direction")
        found = [file.read_bytes() for file in pathlib.Path(folder).rglob("*") if file.suffix in (".jpeg", ".jpg", ".png", ".gif")]
        expect(all(page in found for page in pages), "KindleUnpack: pages")
    finally:
        shutil.rmtree(folder)


def judge_cbz(path, pages):
    judged("unzip", "-tq", path)
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if not name.endswith(".xml")]
        expect([archive.read(name) for name in sorted(names)] == pages, "pages differ")
        info = archive.read("ComicInfo.xml").decode()
        expect("YesAndRightToLeft" in info and all(title in info for title in TITLES), "ComicInfo.xml")
        expect('DoublePage="true"' in info.lower().replace("doublepage", "DoublePage"), "double page")


def judge_pdf(path, pages):
    judged("qpdf", "--check", path)
    information = judged("pdfinfo", path)
    expect(not information or re.search(rf"Pages: +{len(pages)}\b", information), "number of pages")
    if available("pdfimages"):
        folder = path.parent / "images"
        folder.mkdir()
        judged("pdfimages", "-all", path, folder / "image")
        found = [file.read_bytes() for file in sorted(folder.iterdir())]
        expect(len(found) == len(pages), "number of images")
        for page, image in zip(pages, found):
            # poppler encodes PNGs again.
            expect(page == image or page[:2] != b"\xff\xd8", "pages differ")
    if available("qpdf"):
        plain = path.parent / "plain.pdf"
        judged("qpdf", "--qdf", "--object-streams=disable", path, plain)
        data = plain.read_bytes()
        expect(b"/R2L" in data, "direction")
        expect(all(f"({title})".encode() in data for title in TITLES), "table of contents")


def judge_xtc(path, pages):
    data = path.read_bytes()
    number = lambda place, count: int.from_bytes(data[place : place + count], "little")
    expect(data[:4] == (b"XTCH" if path.suffix == ".xtch" else b"XTC\0"), "mark")
    expect(number(6, 2) == len(pages) and data[8] == 1, "number of pages, direction")
    table, chapters = number(24, 8), number(48, 8)
    titles = [data[place : place + 80].split(b"\0")[0].decode() for place in range(chapters, table, 96)]
    expect(titles == TITLES, f"chapters {titles}")
    expect([number(place + 80, 2) for place in range(chapters, table, 96)] == [1, 4, 5], "pages of chapters")
    end = number(32, 8)
    for entry in range(table, table + 16 * len(pages), 16):
        expect(number(entry, 8) == end, "gap between pages")
        size, width, height = number(entry + 8, 4), number(entry + 12, 2), number(entry + 14, 2)
        expect(size == 22 + width * height // 8 * (2 if path.suffix == ".xtch" else 1), "size of a page")
        expect(len(set(data[end + 22 : end + size])) > 2, "an empty page")
        end += size
    expect(end == len(data), "end of the file")


JUDGES = {"epub": judge_epub, "azw3": judge_azw3, "cbz": judge_cbz, "pdf": judge_pdf, "xtc": judge_xtc, "xtch": judge_xtc}


def check(jisui, device, book, known):
    """Converts the book for a device. Returns the name of the output, and the failure or None."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(book, folder / "book.cbz")
        status, output = run(jisui, "book.cbz", "--device", device, folder=folder)
        expect(status in (0, 3), f"status {status}: {output}")
        result = next(file for file in folder.iterdir() if file.name != "book.cbz")
        status, output = run(jisui, "book.cbz", "--device", device, "-o", "pages/", "--to", "folder", folder=folder)
        expect(status in (0, 3), output)
        pages = [file.read_bytes() for file in sorted((folder / "pages").iterdir())]
        digest = hashlib.sha256(result.read_bytes()).hexdigest()
        if digest not in known:
            try:
                JUDGES[result.suffix[1:]](result, pages)
                known[digest] = None
            except Failure as failure:
                known[digest] = str(failure)
        return result.name, known[digest]


def main():
    jisui = os.path.abspath(sys.argv[1])
    _, listed = run(jisui, "devices", "--json")
    profiles = json.loads(listed)["profiles"]
    devices = [profile["id"] for profile in profiles if "to" in profile["settings"]]
    print("no format that jisui writes:", ", ".join(profile["id"] for profile in profiles if profile["id"] not in devices))
    failures, known, formats = 0, {}, {}
    with tempfile.TemporaryDirectory() as folder:
        book = make_book(jisui, pathlib.Path(folder))
        for device in sys.argv[2:] or devices:
            try:
                name, failure = check(jisui, device, book, known)
                formats.setdefault(pathlib.Path(name).suffix[1:], []).append(device)
            except Failure as error:
                name, failure = "", str(error)
            failures += failure is not None
            print(f"{'FAILED' if failure else 'ok':7}{device:32}{name} {failure or ''}", flush=True)
    for ending, names in sorted(formats.items()):
        print(f"{ending}: {len(names)} devices")
    print(f"{len(known)} different outputs, {failures} failures")
    if missing:
        print("missing:", ", ".join(sorted(missing)))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
