#!/usr/bin/env python3
"""Measures how much memory and time it takes to refuse XML that is made to do harm.

    Benchmarks/hostile_metadata.py --jisui .build/release/jisui

Every document that jisui reads is replaced by each attack: those beside the pages of a folder and of a zip, those of an EPUB,
the XMP packet of a PDF, and the file of --metadata. Each run must end with one line for it and take less than 200 MB.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import zipfile

MOST_BYTES = 200_000_000
MEASURE = """
import os, sys
pid = os.fork()
if pid == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status))
"""
FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Fixtures")


def attacks(root):
    laughs = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
    yield "laughs", f"<!DOCTYPE {root} [<!ENTITY l0 'ha'>{laughs}]><{root}>&l9;</{root}>"
    yield "entity", f"<!DOCTYPE {root} [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><{root}>&x;</{root}>"
    yield "levels", f"<{root}>{'<a>' * 100_000}{'</a>' * 100_000}</{root}>"
    yield "text", f"<{root}>{'x' * (20 << 20)}</{root}>"
    yield "attribute", f"<{root} a='{'x' * (20 << 20)}'/>"
    yield "attributes", f"<{root} {' '.join(f'a{n}=' + chr(34) * 2 for n in range(200_000))}/>"
    yield "elements", f"<{root}>{'<a/>' * 1_000_000}</{root}>"


def pdf(packet):
    """A PDF of one empty page with this XMP packet."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
        b"<</Type/Metadata/Subtype/XML/Length %d>>stream\n%s\nendstream" % (len(packet), packet),
    ]
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(out) + b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jisui", default=".build/release/jisui")
    jisui = os.path.abspath(parser.parse_args().jisui)
    page = os.path.join(FIXTURES, "made/rgb.jpg")
    failures = 0

    def run(name, *arguments):
        """Prints a row."""
        nonlocal failures
        began = time.monotonic()
        # Its peak would begin with this program's own, of which it is a copy at first.
        child = subprocess.run([sys.executable, "-S", "-c", MEASURE, jisui, *arguments], capture_output=True, text=True)
        said = child.stderr
        peak, status = map(int, child.stdout.split())
        lines = [line for line in said.splitlines() if line.startswith("jisui:")]
        isRight = len(lines) == 1 and peak < MOST_BYTES and status in (1, 3)
        failures += not isRight
        print(f"{name:42} {peak / 1e6:6.0f} MB {time.monotonic() - began:6.2f} s  "
              f"{'' if isRight else 'WRONG '}{lines[0][:90] if lines else said[:90]!r}")

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        # A book that is read without harm, for comparison.
        os.mkdir("plain")
        os.symlink(page, "plain/1.jpg")
        subprocess.run([jisui, "plain", "-o", "plain.epub"], check=True, capture_output=True)
        with zipfile.ZipFile("plain.epub") as archive:
            parts = [(name, archive.read(name)) for name in archive.namelist()]
        for document in ("ComicInfo.xml", "MetronInfo.xml", "book.acbf"):
            root = "ACBF" if document == "book.acbf" else document[:-4]
            for attack, text in attacks(root):
                os.makedirs("comic", exist_ok=True)
                if not os.path.exists("comic/1.jpg"):
                    os.symlink(page, "comic/1.jpg")
                with open(f"comic/{document}", "w") as file:
                    file.write(text)
                run(f"folder, {document}: {attack}", "comic", "-o", "a.cbz", "--force")
                with zipfile.ZipFile("comic.cbz", "w", zipfile.ZIP_DEFLATED) as archive:
                    archive.write(page, "1.jpg")
                    archive.writestr(document, text)
                run(f"zip, {document}: {attack}", "comic.cbz", "-o", "a.cbz", "--force")
                run(f"--metadata, {document}: {attack}", "plain", "-o", "a.cbz", "--force", "--metadata",
                    f"comic/{document}")
                os.remove(f"comic/{document}")
        for document in ("META-INF/container.xml", "item/standard.opf", "item/navigation-documents.xhtml",
                         "item/xhtml/p-cover.xhtml"):
            for attack, text in attacks("html"):
                with zipfile.ZipFile("book.epub", "w") as archive:
                    for name, bytes_ in parts:
                        method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
                        archive.writestr(name, text if name == document else bytes_, method)
                run(f"EPUB, {document.rsplit('/')[-1]}: {attack}", "book.epub", "-o", "a.cbz", "--force")
        for attack, text in attacks("xmpmeta"):
            with open("a.pdf", "wb") as file:
                file.write(pdf(text.encode()))
            run(f"PDF, XMP: {attack}", "a.pdf", "-o", "a.cbz", "--force")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
