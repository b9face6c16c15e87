"""Broken and hostile DjVu."""

import pathlib
import struct

from djvu_case import Case, SANITIZED, chunk, chunks_of, directory, fixture, form, from_rows, given, info, opened, run, source
from host import Refused


class Damage(Case):
    """What is broken is refused or named; nothing crashes, hangs, or becomes a white page."""

    def pages(self, path, **more):
        """What becomes of each page: its bytes, or the error; or the error of the book."""
        with source(path, patience=30, **more) as book:
            try:
                book.open()
            except Refused as refused:
                return refused
            found = {}
            for page in book.pages:
                try:
                    book.examine(page)
                    data, end = book.give(page)
                    found[page] = (data, end)
                except Refused as refused:
                    found[page] = refused
                for ask in ("text", "links"):
                    try:
                        book.ask(ask, id=page)
                    except Refused:
                        pass
            self.assertEqual(book.close(), 0)
            return found

    def test_no_djvu(self):
        cases = {b"": ("damaged", "empty file"), b"AT&TFORM": ("damaged", "not a DjVu"), b"x" * 100: ("damaged", "not a DjVu"),
                 b"SDJVFORM" + b"x" * 99: ("encrypted", "SecureDjVu"), form("DJVI", b""): ("empty", "part of a DjVu"),
                 form("DJVM", chunk("DIR0", b"\0" * 20)): ("unsupported", "DjVu 2"),
                 form("JUNK", b""): ("damaged", "")}
        for data, (code, words) in cases.items():
            with self.subTest(data[:20]):
                path = self.path("in.djvu", data)
                found = self.pages(path)
                # What is known only when the page is looked at is told then.
                refused = found if isinstance(found, Refused) else found[1]
                self.assertEqual(refused.code, code, refused.message)
                self.assertIn(words, refused.message)

    def test_print_that_decodes_to_nothing(self):
        # A changed bit at the beginning can end the print there. What is left are bytes without a use.
        self.path("in.pbm", b"P4 48 64\n" + bytes(6 * 64))
        run("cjb2", self.folder / "in.pbm", self.folder / "blank.djvu")
        with opened(self.folder / "blank.djvu") as book:
            self.assertEqual(set(given(book, 1)[0].tobytes()), {255})
        data = chunks_of(self.folder / "blank.djvu", "Sjbz")[8:] + b"\x5a" * 40
        with opened(self.path("in.djvu", form("DJVU", info(48, 64), chunk("Sjbz", data)))) as book:
            self.assert_refused("damaged", "decodes to an empty page", book.give, 1)

    def test_impossible_pages(self):
        mask, small = chunks_of(fixture("layers"), "Sjbz"), chunks_of(fixture("layers"), "BG44")
        fore = chunks_of(fixture("layers"), "FG44")
        cases = {
            "how large": form("DJVU", mask), "INFO": form("DJVU", info(48, 64), info(48, 64), mask),
            "Sjbz": form("DJVU", info(48, 64), mask, mask), "BGjp": form("DJVU", info(48, 64), chunk("BGjp", b"junk")),
            "large it is": form("DJVU", info(0, 64), mask), "background": form("DJVU", info(49, 80), small),
            "colors for its print that do not": form("DJVU", info(48, 64), mask, fore.replace(struct.pack(">HH", 12, 16), b"\0\x0b\0\x10"), small),
            "no print": form("DJVU", info(48, 64), fore), "FGbz": form("DJVU", info(48, 64), mask, chunk("FGbz", b"\0\1\0"), small),
            "not what the book says": form("DJVU", info(48, 64), chunk("INCL", b"in.djvu"), mask),
            "decoded": form("DJVU", info(48, 65), mask),
            "Mangled chunk": form("DJVU", info(48, 64), chunks_of(fixture("jpeg"), "BGjp")[:-2]),
        }
        for words, data in cases.items():
            with self.subTest(words):
                # Some of it the library finds when it opens the file.
                found = self.pages(self.path("in.djvu", data))
                refused = found if isinstance(found, Refused) else found[1]
                self.assertIsInstance(refused, Refused)
                self.assertEqual(refused.code, "damaged", refused.message)
                self.assertIn(words, refused.message)
        for words, data, code in [("BG2k", form("DJVU", info(48, 64), chunk("BG2k", b"jp2")), "unsupported"),
                                  ("CELX", form("DJVU", info(48, 64), chunk("CELX", b"x")), "encrypted"),
                                  ("ABCD", form("DJVU", info(48, 64), chunk("ABCD", b"x")), "unsupported")]:
            with self.subTest(words):
                refused = self.pages(self.path("in.djvu", data))[1]
                self.assertEqual(refused.code, code, refused.message)

    def test_parts_that_include_each_other(self):
        # In a circle, or each has the next one sixty times: walked one by one, 60^6 of them.
        names = [f"{number}.iff" for number in range(7)]
        for times, last in [(60, b""), (1, b"0.iff")]:
            for name, next_name in zip(names, names[1:]):
                self.path(name, form("DJVI", chunk("INCL", next_name.encode()) * times))
            self.path(names[-1], form("DJVI", chunk("INCL", last) if last else b""))
            self.path("page.djvu", form("DJVU", info(48, 64), chunk("INCL", b"0.iff"), chunks_of(fixture("mask"), "Sjbz")))
            found = self.pages(self.path("index.djvu", directory("page.djvu", *names)))
            self.assertEqual((found[1].code, found[1].message), ("damaged", "includes parts without end"))

    def test_a_chunk_that_leaves_its_page(self):
        data = bytearray(pathlib.Path(fixture("book")).read_bytes())
        place = data.index(b"BGjp")
        data[place + 7] += 2
        found, intact = self.pages(self.path("in.djvu", data)), self.pages(fixture("book"))
        self.assertEqual((found[4].code, found[4].message), ("damaged", "has a chunk BGjp that is cut off"))
        self.assertEqual([found[page] for page in (1, 2, 3, 5)], [intact[page] for page in (1, 2, 3, 5)])

    def test_truncated(self):
        whole = pathlib.Path(fixture("book")).read_bytes()
        intact = self.pages(fixture("book"))
        named = 0
        for cut in range(1, len(whole), 59 if SANITIZED else 19):
            found = self.pages(self.path("in.djvu", whole[:cut]))
            if isinstance(found, Refused):
                named += 1
                continue
            self.assertEqual(len(found), 5)
            refused = [page for page, result in found.items() if isinstance(result, Refused)]
            self.assertTrue(refused, f"{cut} bytes look whole")
            for page, result in found.items():
                if page not in refused:
                    self.assertEqual(result, intact[page], f"page {page} of {cut} bytes")
        self.assertGreater(named, 2)

    def test_flipped(self):
        # Coded data has no check sums: what is left may be another picture, but it is one of the right size, and not a white one.
        for name in ["mask", "fax", "layers", "palette", "wavelets", "book", "iw44"]:
            whole = pathlib.Path(fixture(name)).read_bytes()
            step = max(1, len(whole) // (15 if SANITIZED else 40))
            for place in range(0, len(whole), step):
                data = bytearray(whole)
                data[place] ^= 1 << place % 8
                found = self.pages(self.path("in.djvu", data))
                if isinstance(found, Refused):
                    self.assertTrue(found.message)
                    continue
                for page, result in found.items():
                    if isinstance(result, Refused) or "bytes" not in result[1] or (name == "book" and page == 5):
                        continue
                    with self.subTest(name=name, place=place, page=page):
                        self.assertNotEqual(set(from_rows(*result).tobytes()), {255})

    def test_sizes_that_would_fill_the_memory(self):
        jb2 = chunks_of(fixture("mask"), "Sjbz")
        huge = struct.pack(">HH", 65535, 65535)
        waves = chunks_of(fixture("wavelets"), "BG44").replace(struct.pack(">HH", 48, 64), huge)
        for data in [form("DJVU", info(65535, 65535), jb2), form("DJVU", info(65535, 65535), waves),
                     form("PM44", waves.replace(b"BG44", b"PM44")), form("DJVU", info(48, 64), waves),
                     form("DJVU", info(48, 64), jb2, waves.replace(b"BG44", b"FG44"))]:
            refused = self.pages(self.path("in.djvu", data))[1]
            self.assertIn(refused.code, ("too-large", "damaged"))
