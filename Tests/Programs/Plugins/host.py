"""A stand-in for jisui that runs one plug-in and asks it one thing at a time, by docs/dev/plugin-protocol.md.

It has no opinion of what a plug-in answers; it only holds it to the wire. Tests of any source, sink or transform can use it.
"""

import json
import os
import resource
import signal
import socket
import subprocess


class Refused(Exception):
    """An answer that ended with an error: `code`, `message`, `hint` and the `page` that it is about."""

    def __init__(self, end):
        values = end.get("values")
        self.code, self.page = end["error"], end.get("id")
        self.message, self.hint = (
            text.format(*values) if text and values is not None else text for text in (end.get("message"), end.get("hint")))
        super().__init__(f"{self.code}: {self.message}")


class Host:
    """One process of a plug-in, which is ended when `with` ends.

    - program: its path.
    - book: a source's input or a sink's output; its path, or None.
    - memory: the address space the program may have, in bytes; None under a sanitizer, which takes terabytes.
    - patience: seconds to wait for a line.
    """

    def __init__(self, program, book=None, *, writes=False, memory=None, patience=60, variables=None, path=None):
        self.socket, theirs = socket.socketpair()
        self.slot, self.output = os.memfd_create("slot"), os.memfd_create("output")
        book_file = os.open(book or os.devnull, os.O_RDWR if writes else os.O_RDONLY)
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent", "JISUI_PLUGIN": "1"}
        environment["JISUI_OUTPUT" if writes else "JISUI_INPUT"] = os.path.abspath(path or book or "")
        # Sanitizers are told by the environment what to do; nothing else of it goes on.
        environment |= {key: value for key, value in os.environ.items() if key in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")}

        def hand_over():
            # Above all numbers that are needed first, so that none is overwritten before it was copied.
            copies = [os.dup2(file, 100 + index, inheritable=False) for index, file in enumerate((theirs.fileno(), self.slot, book_file))]
            for index, file in enumerate(copies):
                os.dup2(file, 3 + index, inheritable=True)
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        self.process = subprocess.Popen(
            [program], stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.output, env=environment | (variables or {}),
            close_fds=False, start_new_session=True, preexec_fn=hand_over)
        os.close(book_file)
        theirs.close()
        self.socket.settimeout(patience)
        self.lines = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, line):
        """Sends bytes as they are, or an object as a request."""
        if not isinstance(line, bytes):
            line = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        self.socket.sendall(line)

    def receive(self):
        """The next line, as an object."""
        try:
            line = self.lines.readline(1 << 16)
        except (ConnectionResetError, TimeoutError) as error:
            line = str(error).encode()
        assert line.endswith(b"\n"), f"no line, or one of more than 64 KiB: {line[:300]}; it said: {self.printed()}"
        return json.loads(line.decode())

    def show(self, picture):
        """Puts a picture into the slot."""
        os.ftruncate(self.slot, 0)
        os.pwrite(self.slot, picture, 0)

    def ask(self, ask, picture=None, **keys):
        """Asks with a picture in the slot; the lines and the end of the answer. Raises `Refused` where that is an error."""
        self.show(picture or b"")
        self.send({"ask": ask} | keys | ({} if picture is None else {"bytes": len(picture)}))
        return self.answer()

    def answer(self, ends=("ok",)):
        """The lines of an answer, and its end. A transform may ask for a `preview` in the middle of it."""
        lines = []
        while True:
            line = self.receive()
            if "error" in line:
                raise Refused(line)
            if any(end in line for end in ends):
                assert line.get("ok", True) is True
                return lines, line
            lines.append(line)

    def hello(self, role="source", settings=None, versions=(1,), **limits):
        limits = {"pages": 100_000, "bytes": 1 << 31, "pixels": 1 << 29} | limits
        return self.ask("hello", versions=list(versions), role=role, settings=settings or {}, limits=limits)[1]

    def change(self, pages, book=None, shown=lambda _: None, lines_run=None, **more):
        """Sends a list of pages to a transform; `shown` gives the picture of a page that it wants to see.

        `lines_run` is how the lines of those pages run. The lines, the requests for pictures, and the end.
        """
        for line in [{"ask": "change", "count": len(pages), "book": book or {}} | more, *pages]:
            self.send(line)
        lines, wanted = [], []
        while True:
            found, end = self.answer(["ok", "preview"])
            lines += found
            if "preview" not in end:
                return lines, wanted, end
            wanted.append(end)
            picture = shown(end["preview"])
            self.show(picture or b"")
            answer = {"bytes": len(picture or b""), "size": [1, 1]} | ({"lines": lines_run} if lines_run else {})
            self.send(answer if picture else {"error": "damaged", "message": "cannot be read"})

    def bytes_in_slot(self, count):
        """The first bytes of the slot; fewer where it holds fewer."""
        return os.pread(self.slot, count, 0)

    def printed(self):
        return os.pread(self.output, 1 << 16, 0).decode(errors="replace").strip()

    def usage(self):
        """The program's resident memory in bytes, and how many files it has open."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"), len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def close(self, patience=10):
        """Has no more requests: the program's exit status."""
        if self.process.returncode is None:
            self.lines.close()
            self.socket.close()
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
            os.close(self.slot)
            os.close(self.output)
        return self.process.returncode


class Source(Host):
    """A source with a book: `open` first, then pages by their ID."""

    def __init__(self, program, book, *, settings=None, limits=None, **more):
        super().__init__(program, book, **more)
        self.book = book
        self.hello(settings=settings, **(limits or {}))

    def open(self, password=None, name=None):
        """The lines and the end of `open`; the pages by their ID stay in `pages`."""
        keys = {"name": name or os.path.basename(self.book)} | ({"password": password} if password else {})
        lines, end = self.ask("open", **keys)
        self.pages = {line["page"]: line for line in lines if "name" in line}
        return lines, end

    def examine(self, page):
        return self.ask("examine", id=page)[1]

    def give(self, page, way=0, **keys):
        """A page's bytes, from the slot or the input, and the end of the answer."""
        end = self.ask("read", id=page, representation=way, **keys)[1]
        if "span" not in end:
            return self.bytes_in_slot(end["bytes"]), end
        with open(self.book, "rb") as file:
            return os.pread(file.fileno(), end["span"][1], end["span"][0]), end
