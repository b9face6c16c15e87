"""Broken and hostile DjVu: it is refused or named; nothing crashes, hangs, or becomes a white page."""

import struct

from djvu_case import Case, SANITIZED, chunk, chunks_of, directory, fixture, form, from_rows, given, opened, page_of, source
from host import Refused


def result(ask, *arguments, **keys):
    """What a request gives, or its refusal."""
    try:
        return ask(*arguments, **keys)
    except Refused as refused:
        return refused


class Damage(Case):
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
                self.assertEqual(book.close(), 0)
            return found

    def refusal(self, data):
        """That of a book of one page. What is known only when the page is looked at is told then."""
        found = self.pages(self.path("in.djvu", data))
        refused = found if isinstance(found, Refused) else found[1]
        self.assertIsInstance(refused, Refused)
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
            with self.subTest(words, data=data[:60]):
                refused = self.refusal(data)
                self.assertEqual(refused.code, code, refused.message)
                self.assertIn(words, refused.message)

    def test_print_that_decodes_to_nothing(self):
        # A changed bit at the beginning can end the print there. What is left are bytes without a use.
        blank = self.mask_of(48, 64, bytes(6 * 64))
        with opened(blank) as book:
            self.assertEqual(set(given(book)[0].tobytes()), {255})
        with opened(self.path("in.djvu", page_of(chunk("Sjbz", chunks_of(blank, "Sjbz")[8:] + b"\x5a" * 40)))) as book:
            self.assert_refused("damaged", "decodes to an empty page", book.give, 1)

    def test_parts_that_include_each_other(self):
        # In a circle, or each has the next one sixty times: walked one by one, 60^6 of them.
        names = [f"{number}.iff" for number in range(7)]
        for times, last in [(60, b""), (1, b"0.iff")]:
            for name, next_name in zip(names, names[1:]):
                self.path(name, form("DJVI", chunk("INCL", next_name.encode()) * times))
            self.path(names[-1], form("DJVI", chunk("INCL", last) if last else b""))
            self.path("page.djvu", page_of(chunk("INCL", b"0.iff"), chunks_of("mask", "Sjbz")))
            refused = self.refusal(directory("page.djvu", *names))
            self.assertEqual((refused.code, refused.message), ("damaged", "includes parts without end"))

    def test_a_chunk_that_leaves_its_page(self):
        data = bytearray(fixture("book").read_bytes())
        data[data.index(b"BGjp") + 7] += 2
        found, intact = self.pages(self.path("in.djvu", data)), self.pages("book")
        self.assertEqual((found[4].code, found[4].message), ("damaged", "has a chunk BGjp that is cut off"))
        self.assertEqual([found[page] for page in (1, 2, 3, 5)], [intact[page] for page in (1, 2, 3, 5)])

    def test_truncated(self):
        whole, intact, named = fixture("book").read_bytes(), self.pages("book"), 0
        for cut in range(1, len(whole), 59 if SANITIZED else 19):
            found = self.pages(self.path("in.djvu", whole[:cut]))
            if isinstance(found, Refused):
                named += 1
                continue
            self.assertEqual(len(found), 5)
            kept = {page: data for page, data in found.items() if not isinstance(data, Refused)}
            self.assertLess(len(kept), 5, f"{cut} bytes look whole")
            self.assertEqual(kept, {page: intact[page] for page in kept}, f"pages of {cut} bytes")
        self.assertGreater(named, 2)

    def test_flipped(self):
        # Coded data has no check sums: what is left may be another picture, but it is one of the right size, and not a white one.
        for name in ["mask", "fax", "layers", "palette", "wavelets", "book", "iw44"]:
            whole = fixture(name).read_bytes()
            for place in range(0, len(whole), max(1, len(whole) // (15 if SANITIZED else 40))):
                data = bytearray(whole)
                data[place] ^= 1 << place % 8
                found = self.pages(self.path("in.djvu", data))
                if isinstance(found, Refused):
                    self.assertTrue(found.message)
                    continue
                for page, given in found.items():
                    if isinstance(given, Refused) or "bytes" not in given[1] or (name == "book" and page == 5):
                        continue
                    self.assertNotEqual(set(from_rows(*given).tobytes()), {255}, f"page {page} of {name}, changed at {place}")

    def test_sizes_that_would_fill_the_memory(self):
        jb2, most = chunks_of("mask", "Sjbz"), (65535, 65535)
        waves = chunks_of("wavelets", "BG44").replace(struct.pack(">HH", 48, 64), struct.pack(">HH", *most))
        for data in [page_of(jb2, size=most), page_of(waves, size=most), form("PM44", waves.replace(b"BG44", b"PM44")), page_of(waves),
                     page_of(jb2, waves.replace(b"BG44", b"FG44"))]:
            self.assertIn(self.refusal(data).code, ("too-large", "damaged"))
