"""What the tests of Plugins/DjVuSource share: the program, fixtures, and files that are put together of chunks.

JISUI_SANITIZED=1: it is the program that was built with the address sanitizer.
"""

import io
import os
import struct
import subprocess

from PIL import Image

from helpers import FIXTURES, TOP, PluginTests
from host import Source

SANITIZED = os.environ.get("JISUI_SANITIZED") == "1"
PROGRAM = TOP / (".build-plugins" if SANITIZED else ".build/plugins") / "jisui-source-djvu"


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, **more).stdout


def fixture(name):
    return FIXTURES / f"good/DjVuSource/{name}.djvu"


def source(path, **more):
    """A process with a book, which is a path or the name of a fixture, that is not open yet."""
    path = fixture(path) if isinstance(path, str) else path
    return Source(PROGRAM, str(path), **{"memory": None if SANITIZED else 1 << 30} | more)


def from_rows(data, end):
    """Bare rows as docs/dev/plugin-protocol.md has them, by the end of their answer, as a picture in color."""
    picture = Image.frombytes({"gray1": "1", "gray8": "L", "rgb8": "RGB"}[end["format"]], tuple(end["size"]), data)
    # There is no byte more, and no bit beyond a row.
    assert picture.tobytes() == data, end
    return picture.convert("RGB")


def given(book, page=1, **keys):
    """A page as a picture, and the end of the answer."""
    data, end = book.give(page, **keys)
    return from_rows(data, end), end


def made(*command, **more):
    """The picture that a program prints, in color."""
    return Image.open(io.BytesIO(run(*command, **more))).convert("RGB")


def shown(name, *options, page=1):
    """A page of a fixture as ddjvu shows it."""
    return made("ddjvu", "-format=ppm", f"-page={page}", *options, fixture(name))


def chunk(name, data):
    return name.encode() + struct.pack(">I", len(data)) + data + b"\0" * (len(data) % 2)


def chunks_of(path, name):
    """The chunks of a name in a file with one FORM, as they lie in a file."""
    data, place, found = (fixture(path) if isinstance(path, str) else path).read_bytes(), 16, b""
    while place + 8 <= len(data):
        end = place + 8 + struct.unpack(">I", data[place + 4 : place + 8])[0]
        found += chunk(name, data[place + 8 : end]) if data.startswith(name.encode(), place) else b""
        place = end + end % 2
    return found


def form(kind, *chunks):
    return b"AT&T" + chunk("FORM", kind.encode() + b"".join(chunks))


def page_of(*chunks, size=(48, 64)):
    return form("DJVU", chunk("INFO", struct.pack(">HHBBBBBB", *size, 26, 0, 44, 1, 22, 1)), *chunks)


def directory(*names):
    """An indirect book of files, of which those called .djvu are pages."""
    flags = bytes(name.endswith(".djvu") for name in names)
    packed = run("bzz", "-e", "-", "-", input=b"\0\0\0" * len(names) + flags + b"".join(name.encode() + b"\0" for name in names))
    return form("DJVM", chunk("DIRM", struct.pack(">BH", 1, len(names)) + packed))


class DjVuTests(PluginTests):
    def opened(self, path, **more):
        book = self.running(source(path, **more))
        book.open()
        return book

    def with_text(self, text):
        """A copy of a fixture with a text as djvused reads it."""
        path = self.path("text.djvu", fixture("mask").read_bytes())
        run("djvused", path, "-e", f"select 1; set-txt {self.path('text', text)}; save")
        return path

    def mask_of(self, width, height, rows):
        """A page of DjVu with a mask, as cjb2 makes it of the rows of a PBM."""
        run("cjb2", "-lossless", self.path("in.pbm", b"P4 %d %d\n" % (width, height) + rows), self.path("mask.djvu"))
        return self.path("mask.djvu")
