"""Books and shelves that jisui makes for tests, each when it is first opened, and a server for them."""

import contextlib
import functools
import io
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import tempfile

from PIL import Image


def png(width, height, seed):
    """A picture of blocks of 20 pixels in any colors, others for each seed."""
    across, down, made = (width + 19) // 20, (height + 19) // 20, io.BytesIO()
    blocks = Image.frombytes("RGB", (across, down), random.Random(seed).randbytes(3 * across * down))
    blocks.resize((20 * across, 20 * down), Image.NEAREST).crop((0, 0, width, height)).save(made, "PNG", compress_level=1)
    return made.getvalue()


class Books:
    def __init__(self, jisui, folder):
        self.jisui, self.folder = jisui, pathlib.Path(folder).resolve()

    def run(self, *arguments):
        done = subprocess.run([self.jisui, *map(str, arguments), "-q"], capture_output=True, text=True)
        # 3: with warnings, such as those about links that are left out.
        if done.returncode not in (0, 3):
            raise AssertionError(f"jisui {arguments}: {done.stderr}")

    def web(self, name, *arguments):
        folder = self.folder / "web" / name
        folder.parent.mkdir(exist_ok=True)
        self.run(*arguments, "-o", folder, "--to", "web")
        return folder

    def write(self, name, files):
        """Writes files with their contents into a folder below that of the books."""
        for path, data in files.items():
            path = self.folder / name / path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return self.folder / name

    def pages(self, name, sizes, seed=0):
        return self.write(name, {f"{number:04}.png": png(*size, seed + number) for number, size in enumerate(sizes, 1)})


def maker(make):
    """Lets a table name a book before it has a folder: after `rtl = book("rtl", sizes)`, `rtl(books)` makes the folder once."""
    return lambda *arguments: functools.lru_cache(lambda books: make(books, *arguments))


@maker
def book(books, name, sizes, *options):
    return books.web(name, books.pages(f"pages/{name}", sizes), *options)


@maker
def shelf(books, name, titles, *options):
    """A shelf of books with these titles or lists of options, the first of 4 pages, and each next of one more."""
    for number, title in enumerate(titles):
        pages = books.pages(f"pages/{name}-{number}", [(150, 220)] * (4 + number), 1000 * number)
        folder = books.web(name, pages, "--add", *(title if isinstance(title, list) else ["--title", title]), *options)
    return folder


@maker
def typed(books, name, pages, *options):
    """A book whose pages have text and links, from a folder like those that jisui writes.

    A page is its size, its lines as [direction, quarter turns, [[word, left, top, right, bottom], ...]], and its links as
    [target, left, top, right, bottom]; places are hundred-thousandths of the page.
    """
    source = books.pages(f"typed/{name}/pages", [size for size, _, _ in pages]).parent
    parts = range(0, len(pages), 100)
    texts = {f"text/{start // 100:03}.js": [lines for _, lines, _ in pages[start : start + 100]] for start in parts}
    books.write(source, {path: f"jisui.text({json.dumps(lines)});\n" for path, lines in texts.items()} | {"book.json": json.dumps({
        "jisui": "web", "version": 1, "texts": [start // 100 for start in parts],
        "links": [[place, *link] for place, (_, _, links) in enumerate(pages) for link in links],
        "pages": [[f"{number:04}.png", *size, "plain"] for number, (size, _, _) in enumerate(pages, 1)],
    })})
    return books.web(name, source, *options)


@maker
def added(books, original, title):
    return books.web(original(books).name, books.pages(f"pages/{title}", [(300, 440)] * 2), "--add", "--title", title)


@maker
def changed(books, name, original, files):
    """A copy of a book's folder in which some files have other contents."""
    shutil.copytree(original(books), books.folder / "web" / name)
    return books.write(f"web/{name}", files)


PAGE = (300, 440)
# A title that would be markup, with signs that change the direction of text.
HOSTILE = "</script><img src=x onerror=alert(1)>&amp;\u202e\u0600<b>\"'"
rtl = book("rtl", [PAGE] * 12, "--direction", "rtl")
ltr = book("ltr", [PAGE] * 24, "--direction", "ltr")


@contextlib.contextmanager
def server(folder):
    """Serves a folder with Debian's nginx; gives its address."""
    with socket.socket() as free, tempfile.TemporaryDirectory() as scratch:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        temporary = " ".join(f"{kind}_temp_path {scratch}/{kind};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        configuration = pathlib.Path(scratch) / "nginx.conf"
        # The user of the tests may read the folder.
        configuration.write_text(
            f"{'user root;' if os.geteuid() == 0 else ''} pid {scratch}/pid; events {{}} http {{ include /etc/nginx/mime.types;"
            f"access_log off; {temporary} server {{ listen 127.0.0.1:{port}; location / {{ alias {folder}/; }} }} }}")
        # Only an administrator's shell finds it by its name. It goes into the background once it listens.
        program = [shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"), "-e", f"{scratch}/error.log", "-c", configuration]
        subprocess.run(program, check=True)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            subprocess.run([*program, "-s", "stop"], check=True)
