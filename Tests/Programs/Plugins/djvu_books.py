"""DjVu books of several files, several processes, limits; and the wire of jisui-source-djvu."""

import os
import pathlib
import subprocess
import time

from djvu_case import Case, PROGRAM, SANITIZED, chunk, chunks_of, directory, fixture, form, opened, page_of, run, source
from host import Host


class Books(Case):
    """Books of several files, several processes, limits. Each page is read in any order by `plugin check`."""

    def indirect(self, name="book"):
        run("djvmcvt", "-i", fixture(name), self.folder, "index.djvu")
        return self.folder / "index.djvu"

    def test_an_indirect_book_is_read_as_the_bundle(self):
        with opened(self.indirect()) as book, opened("book") as bundle:
            self.assertEqual(book.pages, bundle.pages)
            for page in bundle.pages:
                data, end = bundle.give(page)
                # A JPEG lies in the input only of a bundle.
                self.assertEqual(book.give(page), (data, {"ok": True, "bytes": len(data)} if "span" in end else end))
                for ask in ("examine", "text", "links"):
                    self.assertEqual(book.ask(ask, id=page), bundle.ask(ask, id=page))

    def test_a_page_of_an_indirect_book_by_itself(self):
        self.indirect("shared")
        with opened(self.folder / "2.djvu") as page, opened("shared") as bundle:
            self.assertEqual(page.give(1), bundle.give(2))
        (self.folder / "1.iff").unlink()
        with opened(self.folder / "2.djvu") as page:
            self.assert_refused("unreadable", "1.iff", page.give, 1)

    def test_folders_of_any_name(self):
        folder = pathlib.Path(os.fsdecode(os.fsencode(self.folder) + b"/\xff %41 \xc3\xa9#"))
        self.indirect()
        files = list(self.folder.glob("*.*"))
        folder.mkdir()
        for path in files:
            path.rename(folder / path.name)
        with opened(folder / "index.djvu") as book, opened("book") as bundle:
            for page in bundle.pages:
                self.assertEqual(book.give(page)[0], bundle.give(page)[0])

    def test_files_that_are_missing_or_wrong(self):
        index = self.indirect()
        (self.folder / "mask.djvu").unlink()
        (self.folder / "wavelets.djvu").write_bytes(b"<html>not found</html>")
        (self.folder / "jpeg.djvu").unlink()
        os.mkfifo(self.folder / "jpeg.djvu")
        with opened(index) as book:
            self.assert_refused("unreadable", "mask.djvu, which is missing beside the book", book.examine, 1)
            self.assert_refused("damaged", "missing from the file", book.give, 3)
            self.assert_refused("unreadable", "jpeg.djvu, which is missing", book.give, 4)
            self.assertEqual(book.give(5)[1]["format"], "gray1")
        (self.folder / "shared_anno.iff").unlink()
        with opened(index) as book:
            self.assert_refused("unreadable", "shared_anno.iff, which is missing", book.give, 5)

    def test_names_outside_the_folder_are_refused(self):
        self.path("outside.iff", form("DJVI", chunk("TXTa", b"")))
        page = self.path("inner/page.djvu", page_of(chunk("INCL", b"../outside.iff"), chunks_of("mask", "Sjbz")))
        with source(page) as book:
            self.assert_refused("damaged", "Malformed INCL", book.open)
        # An identifier with a path in it is shortened to the name: there is no such file in the folder.
        self.path("mask.djvu", fixture("mask").read_bytes())
        with opened(self.path("inner/index.djvu", directory("../mask.djvu"))) as book:
            self.assert_refused("unreadable", "missing beside the book", book.give, 1)

    def test_limits(self):
        with opened("book", limits={"pixels": 48 * 64, "bytes": 3 * 48 * 64}) as book:
            for page in book.pages:
                book.give(page)
            book.give(2, dpi=299)
            self.assert_refused("too-large", "more than the limit of 3072", book.give, 2, dpi=330)
            self.assert_refused("too-large", "limit", book.give, 2, dpi=1e300)
        for page, most in [(1, 384), (2, 3 * 48 * 64), (3, 3 * 48 * 64), (4, len(chunks_of("jpeg", "BGjp")) - 9)]:
            with opened("book", limits={"bytes": most}) as book, opened("book", limits={"bytes": most - 1}) as less:
                book.give(page)
                self.assert_refused("too-large", "more bytes than the limit", less.give, page)

    def test_memory_and_files_level_off(self):
        # Pages in files of their own that share notes: photos that take a megabyte each when they are decoded.
        run("c44", self.path("in.ppm", b"P6 320 320 255\n" + bytes(range(256)) * 1200), self.path("photo.djvu"))
        kinds = [fixture("layers"), *[self.path("photo.djvu")] * 3]
        parts = [self.path(f"{number}.djvu", kinds[number % 4].read_bytes()) for number in range(40)]
        whole = self.path("whole.djvu")
        run("djvm", "-c", whole, *parts)
        run("djvused", whole, "-f", self.path("notes", b'create-shared-ant\nset-ant\n(metadata (title "x"))\n.\nsave\n'))
        run("djvmcvt", "-i", whole, self.folder, "index.djvu")
        with opened(self.folder / "index.djvu", memory=None) as book:
            for page in range(1, 41):
                for ask in ("examine", "text", "links"):
                    book.ask(ask, id=page)
                book.give(page)
                if page == 10:
                    memory, files = book.memory(), book.files()
            self.assertEqual(book.files(), files)
            self.assertTrue(SANITIZED or book.memory() - memory < 4 << 20)


class Wire(Case):
    """What docs/dev/plugin-protocol.md asks of this program beyond what it asks of every one, which `plugin check` judges."""

    def test_without_descriptors(self):
        ended = subprocess.run([PROGRAM], capture_output=True, env={"JISUI_PLUGIN": "1"}, stdin=subprocess.DEVNULL)
        self.assertEqual(ended.returncode, 69)

    def test_other_roles_and_settings(self):
        with Host(PROGRAM, fixture("mask")) as host:
            self.assert_refused("unsupported", "as a source", host.hello, role="sink")
            self.assert_refused("usage", "djvu-layer", host.hello, settings={"djvu-layer": "back"})

    def test_invalid_requests_with_a_book(self):
        with source("mask") as book:
            self.assert_refused("usage", "no book is open", book.give, 1)
            book.open()
            expected = book.give(1)
            for noise in [b"\n", b"garbage\n", b"[]\n", b"\xff\xfe\n", b'{"ask":1}\n', b"x" * (1 << 20) + b"\n",
                          b" " * (1 << 16) + b'{"ask":"examine","id":1}\n', b"[" * 5000 + b"\n"]:
                book.send(noise)
                self.assert_refused("usage", "", book.answer)
            for page in (0, 2, -1 << 60):
                self.assert_refused("usage", "no page of the book", book.give, page)
            self.assert_refused("usage", "no such representation", book.give, 1, way=1)
            self.assertEqual(book.give(1, color="blue", more=[{"a": None}]), expected)

    def test_a_request_in_pieces_and_two_in_one(self):
        with opened("mask") as book:
            book.send(b'{"ask":"exam')
            book.send(b'ine","id":1}\n{"ask":"examine","id":1}\n')
            self.assertEqual(book.answer(), book.answer())

    def test_the_end_comes_at_any_time(self):
        for cut in [b"", b'{"ask":"re', b'{"ask":"read","id":2,"representation":0}\n' * 20]:
            book = opened("book")
            book.send(cut)
            self.assertEqual(book.close(), 0, cut)

    def test_a_host_that_reads_late(self):
        # An answer of more than a socket holds.
        with opened(self.with_text(f'(page 0 0 48 64 (line 0 0 48 64 "{"many words " * 30000}"))')) as book:
            book.send({"ask": "text", "id": 1})
            time.sleep(1)
            self.assertEqual(sum(len(line["line"]) for line in book.answer()[0]), 60000)
            self.assertEqual(book.give(1)[1]["bytes"], 384)
