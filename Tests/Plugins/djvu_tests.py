#!/usr/bin/env python3
"""Tests of Plugins/DjVuSource beside DjVuLibre's own programs: Tests/Plugins/djvu_tests.py [PROGRAM] [NAME…]

PROGRAM is jisui-source-djvu as `make plugins` builds it. JISUI_SANITIZED=1: it was built with the address sanitizer.
"""

import base64
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from host import Host, Refused, Source
from pnm import Picture, from_pnm, from_rows

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures" / "good" / "DjVuSource"
PROGRAM = str(ROOT / ".build/plugins/jisui-source-djvu")
SANITIZED = os.environ.get("JISUI_SANITIZED") == "1"

MASKS = ["mask", "mask-turned-90", "mask-turned-180", "mask-turned-270", "mask-info-of-5-bytes", "mask-of-1-dpi"]
WAVELETS = ["wavelets", "wavelets-gray", "wavelets-turned-90", "iw44", "iw44-gray"]
LAYERS = ["layers", "layers-turned-90", "layers-turned-180", "layers-turned-270", "layers-jpeg", "palette", "palette-gray"]


def run(*command, **more):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, **more).stdout


def fixture(name):
    return str(FIXTURES / f"{name}.djvu")


def source(path, **more):
    more.setdefault("memory", None if SANITIZED else 1 << 30)
    return Source(PROGRAM, str(path), **more)


def opened(path, **more):
    book = source(path, **more)
    book.open()
    return book


def given(book, page, **keys):
    """A page as a picture, and the end of the answer."""
    data, end = book.give(page, **keys)
    return from_rows(data, end["format"], *end["size"]), end


def judged(path, page=1, *options):
    """A page as ddjvu shows it."""
    return from_pnm(run("ddjvu", "-format=ppm", f"-page={page}", *options, path))


def chunk(name, data):
    return name.encode() + struct.pack(">I", len(data)) + data + b"\0" * (len(data) % 2)


def chunks_of(path, name):
    """The chunks of a name in a file with one FORM, as they lie in a file."""
    data, place, found = pathlib.Path(path).read_bytes(), 16, b""
    while place + 8 <= len(data):
        length = struct.unpack(">I", data[place + 4 : place + 8])[0]
        if data[place : place + 4] == name.encode():
            found += chunk(name, data[place + 8 : place + 8 + length])
        place += 8 + length + length % 2
    return found


def form(kind, *chunks):
    return b"AT&T" + chunk("FORM", kind.encode() + b"".join(chunks))


def info(width, height, dpi=300, flags=1):
    return chunk("INFO", struct.pack(">HHBBBBBB", width, height, 26, 0, dpi & 255, dpi >> 8, 22, flags))


def directory(*names):
    """An indirect book of files, of which those called .djvu are pages."""
    flags = bytes(name.endswith(".djvu") for name in names)
    packed = run("bzz", "-e", "-", "-", input=b"\0\0\0" * len(names) + flags + b"".join(name.encode() + b"\0" for name in names))
    return form("DJVM", chunk("DIRM", struct.pack(">BH", 1, len(names)) + packed))


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def assert_refused(self, code, words, action, *arguments, **keys):
        with self.assertRaises(Refused) as refused:
            action(*arguments, **keys)
        self.assertEqual(refused.exception.code, code, refused.exception.message)
        self.assertIn(words, refused.exception.message)


class Pictures(Case):
    """Each way in which a page is stored, against what ddjvu makes of it."""

    def test_what_is_exact_is_what_ddjvu_shows(self):
        for name in MASKS + WAVELETS + ["fax", "blank"]:
            with self.subTest(name), opened(fixture(name)) as book:
                [way] = book.examine(1)["ways"]
                picture, end = given(book, 1)
                self.assertEqual(way["way"], "sampled")
                self.assertEqual((way["format"], way["size"]), (end["format"], end["size"]))
                self.assertNotIn("turn", way)
                self.assertEqual(picture, judged(fixture(name)))

    def test_formats_and_compressions(self):
        expected = {"mask": ("JB2", "gray1"), "fax": ("CCITT G4", "gray1"), "wavelets": ("IW44", "rgb8"),
                    "wavelets-gray": ("IW44", "gray8"), "iw44-gray": ("IW44", "gray8"), "blank": ("blank", "gray1")}
        for name, (compression, kind) in expected.items():
            with self.subTest(name), opened(fixture(name)) as book:
                [way] = book.examine(1)["ways"]
                self.assertEqual((way["compression"], way["format"]), (compression, kind))

    def test_bits_beyond_a_row_are_0(self):
        mask = self.file("in.pbm", b"P4 3 2\n\x40\xe0")
        run("cjb2", "-lossless", mask, self.folder / "three.djvu")
        with opened(self.folder / "three.djvu") as book:
            self.assertEqual(book.give(1)[0], b"\xa0\x00")

    def test_a_mask_in_several_bands(self):
        rows = [bytes((x * y) >> 7 & 255 for x in range(1, 376)) for y in range(1700)]
        mask = self.file("in.pbm", b"P4 3000 1700\n" + b"".join(rows))
        run("cjb2", "-lossless", mask, self.folder / "large.djvu")
        with opened(self.folder / "large.djvu", memory=None) as book:
            data, _ = book.give(1)
            self.assertEqual(bytes(byte ^ 255 for byte in data), b"".join(rows))

    def test_what_is_drawn_is_what_ddjvu_draws(self):
        for name in LAYERS + ["wavelets-smaller", "jpeg-gamma-1"]:
            with self.subTest(name), opened(fixture(name)) as book:
                examined = book.examine(1)
                [way] = examined["ways"]
                self.assertEqual((way["way"], way["dpi"]), ("drawn", 300))
                self.assertTrue(examined["reason"].startswith("drawn because "))
                width, height = examined["size"]
                self.assertEqual(way["points"], [width * 0.24, height * 0.24])
                for dpi in (300, 100, 75, 450, 37.5):
                    picture, end = given(book, 1, dpi=dpi)
                    size = [round(width * dpi / 300 + 1e-9), round(height * dpi / 300 + 1e-9)]
                    self.assertEqual((end["dpi"], end["size"]), (dpi, size))
                    self.assertEqual(picture, judged(fixture(name), 1, "-aspect=no", f"-size={size[0]}x{size[1]}"), dpi)

    def test_gray_layers_are_given_gray(self):
        with opened(fixture("palette-gray")) as book:
            self.assertEqual(book.give(1)[1]["format"], "gray8")

    def test_a_jpeg_is_the_input_s_own_bytes(self):
        for name in ["jpeg", "jpeg-turned-90", "jpeg-turned-180", "jpeg-turned-270"]:
            with self.subTest(name), opened(fixture(name)) as book:
                examined = book.examine(1)
                [way] = examined["ways"]
                data, end = book.give(1)
                self.assertEqual((way["way"], way["encoding"]), ("encoded", "jpeg"))
                self.assertIn("span", end)
                run("djvuextract", fixture(name), f"BGjp={self.folder}/page.jpg")
                self.assertEqual(data, (self.folder / "page.jpg").read_bytes())
                # Turned as it says, it is what ddjvu shows.
                picture = from_pnm(run("djpeg", "-pnm", input=data)).turned(way.get("turn", 0))
                self.assertEqual(picture, judged(fixture(name)))
                self.assertEqual(examined["size"], [picture.width, picture.height])

    def test_wavelets_for_another_gamma_keep_their_samples_and_say_what_they_mean(self):
        with opened(fixture("wavelets-gamma-1")) as book, opened(fixture("wavelets")) as plain:
            picture, end = given(book, 1)
            untouched, plain_end = given(plain, 1)
            self.assertEqual(picture, untouched)
            self.assertNotIn("icc", plain_end)
            profile = base64.b64decode(end["icc"], validate=True)
            self.assertEqual(struct.unpack(">I", profile[:4])[0], len(profile))
            self.assertEqual(profile[36:40], b"acsp")
            self.assertIn(b"curv\0\0\0\0\0\0\0\1\1\0", profile)  # one number: 1.0
        self.assertNotEqual(picture, judged(fixture("wavelets-gamma-1")))

    def test_resolutions_that_cannot_be_are_300(self):
        for name in ["mask-of-1-dpi", "mask-info-of-5-bytes"]:
            with self.subTest(name), opened(fixture(name)) as book:
                self.assertEqual(book.give(1)[1]["dpi"], 300)

    def test_a_page_without_a_picture_is_white(self):
        with opened(fixture("blank")) as book:
            picture, end = given(book, 1)
            self.assertEqual(set(picture.samples), {255})
            self.assertNotIn("loss", end)

    def test_print_without_colours_is_black_on_the_background(self):
        # ddjvu leaves the background out.
        for name in ["mask-on-background", "palette-of-another-mask"]:
            with self.subTest(name), opened(fixture(name)) as book:
                picture, end = given(book, 1)
                mask = judged(fixture(name), 1, "-mode=mask").samples
                background = judged(fixture(name), 1, "-mode=background").samples
                expected = bytes(ground if ink else 0 for ink, ground in zip(mask, background))
                self.assertEqual(picture, Picture(48, 64, 3, expected))
                is_lost = name == "palette-of-another-mask"
                self.assertEqual("loss" in end, is_lost)
                self.assertEqual("complaints" in end, is_lost)

    def test_colours_without_a_background_are_told_as_lost(self):
        with opened(fixture("palette-without-background")) as book:
            picture, end = given(book, 1)
            self.assertEqual(picture, judged(fixture("palette-without-background")))
            self.assertEqual(end["loss"], "the colours of its print")

    def test_pages_that_share_a_dictionary(self):
        with opened(fixture("shared")) as book:
            for page in (2, 1):
                self.assertEqual(given(book, page)[0], judged(fixture("shared"), page))

    def test_the_mask_alone(self):
        with opened(fixture("layers"), settings={"djvu-layer": "mask"}) as book:
            [way] = book.examine(1)["ways"]
            self.assertEqual((way["way"], way["format"]), ("sampled", "gray1"))
            self.assertEqual(given(book, 1)[0], judged(fixture("mask")))
        with opened(fixture("wavelets"), settings={"djvu-layer": "mask"}) as book:
            self.assertEqual(given(book, 1)[0], judged(fixture("wavelets")))

    def test_foregrounds_are_not_taken_for_each_other(self):
        # DjVuLibre remembers the foreground drawn last by its page's address alone.
        def wavelets(name, colour):
            picture = self.file("in.ppm", b"P6 200 200 255\n" + bytes(colour) * 40000)
            run("c44", "-slice", "90", picture, self.folder / "out.djvu")
            return chunks_of(self.folder / "out.djvu", "BG44").replace(b"BG44", name.encode())

        mask = self.file("in.pbm", b"P4 600 600\n" + b"\xf0" * (75 * 600))
        run("cjb2", "-lossless", mask, self.folder / "mask.djvu")
        mask = chunks_of(self.folder / "mask.djvu", "Sjbz")
        parts = []
        for number, colour in enumerate([(200, 0, 0), (0, 0, 200), (0, 150, 0), (200, 0, 200)]):
            page = form("DJVU", info(600, 600), mask, wavelets("FG44", colour), wavelets("BG44", (255, 255, 255)))
            parts.append(self.file(f"p{number}.djvu", page))
        run("djvm", "-c", self.folder / "book.djvu", *parts)
        with opened(self.folder / "book.djvu") as book:
            for page in [1, 2, 3, 4, 2, 1, 4, 3]:
                picture, _ = given(book, page, dpi=140)
                with opened(parts[page - 1]) as alone:
                    self.assertEqual(picture, given(alone, 1, dpi=140)[0], page)


class Words(Case):
    """Text, links, outline and what is known of the book."""

    def test_words_and_boxes(self):
        with opened(fixture("book")) as book:
            self.assertTrue(book.examine(1)["text"])
            [line] = book.ask("text", id=1)[0]
            # In pixels from the lower left corner: 4 50 20 60 and 24 50 40 60 of 48 × 64.
            self.assertEqual(line["direction"], "ltr")
            self.assertNotIn("turns", line)
            for word, box in zip(line["line"], [[4, 4, 20, 14, "Two"], [24, 4, 40, 14, "words"]], strict=True):
                self.assertEqual(word[4], box[4])
                for found, expected, whole in zip(word, box[:4], (48, 64, 48, 64)):
                    self.assertAlmostEqual(found, expected / whole, 6)
            self.assertFalse(book.examine(5)["text"])
            self.assertEqual(book.ask("text", id=5)[0], [])

    def test_words_are_djvutxt_s(self):
        with opened(fixture("book")) as book:
            for page in book.pages:
                words = [word[4] for line in book.ask("text", id=page)[0] for word in line["line"]]
                expected = run("djvutxt", f"-page={page}", fixture("book")).decode().split()
                self.assertEqual("".join(words), "".join(expected))

    def test_text_turns_with_its_page(self):
        # A box of ink, and the word that lies on it: together whatever the page's turn is.
        rows = [bytes(0xFF if 2 <= x < 4 and 8 <= y < 14 else 0 for x in range(8)) for y in range(40)]
        mask = self.file("in.pbm", b"P4 64 40\n" + b"".join(rows))
        run("cjb2", "-lossless", mask, self.folder / "in.djvu")
        text = self.file("text", b'(page 0 0 64 40 (line 16 26 32 32 (word 16 26 32 32 "word")))')
        run("djvused", self.folder / "in.djvu", "-e", f"select 1; set-txt {text}; save")
        plain = (self.folder / "in.djvu").read_bytes()
        for flag, turns in [(1, 0), (6, 3), (2, 2), (5, 1)]:
            page = self.file("turned.djvu", plain[:33] + bytes([flag]) + plain[34:])
            with self.subTest(flag=flag), opened(page) as book:
                picture, _ = given(book, 1)
                [line] = book.ask("text", id=1)[0]
                self.assertEqual(line.get("turns", 0), turns)
                for found, expected, whole in zip(line["line"][0], picture.ink(), 2 * (picture.width, picture.height)):
                    self.assertAlmostEqual(found, expected / whole, 6)

    def test_text_of_whole_lines_is_shared_among_its_words(self):
        with opened(fixture("book")) as book:
            first, second = book.ask("text", id=2)[0]
        self.assertEqual([word[4] for word in first["line"]], ["a", "line", "of", '"text"'])
        # The page is turned by a quarter counter-clockwise: its lower quarter is on the right, and words run upwards.
        edges = [(word[1], word[3]) for word in first["line"]]
        self.assertTrue(all(below[0] > above[1] for below, above in zip(edges, edges[1:])), edges)
        self.assertEqual({(word[0], word[2]) for word in first["line"]}, {(0.75, 1)})
        self.assertEqual(second["direction"], "rtl")

    def test_words_that_all_have_their_line_s_box_are_put_beside_each_other(self):
        path = self.folder / "text.djvu"
        path.write_bytes(pathlib.Path(fixture("mask")).read_bytes())
        words = " ".join(f'(word 4 20 40 30 "{word}")' for word in ("An", "open", "source"))
        text = self.file("text", f'(page 0 0 48 64 (line 4 20 40 30 {words} (word 41 20 44 30 "x")))'.encode())
        run("djvused", path, "-e", f"select 1; set-txt {text}; save")
        with opened(path) as book:
            [line] = book.ask("text", id=1)[0]
        self.assertEqual([word[4] for word in line["line"]], ["An", "open", "source", "x"])
        for word, left, right in zip(line["line"], (4, 4 + 36 * 3 / 14, 4 + 36 * 8 / 14, 41), (4 + 36 * 2 / 14, 4 + 36 * 7 / 14, 40, 44)):
            self.assertAlmostEqual(word[0], left / 48, 6)
            self.assertAlmostEqual(word[2], right / 48, 6)

    def test_vertical_lines(self):
        with opened(fixture("book")) as book:
            [line] = book.ask("text", id=3)[0]
        self.assertEqual(line["direction"], "vertical")
        self.assertEqual([word[4] for word in line["line"]], ["縦書き", "の文"])

    def test_a_page_s_text_without_places(self):
        path = self.folder / "text.djvu"
        path.write_bytes(pathlib.Path(fixture("mask")).read_bytes())
        text = self.file("text", '(page 0 0 48 64 "first row\nsecond é")'.encode())
        run("djvused", path, "-e", f"select 1; set-txt {text}; save")
        with opened(path) as book:
            lines = book.ask("text", id=1)[0]
        self.assertEqual([[word[4] for word in line["line"]] for line in lines], [["first", "row"], ["second", "é"]])
        self.assertEqual([line["line"][0][1::2][0] for line in lines], [0, 0.5])

    def test_much_text_comes_in_lines_that_fit(self):
        path = self.folder / "text.djvu"
        path.write_bytes(pathlib.Path(fixture("mask")).read_bytes())
        words = [f"word{number}" for number in range(20000)] + ["é" * 3000]
        text = self.file("text", f'(page 0 0 48 64 (line 0 0 48 64 "{" ".join(words)}"))'.encode())
        run("djvused", path, "-e", f"select 1; set-txt {text}; save")
        with opened(path) as book:
            lines = book.ask("text", id=1)[0]
        self.assertGreater(len(lines), 10)
        self.assertEqual("".join(word[4] for line in lines for word in line["line"]), "".join(words))

    def test_links(self):
        with opened(fixture("book")) as book:
            self.assertEqual([book.examine(page)["links"] for page in book.pages], [False, True, False, False, False])
            links = book.ask("links", id=2)[0]
        # Their places are told of the page as it is shown, which is 64 × 48.
        self.assertEqual([link["link"] for link in links],
                         [[0, 0.6666667, 0.375, 1], [0.375, 0.6666667, 0.75, 1], [0, 0, 0.375, 0.3333333]])
        self.assertEqual([link.get("page") for link in links], [3, 1, None])
        self.assertEqual(links[2]["address"], "https://example.org/a?b=c")

    def test_outline_labels_and_book(self):
        with source(fixture("book")) as book:
            lines, end = book.open()
        self.assertEqual([line for line in lines if "outline" in line], [
            {"outline": "One", "page": 1, "level": 0}, {"outline": "Of it", "page": 2, "level": 1},
            {"outline": "Part", "page": 1, "level": 0}, {"outline": "Three", "page": 1, "level": 1}])
        self.assertEqual([line["warning"] for line in lines if "warning" in line],
                         ["has an entry in its outline that leads to none of its pages"])
        self.assertEqual([line for line in lines if "name" in line][:2], [
            {"page": 1, "name": "mask.djvu", "label": "iv"}, {"page": 2, "name": "layers-turned-90.djvu"}])
        self.assertEqual(end["book"], {"title": "Made", "authors": ["A. Uthor", "B. Uthor"], "date": "1905",
                                       "publisher": "Nobody"})

    def test_names(self):
        with opened(fixture("mask")) as book:
            self.assertEqual(book.open(name="any name.djvu")[0], [{"page": 1, "name": "any name.djvu"}])
            self.assertEqual(book.open(name="new\nline")[0], [{"page": 1, "name": "p0001.djvu"}])


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

    def test_names_never_lead_out_of_the_folder(self):
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

    def test_the_same_bytes_in_any_order_and_in_four_processes(self):
        books = [opened(fixture("book")) for _ in range(4)]
        for book in books:
            self.addCleanup(book.close)
        expected = {page: books[0].give(page) for page in books[0].pages}
        orders = [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [3, 3, 1, 5, 2], [2, 4, 2, 1, 3]]
        for turn in range(5):
            # All four work at once.
            for book, order in zip(books, orders):
                os.ftruncate(book.slot, 0)
                book.send({"ask": "give", "id": order[turn], "way": 0})
            for book, order in zip(books, orders):
                data, end = expected[order[turn]]
                self.assertEqual(book.answer()[1], end)
                if "bytes" in end:
                    self.assertEqual(book.bytes_in_slot(end["bytes"]), data)
        for book in books:
            self.assertEqual(book.close(), 0)

    def test_limits(self):
        with source(fixture("book"), limits={"pages": 4}) as book:
            self.assert_refused("too-large", "has 5 pages", book.open)
        with opened(fixture("book"), limits={"pages": 5, "pixels": 48 * 64, "bytes": 3 * 48 * 64}) as book:
            for page in book.pages:
                book.give(page)
            self.assert_refused("too-large", "more than the limit of 3072", book.give, 2, dpi=330)
            book.give(2, dpi=299)
            self.assert_refused("too-large", "limit", book.give, 2, dpi=1e300)
        with opened(fixture("book"), limits={"pixels": 48 * 64 - 1}) as book:
            self.assert_refused("too-large", "48 × 64 pixels", book.examine, 1)
            self.assert_refused("too-large", "48 × 64 pixels", book.give, 1)
        jpeg = len(chunks_of(fixture("jpeg"), "BGjp")) - 9
        for page, most in [(1, 384), (2, 3 * 48 * 64), (3, 3 * 48 * 64), (4, jpeg)]:
            with opened(fixture("book"), limits={"bytes": most}) as book:
                book.give(page)
            with opened(fixture("book"), limits={"bytes": most - 1}) as book:
                self.assert_refused("too-large", "more bytes than the limit", book.give, page)

    def test_memory_and_files_level_off(self):
        # Pages in files of their own that share notes: photos that take a megabyte each when they are decoded.
        picture = self.file("in.ppm", b"P6 320 320 255\n" + bytes(range(256)) * 1200)
        run("c44", picture, self.folder / "photo.djvu")
        parts = []
        for number in range(40):
            kind = self.folder / "photo.djvu" if number % 4 else pathlib.Path(fixture("layers"))
            parts.append(self.file(f"{number}.djvu", kind.read_bytes()))
        run("djvm", "-c", self.folder / "book.djvu", *parts)
        notes = self.file("notes", b'create-shared-ant\nset-ant\n(metadata (title "x"))\n.\nsave\n')
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

    def test_the_input_is_not_changed(self):
        before = pathlib.Path(fixture("book")).read_bytes()
        with opened(fixture("book")) as book:
            for page in book.pages:
                book.give(page)
        self.assertEqual(pathlib.Path(fixture("book")).read_bytes(), before)


class Wire(Case):
    """What Plugins/PROTOCOL.md asks of every program."""

    def test_the_card_beside_it_is_the_one_it_prints(self):
        card = pathlib.Path(ROOT / "Plugins/DjVuSource/jisui-source-djvu.json").read_bytes()
        self.assertEqual(run(PROGRAM, "card"), card)

    def test_by_hand(self):
        done = subprocess.run([PROGRAM], capture_output=True, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stdout), (64, b""))
        self.assertIn(b"plug-in of jisui", done.stderr)
        missing = subprocess.run([PROGRAM], capture_output=True, env={"JISUI_PLUGIN": "1"}, stdin=subprocess.DEVNULL)
        self.assertEqual(missing.returncode, 69)

    def test_versions(self):
        with Host(PROGRAM, fixture("mask")) as host:
            self.assertEqual(host.hello(versions=[1, 999]), {"ok": True, "version": 1})
            self.assert_refused("unsupported", "version 1", host.hello, versions=[999])
            self.assert_refused("unsupported", "as a source", host.hello, role="sink")
            self.assert_refused("usage", "djvu-layer", host.hello, settings={"djvu-layer": "back"})

    def test_requests_that_are_none(self):
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
            self.assert_refused("usage", "no such way", book.give, 1, way=1)
            self.assertEqual(book.give(1, colour="blue", more=[{"a": None}]), expected)

    def test_a_request_in_pieces_and_two_in_one(self):
        with opened(fixture("mask")) as book:
            book.send(b'{"ask":"exam')
            book.send(b'ine","id":1}\n{"ask":"examine","id":1}\n')
            self.assertEqual(book.answer(), book.answer())

    def test_the_end_comes_at_any_time(self):
        with source(fixture("mask")) as book:
            self.assertEqual(book.close(), 0)
        for cut in [b"", b'{"ask":"gi', b'{"ask":"give","id":2,"way":0}\n' * 20]:
            book = opened(fixture("book"))
            book.send(cut)
            self.assertEqual(book.close(), 0, cut)

    def test_a_host_that_reads_late(self):
        # An answer of more than a socket holds.
        path = self.folder / "text.djvu"
        path.write_bytes(pathlib.Path(fixture("mask")).read_bytes())
        text = self.file("text", f'(page 0 0 48 64 (line 0 0 48 64 "{"many words " * 30000}"))'.encode())
        run("djvused", path, "-e", f"select 1; set-txt {text}; save")
        with opened(path) as book:
            book.send({"ask": "text", "id": 1})
            time.sleep(1)
            lines, _ = book.answer()
            self.assertEqual(sum(len(line["line"]) for line in lines), 60000)
            self.assertEqual(book.give(1)[1]["bytes"], 384)


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
                path = self.file("in.djvu", data)
                found = self.pages(path)
                # What is known only when the page is looked at is told then.
                refused = found if isinstance(found, Refused) else found[1]
                self.assertEqual(refused.code, code, refused.message)
                self.assertIn(words, refused.message)

    def test_print_of_which_nothing_is_decoded(self):
        # A changed bit at the beginning can end the print there. What is left are bytes without a use.
        self.file("in.pbm", b"P4 48 64\n" + bytes(6 * 64))
        run("cjb2", self.folder / "in.pbm", self.folder / "blank.djvu")
        with opened(self.folder / "blank.djvu") as book:
            self.assertEqual(set(given(book, 1)[0].samples), {255})
        data = chunks_of(self.folder / "blank.djvu", "Sjbz")[8:] + b"\x5a" * 40
        with opened(self.file("in.djvu", form("DJVU", info(48, 64), chunk("Sjbz", data)))) as book:
            self.assert_refused("damaged", "decodes to an empty page", book.give, 1)

    def test_pages_that_cannot_be(self):
        mask, small = chunks_of(fixture("layers"), "Sjbz"), chunks_of(fixture("layers"), "BG44")
        fore = chunks_of(fixture("layers"), "FG44")
        cases = {
            "how large": form("DJVU", mask), "INFO": form("DJVU", info(48, 64), info(48, 64), mask),
            "Sjbz": form("DJVU", info(48, 64), mask, mask), "BGjp": form("DJVU", info(48, 64), chunk("BGjp", b"junk")),
            "large it is": form("DJVU", info(0, 64), mask), "background": form("DJVU", info(49, 80), small),
            "colours for its print that do not": form("DJVU", info(48, 64), mask, fore.replace(struct.pack(">HH", 12, 16), b"\0\x0b\0\x10"), small),
            "no print": form("DJVU", info(48, 64), fore), "FGbz": form("DJVU", info(48, 64), mask, chunk("FGbz", b"\0\1\0"), small),
            "not what the book says": form("DJVU", info(48, 64), chunk("INCL", b"in.djvu"), mask),
            "decoded": form("DJVU", info(48, 65), mask),
            "Mangled chunk": form("DJVU", info(48, 64), chunks_of(fixture("jpeg"), "BGjp")[:-2]),
        }
        for words, data in cases.items():
            with self.subTest(words):
                # Some of it the library finds when it opens the file.
                found = self.pages(self.file("in.djvu", data))
                refused = found if isinstance(found, Refused) else found[1]
                self.assertIsInstance(refused, Refused)
                self.assertEqual(refused.code, "damaged", refused.message)
                self.assertIn(words, refused.message)
        for words, data, code in [("BG2k", form("DJVU", info(48, 64), chunk("BG2k", b"jp2")), "unsupported"),
                                  ("CELX", form("DJVU", info(48, 64), chunk("CELX", b"x")), "encrypted"),
                                  ("ABCD", form("DJVU", info(48, 64), chunk("ABCD", b"x")), "unsupported")]:
            with self.subTest(words):
                refused = self.pages(self.file("in.djvu", data))[1]
                self.assertEqual(refused.code, code, refused.message)

    def test_parts_that_include_each_other(self):
        # In a circle, or each has the next one sixty times: walked one by one, 60^6 of them.
        names = [f"{number}.iff" for number in range(7)]
        for times, last in [(60, b""), (1, b"0.iff")]:
            for name, next_name in zip(names, names[1:]):
                self.file(name, form("DJVI", chunk("INCL", next_name.encode()) * times))
            self.file(names[-1], form("DJVI", chunk("INCL", last) if last else b""))
            self.file("page.djvu", form("DJVU", info(48, 64), chunk("INCL", b"0.iff"), chunks_of(fixture("mask"), "Sjbz")))
            found = self.pages(self.file("index.djvu", directory("page.djvu", *names)))
            self.assertEqual((found[1].code, found[1].message), ("damaged", "includes parts without end"))

    def test_a_chunk_that_leaves_its_page(self):
        data = bytearray(pathlib.Path(fixture("book")).read_bytes())
        place = data.index(b"BGjp")
        data[place + 7] += 2
        found, intact = self.pages(self.file("in.djvu", data)), self.pages(fixture("book"))
        self.assertEqual((found[4].code, found[4].message), ("damaged", "has a chunk BGjp that is cut off"))
        self.assertEqual([found[page] for page in (1, 2, 3, 5)], [intact[page] for page in (1, 2, 3, 5)])

    def test_truncated(self):
        whole = pathlib.Path(fixture("book")).read_bytes()
        intact = self.pages(fixture("book"))
        named = 0
        for cut in range(1, len(whole), 59 if SANITIZED else 19):
            found = self.pages(self.file("in.djvu", whole[:cut]))
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
                found = self.pages(self.file("in.djvu", data))
                if isinstance(found, Refused):
                    self.assertTrue(found.message)
                    continue
                for page, result in found.items():
                    if isinstance(result, Refused) or "bytes" not in result[1] or (name == "book" and page == 5):
                        continue
                    with self.subTest(name=name, place=place, page=page):
                        self.assertNotEqual(set(from_rows(result[0], result[1]["format"], *result[1]["size"]).samples), {255})

    def test_sizes_that_would_fill_the_memory(self):
        jb2 = chunks_of(fixture("mask"), "Sjbz")
        huge = struct.pack(">HH", 65535, 65535)
        waves = chunks_of(fixture("wavelets"), "BG44").replace(struct.pack(">HH", 48, 64), huge)
        for data in [form("DJVU", info(65535, 65535), jb2), form("DJVU", info(65535, 65535), waves),
                     form("PM44", waves.replace(b"BG44", b"PM44")), form("DJVU", info(48, 64), waves),
                     form("DJVU", info(48, 64), jb2, waves.replace(b"BG44", b"FG44"))]:
            refused = self.pages(self.file("in.djvu", data))[1]
            self.assertIn(refused.code, ("too-large", "damaged"))


@unittest.skipUnless("JISUI_DJVU_FOLDER" in os.environ, "JISUI_DJVU_FOLDER names a folder of DjVu files")
class Folder(Case):
    """Every page of every file of a folder, against ddjvu."""

    def test_pages(self):
        for path in sorted(pathlib.Path(os.environ["JISUI_DJVU_FOLDER"]).glob("**/*.djvu")):
            with source(path, memory=None) as book:
                try:
                    book.open()
                except Refused as refused:
                    print(path.name, refused)
                    continue
                for page in book.pages:
                    try:
                        data, end = book.give(page)
                    except Refused as refused:
                        print(path.name, page, refused)
                        continue
                    if "span" in end or "loss" in end or "icc" in end:
                        print(path.name, page, {key: end[key] for key in end if key != "icc"})
                        continue
                    with self.subTest(path=path.name, page=page):
                        self.assertEqual(from_rows(data, end["format"], *end["size"]), judged(path, page))


if __name__ == "__main__":
    if len(sys.argv) > 1 and os.path.exists(sys.argv[1]):
        PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
