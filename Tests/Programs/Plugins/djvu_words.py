"""Text, links, outline and what is known of a DjVu book."""

from PIL import ImageChops

from djvu_case import Case, fixture, given, opened, run, source


def words(line):
    return [word[4] for word in line["line"]]


class Words(Case):
    def lines_of(self, text):
        """The lines of a page of 48 by 64 pixels with a text as djvused reads it."""
        with opened(self.with_text(f"(page 0 0 48 64 {text})")) as book:
            return book.ask("text", id=1)[0]

    def near(self, box, expected, size=(48, 64)):
        """Compares a box with one in pixels."""
        for found, place, whole in zip(box, expected, 2 * size):
            self.assertAlmostEqual(found, place / whole, 6)

    def test_words_and_boxes(self):
        with opened("book") as book:
            [line] = book.ask("text", id=1)[0]
            # In pixels from the lower left corner: 4 50 20 60 and 24 50 40 60 of 48 × 64.
            self.assertEqual((line["direction"], line.get("quarterTurns"), words(line)), ("ltr", None, ["Two", "words"]))
            for word, box in zip(line["line"], [[4, 4, 20, 14], [24, 4, 40, 14]]):
                self.near(word, box)
            self.assertEqual([book.examine(page)["text"] for page in (1, 5)], [True, False])
            self.assertEqual(book.ask("text", id=5)[0], [])
            for page in book.pages:
                text = "".join("".join(words(line)) for line in book.ask("text", id=page)[0])
                self.assertEqual(text, "".join(run("djvutxt", f"-page={page}", fixture("book")).decode().split()))

    def test_text_turns_with_its_page(self):
        # A box of ink, and the word that lies on it: together whatever the page's turn is.
        page = self.mask_of(64, 40, b"".join(bytes(0xFF if 2 <= x < 4 and 8 <= y < 14 else 0 for x in range(8)) for y in range(40)))
        text = self.path("text", b'(page 0 0 64 40 (line 16 26 32 32 (word 16 26 32 32 "word")))')
        run("djvused", page, "-e", f"select 1; set-txt {text}; save")
        plain = page.read_bytes()
        for flag, turns in [(1, 0), (6, 3), (2, 2), (5, 1)]:
            with self.subTest(flag=flag), opened(self.path("turned.djvu", plain[:33] + bytes([flag]) + plain[34:])) as book:
                picture, _ = given(book)
                [line] = book.ask("text", id=1)[0]
                self.assertEqual(line.get("quarterTurns", 0), turns)
                self.near(line["line"][0], ImageChops.invert(picture).getbbox(), picture.size)

    def test_text_of_whole_lines_is_shared_among_its_words(self):
        with opened("book") as book:
            first, second = book.ask("text", id=2)[0]
        self.assertEqual((words(first), second["direction"]), (["a", "line", "of", '"text"'], "rtl"))
        # The page is turned by a quarter counter-clockwise: its lower quarter is on the right, and words run upwards.
        edges = [(word[1], word[3]) for word in first["line"]]
        self.assertTrue(all(below[0] > above[1] for below, above in zip(edges, edges[1:])), edges)
        self.assertEqual({(word[0], word[2]) for word in first["line"]}, {(0.75, 1)})

    def test_words_that_share_their_line_s_box_are_put_side_by_side(self):
        shared = " ".join(f'(word 4 20 40 30 "{word}")' for word in ("An", "open", "source"))
        [line] = self.lines_of(f'(line 4 20 40 30 {shared} (word 41 20 44 30 "x"))')
        self.assertEqual(words(line), ["An", "open", "source", "x"])
        places = [(4, 4 + 36 * 2 / 14), (4 + 36 * 3 / 14, 4 + 36 * 7 / 14), (4 + 36 * 8 / 14, 40), (41, 44)]
        for word, (left, right) in zip(line["line"], places):
            self.near(word, (left, 34, right, 44))

    def test_vertical_lines(self):
        with opened("book") as book:
            [line] = book.ask("text", id=3)[0]
        self.assertEqual((line["direction"], words(line)), ("vertical", ["縦書き", "の文"]))

    def test_a_page_s_text_without_places(self):
        lines = self.lines_of('"first row\nsecond é"')
        self.assertEqual([(words(line), line["line"][0][1]) for line in lines], [(["first", "row"], 0), (["second", "é"], 0.5)])

    def test_much_text_comes_in_lines_that_fit(self):
        text = [f"word{number}" for number in range(20000)] + ["é" * 3000]
        lines = self.lines_of(f'(line 0 0 48 64 "{" ".join(text)}")')
        self.assertGreater(len(lines), 10)
        self.assertEqual("".join("".join(words(line)) for line in lines), "".join(text))

    def test_links(self):
        with opened("book") as book:
            self.assertEqual([book.examine(page)["links"] for page in book.pages], [False, True, False, False, False])
            links = book.ask("links", id=2)[0]
        # Their places are told of the page as it is shown, which is 64 × 48.
        self.assertEqual([(link["link"], link.get("page"), link.get("address")) for link in links], [
            ([0, 0.6666667, 0.375, 1], 3, None), ([0.375, 0.6666667, 0.75, 1], 1, None),
            ([0, 0, 0.375, 0.3333333], None, "https://example.org/a?b=c")])

    def test_outline_labels_and_book(self):
        with source("book") as book:
            lines, end = book.open()
        self.assertEqual([tuple(line.values()) for line in lines if "outline" in line],
                         [("One", 1, 0), ("Of it", 2, 1), ("Part", 1, 0), ("Three", 1, 1)])
        self.assertEqual([line["warning"] for line in lines if "warning" in line],
                         ["has an entry in its outline that leads to none of its pages"])
        self.assertEqual([line for line in lines if "name" in line][:2], [
            {"page": 1, "name": "mask.djvu", "label": "iv"}, {"page": 2, "name": "layers-turned-90.djvu"}])
        self.assertEqual(end["book"], {"title": "Made", "authors": ["A. Uthor", "B. Uthor"], "date": "1905", "publisher": "Nobody"})

    def test_names(self):
        with opened("mask") as book:
            self.assertEqual(book.open(name="any name.djvu")[0], [{"page": 1, "name": "any name.djvu"}])
            self.assertEqual(book.open(name="new\nline")[0], [{"page": 1, "name": "p0001.djvu"}])
