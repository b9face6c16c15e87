"""Tests of Plugins/DjVuSource beside DjVuLibre's own programs."""

import base64
import struct

import pytest
from PIL import ImageChops

from djvu_case import DjVuTests, chunks_of, fixture, given, made, page_of, run, shown

# Compression and format of the pages that are stored as they are.
EXACT = dict.fromkeys(["mask", "mask-turned-90", "mask-turned-180", "mask-turned-270", "mask-info-of-5-bytes", "mask-of-1-dpi"],
                      ("JB2", "gray1"))
EXACT |= dict.fromkeys(["wavelets", "iw44", "wavelets-turned-90"], ("IW44", "rgb8"))
EXACT |= dict.fromkeys(["wavelets-gray", "iw44-gray"], ("IW44", "gray8")) | {"fax": ("CCITT G4", "gray1"), "blank": ("blank", "gray1")}


class PicturesTests(DjVuTests):
    """Each way in which a page can be stored, against what ddjvu makes of it."""

    @pytest.mark.parametrize("name, expected", EXACT.items())
    def test_exact_pictures_match_ddjvu(self, name, expected):
        book = self.opened(name)
        [way] = book.examine(1)["representations"]
        picture, end = given(book)
        assert (way["kind"], way["compression"], way["format"]) == ("sampled", *expected)
        assert (way["format"], way["size"], way.get("rotation")) == (end["format"], end["size"], None)
        assert picture == shown(name)
        if name in ("mask-of-1-dpi", "mask-info-of-5-bytes"):  # resolutions that cannot be
            assert end["dpi"] == 300
        if name == "blank":  # a page without a picture
            assert (set(picture.tobytes()), end.get("loss")) == ({255}, None)

    def test_rows_of_masks(self):
        # Bits beyond a row are 0; and a mask that comes in several bands.
        rows = b"".join(bytes((x * y) >> 7 & 255 for x in range(1, 376)) for y in range(1700))
        for width, height, given_rows, expected in [(3, 2, b"\x40\xe0", b"\xa0\x00"), (3000, 1700, rows, bytes(byte ^ 255 for byte in rows))]:
            assert self.opened(self.mask_of(width, height, given_rows), memory=None).give(1)[0] == expected

    @pytest.mark.parametrize("name", ["layers", "layers-turned-90", "layers-turned-180", "layers-turned-270", "layers-jpeg", "palette",
                                      "palette-gray", "wavelets-smaller", "jpeg-gamma-1"])
    def test_drawn_pictures_match_ddjvu(self, name):
        book = self.opened(name)
        examined = book.examine(1)
        width, height = examined["size"]
        assert examined["representations"] == [{"kind": "rendered", "dpi": 300, "points": [width * 0.24, height * 0.24]}]
        assert len(examined["reason"]) > 20
        for dpi in (300, 100, 75, 450, 37.5):
            picture, end = given(book, dpi=dpi)
            size = [round(side * dpi / 300 + 1e-9) for side in (width, height)]
            assert (end["dpi"], end["size"], end["format"]) == (dpi, size, "gray8" if name == "palette-gray" else "rgb8")
            assert picture == shown(name, "-aspect=no", f"-size={size[0]}x{size[1]}"), dpi

    @pytest.mark.parametrize("name", ["jpeg", "jpeg-turned-90", "jpeg-turned-180", "jpeg-turned-270"])
    def test_a_jpeg_is_the_input_s_own_bytes(self, name):
        book = self.opened(name)
        examined, (data, end) = book.examine(1), book.give(1)
        [way] = examined["representations"]
        assert (way["kind"], way["encoding"], "span" in end) == ("encoded", "jpeg", True)
        run("djvuextract", fixture(name), f"BGjp={self.path('page.jpg')}")
        assert data == self.path("page.jpg").read_bytes()
        # Turned as it says, it is what ddjvu shows.
        picture = made("djpeg", "-pnm", input=data).rotate(-way.get("rotation", 0), expand=True)
        assert picture == shown(name)
        assert examined["size"] == [picture.width, picture.height]

    def test_wavelets_for_another_gamma_keep_their_samples_and_get_a_profile(self):
        (picture, end), (untouched, plain_end) = given(self.opened("wavelets-gamma-1")), given(self.opened("wavelets"))
        assert picture == untouched
        assert picture != shown("wavelets-gamma-1")
        assert "icc" not in plain_end
        profile = base64.b64decode(end["icc"], validate=True)
        assert (struct.unpack(">I", profile[:4])[0], profile[36:40]) == (len(profile), b"acsp")
        assert b"curv\0\0\0\0\0\0\0\1\1\0" in profile  # one number: 1.0

    @pytest.mark.parametrize("name, modes, is_lost, has_defects", [
        ("mask-on-background", ("mask", "background"), False, False), ("palette-of-another-mask", ("mask", "background"), True, True),
        ("palette-without-background", ("color", "color"), True, False)])
    def test_pages_of_which_colors_are_lost(self, name, modes, is_lost, has_defects):
        # Print without colors is black on the background, which ddjvu leaves out.
        picture, end = given(self.opened(name))
        assert picture == ImageChops.darker(*(shown(name, f"-mode={mode}") for mode in modes))
        assert (end.get("loss"), "defects" in end) == ("the colors of its print" if is_lost else None, has_defects)

    def test_pages_that_share_a_dictionary(self):
        book = self.opened("shared")
        assert [given(book, page)[0] for page in (2, 1)] == [shown("shared", page=page) for page in (2, 1)]

    @pytest.mark.parametrize("name, alone", [("layers", "mask"), ("wavelets", "wavelets")])
    def test_the_mask_alone(self, name, alone):
        book = self.opened(name, settings={"djvu-layer": "mask"})
        assert book.examine(1)["representations"][0]["kind"] == "sampled"
        picture, end = given(book)
        assert (picture, end["format"]) == (shown(alone), EXACT[alone][1])

    def test_foregrounds_are_not_confused(self):
        # DjVuLibre remembers the foreground drawn last by its page's address alone.
        def wavelets(name, color):
            run("c44", "-slice", "90", self.path("in.ppm", b"P6 200 200 255\n" + bytes(color) * 40000), self.path("out.djvu"))
            return chunks_of(self.path("out.djvu"), "BG44").replace(b"BG44", name.encode())

        mask = chunks_of(self.mask_of(600, 600, b"\xf0" * (75 * 600)), "Sjbz")
        parts = [
            self.path(f"p{number}.djvu", page_of(mask, wavelets("FG44", color), wavelets("BG44", (255, 255, 255)), size=(600, 600)))
            for number, color in enumerate([(200, 0, 0), (0, 0, 200), (0, 150, 0), (200, 0, 200)])]
        run("djvm", "-c", self.path("book.djvu"), *parts)
        alone, book = [given(self.opened(part), dpi=140)[0] for part in parts], self.opened(self.path("book.djvu"))
        for page in [1, 2, 3, 4, 2, 1, 4, 3]:
            assert given(book, page, dpi=140)[0] == alone[page - 1], page


def words(line):
    return [word[4] for word in line["line"]]


class WordsTests(DjVuTests):
    """Text, links, outline and what is known of a book."""

    def text(self, page, book="book"):
        return self.opened(book).ask("text", id=page)[0]

    def lines_of(self, text):
        """The lines of a page of 48 by 64 pixels with a text as djvused reads it."""
        return self.text(1, self.with_text(f"(page 0 0 48 64 {text})"))

    def near(self, found, expected, size=(48, 64)):
        assert len(found) == len(expected)
        for word, box in zip(found, expected):
            assert word[:4] == pytest.approx([place / whole for place, whole in zip(box, 2 * size)], abs=1e-6)

    def test_words_and_boxes(self):
        book = self.opened("book")
        [line] = book.ask("text", id=1)[0]
        # In pixels from the lower left corner: 4 50 20 60 and 24 50 40 60 of 48 × 64.
        assert (line["direction"], line.get("quarterTurns"), words(line)) == ("ltr", None, ["Two", "words"])
        self.near(line["line"], [[4, 4, 20, 14], [24, 4, 40, 14]])
        assert [book.examine(page)["text"] for page in (1, 5)] == [True, False]
        for page in book.pages:
            text = "".join("".join(words(line)) for line in book.ask("text", id=page)[0])
            assert text == "".join(run("djvutxt", f"-page={page}", fixture("book")).decode().split())

    def test_text_turns_with_its_page(self):
        # A box of ink, and the word that lies on it: together whatever the page's turn is.
        page = self.mask_of(64, 40, b"".join(bytes(0xFF if 2 <= x < 4 and 8 <= y < 14 else 0 for x in range(8)) for y in range(40)))
        text = self.path("text", b'(page 0 0 64 40 (line 16 26 32 32 (word 16 26 32 32 "word")))')
        run("djvused", page, "-e", f"select 1; set-txt {text}; save")
        plain = page.read_bytes()
        for flag, turns in [(1, 0), (6, 3), (2, 2), (5, 1)]:
            turned = self.path("turned.djvu", plain[:33] + bytes([flag]) + plain[34:])
            picture, _ = given(self.opened(turned))
            [line] = self.text(1, turned)
            assert line.get("quarterTurns", 0) == turns
            self.near(line["line"], [ImageChops.invert(picture).getbbox()], picture.size)

    def test_text_of_whole_lines_is_shared_among_its_words(self):
        first, second = self.text(2)
        assert (words(first), second["direction"]) == (["a", "line", "of", '"text"'], "rtl")
        # The page is turned by a quarter counter-clockwise: its lower quarter is on the right, and words run upwards.
        edges = [(word[1], word[3]) for word in first["line"]]
        assert all(below[0] > above[1] for below, above in zip(edges, edges[1:])), edges
        assert {(word[0], word[2]) for word in first["line"]} == {(0.75, 1)}

    def test_words_that_share_their_line_s_box_are_put_side_by_side(self):
        shared = " ".join(f'(word 4 20 40 30 "{word}")' for word in ("An", "open", "source"))
        [line] = self.lines_of(f'(line 4 20 40 30 {shared} (word 41 20 44 30 "x"))')
        assert words(line) == ["An", "open", "source", "x"]
        places = [(4, 4 + 36 * 2 / 14), (4 + 36 * 3 / 14, 4 + 36 * 7 / 14), (4 + 36 * 8 / 14, 40), (41, 44)]
        self.near(line["line"], [(left, 34, right, 44) for left, right in places])

    def test_lines(self):
        [line] = self.text(3)
        assert (line["direction"], words(line)) == ("vertical", ["縦書き", "の文"])
        # A page's text without places.
        lines = self.lines_of('"first row\nsecond é"')
        assert [(words(line), line["line"][0][1]) for line in lines] == [(["first", "row"], 0), (["second", "é"], 0.5)]
        # Much text comes in lines that fit.
        text = [f"word{number}" for number in range(20000)] + ["é" * 3000]
        lines = self.lines_of(f'(line 0 0 48 64 "{" ".join(text)}")')
        assert len(lines) > 10
        assert "".join("".join(words(line)) for line in lines) == "".join(text)

    def test_links(self):
        book = self.opened("book")
        assert [book.examine(page)["links"] for page in book.pages] == [False, True, False, False, False]
        # Their places are told of the page as it is shown, which is 64 × 48.
        assert [(link["link"], link.get("page"), link.get("address")) for link in book.ask("links", id=2)[0]] == [
            ([0, 0.6666667, 0.375, 1], 3, None), ([0.375, 0.6666667, 0.75, 1], 1, None),
            ([0, 0, 0.375, 0.3333333], None, "https://example.org/a?b=c")]

    def test_outline_labels_and_book(self):
        lines, end = self.opened("book").open()
        assert [tuple(line.values()) for line in lines if "outline" in line] == [
            ("One", 1, 0), ("Of it", 2, 1), ("Part", 1, 0), ("Three", 1, 1)]
        assert [line["warning"] for line in lines if "warning" in line] == ["has an entry in its outline that leads to none of its pages"]
        assert [line for line in lines if "name" in line][:2] == [
            {"page": 1, "name": "mask.djvu", "label": "iv"}, {"page": 2, "name": "layers-turned-90.djvu"}]
        assert end["book"] == {"title": "Made", "authors": ["A. Uthor", "B. Uthor"], "date": "1905", "publisher": "Nobody"}

    def test_names(self):
        for name, listed in [("any name.djvu", "any name.djvu"), ("new\nline", "p0001.djvu")]:
            assert self.opened("mask").open(name=name)[0] == [{"page": 1, "name": listed}]
