"""DjVu books of several files, limits, and the wire of jisui-source-djvu; and broken and hostile DjVu.

That is refused or named; nothing crashes, hangs, or becomes a white page.
"""

import os
import pathlib
import struct
import subprocess
import time

from djvu_case import PROGRAM, SANITIZED, DjVuTests, chunk, chunks_of, directory, fixture, form, from_rows, given, page_of, run, source
from host import Host, Refused


class BooksTests(DjVuTests):
    """Books of several files, several processes, limits. Each page is read in any order by `plugin check`."""

    def indirect(self, name="book"):
        run("djvmcvt", "-i", fixture(name), self.folder, "index.djvu")
        return self.folder / "index.djvu"

    def test_an_indirect_book_is_read_as_the_bundle(self):
        # Also from a folder with any name.
        folder = pathlib.Path(os.fsdecode(os.fsencode(self.folder) + b"/\xff %41 \xc3\xa9#"))
        self.indirect()
        files = list(self.folder.glob("*.*"))
        folder.mkdir()
        for path in files:
            path.rename(folder / path.name)
        book, bundle = self.opened(folder / "index.djvu"), self.opened("book")
        assert book.pages == bundle.pages
        for page in bundle.pages:
            data, end = bundle.give(page)
            # A JPEG lies in the input only of a bundle.
            assert book.give(page) == (data, {"ok": True, "bytes": len(data)} if "span" in end else end)
            for ask in ("examine", "text", "links"):
                assert book.ask(ask, id=page) == bundle.ask(ask, id=page)

    def test_a_page_of_an_indirect_book_by_itself(self):
        self.indirect("shared")
        page = self.folder / "2.djvu"
        assert self.opened(page).give(1) == self.opened("shared").give(2)
        (self.folder / "1.iff").unlink()
        self.refused("unreadable", self.opened(page).give, 1, says="1.iff")

    def test_files_that_are_missing_or_wrong(self):
        index = self.indirect()
        for name in ("mask.djvu", "jpeg.djvu"):
            (self.folder / name).unlink()
        (self.folder / "wavelets.djvu").write_bytes(b"<html>not found</html>")
        os.mkfifo(self.folder / "jpeg.djvu")
        book = self.opened(index)
        self.refused("unreadable", book.examine, 1, says="mask.djvu, which is missing beside the book")
        self.refused("damaged", book.give, 3, says="missing from the file")
        self.refused("unreadable", book.give, 4, says="jpeg.djvu, which is missing")
        assert book.give(5)[1]["format"] == "gray1"
        (self.folder / "shared_anno.iff").unlink()
        self.refused("unreadable", self.opened(index).give, 5, says="shared_anno.iff, which is missing")

    def test_names_outside_the_folder_are_refused(self):
        self.path("outside.iff", form("DJVI", chunk("TXTa", b"")))
        page = self.path("inner/page.djvu", page_of(chunk("INCL", b"../outside.iff"), chunks_of("mask", "Sjbz")))
        self.refused("damaged", self.opened, page, says="Malformed INCL")
        # An identifier with a path in it is shortened to the name: there is no such file in the folder.
        self.path("mask.djvu", fixture("mask").read_bytes())
        book = self.opened(self.path("inner/index.djvu", directory("../mask.djvu")))
        self.refused("unreadable", book.give, 1, says="missing beside the book")

    def test_limits(self):
        book = self.opened("book", limits={"pixels": 48 * 64, "bytes": 3 * 48 * 64})
        for page in book.pages:
            book.give(page)
        book.give(2, dpi=299)
        self.refused("too-large", book.give, 2, dpi=330, says="more than the limit of 3072")
        self.refused("too-large", book.give, 2, dpi=1e300, says="limit")
        for page, most in [(1, 384), (2, 3 * 48 * 64), (3, 3 * 48 * 64), (4, len(chunks_of("jpeg", "BGjp")) - 9)]:
            self.opened("book", limits={"bytes": most}).give(page)
            less = self.opened("book", limits={"bytes": most - 1})
            self.refused("too-large", less.give, page, says="more bytes than the limit")

    def test_memory_and_files_level_off(self):
        # Pages in files of their own that share notes: photos that take a megabyte each when they are decoded.
        run("c44", self.path("in.ppm", b"P6 320 320 255\n" + bytes(range(256)) * 1200), self.path("photo.djvu"))
        kinds, whole = [fixture("layers"), *[self.path("photo.djvu")] * 3], self.path("whole.djvu")
        run("djvm", "-c", whole, *(self.path(f"{number}.djvu", kinds[number % 4].read_bytes()) for number in range(40)))
        run("djvused", whole, "-f", self.path("notes", b'create-shared-ant\nset-ant\n(metadata (title "x"))\n.\nsave\n'))
        run("djvmcvt", "-i", whole, self.folder, "index.djvu")
        book, used = self.opened(self.folder / "index.djvu", memory=None), []
        for page in book.pages:
            for ask in ("examine", "text", "links"):
                book.ask(ask, id=page)
            book.give(page)
            used.append(book.usage())
        (memory, files), (memory_at_last, files_at_last) = used[9], used[39]
        assert files == files_at_last
        assert SANITIZED or memory_at_last - memory < 4 << 20


class WireTests(DjVuTests):
    """What docs/dev/plugin-protocol.md asks of this program beyond what it asks of every one, which `plugin check` judges."""

    def test_other_surroundings(self):
        without_descriptors = subprocess.run([PROGRAM], capture_output=True, env={"JISUI_PLUGIN": "1"}, stdin=subprocess.DEVNULL)
        assert without_descriptors.returncode == 69
        host = self.running(Host(PROGRAM, fixture("mask")))
        self.refused("unsupported", host.hello, role="sink", says="as a source")
        self.refused("usage", host.hello, settings={"djvu-layer": "back"}, says="djvu-layer")

    def test_invalid_requests_with_a_book(self):
        book = self.running(source("mask"))
        self.refused("usage", book.give, 1, says="no book is open")
        book.open()
        expected = book.give(1)
        for noise in [b"\n", b"garbage\n", b"[]\n", b"\xff\xfe\n", b'{"ask":1}\n', b"x" * (1 << 20) + b"\n",
                      b" " * (1 << 16) + b'{"ask":"examine","id":1}\n', b"[" * 5000 + b"\n"]:
            book.send(noise)
            self.refused("usage", book.answer)
        for page in (0, 2, -1 << 60):
            self.refused("usage", book.give, page, says="no page of the book")
        self.refused("usage", book.give, 1, way=1, says="no such representation")
        assert book.give(1, color="blue", more=[{"a": None}]) == expected

    def test_requests_and_answers_in_pieces(self):
        # Two requests in one, and an answer of more than a socket holds, which is read late.
        book = self.opened(self.with_text(f'(page 0 0 48 64 (line 0 0 48 64 "{"many words " * 30000}"))'))
        book.send(b'{"ask":"exam')
        book.send(b'ine","id":1}\n{"ask":"examine","id":1}\n')
        assert book.answer() == book.answer()
        book.send({"ask": "text", "id": 1})
        time.sleep(1)
        assert sum(len(line["line"]) for line in book.answer()[0]) == 60000
        assert book.give(1)[1]["bytes"] == 384

    def test_the_end_comes_at_any_time(self):
        for cut in [b"", b'{"ask":"re', b'{"ask":"read","id":2,"representation":0}\n' * 20]:
            book = self.opened("book")
            book.send(cut)
            assert book.close() == 0, cut


def result(ask, *arguments, **keys):
    """What a request gives, or its refusal."""
    try:
        return ask(*arguments, **keys)
    except Refused as refused:
        return refused


class DamageTests(DjVuTests):
    def pages(self, path):
        """What becomes of each page: its bytes, or the error; or the error of the book."""
        with source(path, patience=30) as book:
            found = result(book.open)
            if not isinstance(found, Refused):
                found = {}
                for page in book.pages:
                    examined = result(book.examine, page)
                    found[page] = examined if isinstance(examined, Refused) else result(book.give, page)
                    for ask in ("text", "links"):
                        result(book.ask, ask, id=page)
                assert book.close() == 0
            return found

    def refusal(self, data):
        """That of a book of one page. What is known only when the page is looked at is told then."""
        found = self.pages(self.path("in.djvu", data))
        refused = found if isinstance(found, Refused) else found[1]
        assert isinstance(refused, Refused)
        return refused

    def test_refusals(self):
        mask, back, fore = (chunks_of("layers", name) for name in ("Sjbz", "BG44", "FG44"))
        info = page_of()[16:]
        for code, words, data in [
            ("damaged", "empty file", b""), ("damaged", "not a DjVu", b"AT&TFORM"), ("damaged", "not a DjVu", b"x" * 100),
            ("encrypted", "SecureDjVu", b"SDJVFORM" + b"x" * 99), ("empty", "part of a DjVu", form("DJVI", b"")),
            ("unsupported", "DjVu 2", form("DJVM", chunk("DIR0", b"\0" * 20))), ("damaged", "", form("JUNK", b"")),
            # Impossible pages
            ("damaged", "how large", form("DJVU", mask)), ("damaged", "INFO", page_of(info, mask)),
            ("damaged", "Sjbz", page_of(mask, mask)), ("damaged", "BGjp", page_of(chunk("BGjp", b"junk"))),
            ("damaged", "large it is", page_of(mask, size=(0, 64))), ("damaged", "background", page_of(back, size=(49, 80))),
            ("damaged", "colors for its print that do not",
             page_of(mask, fore.replace(struct.pack(">HH", 12, 16), b"\0\x0b\0\x10"), back)),
            ("damaged", "no print", page_of(fore)), ("damaged", "FGbz", page_of(mask, chunk("FGbz", b"\0\1\0"), back)),
            ("damaged", "not what the book says", page_of(chunk("INCL", b"in.djvu"), mask)),
            ("damaged", "decoded", page_of(mask, size=(48, 65))),
            ("damaged", "Mangled chunk", page_of(chunks_of("jpeg", "BGjp")[:-2])),
            ("unsupported", "", page_of(chunk("BG2k", b"jp2"))), ("encrypted", "", page_of(chunk("CELX", b"x"))),
            ("unsupported", "", page_of(chunk("ABCD", b"x"))),
        ]:
            refused = self.refusal(data)
            assert refused.code == code and words in refused.message

    def test_print_that_decodes_to_nothing(self):
        # A changed bit at the beginning can end the print there. What is left are bytes without a use.
        blank = self.mask_of(48, 64, bytes(6 * 64))
        assert set(given(self.opened(blank))[0].tobytes()) == {255}
        refused = self.refusal(page_of(chunk("Sjbz", chunks_of(blank, "Sjbz")[8:] + b"\x5a" * 40)))
        assert (refused.code, "decodes to an empty page" in refused.message) == ("damaged", True), refused.message

    def test_parts_that_include_each_other(self):
        # In a circle, or each has the next one sixty times: walked one by one, 60^6 of them.
        names = [f"{number}.iff" for number in range(7)]
        for times, last in [(60, b""), (1, b"0.iff")]:
            for name, next_name in zip(names, names[1:]):
                self.path(name, form("DJVI", chunk("INCL", next_name.encode()) * times))
            self.path(names[-1], form("DJVI", chunk("INCL", last) if last else b""))
            self.path("page.djvu", page_of(chunk("INCL", b"0.iff"), chunks_of("mask", "Sjbz")))
            refused = self.refusal(directory("page.djvu", *names))
            assert (refused.code, refused.message) == ("damaged", "includes parts without end")

    def test_a_chunk_that_leaves_its_page(self):
        data = bytearray(fixture("book").read_bytes())
        data[data.index(b"BGjp") + 7] += 2
        found, intact = self.pages(self.path("in.djvu", data)), self.pages("book")
        error = found.pop(4)
        assert (error.code, error.message) == ("damaged", "has a chunk BGjp that is cut off")
        assert found == {page: intact[page] for page in (1, 2, 3, 5)}

    def test_truncated(self):
        whole, intact, named = fixture("book").read_bytes(), self.pages("book"), 0
        for cut in range(1, len(whole), 59 if SANITIZED else 19):
            found = self.pages(self.path("in.djvu", whole[:cut]))
            if isinstance(found, Refused):
                named += 1
                continue
            kept = {page: data for page, data in found.items() if not isinstance(data, Refused)}
            assert len(found) == 5 > len(kept), f"{cut} bytes look whole"
            assert kept == {page: intact[page] for page in kept}, f"pages of {cut} bytes"
        assert named > 2

    def test_flipped(self):
        # Coded data has no check sums: what is left may be another picture, but it is one of the right size, and not a white one.
        for name in ["mask", "fax", "layers", "palette", "wavelets", "book", "iw44"]:
            whole = fixture(name).read_bytes()
            for place in range(0, len(whole), max(1, len(whole) // (15 if SANITIZED else 40))):
                data = bytearray(whole)
                data[place] ^= 1 << place % 8
                found = self.pages(self.path("in.djvu", data))
                if isinstance(found, Refused):
                    assert found.message
                    continue
                for page, given in found.items():
                    if isinstance(given, Refused) or "bytes" not in given[1] or (name == "book" and page == 5):
                        continue
                    assert set(from_rows(*given).tobytes()) != {255}, f"page {page} of {name}, changed at {place}"

    def test_sizes_that_would_fill_the_memory(self):
        jb2, most = chunks_of("mask", "Sjbz"), (65535, 65535)
        waves = chunks_of("wavelets", "BG44").replace(struct.pack(">HH", 48, 64), struct.pack(">HH", *most))
        for data in [page_of(jb2, size=most), page_of(waves, size=most), form("PM44", waves.replace(b"BG44", b"PM44")), page_of(waves),
                     page_of(jb2, waves.replace(b"BG44", b"FG44"))]:
            assert self.refusal(data).code in ("too-large", "damaged")
