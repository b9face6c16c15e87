"""DjVu books of several files, several processes, limits; and the wire of jisui-source-djvu."""

import os
import pathlib
import subprocess
import time

from djvu_case import Case, PROGRAM, SANITIZED, chunk, chunks_of, directory, fixture, form, info, opened, run, source
from host import Host


class Books(Case):
    """Books of several files, several processes, limits."""

    def indirect(self, name="book"):
        run("djvmcvt", "-i", fixture(name), self.folder, "index.djvu")
        return self.folder / "index.djvu"

    def test_an_indirect_book_is_read_as_the_bundle(self):
        index = self.indirect()
        with opened(index) as book, opened(fixture("book")) as bundle:
            self.assertEqual(book.pages, bundle.pages)
            for page in bundle.pages:
                data, end = bundle.give(page)
                # A JPEG lies in the input only of a bundle.
                expected = {"ok": True, "bytes": len(data)} if "span" in end else end
                self.assertEqual(book.give(page), (data, expected))
                self.assertEqual(book.examine(page), bundle.examine(page))
                for ask in ("text", "links"):
                    self.assertEqual(book.ask(ask, id=page), bundle.ask(ask, id=page))

    def test_a_page_of_an_indirect_book_by_itself(self):
        run("djvmcvt", "-i", fixture("shared"), self.folder, "index.djvu")
        with opened(self.folder / "2.djvu") as page, opened(fixture("shared")) as bundle:
            self.assertEqual(page.give(1), bundle.give(2))
        (self.folder / "1.iff").unlink()
        with source(self.folder / "2.djvu") as page:
            page.open()
            self.assert_refused("unreadable", "1.iff", page.give, 1)

    def test_folders_of_any_name(self):
        folder = os.fsencode(self.folder) + b"/\xff %41 \xc3\xa9#"
        os.mkdir(folder)
        self.indirect()
        for path in self.folder.glob("*.*"):
            os.rename(path, folder + b"/" + os.fsencode(path.name))
        with opened(os.fsdecode(folder) + "/index.djvu") as book, opened(fixture("book")) as bundle:
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
        inner = self.folder / "inner"
        inner.mkdir()
        page = form("DJVU", info(48, 64), chunk("INCL", b"../outside.iff"), chunks_of(fixture("mask"), "Sjbz"))
        (inner / "page.djvu").write_bytes(page)
        (self.folder / "outside.iff").write_bytes(form("DJVI", chunk("TXTa", b"")))
        with source(inner / "page.djvu") as book:
            self.assert_refused("damaged", "Malformed INCL", book.open)
        # An identifier with a path in it is shortened to the name: there is no such file in the folder.
        (self.folder / "mask.djvu").write_bytes(pathlib.Path(fixture("mask")).read_bytes())
        (inner / "index.djvu").write_bytes(directory("../mask.djvu"))
        with opened(inner / "index.djvu") as book:
            self.assert_refused("unreadable", "missing beside the book", book.give, 1)

    def test_the_same_bytes_in_any_order(self):
        with opened(fixture("book")) as book, opened(fixture("book")) as other:
            expected = {page: book.give(page) for page in book.pages}
            for page in [5, 4, 3, 2, 1, 3, 3, 1, 5, 2, 2, 4]:
                self.assertEqual(other.give(page), expected[page])

    def test_limits(self):
        with opened(fixture("book"), limits={"pixels": 48 * 64, "bytes": 3 * 48 * 64}) as book:
            for page in book.pages:
                book.give(page)
            self.assert_refused("too-large", "more than the limit of 3072", book.give, 2, dpi=330)
            book.give(2, dpi=299)
            self.assert_refused("too-large", "limit", book.give, 2, dpi=1e300)
        jpeg = len(chunks_of(fixture("jpeg"), "BGjp")) - 9
        for page, most in [(1, 384), (2, 3 * 48 * 64), (3, 3 * 48 * 64), (4, jpeg)]:
            with opened(fixture("book"), limits={"bytes": most}) as book:
                book.give(page)
            with opened(fixture("book"), limits={"bytes": most - 1}) as book:
                self.assert_refused("too-large", "more bytes than the limit", book.give, page)

    def test_memory_and_files_level_off(self):
        # Pages in files of their own that share notes: photos that take a megabyte each when they are decoded.
        picture = self.path("in.ppm", b"P6 320 320 255\n" + bytes(range(256)) * 1200)
        run("c44", picture, self.folder / "photo.djvu")
        parts = []
        for number in range(40):
            kind = self.folder / "photo.djvu" if number % 4 else pathlib.Path(fixture("layers"))
            parts.append(self.path(f"{number}.djvu", kind.read_bytes()))
        run("djvm", "-c", self.folder / "book.djvu", *parts)
        notes = self.path("notes", b'create-shared-ant\nset-ant\n(metadata (title "x"))\n.\nsave\n')
        run("djvused", self.folder / "book.djvu", "-f", notes)
        run("djvmcvt", "-i", self.folder / "book.djvu", self.folder, "index.djvu")
        with opened(self.folder / "index.djvu", memory=None) as book:
            def look_at(pages):
                for page in pages:
                    book.examine(page)
                    book.give(page)
                    book.ask("text", id=page)
                    book.ask("links", id=page)

            look_at(range(1, 11))
            memory, files = book.memory(), book.files()
            look_at(range(11, 41))
            self.assertEqual(book.files(), files)
            if not SANITIZED:
                self.assertLess(book.memory() - memory, 4 << 20)


class Wire(Case):
    """What docs/dev/plugin-protocol.md asks of this program beyond what it asks of every one."""

    def test_by_hand(self):
        done = subprocess.run([PROGRAM], capture_output=True, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stdout), (64, b""))
        self.assertIn(b"plug-in of jisui", done.stderr)
        missing = subprocess.run([PROGRAM], capture_output=True, env={"JISUI_PLUGIN": "1"}, stdin=subprocess.DEVNULL)
        self.assertEqual(missing.returncode, 69)

    def test_other_roles_and_settings(self):
        with Host(PROGRAM, fixture("mask")) as host:
            self.assert_refused("unsupported", "as a source", host.hello, role="sink")
            self.assert_refused("usage", "djvu-layer", host.hello, settings={"djvu-layer": "back"})

    def test_invalid_requests_with_a_book(self):
        with source(fixture("mask")) as book:
            self.assert_refused("usage", "no book is open", book.give, 1)
            book.open()
            expected = book.give(1)
            for noise in [b"\n", b"garbage\n", b"[]\n", b"\xff\xfe\n", b'{"ask":1}\n', b"x" * (1 << 20) + b"\n",
                          b" " * (1 << 16) + b'{"ask":"examine","id":1}\n', b"[" * 5000 + b"\n"]:
                book.send(noise)
                self.assert_refused("usage", "", book.answer)
            self.assert_refused("unsupported", "", book.ask, "dance")
            self.assert_refused("usage", "no page of the book", book.give, 0)
            self.assert_refused("usage", "no page of the book", book.give, 2)
            self.assert_refused("usage", "no page of the book", book.give, -1 << 60)
            self.assert_refused("usage", "no such representation", book.give, 1, way=1)
            self.assertEqual(book.give(1, color="blue", more=[{"a": None}]), expected)

    def test_a_request_in_pieces_and_two_in_one(self):
        with opened(fixture("mask")) as book:
            book.send(b'{"ask":"exam')
            book.send(b'ine","id":1}\n{"ask":"examine","id":1}\n')
            self.assertEqual(book.answer(), book.answer())

    def test_the_end_comes_at_any_time(self):
        with source(fixture("mask")) as book:
            self.assertEqual(book.close(), 0)
        for cut in [b"", b'{"ask":"re', b'{"ask":"read","id":2,"representation":0}\n' * 20]:
            book = opened(fixture("book"))
            book.send(cut)
            self.assertEqual(book.close(), 0, cut)

    def test_a_host_that_reads_late(self):
        # An answer of more than a socket holds.
        with opened(self.with_text(f'(page 0 0 48 64 (line 0 0 48 64 "{"many words " * 30000}"))')) as book:
            book.send({"ask": "text", "id": 1})
            time.sleep(1)
            lines, _ = book.answer()
            self.assertEqual(sum(len(line["line"]) for line in lines), 60000)
            self.assertEqual(book.give(1)[1]["bytes"], 384)
