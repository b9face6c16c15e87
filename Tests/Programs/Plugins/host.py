"""A stand-in for jisui that runs one plug-in and asks it one thing at a time, by docs/dev/plugin-protocol.md.

It has no opinion of what a plug-in answers; it only holds it to the wire. Tests of any source, sink or transform can use it.
"""

import json
import os
import resource
import select
import signal
import socket
import subprocess
import time


class Died(Exception):
    """The program ended, or closed its end, in the middle of an answer."""


class Refused(Exception):
    """An answer that ended with an error: `code`, `message`, `hint` and the `page` that it is about."""

    def __init__(self, end):
        values = end.get("values")
        filled = lambda text: text.format(*values) if text and values is not None else text
        self.code, self.message, self.hint, self.page = end["error"], filled(end.get("message")), filled(end.get("hint")), end.get("id")
        super().__init__(f"{self.code}: {self.message}")


class Host:
    """One process of a plug-in.

    - program: its path.
    - book: a source's input or a sink's output; its path, or None.
    - memory: the address space the program may have, in bytes; None under a sanitizer, which takes terabytes.
    - patience: seconds to wait for a line.
    """

    def __init__(self, program, book=None, *, writes=False, memory=None, patience=60, variables=None, path=None):
        self.patience = patience
        self.socket, theirs = socket.socketpair()
        self.slot = os.memfd_create("slot")
        book_file = os.open(book or os.devnull, os.O_RDWR if writes else os.O_RDONLY)
        self.output = os.memfd_create("output")
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent", "JISUI_PLUGIN": "1"}
        environment["JISUI_OUTPUT" if writes else "JISUI_INPUT"] = os.path.abspath(path or book or "")
        # Sanitizers are told by the environment what to do; nothing else of it goes on.
        environment |= {key: os.environ[key] for key in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS") if key in os.environ}
        environment |= variables or {}
        given = [theirs.fileno(), self.slot, book_file]

        def hand_over():
            # Above all numbers that are needed first, so that none is overwritten before it was copied.
            copies = [os.dup2(file, 100 + index, inheritable=False) for index, file in enumerate(given)]
            for index, file in enumerate(copies):
                os.dup2(file, 3 + index, inheritable=True)
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        null = os.open(os.devnull, os.O_RDONLY)
        self.process = subprocess.Popen([program], stdin=null, stdout=self.output, stderr=self.output, env=environment,
                                        close_fds=False, start_new_session=True, preexec_fn=hand_over)
        for file in (null, book_file):
            os.close(file)
        theirs.close()
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # Lines

    def send(self, line):
        """Sends bytes as they are, or an object as a request."""
        if not isinstance(line, bytes):
            line = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        self.socket.sendall(line)

    def receive(self):
        """The next line, as an object."""
        end = time.monotonic() + self.patience
        while b"\n" not in self.received:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.socket], [], [], left)[0]:
                raise TimeoutError(f"no line in {self.patience} s; it said: {self.printed()}")
            try:
                more = self.socket.recv(1 << 16)
            except ConnectionResetError:
                more = b""
            if not more:
                raise Died(f"status {self.process.wait()}; it said: {self.printed()}")
            self.received += more
        line, self.received = self.received.split(b"\n", 1)
        assert len(line) < 65536, "a line is longer than 64 KiB"
        return json.loads(line.decode("utf-8"))

    def ask(self, ask, **keys):
        """Asks, and returns the lines and the end of the answer; raises `Refused` where that is an error."""
        os.ftruncate(self.slot, 0)
        self.send({"ask": ask} | keys)
        return self.answer()

    def answer(self):
        lines = []
        while True:
            line = self.receive()
            if "error" in line:
                raise Refused(line)
            if "ok" in line:
                assert line["ok"] is True
                return lines, line
            lines.append(line)

    def hello(self, role="source", settings=None, versions=(1,), **limits):
        limits = {"pages": 100_000, "bytes": 1 << 31, "pixels": 1 << 29} | limits
        return self.ask("hello", versions=list(versions), role=role, settings=settings or {}, limits=limits)[1]

    # What is handed over

    def bytes_in_slot(self, count):
        """The first bytes of the slot; fewer where it holds fewer."""
        return os.pread(self.slot, count, 0)

    def printed(self):
        return os.pread(self.output, 1 << 16, 0).decode(errors="replace").strip()

    # The end

    def close(self, patience=10):
        """Has no more requests: the program's exit status."""
        if self.process.returncode is None:
            self.socket.close()
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self.kill()
        status = self.process.returncode
        for file in (self.slot, self.output):
            try:
                os.close(file)
            except OSError:
                pass
        self.socket.close()
        return status

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def memory(self):
        """The program's resident memory in bytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def files(self):
        """How many files the program has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


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
        if "span" in end:
            offset, count = end["span"]
            with open(self.book, "rb") as file:
                file.seek(offset)
                data = file.read(count)
        else:
            data = self.bytes_in_slot(end["bytes"])
        return data, end
