#!/usr/bin/env python3
"""A plug-in that breaks one promise of docs/dev/plugin-protocol.md, to judge those who judge plug-ins.

    faulty.py FOLDER [FAULT [FORM]]

Writes the plug-in with its card and a book that it reads there; without a fault it keeps all promises. FORM is that of a sink's
output: file, stream or folder. The plug-in is called jisui-ROLE-faulty and has its fault written into it.
"""

import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import time
import zlib

FAULT = ""
FORM = "file"

SIGNATURE = b"FAULTY\n"
SIDE = (40, 60)


def hang(_):
    time.sleep(3600)


def crash(_, number=signal.SIGSEGV):
    os.kill(os.getpid(), number)


def compute(_):
    while True:
        pass


def send(data):
    return lambda _: host.sendall(data)


def send_endlessly(data):
    def flood(_):
        while True:
            host.sendall(data)
    return flood


def leave(name, *folders):
    for folder in (os.environ.get("TMPDIR", "/tmp"), "/tmp", *folders):
        try:
            open(os.path.join(folder, f"{name}-{os.getpid()}"), "w").close()
        except OSError:
            pass


def write_input():
    try:
        with open(os.environ["JISUI_INPUT"], "ab") as file:
            file.write(b"!")
    except OSError:
        pass


def close_early(_):
    host.shutdown(socket.SHUT_RDWR)
    time.sleep(3600)


def refuse_to_finish(_):
    raise Refusal("unwritable", "does not want to")


def empty_output(_):
    for name in os.listdir(role.folder) if role.folder else []:
        open(f"{role.folder}/{name}", "w").close()
    if not role.folder:
        os.ftruncate(5, 0)
        return b""


def write_late(_):
    time.sleep(0.05)
    if role.folder:
        return in_folder(lambda folder: open(f"{folder}/more", "w").close())(_)
    os.pwrite(5, b"late", 0)


def in_folder(effect):
    return lambda _: effect(role.folder)


def fill_beyond_limit(_):
    os.ftruncate(4, 1 << 40)
    return {"bytes": 1 << 40}


def on_third(effect):
    return lambda value: effect(value) if role.number == 3 else None


def eat(_):
    eaten = []
    while True:
        eaten.append(bytearray(b"x") * (1 << 26))


def attempt(name, body):
    """Does what the sandbox refuses, and answers that it was refused."""
    def effect(_):
        try:
            body()
        except OSError as error:
            raise Refusal("damaged", f"{name} was refused: {error.strerror}") from error
    return effect


def set_key(key, value):
    return lambda made: made.update({key: value})


def of_first(key, value):
    return lambda made: made[0].update({key: value})


def misspell(number):
    return lambda made: made[number].update(pages=made[number].pop("page"))


# An output of a sink that is a file or a folder is not published.
IN_BOTH = ("nothing file", "nothing folder")
# Each fault: the words that must be found ("|" separates those of which one will do), the place where a promise is broken, the
# effect on the value there, and what a conversion makes of it (`faults_tests.py`), unless only `plugin check` finds it. An effect
# that returns nothing has changed the value itself; without an effect the code asks for the fault.
FAULTS = {
    # The card and the start
    "card-differs": ("differs from its .json file", "printed", lambda text: text.replace("books", "other books")),
    "card-escapes": ("more than one line of plain text", "card", set_key("summary", "books \x1b[31min red\x1b[0m\r\nand another line")),
    "card-setting": ("neither 'faulty' nor begins with 'faulty-'", "card", lambda card: card["settings"][0].update(name="pages")),
    "card-takes-all": ("its magic takes a zip archive", "card",
                       lambda card: card["magic"].extend([{"at": 0, "text": "PK"}, {"at": 0, "text": "%PDF"}])),
    "by-hand": ("status 0, not with 64", "by hand", lambda _: 0),
    "version-wrong": ("a version of the protocol that it was not offered", "end hello", set_key("version", 2)),
    "version-any": ("a version that it does not support", "", None),
    # Lines
    "key-unknown": ("does not choose version 1 of 1 and 999", "asked", lambda ask: {"ask": "?"} if "later" in ask else None),
    "ask-unknown-dies": ("ended with status 1", "unknown", lambda _: sys.exit(1)),
    "ask-unknown-ok": ("does not answer 'unsupported'", "unknown", lambda _: {"ok": True}),
    "garbage-hangs": ("gets garbage: it did not answer within 5", "garbage", hang),
    "never-reads": ("did not answer within 5", "start", hang),
    "line-garbage": ("not a JSON object: Segmentation fault", "wire examine", send(b"Segmentation fault (core dumped)\n")),
    "line-no-object": ("not a JSON object: [1,2,3]", "wire examine", send(b"[1,2,3]\n")),
    "line-bytes": ("not a JSON object", "wire examine", send(b'{"x":"\xff\xfe\xc0"}\n')),
    "line-long": ("a line of more than 65536 bytes", "wire examine", send(b'{"x":"' + b"x" * (1 << 20) + b'"}\n'), "noise"),
    "line-endless": ("a line of more than 65536 bytes", "wire examine", send_endlessly(b"x" * 65536), "noise"),
    "line-deep": ("not a JSON object: [[", "wire examine", send(b"[" * 32_000 + b"]" * 32_000 + b"\n")),
    "noise": ("lists an invalid page", "wire open", send(b'{"noise":1,"depth":[[[[[["x"]]]]]]}\n' * 100_000), "noise"),
    "noise-endless": ("lists an invalid page", "wire open", send_endlessly(b'{"noise":"endless"}\n' * 1000), "noise"),
    "unasked": ("an answer without a request", "start", send(b'{"ok":true,"version":1}\n'), "noise"),
    "answers-twice": ("an answer without a request", "sent examine", lambda end: say(end), "noise"),
    "ok-false": ("neither ok nor an error", "end examine", set_key("ok", False)),
    "stdout-flood": ("prints more than a megabyte", "wire open",
                     lambda _: [os.write(1, b"flood of what nobody reads\n" * 38836) for _ in range(1024)], "noise"),
    # Processes
    "hello-hangs": ("did not answer within 5", "hello", hang),
    "open-hangs": ("opening it: it did not answer within 60", "open", hang),
    "examine-hangs": ("reading page 1: it did not answer within 15", "examine", hang),
    "read-hangs": ("did not answer within", "reading", on_third(hang), "page"),
    "read-hangs-busy": ("did not answer within 15", "read", compute),
    "open-crashes": ("opening it: it was ended by signal 11", "open", crash),
    "read-crashes": ("signal 11", "reading", on_third(crash), "page"),
    "read-eats": ("signal 9|MemoryError|status 1|did not answer within", "reading", on_third(eat), "page"),
    "read-spews": ("65536 bytes|not a JSON", "reading", on_third(send_endlessly(b"spew " * 100_000)), "page"),
    "read-lies": ("1000000000000 bytes", "given", on_third(lambda _: {"bytes": 10**12}), "page"),
    "read-forks": ("fork was refused: Operation", "reading", on_third(attempt("fork", lambda: os.fork() or time.sleep(1000))), "page calls"),
    "read-opens": ("open was refused: Permission", "reading", on_third(attempt("open", lambda: open(f"/tmp/faulty-opened-{os.getpid()}", "w"))), "page files"),
    "read-connects": ("connect was refused: Operation", "reading", on_third(attempt("connect", socket.socket)), "page calls"),
    "read-crashes-once": ("reading page 3: it was ended by signal 11", "reading", on_third(lambda _: crash(_) if role.given > 1 else None)),
    "exits-early": ("ended with status 0", "sent open", lambda _: os._exit(0)),
    "closes-early": ("closed its socket", "sent open", close_early),
    "exit-status": ("status 1 when its socket is closed", "status", lambda _: 1),
    "stays": ("does not end when its socket is closed", "status", hang),
    "stays-stubbornly": ("does not end when its socket is closed", "status", hang),
    "forks": ("not permitted|leaves processes", "listed", lambda _: hang(_) if os.fork() == 0 else None),
    "forks-away": ("not permitted|leaves processes", "listed",
                   lambda _: subprocess.Popen(["sleep", "3600"], start_new_session=True, close_fds=False)),
    "files": ("writes files", "listed", lambda _: leave("faulty-left", "/var/tmp")),
    "input-written": ("changes its input", "listed", lambda _: write_input()),
    "memory-grows": ("its memory grows by", "reading", lambda _: role.kept.append(os.urandom(1 << 20))),
    "descriptors-grow": ("Too many open files|files open", "reading", lambda _: role.kept.append(os.dup(5))),
    # The list of pages
    "ids-descend": ("numbers page 4 after page 5", "pages", lambda pages: pages.reverse()),
    "ids-twice": ("numbers page 1 after page 4", "pages", lambda pages: pages[-1].update(page=pages[0]["page"])),
    "id-zero": ("numbers page 0", "pages", lambda pages: [{**page, "page": page["page"] - 1} for page in pages]),
    "id-text": ("a 'page' that is not a whole number", "pages", of_first("page", "1"), "nothing"),
    "id-fraction": ("a 'page' that is not a whole number", "pages", of_first("page", 1.5), "nothing"),
    "id-huge": ("a 'page' that is not a whole number", "pages", lambda pages: pages[-1].update(page=10**30), "nothing"),
    "id-missing": ("lists an invalid page", "pages", misspell(1), "nothing"),
    "label-number": ("a 'label' that is not text", "pages", lambda pages: pages[1].update(label=2), "nothing"),
    "outline-text": ("a 'page' that is not a whole number", "outline", set_key("page", "page 1"), "nothing"),
    "outline-nowhere": ("links to the unlisted page 77", "outline", set_key("page", 77)),
    "names-twice": ("gives two pages the same name", "pages", lambda pages: pages[-1].update(name=pages[0]["name"])),
    "name-control": ("gives page 1 no valid name", "pages", of_first("name", "page\x1b[2J\n1")),
    "name-missing": ("gives page 1 no valid name", "pages", lambda pages: [pages[0].pop("name")] and pages),
    "side-unknown": ("invalid side 'top'", "pages", of_first("side", "top")),
    "list-differs": ("two different lists", "pages", lambda pages: pages[-1].update(name=f"page {os.getpid()}")),
    "list-by-limits": ("lists other pages", "pages", lambda pages: pages[:-1] if role.limits["pixels"] == 0 else None),
    "no-pages": ("holds no pages", "", None),
    "limits-pages": ("refuse it by itself: the book has more than 4", "", None),
    # Pages
    "unknown-page-given": ("answers 'read' for page 1005", "", None),
    "no-ways": ("no representation of page 1", "examined", set_key("representations", [])),
    "way-unknown": ("in an unknown form", "way", set_key("kind", "dreamt")),
    "encoding-lies": ("as JPEG, but it is PNG", "way", lambda way: way.update(encoding="jpeg") if way["kind"] == "encoded" else None),
    "size-lies": ("should have 80", "examined", set_key("size", [2 * SIDE[0], SIDE[1]])),
    "format-lies": ("page 4 cannot be read", "samples", lambda data: data * 3),
    "turn-odd": ("rotated by 45 degrees", "way", set_key("rotation", 45)),
    "rows-short": ("page 4 cannot be read", "samples", lambda data: data[:-1]),
    "pnm-cut": ("page 5 cannot be read", "pnm", lambda data: data[:-1]),
    "pnm-huge": ("page 5 cannot be read", "pnm", lambda _: b"P5\n1000000 1000000\n255\n" + b"\x80" * 100),
    "dpi-ignored": ("instead of the promised 20", "size", lambda _: SIDE),
    "bytes-too-many": ("in the shared-memory buffer, but there are", "given", lambda given: {"bytes": given["bytes"] + 1000}),
    "bytes-negative": ("without a number of bytes", "given", set_key("bytes", -1)),
    "bytes-missing": ("without a number of bytes", "given", lambda _: {}),
    "slot-huge": ("File too large", "given", fill_beyond_limit),
    "span-beyond": ("a part that the input does not have", "span", lambda span: [span[0], len(role.data)]),
    "span-negative": ("a part that the input does not have", "span", lambda span: [-1, span[1]]),
    "span-overflows": ("a part that the input does not have", "span", lambda _: [2**63 - 1, 2**63 - 1]),
    "read-differs": ("gives two different images", "data", lambda _: png(role.number + role.given) if role.given % 2 == 0 else None),
    "read-differs-by-process": ("another image|gives two different|cannot be read", "data", lambda _: png(os.getpid() % 199)),
    "limits-bytes": ("refuse it by itself: the page has", "", None),
    "limits-pixels": ("page 5 passes with one pixel", "", None),
    # Errors
    "code-wrong": ("an unknown error code", "error", lambda error: error.update(error="oops") if error["error"] == "damaged" else None),
    "message-missing": ("an error without a message", "error", lambda error: {"error": error["error"]}),
    "message-escapes": ("a message that has control characters", "error", set_key("message", "is \x1b[31mred\x1b[0m\r\nerror: another line")),
    "empty-file": ("finds pages in an empty file", "", None),
    "cut-crashes": ("bytes: it was ended by signal 6", "cut", lambda _: crash(_, signal.SIGABRT)),
    "cut-hangs": ("bytes: it did not answer within", "cut", hang),
    # Text and links
    "text-outside": ("an invalid line of text", "line", set_key("line", [[0.1, -3, 7, 0.2, "word"]])),
    "text-direction": ("an invalid line of text", "line", set_key("direction", "sideways")),
    "link-nowhere": ("links to page 77, which does not exist", "link", set_key("page", 77)),
    "link-script": ("a link that is not a web address", "link", lambda link: {"link": link["link"], "address": "javascript:alert(1)"}),
    # Sinks
    "sink-writes-nothing": ("left an empty output", "last", empty_output, *IN_BOTH),
    "sink-differs": ("two different outputs", "last", lambda data: b"%d\n" % time.time_ns() + data),
    "sink-name-missing": ("gave page 1 no valid name", "added", lambda _: {}, *IN_BOTH),
    "sink-writes-beside": ("writes files", "add", lambda _: leave("faulty-beside")),
    "sink-writes-late": ("continued to write", "sent finish", write_late, *IN_BOTH),
    "sink-loses": ("the same when page 2 has another image", "page", lambda _: b"" if role.number == 2 else None),
    "sink-crashes": ("signal 11", "add", crash, *IN_BOTH),
    "sink-hangs": ("did not answer within", "add", hang, *IN_BOTH),
    "sink-stops": ("did not answer within", "page", on_third(lambda _: os.kill(os.getpid(), signal.SIGSTOP)), *IN_BOTH, "nothing stream"),
    "sink-exits": ("ended with status 4", "page", on_third(lambda _: os._exit(4)), *IN_BOTH),
    "sink-ends": ("ended with status 0", "finish", lambda _: os._exit(0), *IN_BOTH),
    "sink-babbles": ("not a JSON object", "wire add", on_third(send(b"what?\n")), *IN_BOTH),
    "sink-answers-twice": ("without a request|the same name as page 3", "sent add", on_third(lambda end: say(end)), *IN_BOTH),
    "sink-answers-too-often": ("without a request", "wire finish", lambda _: say({"ok": True, "name": "6.png"}) or time.sleep(1), *IN_BOTH),
    "sink-answers-for-another": ("answers for page 2 when it was asked for page 3", "end add", on_third(set_key("id", 2)), *IN_BOTH),
    "sink-name-dots": ("gave page 3 no valid name", "added", on_third(set_key("name", "../3.png")), *IN_BOTH),
    "sink-name-whole": ("gave page 3 no valid name", "added", on_third(set_key("name", "/etc/passwd")), *IN_BOTH),
    "sink-name-escapes": ("gave page 3 no valid name", "added", on_third(set_key("name", "\x1b[31m")), *IN_BOTH),
    "sink-name-empty": ("gave page 3 no valid name", "added", on_third(set_key("name", "")), *IN_BOTH),
    "sink-finish-refused": ("does not want to", "finish", refuse_to_finish, *IN_BOTH),
    # Sinks that write a folder
    "folder-link": ("leads out of its output", "last", in_folder(lambda folder: os.symlink("/etc/passwd", f"{folder}/link")), "nothing folder"),
    "folder-link-up": ("leads out of its output", "last", in_folder(lambda folder: os.symlink("../../x", f"{folder}/link")), "nothing folder"),
    "folder-pipe": ("neither a file nor a folder|not permitted", "last", in_folder(lambda folder: os.mkfifo(f"{folder}/pipe")), "nothing folder"),
    "folder-escapes": ("control characters", "last", in_folder(lambda folder: open(f"{folder}/\x1b[31m", "w").close()), "nothing folder"),
    "folder-wrong-name": ("but did not write it", "added", on_third(set_key("name", "4.jpg")), "nothing folder"),
    # Transforms
    "transform-id-text": ("a 'page' that is not a whole number", "answers", of_first("page", "1"), "nothing"),
    "transform-id-missing": ("lists an invalid page", "answers", misspell(0), "nothing"),
    "transform-invents": ("page 777 does not exist", "answers", lambda answers: answers.append({"page": 777})),
    "transform-doubles": ("keeps page 2 twice", "answers", lambda answers: answers.append(answers[0])),
    "transform-drops-all": ("left no page of the book", "answers", lambda _: []),
    "transform-crop-outside": ("an area outside the page", "answers", of_first("crop", [-10, 0, 1_000_000, 10])),
    "transform-crop-empty": ("an area outside the page", "answers", of_first("crop", [0, 0, 0, 0])),
    "transform-turn-odd": ("by 45 degrees", "answers", of_first("rotation", 45)),
    "transform-wants-unknown": ("page 777, which does not exist", "wanted", lambda _: 777),
    "transform-wants-forever": ("too many previews", "", None),
    "transform-differs": ("two different ones", "answers", random.shuffle),
    "transform-text-outside": ("an invalid line of text", "line", set_key("line", [[-1, 0, 2, float(10**9), "word"]])),
    "transform-hangs": ("did not answer within 60", "wanted", hang),
    "transform-crashes": ("signal 11", "wanted", crash),
    # Transforms that change images
    "image-undeclared": ("which its manifest does not declare", "card", lambda card: [card.pop("images")] and card),
    "image-and-text": ("it recognizes text", "answers", of_first("text", True)),
    "image-features": ("only a transform without 'features'", "card", set_key("features", ["text"])),
    "image-none": ("changes the image of no page", "answers", lambda answers: [{**answer, "image": False} for answer in answers]),
    "image-no-id": ("without the 'id' of its page", "end image", lambda end: [end.pop("id", 0)] and end, "image"),
    "image-twice": ("an answer without a request", "sent image", lambda end: say(end)),
    "image-preview": ("does not change a preview", "", None, "image --trim"),
    "image-deeper": ("has 16 bits a sample", "negative",
                     lambda image: (*image[:3], b"65535", bytes(sample for sample in image[4] for _ in range(2))) if image[3] == b"255" else None, "image"),
    "image-icc": ("not in Base64", "changed", set_key("icc", 5), "image"),
    "image-no-bytes": ("but no 'bytes'", "changed", lambda _: {"encoding": "png"}),
    "image-excess": ("refuse it by itself", "changed", lambda changed: {"bytes": os.pwrite(4, bytes((1 << 21) + 4 * changed["bytes"]), 0)}, "image"),
    "image-size": ("instead of the promised 61", "negative", lambda image: (*image[:2], b"%d" % (2 * int(image[2])), image[3], 2 * image[4]), "image"),
    "image-differs": ("twice gives two different images", "negative", lambda image: (*image[:4], os.urandom(len(image[4])))),
    "image-bytes": ("bytes in the shared-memory buffer", "changed", lambda changed: changed.update(bytes=changed["bytes"] + (1 << 20))),
    "image-garbage": ("cannot be decoded", "changed", set_key("encoding", "png"), "image"),
    "image-unlimited": ("16 is the limit", "", None),
    "image-crashes": ("signal 11", "image", crash, "image"),
}
# Those without a fault.
SOUND = ["", "sink", "folder", "folder-links-inside", "transform", "image"]


def spoil(place, value=None):
    """The value at a place of the program, with the fault if it is one of this place."""
    _, where, effect, *_ = FAULTS.get(FAULT, ("", "", None))
    spoilt = effect(value) if effect and where == place else None
    return value if spoilt is None else spoilt


def role_of(fault):
    """A fault of a source begins with another word."""
    return {"sink": "sink", "folder": "sink", "transform": "transform", "image": "transform"}.get(fault.split("-")[0], "source")


def card():
    made = {"jisui": [1], "role": role_of(FAULT), "id": "faulty", "summary": "books for tests"}
    if role_of(FAULT) == "source":
        made |= {"extensions": ["faulty"], "magic": [{"at": 0, "text": "FAULTY\n"}],
                 "settings": [{"name": "faulty-pages", "kind": "integer", "minimum": 1, "maximum": 100, "default": "100", "valueName": "count",
                               "help": "How many pages are shown"}]}
    elif role_of(FAULT) == "sink":
        form = "folder" if FAULT.startswith("folder") else FORM
        made |= {"extensions": ["faulty"], "form": form, "displays": ["png"], "processes": 1}
    else:
        made |= {"settings": [{"name": "faulty", "kind": "flag", "help": "Look at all pages and keep them"}]}
        made |= {"images": True} if FAULT.startswith("image") else {}
    return json.dumps(spoil("card", made), indent=1) + "\n"


def png(number, width=SIDE[0], height=SIDE[1]):
    """A gray picture that is another for each number."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + row(number, y, width) for y in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def row(number, y, width):
    return bytes((number * 40 + x * 3 + y) % 256 for x in range(width))


class Refusal(Exception):
    pass


def expect(is_kept, fault, *refusal):
    """Refuses unless a promise is kept, or breaking it is the fault."""
    if not is_kept and FAULT != fault:
        raise Refusal(*refusal)


class Role:
    def hello(self, ask):
        self.settings, self.limits = ask["settings"], ask["limits"]
        expect(1 in ask["versions"], "version-any", "unsupported", "speaks version 1 of the protocol only")
        return {"version": 1}


class Source(Role):
    """Five pages: three PNG files, of which two are in the input, one of samples, one that is drawn."""

    requests = ["hello", "open", "examine", "read", "text", "links"]
    given, kept = 0, []

    def open(self, ask):
        self.data = data = os.pread(5, min(os.fstat(5).st_size, 1 << 24), 0)
        expect(data, "empty-file", "empty", "the file is empty")
        if data and not data.startswith(SIGNATURE):
            raise Refusal("damaged", "is no book for tests")
        if data and not data.endswith(b"END\n"):
            spoil("cut")
        self.starts = [found.start() for found in re.finditer(b"\x89PNG\r\n\x1a\n", data)]
        self.count = min(len(self.starts), int(self.settings.get("faulty-pages", "100")))
        if FAULT == "empty-file":
            self.count = max(self.count, 1)
        if FAULT == "no-pages":
            return {}
        if self.count == 0:
            raise Refusal("empty", "has no pages")
        expect(self.count <= self.limits["pages"], "limits-pages", "too-large", "has more pages than are allowed")
        for page in spoil("pages", [{"page": number, "name": f"page {number}", "label": str(number)} for number in range(1, self.count + 1)]):
            say(page)
        say(spoil("outline", {"outline": "Chapter 1", "page": 1, "level": 0}))
        spoil("listed")
        return {"book": {"title": "Faults"}}

    def find(self, ask):
        """Finds the page of a request, and its file as the input has it."""
        number = ask.get("id")
        is_known = isinstance(number, int) and 1 <= number <= self.count
        expect(is_known, "unknown-page-given", "usage", "has no such page")
        self.number = number if is_known else 1
        self.start = self.starts[self.number - 1] if self.starts else 0
        end = self.data.find(b"IEND", self.start)
        if end < 0:
            raise Refusal("damaged", "breaks off")
        self.file, place = self.data[self.start:end + 8], 8
        while place < len(self.file):
            count = int.from_bytes(self.file[place:place + 4], "big")
            if zlib.crc32(self.file[place + 4:place + 8 + count]) != int.from_bytes(self.file[place + 8 + count:place + 12 + count], "big"):
                raise Refusal("damaged", "has a wrong checksum")
            place += 12 + count
        return self.number

    def check_pixels(self, size):
        expect(size[0] * size[1] <= self.limits["pixels"], "limits-pixels", "too-large", "has more pixels than are allowed")

    def examine(self, ask):
        number = self.find(ask)
        self.check_pixels(SIDE)
        way = {4: {"kind": "sampled", "compression": "none", "format": "gray8", "size": list(SIDE)},
               5: {"kind": "rendered", "points": list(SIDE), "dpi": 72}}.get(number, {"kind": "encoded", "encoding": "png"})
        return spoil("examined", {"size": list(SIDE), "representations": [spoil("way", way)], "text": number == 1, "links": number == 1})

    def read(self, ask):
        number, data = self.find(ask), self.file
        self.given += 1
        spoil("reading")
        if number == 4:
            data = spoil("samples", b"".join(row(number, y, SIDE[0]) for y in range(SIDE[1])))
        if number == 5:
            width, height = spoil("size", ask["size"])
            self.check_pixels((width, height))
            data = spoil("pnm", b"P5\n%d %d\n255\n" % (width, height) + b"\x80" * (width * height))
        expect(len(data) <= self.limits["bytes"], "limits-bytes", "too-large", "has more bytes than are allowed")
        data = spoil("data", data)
        if number in (1, 2) and data == self.file:
            return {"span": spoil("span", [self.start, len(data)])}
        os.pwrite(4, data, 0)
        return spoil("given", {"bytes": len(data)})

    def text(self, ask):
        if self.find(ask) == 1:
            say_text()
        return {}

    def links(self, ask):
        if self.find(ask) == 1:
            say(spoil("link", {"link": [0.1, 0.1, 0.5, 0.2], "page": self.count}))
        return {}


class Sink(Role):
    """The pages one behind the other, in the form that the source reads; or each in a file of a folder."""

    requests = ["hello", "begin", "add", "finish"]
    folder = os.environ.get("JISUI_OUTPUT")

    def begin(self, ask):
        self.place = 0 if self.folder else os.pwrite(5, SIGNATURE, 0)
        return {}

    def add(self, ask):
        if ask["encoding"] != "png":
            raise Refusal("unsupported", "is no PNG")
        self.number = ask["number"]
        data, name = spoil("page", os.pread(4, ask["bytes"], 0)), f"{self.number}.png"
        if self.folder:
            with open(f"{self.folder}/{name}", "wb") as file:
                file.write(data)
        else:
            self.place += os.pwrite(5, data, self.place)
        return spoil("added", {"name": name})

    def finish(self, ask):
        end = spoil("last", b"END\n")
        if not self.folder:
            os.pwrite(5, end, self.place)
        elif FAULT == "folder-links-inside":
            os.symlink("1.png", f"{self.folder}/cover.png")
        return {}


class Transform(Role):
    """Looks at the first page and keeps all. Makes negatives of images."""

    requests = ["hello", "change", "text", "image"]

    def change(self, ask):
        pages = [json.loads(next(lines))["page"] for _ in range(ask["count"])]
        is_first = True
        while is_first or FAULT == "transform-wants-forever":
            say({"preview": spoil("wanted", pages[0]), "pixels": 100})
            next(lines)
            is_first = False
        more = {"image": True} if FAULT.startswith("image") else {"text": True, "pixels": 100}
        for made in spoil("answers", [{"page": page, **more} for page in pages]):
            say(made)
        return {}

    def image(self, ask):
        data = os.pread(4, ask["bytes"], 0)
        expect(len(data) <= self.limits["bytes"], "image-unlimited", "too-large", "the image is too large")
        if FAULT == "image-preview" and "preview" in ask:
            raise Refusal("usage", "previews are not changed")
        head = re.match(rb"(P[56])\s+(\d+)\s+(\d+)\s+(\d+)\s", data)
        image = spoil("negative", (*head.groups(), bytes(255 - sample for sample in data[head.end():])))
        return spoil("changed", {"bytes": os.pwrite(4, b"%s %s %s %s\n%s" % image, 0)})

    def text(self, ask):
        say_text()
        return {}


def say_text():
    say(spoil("line", {"line": [[0.1, 0.1, 0.5, 0.2, "word"]], "direction": "ltr"}))


def say(answer):
    host.sendall(json.dumps(answer, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")


def answer(line):
    """The end of the answer to a line."""
    try:
        ask = json.loads(line)
        name = ask["ask"]
    except (ValueError, KeyError, TypeError):
        spoil("garbage")
        return {"error": "usage", "message": "is asked in what is no request"}
    ask = spoil("asked", ask)
    if ask["ask"] not in role.requests:
        return spoil("unknown", {"error": "unsupported", "message": "does not know the request"})
    about = {"id": ask.get("id")} if name == "image" else {}
    try:
        spoil(name)
        return {"ok": True, **about, **getattr(role, name)(ask)}
    except Refusal as refusal:
        return spoil("error", {"error": refusal.args[0], "message": refusal.args[1], **about})
    except OSError as error:
        return {"error": "unwritable", "message": error.strerror}
    except (KeyError, AttributeError, TypeError, ValueError):
        return {"error": "usage", "message": "is asked in a way that it does not understand", **about}


def serve():
    global host, lines, role
    host = socket.socket(fileno=3)
    role = {"source": Source, "sink": Sink, "transform": Transform}[role_of(FAULT)]()
    if FAULT == "stays-stubbornly":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    spoil("start")
    lines = iter(host.makefile("rb"))
    for line in lines:
        end = answer(line)
        name = re.match(rb'\{"ask":"([a-z]+)"|', line)[1] or b""
        spoil(f"wire {name.decode()}")
        end = spoil(f"end {name.decode()}", end)
        say(end)
        spoil(f"sent {name.decode()}", end)
    return spoil("status", 0)


def install(folder, fault="", form="file"):
    global FAULT, FORM
    FAULT, FORM = fault, form
    with open(os.path.abspath(__file__), encoding="utf-8") as file:
        program = file.read().replace('\nFAULT = ""\nFORM = "file"\n', f"\nFAULT = {fault!r}\nFORM = {form!r}\n", 1)
    path = os.path.join(folder, f"jisui-{role_of(fault)}-faulty")
    for name, text, mode in ((path, program, 0o755), (path + ".json", card(), 0o644)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, mode)
    return path


def sample(path):
    with open(path, "wb") as file:
        file.write(SIGNATURE + b"".join(png(number) for number in range(1, 6)) + b"END\n")


def main(arguments):
    if arguments == ["manifest"]:
        print(spoil("printed", card()), end="")
    elif arguments:
        print(install(*arguments))
        sample(os.path.join(arguments[0], "book.faulty"))
    elif os.environ.get("JISUI_PLUGIN") == "1":
        return serve()
    else:
        print("faulty: a plug-in for tests; jisui starts it by itself", file=sys.stderr)
        return spoil("by hand", 64)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
