#!/usr/bin/env python3
"""Tests of Examples/Plugins: Tests/Programs/Plugins/examples_tests.py [NAME…]"""

import base64
import os

from faulty import png
from helpers import TOP, PluginTests, Refused, ask_with, change, main
from host import Host, Source

EXAMPLES = os.path.join(TOP, "Examples/Plugins")


def mhtml(*parts):
    """A saved web page with parts of (type, address, bytes)."""
    text = "From: <Saved by a browser>\r\nSubject: A page\r\nMIME-Version: 1.0\r\n" \
           "Content-Type: multipart/related; type=\"text/html\"; boundary=\"----cut\"\r\n\r\n"
    for kind, address, data in parts:
        body = base64.encodebytes(data).decode().replace("\n", "\r\n")
        text += f"------cut\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\nContent-Location: {address}\r\n\r\n{body}\r\n"
    return (text + "------cut--\r\n").encode()


class MHTMLTests(PluginTests):
    program = os.path.join(EXAMPLES, "jisui-source-mhtml")

    def page(self, *parts):
        return self.path("page.mhtml", mhtml(*parts))

    def source(self, path, **settings):
        return self.running(Source(self.program, path, settings={"mhtml-smallest": "0"} | settings))

    def test_pictures_are_pages(self):
        path = self.page(("text/html", "https://example.org/", b"<p>text"), ("image/png", "https://example.org/a/first.png?x=1", png(1)),
                         ("image/jpeg", "https://example.org/second%20one.jpg", b"\xff\xd8\xff" + bytes(5000)))
        source = self.source(path)
        _, end = source.open()
        self.assertEqual(end["book"], {"title": "A page"})
        self.assertEqual([page["name"] for page in source.pages.values()], ["0001 first.png", "0002 second one.jpg"])
        self.assertEqual(source.examine(2)["representations"], [{"kind": "encoded", "encoding": "jpeg"}])
        self.assertEqual(source.give(2)[0], b"\xff\xd8\xff" + bytes(5000))
        self.assertEqual(source.give(1)[0], png(1))
        self.assertEqual(source.close(), 0)

    def test_small_pictures(self):
        path = self.page(("image/png", "a.png", png(1)), ("image/png", "b.png", png(2, 200, 200)))
        source = self.source(path, **{"mhtml-smallest": str(len(png(1)) + 1)})
        source.open()
        self.assertEqual([page["name"] for page in source.pages.values()], ["0001 b.png"])

    def test_files_without_pages(self):
        for code, content in (("damaged", b""), ("damaged", b"text"), ("empty", None)):
            path = self.page(("text/html", "a", b"<p>")) if content is None else self.path("page.mhtml", content)
            self.refused(code, self.source(path).open)

    def test_names_are_clean(self):
        source = self.source(self.page(("image/png", "https://x/%1b%5b31m%0a.png", png(1)), ("image/png", "https://x/\ud7ff.png", png(2))))
        source.open()
        for page in source.pages.values():
            self.assertTrue(page["name"].isprintable())


class ListTests(PluginTests):
    program = os.path.join(EXAMPLES, "jisui-source-list")

    def source(self, text, settings=None, **limits):
        path = self.path("my books/list $(touch x).m3p", text if isinstance(text, bytes) else text.encode())
        self.path("my books/cover.png", png(1))
        self.path("my books/inside/$HOME `id` 'x' &.png", png(2))
        return self.running(Source(self.program, path, settings=settings, limits=limits))

    def test_pages_of_a_list(self):
        source = self.source("#PICTURES\r\ninside/$HOME `id` 'x' &.png\r\n\r\n# a comment\r\ncover.png\r\ncover.png")
        source.open()
        self.assertEqual([page["name"] for page in source.pages.values()],
                         ["0001 inside/$HOME `id` 'x' &.png", "0002 cover.png", "0003 cover.png"])
        self.assertEqual(source.examine(1)["representations"], [{"kind": "encoded", "encoding": "png"}])
        for page, number in ((3, 1), (1, 2), (2, 1), (1, 2)):
            self.assertEqual(source.give(page)[0], png(number))
        self.assertEqual(source.close(), 0)

    def test_missing_pictures(self):
        text = "#PICTURES\ncover.png\nlost.png\n"
        source = self.source(text)
        source.open()
        self.refused("unreadable", source.examine, 2)
        self.assertEqual(source.give(1)[0], png(1))
        skipping = self.source(text, {"list-missing": "skip"})
        lines, _ = skipping.open()
        self.assertEqual([line for line in lines if "skipped" in line], [{"skipped": "lost.png"}])
        self.assertEqual(len(skipping.pages), 1)

    def test_unsafe_names_are_refused(self):
        for name in ("/etc/passwd", "../other.png", "inside/../../other.png", "..", 'a"b.png', "a\\b.png", "a\x1b[31m.png"):
            self.refused("damaged", self.source(f"#PICTURES\n{name}\n").open)

    def test_invalid_lists(self):
        self.refused("damaged", self.source("").open)
        self.refused("damaged", self.source("cover.png\n").open)
        self.refused("damaged", self.source(b"#PICTURES\ncaf\xe9.png\n").open)
        self.refused("empty", self.source("#PICTURES\n\n").open)
        source = self.source("#PICTURES\ntext.png\n")
        self.path("my books/text.png", b"text")
        source.open()
        self.refused("damaged", source.examine, 1)

    def test_many_pages(self):
        source = self.source("#PICTURES\n" + "cover.png\n" * 2000)
        source.open()
        self.assertEqual(source.pages[2000]["name"], "2000 cover.png")
        self.assertEqual(source.give(2000)[0], png(1))


class GalleryTests(PluginTests):
    program = os.path.join(EXAMPLES, "jisui-sink-gallery")

    def sink(self, settings=None):
        self.path("out").mkdir()
        host = self.running(Host(self.program, writes=True, path=self.path("out")))
        host.hello("sink", settings=settings)
        return host

    def write(self, pages, book=None, outline=(), **settings):
        """Has the pages written, (name, bytes, label); gives the files by their names."""
        host = self.sink(settings)
        host.send({"ask": "begin", "book": book or {}, "count": len(pages), "lossless": False, "lines": len(outline)})
        for title, page in outline:
            host.send({"outline": title, "page": page, "level": 0})
        host.answer()
        for number, (name, data, label) in enumerate(pages, 1):
            _, end = ask_with(host, data, "add", number=number, id=number * 10, name=name, encoding="png", size=[8, 8], label=label)
            self.assertTrue(self.path(f"out/{end['name']}").exists())
        self.finished = host.ask("finish")[1]
        self.assertEqual(host.close(), 0)
        return {file.name: file.read_bytes() for file in self.path("out").iterdir()}

    def test_pages_and_index(self):
        files = self.write([("a", png(1), "i"), ("b", png(2), None)], {"title": "Two <pages> & \"more\"", "direction": "rtl", "language": "ja"},
                           [("One", 10), ("Lost", 77)], **{"gallery-width": "700"})
        self.assertEqual(set(files), {"0001.png", "0002.png", "index.html"})
        self.assertEqual(files["0002.png"], png(2))
        index = files["index.html"].decode()
        self.assertIn("Two &lt;pages&gt; &amp; &quot;more&quot;", index)
        self.assertNotIn("<pages>", index)
        for part in ('dir="rtl"', 'lang="ja"', "max-width: 700px", 'alt="i"', '<a href="#0001.png">One</a>', 'width="8" height="8"'):
            self.assertIn(part, index)
        self.assertLess(index.index('src="0001.png"'), index.index('src="0002.png"'))
        self.assertEqual(len(self.finished["warnings"]), 1)

    def test_refusals(self):
        host, page = self.sink(), {"number": 1, "id": 1, "name": "a"}
        host.ask("begin", book={}, count=1, lossless=False)
        self.refused("unsupported", ask_with, host, b"II*\0", "add", encoding="tiff", **page)
        # Less in the slot than is told.
        self.refused("damaged", host.ask, "add", encoding="png", bytes=100, **page)
        # Nothing is written over.
        self.path("out/0001.png", b"mine")
        self.refused("unwritable", ask_with, host, png(1), "add", encoding="png", **page)


class BlankTests(PluginTests):
    program = os.path.join(EXAMPLES, "jisui-transform-skip-blank")

    PAGES = [{"page": number, "name": f"p{number}", "size": [800, 1200]} for number in (3, 1, 7)]

    def picture(self, ink, paper=230, side=200):
        """A page with a share of its inner part dark, in thousandths, and a shadow at its edge."""
        rows = [bytearray([paper]) * side for _ in range(side)]
        rows[0] = bytearray(side)
        inner, dark = range(side // 20, side - side // 20), ink * (side - side // 10) ** 2 // 1000
        for place in range(dark):
            rows[inner[place // len(inner)]][inner[place % len(inner)]] = 10
        return b"P5\n%d %d\n255\n" % (side, side) + b"".join(rows)

    def changed(self, inks, **settings):
        with Host(self.program, None) as host:
            host.hello("transform", settings={"skip-blank": "true"} | settings)
            pictures = dict(zip((3, 1, 7), inks))
            lines, wanted = change(host, self.PAGES, shown=lambda page: None if pictures[page] is None else self.picture(pictures[page]))
            self.assertEqual([line["preview"] for line in wanted], [3, 1, 7])
            self.assertEqual(host.close(), 0)
            return [line["page"] for line in lines]

    def test_pages_that_stay(self):
        # What is dark of each page in thousandths, or None where it cannot be read, and the pages that stay.
        for what, inks, ink, stay in [
            ("blank pages go", [100, 0, 50], None, [3, 7]), ("and pages with specks", [100, 2, 4], None, [3, 7]),
            ("dark pictures stay", [600, 0, 950], None, [3, 7]), ("how much ink", [100, 4, 9], "5", [3, 7]),
            ("any ink", [100, 4, 9], "0", [3, 1, 7]), ("unreadable pages stay", [0, None, 50], None, [1, 7]),
        ]:
            with self.subTest(what):
                self.assertEqual(self.changed(inks, **{"skip-blank-ink": ink} if ink else {}), stay)

    def test_a_book_keeps_a_page(self):
        self.refused("empty", self.changed, [0, 0, 0])


class WhitePointTests(PluginTests):
    program = os.path.join(EXAMPLES, "jisui-transform-white-point")

    def host(self, settings=None, **limits):
        host = self.running(Host(self.program))
        host.hello("transform", settings={"white-point": "true"} | (settings or {}), **limits)
        return host

    def changed(self, samples, kind=b"P5", channels=1, most=b"255", **settings):
        """The samples that a page of one row gets; None if it stays as it is."""
        host = self.host({key.replace("_", "-"): value for key, value in settings.items()})
        head = b"%s %d 1 %s\n" % (kind, len(samples) // channels // (2 if most == b"65535" else 1), most)
        _, end = ask_with(host, head + samples, "image", id=3, size=[1, 1], dpi=None)
        self.assertEqual(end["id"], 3)
        if "bytes" not in end:
            return None
        data = host.bytes_in_slot(end["bytes"])
        self.assertEqual(data[:len(head)], head)
        self.assertEqual(len(data), len(head) + len(samples))
        return data[len(head):]

    def test_every_page_is_kept(self):
        lines, wanted = change(self.host(), BlankTests.PAGES)
        self.assertEqual(lines, [{"page": page, "image": True} for page in (3, 1, 7)])
        self.assertEqual(wanted, [])

    def test_samples(self):
        # Paper, a shadow on it, gray, ink.
        page, brown = [216] * 20 + [203, 100, 0], [210, 180, 120] * 20 + [0, 0, 0]
        white, dark = [255] * 20 + [0] * 10, [30] * 20 + [200] * 10
        # The most frequent red, green and blue are not those of one color.
        mixed = [200, 210, 220] * 3 + [200, 180, 190] * 2 + [240, 180, 190] * 2
        for what, samples, channels, tolerance, expected in [
            ("paper becomes white", page, 1, None, [255] * 20 + [255, 127, 0]),
            ("and a shadow stays", page, 1, "0", [255] * 20 + [239, 118, 0]),
            ("colors are stretched apart", [230, 220, 180] * 20 + [230, 0, 0], 3, "0", [255] * 60 + [255, 0, 0]),
            ("brown paper stays", brown, 3, None, brown),
            ("paper is a color of the page", mixed, 3, "0", [255] * 9 + [255, 218, 220]),
            ("white pages stay", white, 1, "0", white), ("dark pages stay", dark, 1, "0", dark),
        ]:
            with self.subTest(what):
                options = {} if tolerance is None else {"white_point_tolerance": tolerance}
                found = self.changed(bytes(samples), b"P6" if channels == 3 else b"P5", channels, **options)
                self.assertEqual(found[:len(expected)], bytes(expected))

    def test_samples_of_16_bits_stay(self):
        self.assertIsNone(self.changed(bytes([200, 0] * 20), most=b"65535"))

    def test_refusals(self):
        refusal = self.refused("too-large", ask_with, self.host(bytes=10), b"P5 4 1 255\nabcd", "image", id=1, size=[4, 1])
        self.assertEqual(refusal.page, 1)
        refusal = self.refused("usage", ask_with, self.host(), b"no image", "image", id=2, size=[4, 1])
        self.assertEqual(refusal.page, 2)

    def test_previews_are_changed_as_well(self):
        page = b"P5\n4 1\n255\n" + bytes([216, 216, 216, 0])
        host = self.host()
        _, end = ask_with(host, page, "image", id=1, size=[4, 1], preview=True)
        self.assertEqual(host.bytes_in_slot(end["bytes"])[-4:], bytes([255, 255, 255, 0]))


if __name__ == "__main__":
    main()
