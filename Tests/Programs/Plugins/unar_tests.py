"""Tests of Plugins/UnarSource."""

import os
import subprocess
import zlib

import pytest

from faulty import png
from helpers import FIXTURES, TOP, PluginTests
from host import Host, Source

PROGRAM = TOP / "Plugins/UnarSource/jisui-source-unar"
TIME = bytes.fromhex("32547658")


def crc16(data):
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
    return value


def lzh(*members):
    """An LZH archive of stored members: (name, data), or (name, data, checksum) with a false one."""
    archive = b""
    for name, data, *crc in members:
        name, size = name if isinstance(name, bytes) else name.encode(), len(data).to_bytes(4, "little")
        body = b"-lh0-" + size + size + TIME + b"\x20\0" + bytes([len(name)]) + name + (crc or [crc16(data)])[0].to_bytes(2, "little")
        archive += bytes([len(body), sum(body) & 255]) + body + data
    return archive + b"\0"


def arj(*members):
    """An ARJ archive of stored members: (name, data)."""
    def header(name, data, kind):
        first = bytes([30, 11, 1, 2, 0, 0, kind, 0]) + TIME + len(data).to_bytes(4, "little") * 2
        basic = first + zlib.crc32(data).to_bytes(4, "little") + bytes(6) + name.encode() + b"\0\0"
        return b"\x60\xea" + len(basic).to_bytes(2, "little") + basic + zlib.crc32(basic).to_bytes(4, "little") + b"\0\0"
    return header("book.arj", b"", 2) + b"".join(header(name, data, 0) + data for name, data in members) + b"\x60\xea\0\0"


# Archives, by the names of their members, and the pages in their order, each with the place of its member. Their data is different.
PAGES = [
    ("numbers", lzh, ["p10.png", "p2.png"], {"p2.png": 1, "p10.png": 0}),
    ("two of one name", lzh, ["p.png", "q.png", "p.png", "p.png"], {"p.png": 0, "p (2).png": 2, "p (3).png": 3, "q.png": 1}),
    # unar takes these slashes for parts of the names.
    ("ARJ", arj, ["b/2.png", "b/10.png", "b_2.png", "a/../b/3.png"], {"a/../b/3.png": 3, "b/2.png": 0, "b/10.png": 1, "b_2.png": 2}),
    ("evil names", lzh, ["../../evil.png", "b/./c.png", "/abs.png", "\x1b[31mred\n.png", "-i.png"],
     {"\ufffd[31mred\ufffd.png": 3, "-i.png": 4, "../../evil.png": 0, "/abs.png": 2, "b/./c.png": 1}),
    ("natural order", lzh, ["b/1.png", "a/第十巻.png", "a/第九巻.png", "a/下.png", "a/上.png", "a/中.png", "a/p10.PNG", "a/p9.png",
                            "a/p09.png", "a/P9.jpg", "a/０３.png", "a/x1.png"],
     {"a/上.png": 4, "a/中.png": 5, "a/下.png": 3, "a/０３.png": 10, "a/P9.jpg": 9, "a/p9.png": 7, "a/p09.png": 8, "a/p10.PNG": 6,
      "a/x1.png": 11, "a/第九巻.png": 2, "a/第十巻.png": 1, "b/1.png": 0}),
    ("Shift JIS", lzh, ["表紙.png".encode("cp932"), "ソース.png".encode("cp932")], {"ソース.png": 1, "表紙.png": 0}),
]


class UnarTests(PluginTests):
    def source(self, path, variables=None, **more):
        self.path("scratch").mkdir(exist_ok=True)
        return self.running(Source(PROGRAM, path, variables={"TMPDIR": self.path("scratch")} | (variables or {}), **more))

    def opened(self, path, password=None, **more):
        source = self.source(path, **more)
        source.open(password)
        return source

    def pages(self, source):
        return {page["name"]: source.give(number)[0] for number, page in source.pages.items()}

    def archive(self, *members, name="book.lzh"):
        return self.path(name, lzh(*members))

    def seven_zip(self, *arguments, **files):
        """An archive made of files by their names without endings, with options of 7z."""
        for name, data in files.items():
            self.path(f"{name}.png", data)
        self.path("book.7z").unlink(missing_ok=True)
        command = ["7z", "a", *arguments, "book.7z", *(f"{name}.png" for name in files)]
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True)
        return self.path("book.7z")

    def written_down(self):
        """What tells with which arguments and variables lsar and unar were called, and the variables that make it so."""
        path = self.path("calls", b"")
        scripts = {name: f'{{ echo call {name} "$@"; env; }} >>{path}; exec /usr/bin/{name} "$@"' for name in ("lsar", "unar")}
        return path.read_text, self.programs(**scripts)

    @pytest.mark.parametrize("_, form, names, expected", PAGES)
    def test_pages(self, _, form, names, expected):
        pictures = [png(number) for number in range(len(names))]
        source = self.opened(self.path("book", form(*zip(names, pictures))))
        assert list(self.pages(source).items()) == [(name, pictures[place]) for name, place in expected.items()]
        assert source.examine(1)["representations"] == [{"kind": "encoded", "encoding": "png"}]
        assert (source.close(), os.listdir(self.path("scratch"))) == (0, [])
        assert not (self.path("evil.png").exists() or os.path.exists("/abs.png"))

    def test_junk(self):
        junk = ["__MACOSX/a/1.png", "Thumbs.db", "a/._p9.png", "@eaDir/p.png", ".hidden/q.png", "notes.txt"]
        lines, _ = self.source(self.archive(*((name, png(1)) for name in [*junk, "1.png"]))).open()
        assert sorted(line["skipped"] for line in lines if "skipped" in line) == sorted(junk)

    def test_names_and_parts_of_archives(self):
        source = self.opened(self.archive(("紙.png".encode("cp932"), png(1))), settings={"unar-encoding": "cp437"})
        assert self.pages(source) == {b"\x8e\x86.png".decode("cp437"): png(1)}
        assert self.pages(self.opened(self.archive(("p.png", png(1)), name="-o book \n\u3042.lzh"))) == {"p.png": png(1)}
        files = {str(number): os.urandom(3000) for number in range(1, 4)}
        self.seven_zip("-v4k", "-mx0", **files)
        assert self.path("book.7z.003").exists()
        assert list(self.pages(self.opened(self.path("book.7z.001"))).values()) == list(files.values())

    def test_solid_archive_is_unpacked_once(self):
        path = self.seven_zip("-ms=on", **{f"{number}": png(number) for number in range(1, 6)})
        calls, variables = self.written_down()
        source = self.opened(path, variables=variables)
        assert [source.give(page)[0] for page in (5, 1, 3, 2, 4)] == [png(page) for page in (5, 1, 3, 2, 4)]
        assert calls().count("call unar") == 1

    def test_several_pictures_in_a_tiff(self):
        tiff = b"II*\0\x08\0\0\0" + b"\0\0" + (14).to_bytes(4, "little") + b"\0\0" + b"\0" * 4
        assert "2 pictures" in self.opened(self.archive(("p.tif", tiff))).examine(1)["defects"][0]

    def asks_for_password(self, *options, password="sesame", **more):
        """An archive opens neither without its password nor with another; the same process may be asked again."""
        source = self.source(self.seven_zip(f"-p{password}", *options, **{"1": png(1), "2": png(2)}), **more)
        refusal = self.refused("encrypted", source.open)
        self.refused("encrypted", source.open, password="wrong")
        source.open(password=password)
        assert self.pages(source) == {"1.png": png(1), "2.png": png(2)}
        return refusal

    def test_encrypted_pages_and_names(self):
        assert "--password-file" in self.asks_for_password().hint
        # ^C, ^D, ^U and the backslash mean something to a terminal.
        calls, variables = self.written_down()
        password = "ü\x03\x04\x15\\\x7f ^sesame"
        self.asks_for_password("-mhe=on", password=password, variables=variables)
        # The password is on no command line.
        assert "call unar" in calls()
        assert "sesame" not in calls()

    def test_password_without_a_terminal(self):
        # Python imports this first.
        self.path("site/sitecustomize.py", b"import os\ndef openpty(): raise PermissionError(13, 'Permission denied')\nos.openpty = openpty\n")
        variables = {"PYTHONPATH": self.path("site")}
        for options in ([], ["-mhe=on"]):
            self.asks_for_password(*options, variables=variables, settings={"unar-password-visible": "true"})
            source = self.source(self.path("book.7z"), variables=variables)
            assert "--unar-password-visible" in self.refused("unsupported", source.open, password="sesame").hint
        # Where nothing is encrypted, nothing is asked.
        source = self.opened(self.archive(("1.png", png(1))), variables=variables, password="sesame")
        assert self.pages(source) == {"1.png": png(1)}

    def test_encrypted_fixtures(self):
        source = self.opened(FIXTURES / "bad/ArchiveSource/7zip-encrypted.7z", password="komga")
        assert len(source.give(1)[0]) == 3108
        # unar does not know this encryption.
        source = self.source(FIXTURES / "bad/ArchiveSource/rar4-encrypted.rar")
        self.refused("encrypted", source.open)
        assert "unrar" in self.refused("encrypted", source.open, password="komga").hint

    def test_archives_that_do_not_open(self):
        bomb = self.seven_zip("-mx9", **{"1": b"\0" * (30 << 20)})
        self.refused("too-large", self.source(bomb).open, says="grow")
        # unar ends at such a name.
        for code, words, data in [("empty", "", b""), ("unsupported", "", b"nothing like an archive" * 50),
                                  ("empty", "", lzh(("notes.txt", b"notes"))), ("damaged", "listed", lzh(("a/../../b/./c.png", png(1))))]:
            self.refused(code, self.source(self.path("a.lzh", data)).open, says=words)

    def test_damaged_members_are_named_alone(self):
        source = self.opened(self.archive(("1.png", png(1)), ("2.png", png(2), 7), ("3.png", png(3)), ("4.png", b""), ("5.png", b"text")))
        assert [source.give(page)[0] for page in (1, 3)] == [png(1), png(3)]
        self.refused("damaged", source.give, 2, says="checksum")
        for page, words in [(2, ""), (4, "empty"), (5, "")]:
            self.refused("damaged", source.examine, page, says=words)
        unar = 'while [ "$1" != -output-directory ]; do shift; done; mkdir -p "$2"; printf short >"$2/1.png"; echo "  1.png  (9 B)... OK."'
        source = self.opened(self.archive(("1.png", png(1))), variables=self.programs(unar=unar))
        self.refused("damaged", source.give, 1, says="5 bytes instead of")

    def test_many_of_one_name(self):
        source = self.opened(self.archive(*(("p.png", png(number)) for number in range(13))))
        assert (len(source.pages), source.give(10)[0]) == (13, png(9))
        self.refused("unsupported", source.give, 13)

    def test_children_end_with_the_socket_and_the_program(self):
        # A page of an unar that takes hours.
        seconds = f"35{os.getpid()}"
        variables = self.programs(unar=f"exec sleep {seconds}")
        for is_killed in (False, True):
            source = self.opened(self.archive(("1.png", png(1))), variables=variables)
            source.send({"ask": "read", "id": 1, "representation": 0})
            self.sleeps_until(seconds, is_there=True)
            assert not (source.process.kill() if is_killed else source.close(patience=5))
            self.sleeps_until(seconds, is_there=False, within=20 if is_killed else 0)

    def test_missing_program(self):
        host = self.running(Host(PROGRAM, self.archive(("1.png", png(1))), variables=self.python_alone()))
        assert "apt install unar" in self.refused("unsupported", host.hello).hint
