"""Each way in which a page of DjVu can be stored, against what ddjvu makes of it."""

import base64
import struct

from PIL import ImageChops

from djvu_case import Case, chunks_of, fixture, form, from_pnm, given, info, judged, opened, run

MASKS = ["mask", "mask-turned-90", "mask-turned-180", "mask-turned-270", "mask-info-of-5-bytes", "mask-of-1-dpi"]
WAVELETS = ["wavelets", "wavelets-gray", "wavelets-turned-90", "iw44", "iw44-gray"]
LAYERS = ["layers", "layers-turned-90", "layers-turned-180", "layers-turned-270", "layers-jpeg", "palette", "palette-gray"]


class Pictures(Case):
    """Each way in which a page is stored, against what ddjvu makes of it."""

    def test_exact_pictures_match_ddjvu(self):
        for name in MASKS + WAVELETS + ["fax", "blank"]:
            with self.subTest(name), opened(fixture(name)) as book:
                [way] = book.examine(1)["representations"]
                picture, end = given(book, 1)
                self.assertEqual(way["kind"], "sampled")
                self.assertEqual((way["format"], way["size"]), (end["format"], end["size"]))
                self.assertNotIn("rotation", way)
                self.assertEqual(picture, judged(fixture(name)))

    def test_formats_and_compressions(self):
        expected = {"mask": ("JB2", "gray1"), "fax": ("CCITT G4", "gray1"), "wavelets": ("IW44", "rgb8"),
                    "wavelets-gray": ("IW44", "gray8"), "iw44-gray": ("IW44", "gray8"), "blank": ("blank", "gray1")}
        for name, (compression, kind) in expected.items():
            with self.subTest(name), opened(fixture(name)) as book:
                [way] = book.examine(1)["representations"]
                self.assertEqual((way["compression"], way["format"]), (compression, kind))

    def test_bits_beyond_a_row_are_0(self):
        mask = self.path("in.pbm", b"P4 3 2\n\x40\xe0")
        run("cjb2", "-lossless", mask, self.folder / "three.djvu")
        with opened(self.folder / "three.djvu") as book:
            self.assertEqual(book.give(1)[0], b"\xa0\x00")

    def test_a_mask_in_several_bands(self):
        rows = [bytes((x * y) >> 7 & 255 for x in range(1, 376)) for y in range(1700)]
        mask = self.path("in.pbm", b"P4 3000 1700\n" + b"".join(rows))
        run("cjb2", "-lossless", mask, self.folder / "large.djvu")
        with opened(self.folder / "large.djvu", memory=None) as book:
            data, _ = book.give(1)
            self.assertEqual(bytes(byte ^ 255 for byte in data), b"".join(rows))

    def test_drawn_pictures_match_ddjvu(self):
        for name in LAYERS + ["wavelets-smaller", "jpeg-gamma-1"]:
            with self.subTest(name), opened(fixture(name)) as book:
                examined = book.examine(1)
                [way] = examined["representations"]
                self.assertEqual((way["kind"], way["dpi"]), ("rendered", 300))
                self.assertGreater(len(examined["reason"]), 20)
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
                [way] = examined["representations"]
                data, end = book.give(1)
                self.assertEqual((way["kind"], way["encoding"]), ("encoded", "jpeg"))
                self.assertIn("span", end)
                run("djvuextract", fixture(name), f"BGjp={self.folder}/page.jpg")
                self.assertEqual(data, (self.folder / "page.jpg").read_bytes())
                # Turned as it says, it is what ddjvu shows.
                picture = from_pnm(run("djpeg", "-pnm", input=data)).rotate(-way.get("rotation", 0), expand=True)
                self.assertEqual(picture, judged(fixture(name)))
                self.assertEqual(examined["size"], [picture.width, picture.height])

    def test_wavelets_for_another_gamma_keep_their_samples_and_get_a_profile(self):
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
            self.assertEqual(set(picture.tobytes()), {255})
            self.assertNotIn("loss", end)

    def test_print_without_colors_is_black_on_the_background(self):
        # ddjvu leaves the background out.
        for name in ["mask-on-background", "palette-of-another-mask"]:
            with self.subTest(name), opened(fixture(name)) as book:
                picture, end = given(book, 1)
                mask, background = (judged(fixture(name), 1, f"-mode={layer}") for layer in ("mask", "background"))
                self.assertEqual(picture, ImageChops.darker(mask, background))
                is_lost = name == "palette-of-another-mask"
                self.assertEqual("loss" in end, is_lost)
                self.assertEqual("defects" in end, is_lost)

    def test_colors_without_a_background_are_reported_as_lost(self):
        with opened(fixture("palette-without-background")) as book:
            picture, end = given(book, 1)
            self.assertEqual(picture, judged(fixture("palette-without-background")))
            self.assertEqual(end["loss"], "the colors of its print")

    def test_pages_that_share_a_dictionary(self):
        with opened(fixture("shared")) as book:
            for page in (2, 1):
                self.assertEqual(given(book, page)[0], judged(fixture("shared"), page))

    def test_the_mask_alone(self):
        with opened(fixture("layers"), settings={"djvu-layer": "mask"}) as book:
            [way] = book.examine(1)["representations"]
            self.assertEqual((way["kind"], way["format"]), ("sampled", "gray1"))
            self.assertEqual(given(book, 1)[0], judged(fixture("mask")))
        with opened(fixture("wavelets"), settings={"djvu-layer": "mask"}) as book:
            self.assertEqual(given(book, 1)[0], judged(fixture("wavelets")))

    def test_foregrounds_are_not_confused(self):
        # DjVuLibre remembers the foreground drawn last by its page's address alone.
        def wavelets(name, color):
            picture = self.path("in.ppm", b"P6 200 200 255\n" + bytes(color) * 40000)
            run("c44", "-slice", "90", picture, self.folder / "out.djvu")
            return chunks_of(self.folder / "out.djvu", "BG44").replace(b"BG44", name.encode())

        mask = self.path("in.pbm", b"P4 600 600\n" + b"\xf0" * (75 * 600))
        run("cjb2", "-lossless", mask, self.folder / "mask.djvu")
        mask = chunks_of(self.folder / "mask.djvu", "Sjbz")
        parts = []
        for number, color in enumerate([(200, 0, 0), (0, 0, 200), (0, 150, 0), (200, 0, 200)]):
            page = form("DJVU", info(600, 600), mask, wavelets("FG44", color), wavelets("BG44", (255, 255, 255)))
            parts.append(self.path(f"p{number}.djvu", page))
        run("djvm", "-c", self.folder / "book.djvu", *parts)
        with opened(self.folder / "book.djvu") as book:
            for page in [1, 2, 3, 4, 2, 1, 4, 3]:
                picture, _ = given(book, page, dpi=140)
                with opened(parts[page - 1]) as alone:
                    self.assertEqual(picture, given(alone, 1, dpi=140)[0], page)
