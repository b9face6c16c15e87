"""Text, links, outline and what is known of a DjVu book."""

from PIL import ImageChops

from djvu_case import Case, fixture, given, opened, run, source


class Words(Case):
    """Text, links, outline and what is known of the book."""

    def lines_of(self, text):
        """The lines of a page with a text as djvused reads it."""
        with opened(self.with_text(text)) as book:
            return book.ask("text", id=1)[0]

    def test_words_and_boxes(self):
        with opened(fixture("book")) as book:
            self.assertTrue(book.examine(1)["text"])
            [line] = book.ask("text", id=1)[0]
            # In pixels from the lower left corner: 4 50 20 60 and 24 50 40 60 of 48 × 64.
            self.assertEqual(line["direction"], "ltr")
            self.assertNotIn("quarterTurns", line)
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
        mask = self.path("in.pbm", b"P4 64 40\n" + b"".join(rows))
        run("cjb2", "-lossless", mask, self.folder / "in.djvu")
        text = self.path("text", b'(page 0 0 64 40 (line 16 26 32 32 (word 16 26 32 32 "word")))')
        run("djvused", self.folder / "in.djvu", "-e", f"select 1; set-txt {text}; save")
        plain = (self.folder / "in.djvu").read_bytes()
        for flag, turns in [(1, 0), (6, 3), (2, 2), (5, 1)]:
            page = self.path("turned.djvu", plain[:33] + bytes([flag]) + plain[34:])
            with self.subTest(flag=flag), opened(page) as book:
                picture, _ = given(book, 1)
                [line] = book.ask("text", id=1)[0]
                self.assertEqual(line.get("quarterTurns", 0), turns)
                for found, expected, whole in zip(line["line"][0], ImageChops.invert(picture).getbbox(), 2 * picture.size):
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

    def test_words_that_share_their_line_s_box_are_put_side_by_side(self):
        words = " ".join(f'(word 4 20 40 30 "{word}")' for word in ("An", "open", "source"))
        [line] = self.lines_of(f'(page 0 0 48 64 (line 4 20 40 30 {words} (word 41 20 44 30 "x")))')
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
        lines = self.lines_of('(page 0 0 48 64 "first row\nsecond é")')
        self.assertEqual([[word[4] for word in line["line"]] for line in lines], [["first", "row"], ["second", "é"]])
        self.assertEqual([line["line"][0][1::2][0] for line in lines], [0, 0.5])

    def test_much_text_comes_in_lines_that_fit(self):
        words = [f"word{number}" for number in range(20000)] + ["é" * 3000]
        lines = self.lines_of(f'(page 0 0 48 64 (line 0 0 48 64 "{" ".join(words)}"))')
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
