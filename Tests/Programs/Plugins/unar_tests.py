#!/usr/bin/env python3
"""Tests of Plugins/UnarSource: Tests/Programs/Plugins/unar_tests.py [NAME…]"""

import os
import signal
import subprocess
import zlib

from faulty import png
from helpers import FIXTURES, TOP, PluginTests, eventually, main, needed, processes
from host import Host, Source

PROGRAM = os.path.join(TOP, "Plugins/UnarSource/jisui-source-unar")


def crc16(data):
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
    return value


def lzh(*members):
    """An LZH archive of stored members: (name, data), or (name, data, facts) with a false `crc` or `size`."""
    archive = b""
    for name, data, *facts in members:
        facts = facts[0] if facts else {}
        name = name if isinstance(name, bytes) else name.encode()
        body = b"-lh0-" + len(data).to_bytes(4, "little") + facts.get("size", len(data)).to_bytes(4, "little") \
            + bytes.fromhex("32547658") + b"\x20\0" + bytes([len(name)]) + name + facts.get("crc", crc16(data)).to_bytes(2, "little")
        archive += bytes([len(body), sum(body) & 255]) + body + data
    return archive + b"\0"


def arj(*members):
    """An ARJ archive of stored members: (name, data)."""
    def header(name, data, kind):
        first = bytes([30, 11, 1, 2, 0, 0, kind, 0]) + bytes.fromhex("32547658") + len(data).to_bytes(4, "little") * 2 \
            + zlib.crc32(data).to_bytes(4, "little") + bytes(6)
        basic = first + name.encode() + b"\0\0"
        return b"\x60\xea" + len(basic).to_bytes(2, "little") + basic + zlib.crc32(basic).to_bytes(4, "little") + b"\0\0"
    return header("book.arj", b"", 2) + b"".join(header(name, data, 0) + data for name, data in members) + b"\x60\xea\0\0"


@needed("unar", "lsar")
class UnarTests(PluginTests):
    def source(self, path, variables=None, **more):
        self.path("scratch").mkdir(exist_ok=True)
        return self.running(Source(PROGRAM, path, variables={"TMPDIR": self.path("scratch")} | (variables or {}), **more))

    def opened(self, path, password=None, **more):
        source = self.source(path, **more)
        source.open(password)
        return source

    def seven_zip(self, *arguments, **files):
        """An archive made of files by their names without endings, with options of 7z."""
        for name, data in files.items():
            self.path(f"{name}.png", data)
        subprocess.run(["7z", "a", *arguments, "book.7z", *(f"{name}.png" for name in files)], cwd=self.folder, check=True, capture_output=True)
        return self.path("book.7z")

    def written_down(self):
        """What tells with which arguments and variables lsar and unar were called, and the variables that make it so."""
        path = self.path("calls", b"")
        variables = self.programs(**{name: f'{{ echo call {name} "$@"; env; }} >>{path}; exec /usr/bin/{name} "$@"' for name in ("lsar", "unar")})
        return path.read_text, variables

    def archive(self, *members, name="book.lzh"):
        return self.path(name, lzh(*members))

    def names(self, source):
        return [page["name"] for page in source.pages.values()]

    # Pages

    def test_pages_of_an_lzh(self):
        source = self.source(self.archive(("p10.png", png(10)), ("p2.png", png(2)), ("notes.txt", b"notes")))
        lines, _ = source.open()
        self.assertEqual(self.names(source), ["p2.png", "p10.png"])
        self.assertEqual([line["skipped"] for line in lines if "skipped" in line], ["notes.txt"])
        self.assertEqual(source.examine(1)["representations"], [{"kind": "encoded", "encoding": "png"}])
        # Backwards, and twice.
        for page, number in ((2, 10), (1, 2), (2, 10)):
            self.assertEqual(source.give(page)[0], png(number))
        self.assertEqual(source.close(), 0)
        self.assertEqual(os.listdir(self.path("scratch")), [])

    def test_pages_of_an_arj(self):
        # unar takes these slashes for parts of the names.
        members = [("b/2.png", png(1)), ("b/10.png", png(2)), ("b_2.png", png(3)), ("a/../b/3.png", png(4))]
        source = self.opened(self.path("book.arj", arj(*members)))
        given = {page["name"]: source.give(number)[0] for number, page in source.pages.items()}
        self.assertEqual(given, dict(members))

    def test_order_and_junk(self):
        pages = ["b/1.png", "a/第十巻.png", "a/第九巻.png", "a/下.png", "a/上.png", "a/中.png", "a/p10.PNG", "a/p9.png", "a/p09.png", "a/P9.jpg",
                 "a/０３.png", "a/x1.png"]
        junk = ["__MACOSX/a/1.png", "Thumbs.db", "a/._p9.png", "@eaDir/p.png", ".hidden/q.png"]
        source = self.source(self.archive(*((name.encode("utf-8"), png(1)) for name in pages + junk)))
        lines, _ = source.open()
        self.assertEqual(self.names(source), ["a/上.png", "a/中.png", "a/下.png", "a/０３.png", "a/P9.jpg", "a/p9.png", "a/p09.png", "a/p10.PNG",
                                              "a/x1.png", "a/第九巻.png", "a/第十巻.png", "b/1.png"])
        self.assertEqual(sorted(line["skipped"] for line in lines if "skipped" in line), sorted(junk))

    def test_two_of_one_name(self):
        source = self.opened(self.archive(("p.png", png(1)), ("q.png", png(2)), ("p.png", png(3)), ("p.png", png(4))))
        self.assertEqual(self.names(source), ["p.png", "p (2).png", "p (3).png", "q.png"])
        self.assertEqual([source.give(page)[0] for page in (1, 2, 3, 4)], [png(1), png(3), png(4), png(2)])

    def test_evil_names(self):
        source = self.opened(self.archive(("../../evil.png", png(1)), ("b/./c.png", png(5)), ("/abs.png", png(2)), ("\x1b[31mred\n.png", png(3)), ("-i.png", png(4))))
        given = {page["name"]: source.give(number)[0] for number, page in source.pages.items()}
        self.assertEqual(given, {"../../evil.png": png(1), "b/./c.png": png(5), "/abs.png": png(2), "\N{REPLACEMENT CHARACTER}[31mred\N{REPLACEMENT CHARACTER}.png":
                                 png(3), "-i.png": png(4)})
        self.assertFalse(os.path.exists(self.path("evil.png")))
        self.assertFalse(os.path.exists("/abs.png"))

    def test_names_at_which_unar_ends(self):
        refusal = self.refused("damaged", self.source(self.archive(("a/../../b/./c.png", png(1)))).open)
        self.assertIn("listed", refusal.message)

    def test_encodings(self):
        path = self.archive(*((name.encode("cp932"), png(1)) for name in ("表紙.png", "ソース.png")))
        source = self.opened(path)
        self.assertEqual(self.names(source), ["ソース.png", "表紙.png"])
        self.assertEqual(source.give(2)[0], png(1))
        asked = self.opened(path, settings={"unar-encoding": "cp437"})
        self.assertNotEqual(self.names(asked), self.names(source))

    def test_archive_whose_name_is_an_option(self):
        path = self.archive(("p.png", png(1)), name="-o book \n\u3042.lzh")
        source = self.opened(path)
        self.assertEqual(source.give(1)[0], png(1))

    @needed("7z")
    def test_parts_of_an_archive(self):
        third = os.urandom(3000)
        self.seven_zip("-v4k", "-mx0", **{"1": os.urandom(3000), "2": os.urandom(3000), "3": third})
        self.assertTrue(os.path.exists(self.path("book.7z.003")))
        source = self.opened(self.path("book.7z.001"))
        self.assertEqual(source.give(3)[0], third)

    @needed("7z")
    def test_solid_archive_is_unpacked_once(self):
        path = self.seven_zip("-ms=on", **{f"{number}": png(number) for number in range(1, 6)})
        calls, variables = self.written_down()
        source = self.opened(path, variables=variables)
        self.assertEqual([source.give(page)[0] for page in (5, 1, 3, 2, 4)], [png(page) for page in (5, 1, 3, 2, 4)])
        self.assertEqual(calls().count("call unar"), 1)

    def test_several_pictures_in_a_tiff(self):
        entry = b"\0" * 2
        tiff = b"II*\0\x08\0\0\0" + entry + (14).to_bytes(4, "little") + entry + b"\0" * 4
        source = self.opened(self.archive(("p.tif", tiff)))
        self.assertIn("2 pictures", source.examine(1)["defects"][0])

    # Passwords

    def encrypted(self, *options):
        return self.seven_zip("-psesame", *options, **{"1": png(1), "2": png(2)})

    @needed("7z")
    def test_encrypted_pages(self):
        path = self.encrypted()
        source = self.source(path)
        self.assertIn("--password-file", self.refused("encrypted", source.open).hint)
        self.refused("encrypted", source.open, password="wrong")
        # The same process may be asked again.
        source.open(password="sesame")
        self.assertEqual([source.give(page)[0] for page in (1, 2)], [png(1), png(2)])

    @needed("7z")
    def test_encrypted_names(self):
        path = self.encrypted("-mhe=on")
        source = self.source(path)
        self.refused("encrypted", source.open)
        self.refused("encrypted", source.open, password="wrong")
        source.open(password="sesame")
        self.assertEqual(self.names(source), ["1.png", "2.png"])
        self.assertEqual([source.give(page)[0] for page in (1, 2)], [png(1), png(2)])

    @needed("7z")
    def test_password_with_any_letters(self):
        # ^C, ^D, ^U and the backslash mean something to a terminal.
        password = "ü\x03\x04\x15\\\x7f ^"
        source = self.opened(self.seven_zip(f"-p{password}", "-mhe=on", **{"1": png(1)}), password)
        self.assertEqual(source.give(1)[0], png(1))

    @needed("7z")
    def test_password_is_on_no_command_line(self):
        calls, variables = self.written_down()
        source = self.opened(self.encrypted("-mhe=on"), variables=variables, password="sesame")
        self.assertEqual(source.give(1)[0], png(1))
        self.assertIn("call unar", calls())
        self.assertNotIn("sesame", calls())

    @needed("7z")
    def test_password_without_a_terminal(self):
        # Python imports this first.
        self.path("site/sitecustomize.py", b"import os\ndef openpty(): raise PermissionError(13, 'Permission denied')\nos.openpty = openpty\n")
        variables = {"PYTHONPATH": self.path("site")}
        for options in ([], ["-mhe=on"]):
            path = self.encrypted(*options)
            refusal = self.refused("unsupported", self.source(path, variables=variables).open, password="sesame")
            self.assertIn("--unar-password-visible", refusal.hint)
            source = self.source(path, variables=variables, settings={"unar-password-visible": "true"})
            self.refused("encrypted", source.open, password="wrong")
            source.open(password="sesame")
            self.assertEqual([source.give(page)[0] for page in (1, 2)], [png(1), png(2)])
            os.remove(path)
        # Where nothing is encrypted, nothing is asked.
        source = self.opened(self.archive(("1.png", png(1))), variables=variables, password="sesame")
        self.assertEqual(source.give(1)[0], png(1))

    def test_encrypted_fixture(self):
        source = self.opened(os.path.join(FIXTURES, "bad/ArchiveSource/7zip-encrypted.7z"), password="komga")
        self.assertEqual(len(source.give(1)[0]), 3108)

    def test_rar_4_whose_encryption_unar_does_not_know(self):
        source = self.source(os.path.join(FIXTURES, "bad/ArchiveSource/rar4-encrypted.rar"))
        self.refused("encrypted", source.open)
        self.assertIn("unrar", self.refused("encrypted", source.open, password="komga").hint)

    # What is broken

    def test_damaged_member_is_named_alone(self):
        source = self.opened(self.archive(("1.png", png(1)), ("2.png", png(2), {"crc": 7}), ("3.png", png(3)), ("4.png", b"")))
        self.assertEqual([source.give(page)[0] for page in (1, 3)], [png(1), png(3)])
        self.assertIn("checksum", self.refused("damaged", source.give, 2).message)
        self.refused("damaged", source.examine, 2)
        self.assertIn("empty", self.refused("damaged", source.examine, 4).message)

    def test_member_of_another_size_than_announced(self):
        unar = 'while [ "$1" != -output-directory ]; do shift; done; mkdir -p "$2"; printf short >"$2/1.png"; echo "  1.png  (9 B)... OK."'
        source = self.opened(self.archive(("1.png", png(1))), variables=self.programs(unar=unar))
        self.assertIn("5 bytes instead of", self.refused("damaged", source.give, 1).message)

    def test_text_named_like_a_picture(self):
        source = self.opened(self.archive(("1.png", b"no picture at all"), ("2.png", png(2))))
        self.refused("damaged", source.examine, 1)
        self.assertEqual(source.examine(2)["representations"][0]["encoding"], "png")

    def test_no_archive(self):
        self.refused("empty", self.source(self.path("a.lzh", b"")).open)
        self.refused("unsupported", self.source(self.path("b.lzh", b"nothing like an archive" * 50)).open)
        self.refused("empty", self.source(self.archive(("notes.txt", b"notes"))).open)

    # Limits

    def test_bomb(self):
        path = self.seven_zip("-mx9", **{"1": b"\0" * (30 << 20)})
        self.assertIn("grow", self.refused("too-large", self.source(path).open).message)

    def test_many_of_one_name(self):
        source = self.opened(self.archive(*(("p.png", png(number % 200)) for number in range(13))))
        self.assertEqual(len(source.pages), 13)
        self.assertEqual(source.give(10)[0], png(9))
        self.refused("unsupported", source.give, 13)

    # Coming and going

    def slow_source(self):
        """A source that waits for a page of an unar that takes hours, and what tells how many of it run."""
        seconds = f"35{os.getpid()}"  # that nobody else sleeps
        source = self.opened(self.archive(("1.png", png(1))), variables=self.programs(unar=f"exec sleep {seconds}"))
        source.send({"ask": "read", "id": 1, "representation": 0})
        eventually(self, lambda: processes("sleep", seconds))
        return source, seconds

    def test_children_end_with_the_socket(self):
        source, seconds = self.slow_source()
        self.assertEqual(source.close(patience=5), 0)
        self.assertEqual(processes("sleep", seconds), [])

    def test_children_end_with_the_program(self):
        source, seconds = self.slow_source()
        os.kill(source.process.pid, signal.SIGKILL)
        source.process.wait()
        eventually(self, lambda: not processes("sleep", seconds))

    def test_missing_program(self):
        with Host(PROGRAM, self.archive(("1.png", png(1))), variables=self.python_alone()) as host:
            self.assertIn("apt install unar", self.refused("unsupported", host.hello).hint)


if __name__ == "__main__":
    main()
