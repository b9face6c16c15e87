"""Tests of Examples/Plugins."""

import base64

from faulty import png
from helpers import TOP, PluginTests
from host import Host, Source

PROGRAMS = f"{TOP}/Examples/Plugins/jisui-"
JPEG = b"\xff\xd8\xff" + bytes(5000)


def mhtml(*parts):
    """A saved web page with parts of (type, address, bytes)."""
    text = "From: <Saved by a browser>\r\nSubject: A page\r\nMIME-Version: 1.0\r\n" \
           "Content-Type: multipart/related; type=\"text/html\"; boundary=\"----cut\"\r\n\r\n"
    for kind, address, data in parts:
        body = base64.encodebytes(data).decode().replace("\n", "\r\n")
        text += f"------cut\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\nContent-Location: {address}\r\n\r\n{body}\r\n"
    return (text + "------cut--\r\n").encode()


class SourceTests(PluginTests):
    def source(self, name, file, content, **settings):
        path = self.path(file, content)
        settings = {f"{name}-{setting}": value for setting, value in settings.items()}
        return self.running(Source(f"{PROGRAMS}source-{name}", path, settings=settings))

    def mhtml(self, *parts, smallest="0"):
        return self.source("mhtml", "page.mhtml", mhtml(*parts), smallest=smallest)

    def list(self, text, **settings):
        for name, data in [("cover.png", png(1)), ("inside/$HOME `id` 'x' &.png", png(2)), ("text.png", b"text")]:
            self.path(f"my books/{name}", data)
        return self.source("list", "my books/list $(touch x).m3p", text, **settings)

    def has(self, source, *pages):
        """Checks the names, the formats and the bytes of all pages. Returns the lines and the end of the list."""
        opened = source.open()
        assert [page["name"] for page in source.pages.values()] == [name for name, _ in pages]
        for number, (_, data) in enumerate(pages, 1):
            encoding = "jpeg" if data == JPEG else "png"
            assert source.examine(number)["representations"] == [{"kind": "encoded", "encoding": encoding}]
            assert source.give(number)[0] == data
        return opened

    def test_pictures_of_a_web_page(self):
        _, end = self.has(
            self.mhtml(("text/html", "https://example.org/", b"<p>text"), ("image/png", "https://example.org/a/first.png?x=1", png(1)),
                       ("image/jpeg", "https://example.org/second%20one.jpg", JPEG), ("image/png", "https://x/%1b%5b31m%0a.png", png(2)),
                       ("image/png", "https://x/\ud7ff.png", png(2))),
            ("0001 first.png", png(1)), ("0002 second one.jpg", JPEG), ("0003 [31m.png", png(2)),
            ("0004 \ufffd\ufffd\ufffd.png", png(2)))
        assert end["book"] == {"title": "A page"}
        small, large = png(1), png(2, 200, 200)
        source = self.mhtml(("image/png", "a.png", small), ("image/png", "b.png", large), smallest=str(len(small) + 1))
        self.has(source, ("0001 b.png", large))

    def test_pages_of_a_list(self):
        self.has(self.list("#PICTURES\r\ninside/$HOME `id` 'x' &.png\r\n\r\n# a comment\r\ncover.png\r\ncover.png"),
                 ("0001 inside/$HOME `id` 'x' &.png", png(2)), ("0002 cover.png", png(1)), ("0003 cover.png", png(1)))
        source = self.list("#PICTURES\n" + "cover.png\n" * 2000)
        source.open()
        assert (source.pages[2000]["name"], source.give(2000)[0]) == ("2000 cover.png", png(1))

    def test_missing_pictures_and_wrong_ones(self):
        text = "#PICTURES\ncover.png\nlost.png\n"
        source = self.list(text + "text.png")
        source.open()
        self.refused("unreadable", source.examine, 2)
        self.refused("damaged", source.examine, 3)
        assert source.give(1)[0] == png(1)
        lines, _ = self.has(self.list(text, missing="skip"), ("0001 cover.png", png(1)))
        assert [line for line in lines if "skipped" in line] == [{"skipped": "lost.png"}]

    def test_files_without_pages(self):
        unsafe = ["/etc/passwd", "../other.png", "inside/../../other.png", "..", 'a"b.png', "a\\b.png", "a\x1b[31m.png"]
        for code, name, data in [
            ("damaged", "mhtml", b""), ("damaged", "mhtml", b"text"), ("empty", "mhtml", mhtml(("text/html", "a", b"<p>"))),
            ("damaged", "list", ""), ("damaged", "list", "cover.png\n"), ("damaged", "list", b"#PICTURES\ncaf\xe9.png\n"),
            ("empty", "list", "#PICTURES\n\n"), *(("damaged", "list", f"#PICTURES\n{name}\n") for name in unsafe),
        ]:
            self.refused(code, self.list(data).open if name == "list" else self.source("mhtml", "page.mhtml", data).open)


class GalleryTests(PluginTests):
    def sink(self, **settings):
        self.path("out").mkdir()
        host = self.running(Host(f"{PROGRAMS}sink-gallery", writes=True, path=self.path("out")))
        host.hello("sink", settings=settings)
        return host

    def test_pages_and_index(self):
        host = self.sink(**{"gallery-width": "700"})
        book = {"title": "Two <pages> & \"more\"", "direction": "rtl", "language": "ja"}
        host.send({"ask": "begin", "book": book, "count": 2, "lossless": False, "lines": 2})
        for title, page in [("One", 10), ("Lost", 77)]:
            host.send({"outline": title, "page": page, "level": 0})
        host.answer()
        for number, label in [(1, "i"), (2, None)]:
            keys = {"number": number, "id": number * 10, "name": "a", "encoding": "png", "size": [8, 8], "label": label}
            assert host.ask("add", png(number), **keys)[1]["name"] == f"000{number}.png"
        assert (len(host.ask("finish")[1]["warnings"]), host.close()) == (1, 0)
        files = {file.name: file.read_bytes() for file in self.path("out").iterdir()}
        index = files.pop("index.html").decode()
        assert files == {"0001.png": png(1), "0002.png": png(2)}
        assert "<pages>" not in index
        for part in ("Two &lt;pages&gt; &amp; &quot;more&quot;", 'dir="rtl"', 'lang="ja"', "max-width: 700px", 'alt="i"',
                     '<a href="#0001.png">One</a>', 'width="8" height="8"'):
            assert part in index
        assert index.index('src="0001.png"') < index.index('src="0002.png"')

    def test_refusals(self):
        host, page = self.sink(), {"number": 1, "id": 1, "name": "a"}
        host.ask("begin", book={}, count=1, lossless=False)
        self.refused("unsupported", host.ask, "add", b"II*\0", encoding="tiff", **page)
        # Less in the slot than is told.
        self.refused("damaged", host.ask, "add", encoding="png", bytes=100, **page)
        # Nothing is written over.
        self.path("out/0001.png", b"mine")
        self.refused("unwritable", host.ask, "add", png(1), encoding="png", **page)


class TransformTests(PluginTests):
    PAGES = [{"page": number, "name": f"p{number}", "size": [800, 1200]} for number in (3, 1, 7)]

    def host(self, name, limits=None, **settings):
        host = self.running(Host(f"{PROGRAMS}transform-{name}"))
        host.hello("transform", settings={name: "true"} | settings, **(limits or {}))
        return host

    def test_pages_that_stay(self):
        def picture(ink, side=200):
            """A page with a share of its inner part dark, in thousandths, and a shadow at its edge; None if it cannot be read."""
            if ink is None:
                return None
            page, margin, inner = bytearray([230]) * side**2, side // 20, side - side // 10
            page[:side] = bytes(side)
            for place in range(ink * inner**2 // 1000):
                page[(margin + place // inner) * side + margin + place % inner] = 10
            return b"P5\n%d %d\n255\n" % (side, side) + page

        def kept(inks, ink):
            pictures = dict(zip((3, 1, 7), map(picture, inks)))
            lines, wanted, _ = self.host("skip-blank", **{"skip-blank-ink": ink} if ink else {}).change(self.PAGES, shown=pictures.get)
            assert [line["preview"] for line in wanted] == [3, 1, 7]
            return [line["page"] for line in lines]

        for what, inks, ink, stay in [
            ("blank pages go", [100, 0, 50], None, [3, 7]), ("and pages with specks", [100, 2, 4], None, [3, 7]),
            ("dark pictures stay", [600, 0, 950], None, [3, 7]), ("how much ink", [100, 4, 9], "5", [3, 7]),
            ("any ink", [100, 4, 9], "0", [3, 1, 7]), ("unreadable pages stay", [0, None, 50], None, [1, 7]),
        ]:
            assert kept(inks, ink) == stay, what
        self.refused("empty", kept, [0, 0, 0], None)

    def test_samples_with_another_white_point(self):
        assert self.host("white-point").change(self.PAGES)[:2] == ([{"page": page, "image": True} for page in (3, 1, 7)], [])
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
            for preview in ({}, {"preview": True}):
                host = self.host("white-point", **{"white-point-tolerance": tolerance} if tolerance else {})
                head = b"P%d %d 1 255\n" % (6 if channels == 3 else 5, len(samples) // channels)
                _, end = host.ask("image", head + bytes(samples), id=3, size=[1, 1], dpi=None, **preview)
                assert (end["id"], end["bytes"]) == (3, len(head) + len(samples))
                assert host.bytes_in_slot(len(head) + len(expected)) == head + bytes(expected), what

    def test_images_that_stay(self):
        _, end = self.host("white-point").ask("image", b"P5 20 1 65535\n" + bytes([200, 0] * 20), id=3, size=[1, 1])
        assert "bytes" not in end
        for code, limits, page in [("too-large", {"bytes": 10}, b"P5 4 1 255\nabcd"), ("usage", {}, b"no image")]:
            assert self.refused(code, self.host("white-point", limits).ask, "image", page, id=2, size=[4, 1]).page == 2
