"""Each way in which a page of DjVu can be stored, against what ddjvu makes of it."""

import base64
import struct

from PIL import ImageChops

from djvu_case import Case, chunks_of, fixture, from_pnm, given, judged, opened, page_of, run

# Compression and format of the pages that are stored as they are.
EXACT = dict.fromkeys(["mask", "mask-turned-90", "mask-turned-180", "mask-turned-270", "mask-info-of-5-bytes", "mask-of-1-dpi"],
                      ("JB2", "gray1"))
EXACT |= dict.fromkeys(["wavelets", "iw44", "wavelets-turned-90"], ("IW44", "rgb8"))
EXACT |= dict.fromkeys(["wavelets-gray", "iw44-gray"], ("IW44", "gray8")) | {"fax": ("CCITT G4", "gray1"), "blank": ("blank", "gray1")}
LAYERS = ["layers", "layers-turned-90", "layers-turned-180", "layers-turned-270", "layers-jpeg", "palette", "palette-gray",
          "wavelets-smaller", "jpeg-gamma-1"]


class Pictures(Case):
    def test_exact_pictures_match_ddjvu(self):
        for name, expected in EXACT.items():
            with self.subTest(name), opened(name) as book:
                [way] = book.examine(1)["representations"]
                picture, end = given(book)
                self.assertEqual((way["kind"], way["compression"], way["format"]), ("sampled", *expected))
                self.assertEqual((way["format"], way["size"], way.get("rotation")), (end["format"], end["size"], None))
                self.assertEqual(picture, judged(name))
                if name in ("mask-of-1-dpi", "mask-info-of-5-bytes"):  # resolutions that cannot be
                    self.assertEqual(end["dpi"], 300)
                if name == "blank":  # a page without a picture
                    self.assertEqual((set(picture.tobytes()), end.get("loss")), ({255}, None))

    def test_bits_beyond_a_row_are_0(self):
        with opened(self.mask_of(3, 2, b"\x40\xe0")) as book:
            self.assertEqual(book.give(1)[0], b"\xa0\x00")

    def test_a_mask_in_several_bands(self):
        rows = b"".join(bytes((x * y) >> 7 & 255 for x in range(1, 376)) for y in range(1700))
        with opened(self.mask_of(3000, 1700, rows), memory=None) as book:
            self.assertEqual(bytes(byte ^ 255 for byte in book.give(1)[0]), rows)

    def test_drawn_pictures_match_ddjvu(self):
        for name in LAYERS:
            with self.subTest(name), opened(name) as book:
                examined = book.examine(1)
                [way] = examined["representations"]
                width, height = examined["size"]
                self.assertEqual(way, {"kind": "rendered", "dpi": 300, "points": [width * 0.24, height * 0.24]})
                self.assertGreater(len(examined["reason"]), 20)
                for dpi in (300, 100, 75, 450, 37.5):
                    picture, end = given(book, dpi=dpi)
                    size = [round(side * dpi / 300 + 1e-9) for side in (width, height)]
                    self.assertEqual((end["dpi"], end["size"]), (dpi, size))
                    self.assertEqual(end["format"], "gray8" if name == "palette-gray" else "rgb8")
                    self.assertEqual(picture, judged(name, "-aspect=no", f"-size={size[0]}x{size[1]}"), dpi)

    def test_a_jpeg_is_the_input_s_own_bytes(self):
        for name in ["jpeg", "jpeg-turned-90", "jpeg-turned-180", "jpeg-turned-270"]:
            with self.subTest(name), opened(name) as book:
                examined = book.examine(1)
                [way] = examined["representations"]
                data, end = book.give(1)
                self.assertEqual((way["kind"], way["encoding"], "span" in end), ("encoded", "jpeg", True))
                run("djvuextract", fixture(name), f"BGjp={self.path('page.jpg')}")
                self.assertEqual(data, self.path("page.jpg").read_bytes())
                # Turned as it says, it is what ddjvu shows.
                picture = from_pnm(run("djpeg", "-pnm", input=data)).rotate(-way.get("rotation", 0), expand=True)
                self.assertEqual(picture, judged(name))
                self.assertEqual(examined["size"], [picture.width, picture.height])

    def test_wavelets_for_another_gamma_keep_their_samples_and_get_a_profile(self):
        with opened("wavelets-gamma-1") as book, opened("wavelets") as plain:
            (picture, end), (untouched, plain_end) = given(book), given(plain)
        self.assertEqual(picture, untouched)
        self.assertNotEqual(picture, judged("wavelets-gamma-1"))
        self.assertNotIn("icc", plain_end)
        profile = base64.b64decode(end["icc"], validate=True)
        self.assertEqual((struct.unpack(">I", profile[:4])[0], profile[36:40]), (len(profile), b"acsp"))
        self.assertIn(b"curv\0\0\0\0\0\0\0\1\1\0", profile)  # one number: 1.0

    def test_print_without_colors_is_black_on_the_background(self):
        # ddjvu leaves the background out.
        for name, is_lost in [("mask-on-background", False), ("palette-of-another-mask", True)]:
            with self.subTest(name), opened(name) as book:
                picture, end = given(book)
                self.assertEqual(picture, ImageChops.darker(judged(name, "-mode=mask"), judged(name, "-mode=background")))
                self.assertEqual(("loss" in end, "defects" in end), (is_lost, is_lost))

    def test_colors_without_a_background_are_reported_as_lost(self):
        with opened("palette-without-background") as book:
            picture, end = given(book)
            self.assertEqual((picture, end["loss"]), (judged("palette-without-background"), "the colors of its print"))

    def test_pages_that_share_a_dictionary(self):
        with opened("shared") as book:
            for page in (2, 1):
                self.assertEqual(given(book, page)[0], judged("shared", page=page))

    def test_the_mask_alone(self):
        for name, shown in [("layers", "mask"), ("wavelets", "wavelets")]:
            with opened(name, settings={"djvu-layer": "mask"}) as book:
                self.assertEqual(book.examine(1)["representations"][0]["kind"], "sampled")
                picture, end = given(book)
                self.assertEqual((picture, end["format"]), (judged(shown), EXACT[shown][1]))

    def test_foregrounds_are_not_confused(self):
        # DjVuLibre remembers the foreground drawn last by its page's address alone.
        def wavelets(name, color):
            run("c44", "-slice", "90", self.path("in.ppm", b"P6 200 200 255\n" + bytes(color) * 40000), self.path("out.djvu"))
            return chunks_of(self.path("out.djvu"), "BG44").replace(b"BG44", name.encode())

        mask = chunks_of(self.mask_of(600, 600, b"\xf0" * (75 * 600)), "Sjbz")
        parts = []
        for number, color in enumerate([(200, 0, 0), (0, 0, 200), (0, 150, 0), (200, 0, 200)]):
            page = page_of(mask, wavelets("FG44", color), wavelets("BG44", (255, 255, 255)), size=(600, 600))
            parts.append(self.path(f"p{number}.djvu", page))
        run("djvm", "-c", self.path("book.djvu"), *parts)
        with opened(self.path("book.djvu")) as book:
            for page in [1, 2, 3, 4, 2, 1, 4, 3]:
                with opened(parts[page - 1]) as alone:
                    self.assertEqual(given(book, page, dpi=140)[0], given(alone, dpi=140)[0], page)
