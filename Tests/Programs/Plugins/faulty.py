#!/usr/bin/env python3
"""A plug-in that breaks one promise of docs/dev/plugin-protocol.md, to judge those who judge plug-ins.

    faulty.py FOLDER [FAULT [FORM]]

Writes the plug-in with its card and a book that it reads there; without a fault it keeps all promises. FORM is that of a sink's
output: file, stream or folder. The plug-in is called jisui-ROLE-faulty and has its fault written into it.
"""

import itertools
import json
import os
import pathlib
import random
import re
import signal
import socket
import struct
import sys
import time
import zlib

FAULT = ""

SIGNATURE, END = b"FAULTY\n", b"END\n"
SIDE = (40, 60)


# Effects that several faults have. Each gets the value at its place.

def hang(_):
    time.sleep(3600)


def crash(_):
    os.kill(os.getpid(), signal.SIGSEGV)


def litter(_):
    pathlib.Path(os.environ["TMPDIR"], f"faulty-{os.getpid()}").touch()


def each(name, words, where, effects, *outcomes):
    """Faults that break the same promise at the same place, by the ends of their names."""
    return {f"{name}-{end}": (words, where, effect, *outcomes) for end, effect in effects.items()}


# An output of a sink that is a file or a folder is not published.
IN_BOTH = ("nothing file", "nothing folder")
# Each fault: the words that must be found ("|" separates those of which one will do), the place where a promise is broken, the effect
# there, and what a conversion makes of it (`faults_tests.py`), unless only `plugin check` finds it. A place is a request, or a step
# of its answer. A number after a place is that of the only page with the fault.
FAULTS = {
    # The card and the start
    "card-differs": ("differs from its .json file", "printed", lambda text: text.replace("books", "other books")),
    "card-setting": ("neither 'faulty' nor begins with 'faulty-'", "card", {"settings": [{"name": "pages", "kind": "flag", "help": "h"}]}),
    "card-takes-all": ("its magic takes a zip archive", "card", {"magic": [{"at": 0, "text": "PK"}, {"at": 0, "text": "%PDF"}]}),
    "by-hand": ("status 0, not with 64", "by hand", lambda _: 0),
    "version-wrong": ("a version of the protocol that it was not offered", "end hello", {"version": 2}),
    "version-any": ("a version that it does not support", "hello", {"versions": [1]}),
    # Lines
    "key-unknown": ("does not choose version 1 of 1 and 999", "asked", lambda ask: {"ask": "?"} if "later" in ask else None),
    "ask-unknown-dies": ("ended with status 1", "error unsupported", lambda _: sys.exit(1)),
    "ask-unknown-ok": ("does not answer 'unsupported'", "error unsupported", lambda _: {"ok": True}),
    "garbage-hangs": ("gets garbage: it did not answer within 5", "error usage", hang),
    **each("line", "not a JSON object", "end examine", {
        "garbage": b"Segmentation fault (core dumped)\n", "array": b"[1,2,3]\n", "bytes": b'{"x":"\xff\xfe\xc0"}\n',
        "deep": b"[" * 32_000 + b"]" * 32_000 + b"\n"}),
    **each("line", "a line of more than 65536 bytes", "end examine", {
        "long": b'{"x":"' + b"x" * (1 << 20) + b'"}\n', "endless": itertools.repeat(b"x" * 65536)}, "noise"),
    "noise-endless": ("lists an invalid page", "end open", itertools.repeat(b'{"noise":[[[[["x"]]]]]}\n' * 1000), "noise"),
    "unasked": ("an answer without a request", "start", b'{"ok":true,"version":1}\n', "noise"),
    "answers-twice": ("an answer without a request", "sent examine", lambda end: say(end), "noise"),
    "ok-false": ("neither ok nor an error", "end examine", {"ok": False}),
    "stdout-flood": ("prints more than a megabyte", "open", lambda _: [os.write(1, bytes(1 << 20)) for _ in range(1024)], "noise"),
    # Processes
    "hello-hangs": ("did not answer within 5", "hello", hang),
    "open-hangs": ("opening it: it did not answer within 60", "open", hang),
    "read-hangs": ("did not answer within", "reading 3", hang, "page"),
    "read-hangs-busy": ("did not answer within 15", "read", lambda _: sum(itertools.count())),
    "read-crashes": ("signal 11", "reading 3", crash, "page"),
    "read-eats": ("signal 9|MemoryError|status 1|did not answer", "reading 3", lambda _: [b"x" * 2**26 for _ in itertools.count()], "page"),
    "read-spews": ("65536 bytes|not a JSON", "reading 3", itertools.repeat(b"spew " * 100_000), "page"),
    "read-lies": ("1000000000000 bytes", "given 3", {"bytes": 10**12}, "page"),
    "read-forks": ("Operation not permitted", "reading 3", lambda _: os.fork() or hang(_), "page calls"),
    "read-opens": ("Permission denied", "reading 3", lambda _: open(f"/tmp/faulty-opened-{os.getpid()}", "w").close(), "page files"),
    "read-connects": ("Operation not permitted", "reading 3", lambda _: socket.socket().close(), "page calls"),
    "read-crashes-once": ("reading page 3: it was ended by signal 11", "reading 3", lambda _: crash(_) if plugin.given > 1 else None),
    "exits-early": ("ended with status 0", "sent open", lambda _: os._exit(0)),
    "closes-early": ("closed its socket", "sent open", lambda _: host.shutdown(socket.SHUT_RDWR) or hang(_)),
    "exit-status": ("status 1 when its socket is closed", "status", lambda _: 1),
    "stays": ("does not end when its socket is closed", "status", lambda _: hang(signal.signal(signal.SIGTERM, signal.SIG_IGN))),
    "forks": ("not permitted|leaves processes", "listed", lambda _: os.posix_spawnp("sleep", ["sleep", "3600"], os.environ, setsid=True)),
    "files": ("writes files", "listed", litter),
    "input-written": ("changes its input", "listed", lambda _: open(os.environ["JISUI_INPUT"], "ab").write(b"!")),
    "memory-grows": ("its memory grows by", "reading", lambda _: plugin.kept.append(os.urandom(1 << 20))),
    "descriptors-grow": ("Too many open files|files open", "reading", lambda _: plugin.kept.append(os.dup(5))),
    # The list of pages
    "ids-descend": ("numbers page 4 after page 5", "pages", lambda pages: pages.reverse()),
    "id-zero": ("numbers page 0", "pages", {"page": 0}),
    **each("id", "a 'page' that is not a whole number", "pages", {
        "text": {"page": "1"}, "fraction": {"page": 1.5}, "huge": {"page": 10**30}}, "nothing"),
    "id-missing": ("lists an invalid page", "pages", lambda pages: pages[1].clear(), "nothing"),
    "label-number": ("a 'label' that is not text", "pages", {"label": 2}, "nothing"),
    "outline-text": ("a 'page' that is not a whole number", "outline", {"page": "page 1"}, "nothing"),
    "outline-nowhere": ("links to the unlisted page 77", "outline", {"page": 77}),
    "names-twice": ("gives two pages the same name", "pages", {"name": "page 2"}),
    **each("name", "gives page 1 no valid name", "pages", {"control": {"name": "page\x1b[2J\n1"}, "missing": {"name": None}}),
    "side-unknown": ("invalid side 'top'", "pages", {"side": "top"}),
    "list-differs": ("two different lists", "pages", lambda pages: pages[-1].update(name=f"page {os.getpid()}")),
    "list-by-limits": ("lists other pages", "pages", lambda pages: pages[:-1] if plugin.limits["pixels"] == 0 else None),
    "no-pages": ("holds no pages", "pages", lambda _: []),
    # Limits
    "limits-pages": ("refuse it by itself: the book has more than 4", "hello", lambda ask: ask["limits"].update(pages=10**9)),
    "limits-bytes": ("refuse it by itself: the page has", "hello", lambda ask: ask["limits"].update(bytes=10**9)),
    "limits-samples": ("reading page 4 with 600 bytes", "reading 4", lambda _: plugin.limits.update(bytes=10**9)),
    "limits-by-one": ("passes with 2399", "hello", lambda ask: ask["limits"].update(pixels=ask["limits"]["pixels"] + 1)),
    "limits-pixels": ("page 5 passes with one pixel", "hello", lambda ask: ask["limits"].update(pixels=10**9)),
    # Pages
    "unknown-page-given": ("answers 'read' for page 1005", "read", lambda ask: ask.update(id=ask["id"] if ask["id"] <= 5 else 1)),
    "no-ways": ("no representation of page 1", "examined", {"representations": []}),
    "way-unknown": ("in an unknown form", "way", {"kind": "dreamt"}),
    "encoding-lies": ("as JPEG, but it is PNG", "way", {"encoding": "jpeg"}),
    "size-lies": ("should have 80", "examined", {"size": [2 * SIDE[0], SIDE[1]]}),
    **each("samples", "page 4 cannot be read", "samples", {"too-many": lambda data: data * 3, "too-few": lambda data: data[:-1]}),
    "turn-odd": ("rotated by 45 degrees", "way", {"rotation": 45}),
    **each("pnm", "page 5 cannot be read", "pnm", {
        "cut": lambda data: data[:-1], "huge": lambda _: b"P5\n1000000 1000000\n255\n" + b"\x80" * 100}),
    "dpi-ignored": ("instead of the promised 20", "size", lambda _: SIDE),
    "bytes-too-many": ("in the shared-memory buffer, but there are", "given", lambda given: {"bytes": given["bytes"] + 1000}),
    **each("bytes", "without a number of bytes", "given", {"negative": {"bytes": -1}, "missing": lambda _: {}}),
    "slot-huge": ("File too large", "given", lambda _: os.ftruncate(4, 1 << 40)),
    **each("span", "a part that the input does not have", "span", {
        "beyond": lambda span: [span[0], 1 << 24], "negative": lambda span: [-1, span[1]], "overflows": lambda _: [2**63 - 1] * 2}),
    "read-differs": ("gives two different images", "data", lambda _: png(plugin.number + plugin.given) if plugin.given % 2 == 0 else None),
    "read-differs-by-process": ("another image|gives two different|cannot be read", "data", lambda _: png(os.getpid() % 199)),
    # Errors
    "code-wrong": ("an unknown error code", "error damaged", {"error": "oops"}),
    "message-missing": ("an error without a message", "error", lambda error: {"error": error["error"]}),
    "message-escapes": ("a message that has control characters", "error", {"message": "is \x1b[31mred\x1b[0m\r\nerror: another line"}),
    "empty-file": ("finds pages in an empty file", "spans", lambda spans: spans or [(0, 0)]),
    "cut-crashes": ("bytes: it was ended by signal 6", "cut", lambda _: os.abort()),
    "cut-hangs": ("bytes: it did not answer within", "cut", hang),
    # Text and links
    "text-outside": ("an invalid line of text", "line", {"line": [[0.1, -3, 7, 0.2, "word"]]}),
    "text-direction": ("an invalid line of text", "line", {"direction": "sideways"}),
    "link-nowhere": ("links to page 77, which does not exist", "link", {"page": 77}),
    "link-script": ("a link that is not a web address", "link", lambda link: {"link": link["link"], "address": "javascript:alert(1)"}),
    # Sinks
    "sink-writes-nothing": ("left an empty output", "written", lambda _: b"", *IN_BOTH),
    "sink-differs": ("two different outputs", "last", lambda data: b"%d\n" % time.time_ns() + data),
    "sink-name-missing": ("gave page 1 no valid name", "added", lambda _: {}, *IN_BOTH),
    "sink-writes-beside": ("writes files", "add", litter),
    "sink-writes-late": ("continued to write", "sent finish", lambda _: time.sleep(0.05) or plugin.write(b"late", "more"), *IN_BOTH),
    "sink-loses": ("the same when page 2 has another image", "page 2", lambda _: b""),
    "sink-crashes": ("signal 11", "add", crash, *IN_BOTH),
    "sink-stops": ("did not answer within", "page 3", lambda _: os.kill(os.getpid(), signal.SIGSTOP), *IN_BOTH, "nothing stream"),
    "sink-ends": ("ended with status 0", "finish", lambda _: os._exit(0), *IN_BOTH),
    "sink-babbles": ("not a JSON object", "end add 3", b"what?\n", *IN_BOTH),
    "sink-answers-twice": ("without a request|the same name as page 3", "sent add 3", lambda end: say(end), *IN_BOTH),
    "sink-answers-too-often": ("without a request", "end finish", b'{"ok":true,"name":"6.png"}\n', *IN_BOTH),
    "sink-answers-for-another": ("answers for page 2 when it was asked for page 3", "end add 3", {"id": 2}, *IN_BOTH),
    **each("sink-name", "gave page 3 no valid name", "added 3", {
        "dots": {"name": "../3.png"}, "whole": {"name": "/etc/passwd"}, "escapes": {"name": "\x1b[31m"}, "empty": {"name": ""}}, *IN_BOTH),
    "sink-finish-refused": ("does not want to", "finish", lambda _: expect(False, "unwritable", "does not want to"), *IN_BOTH),
    # Sinks that write a folder
    "folder-links-inside": ("", "last", lambda _: os.symlink("1.png", f"{plugin.folder}/cover.png")),
    **each("folder", "leads out of its output", "last", {
        "link": lambda _: os.symlink("/etc/passwd", f"{plugin.folder}/link"),
        "link-up": lambda _: os.symlink("../../x", f"{plugin.folder}/link")}, "nothing folder"),
    "folder-pipe": ("neither a file nor a folder|not permitted", "last", lambda _: os.mkfifo(f"{plugin.folder}/pipe"), "nothing folder"),
    "folder-escapes": ("control characters", "last", lambda _: plugin.write(b"", "\x1b[31m"), "nothing folder"),
    "folder-wrong-name": ("but did not write it", "added 3", {"name": "4.jpg"}, "nothing folder"),
    # Transforms
    "transform-id-missing": ("lists an invalid page", "answers", lambda answers: answers[0].clear(), "nothing"),
    "transform-invents": ("page 777 does not exist", "answers", lambda answers: answers.append({"page": 777})),
    "transform-doubles": ("keeps page 2 twice", "answers", lambda answers: answers.append(answers[0])),
    "transform-drops-all": ("left no page of the book", "answers", lambda _: []),
    **each("transform-crop", "an area outside the page", "answers", {
        "outside": {"crop": [-10, 0, 1_000_000, 10]}, "empty": {"crop": [0, 0, 0, 0]}}),
    "transform-turn-odd": ("by 45 degrees", "answers", {"rotation": 45}),
    "transform-wants-unknown": ("page 777, which does not exist", "looks", lambda _: [777]),
    "transform-wants-forever": ("too many previews", "looks", lambda pages: itertools.repeat(pages[0])),
    "transform-differs": ("two different ones", "answers", random.shuffle),
    "transform-text-outside": ("an invalid line of text", "line", {"line": [[-1, 0, 2, float(10**9), "word"]]}),
    "transform-hangs": ("did not answer within 60", "looks", hang),
    # Transforms that change images
    "image-undeclared": ("which its manifest does not declare", "card", {"images": False}),
    "image-and-text": ("it recognizes text", "answers", {"text": True}),
    "image-none": ("changes the image of no page", "answers", lambda answers: [{**answer, "image": False} for answer in answers]),
    "image-twice": ("an answer without a request", "sent image", lambda end: say(end)),
    "image-preview": ("does not change a preview", "image", lambda ask: expect("preview" not in ask, "usage", "no"), "image --trim"),
    "image-deeper": ("has 16 bits a sample", "negative", lambda image: (*image[:3], b"65535", image[4] * 2), "image"),
    "image-icc": ("not in Base64", "changed", {"icc": 5}, "image"),
    "image-no-bytes": ("but no 'bytes'", "changed", lambda _: {"encoding": "png"}),
    "image-excess": ("refuse it by itself", "changed", lambda _: {"bytes": os.pwrite(4, bytes(1 << 22), 0)}, "image"),
    "image-size": ("instead of the promised 61", "negative", lambda image: (image[0], image[2], image[1], *image[3:]), "image"),
    "image-differs": ("twice gives two different images", "negative", lambda image: (*image[:4], os.urandom(len(image[4])))),
    "image-garbage": ("cannot be decoded", "changed", {"encoding": "png"}, "image"),
    "image-unlimited": ("16 is the limit", "hello", lambda ask: ask["limits"].update(bytes=10**9)),
    "image-crashes": ("signal 11", "image", crash, "image"),
}
# Those without a fault, by the forms that they have.
SOUND = ["", "sink", "folder", "transform", "image"]


def spoil(place, value=None, fault=FAULT):
    """The value at a place, with the fault if it is one of this place.

    An effect is bytes that are sent, members that are set in the value or in its first element, or a function that changes the value
    or returns another.
    """
    _, where, effect, *_ = FAULTS.get(fault, ("", "", None))
    if where not in (place, f"{place} {plugin.number}") or effect is None:
        return value
    if isinstance(effect, dict):
        (value[0] if isinstance(value, list) else value).update(effect)
    elif callable(effect):
        spoilt = effect(value)
        return value if spoilt is None else spoilt
    else:
        for data in [effect] if isinstance(effect, bytes) else effect:
            host.sendall(data)
    return value


class Refusal(Exception):
    pass


def expect(is_kept, code, message):
    if not is_kept:
        raise Refusal(code, message)


def say(line):
    host.sendall(json.dumps(line).encode() + b"\n")


def role_of(fault):
    """A fault of a source begins with another word."""
    return {"sink": "sink", "folder": "sink", "transform": "transform", "image": "transform"}.get(fault.split("-")[0], "source")


def card(fault, form):
    made = {"jisui": [1], "role": role_of(fault), "id": "faulty", "summary": "books for tests"} | {
        "source": {"extensions": ["faulty"], "magic": [{"at": 0, "text": "FAULTY\n"}],
                   "settings": [{"name": "faulty-pages", "kind": "integer", "minimum": 1, "maximum": 100, "default": "100",
                                 "valueName": "count", "help": "How many pages are shown"}]},
        "sink": {"extensions": ["faulty"], "form": "folder" if fault.startswith("folder") else form, "displays": ["png"], "processes": 1},
        "transform": {"settings": [{"name": "faulty", "kind": "flag", "help": "Look at all pages and keep them"}],
                      "images": fault.startswith("image")},
    }[role_of(fault)]
    return json.dumps(spoil("card", made, fault), indent=1) + "\n"


def png(number, width=SIDE[0], height=SIDE[1]):
    """A gray picture that is another for each number."""
    rows = b"".join(b"\0" + bytes((number * 40 + x * 3 + y) % 256 for x in range(width)) for y in range(height))
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks)


class Plugin:
    """The requests of all roles. A source has three PNG files, of which two are in the input, a page of samples, and a drawn one.

    A sink writes the pages one behind the other, in the form that the source reads; or each in a file of a folder. A transform looks
    at the first page and keeps all. It makes negatives of images.
    """

    requests = {"source": ["hello", "open", "examine", "read", "text", "links"], "sink": ["hello", "begin", "add", "finish"],
                "transform": ["hello", "change", "text", "image"]}[role_of(FAULT)]
    folder = os.environ.get("JISUI_OUTPUT")
    number, given, kept = 0, 0, []

    def hello(self, ask):
        self.settings, self.limits = ask["settings"], ask["limits"]
        expect(1 in ask["versions"], "unsupported", "speaks version 1 of the protocol only")
        return {"version": 1}

    def allow(self, limit, count):
        expect(count <= self.limits[limit], "too-large", f"has more {limit} than are allowed")

    def text(self, ask):
        say(spoil("line", {"line": [[0.1, 0.1, 0.5, 0.2, "word"]], "direction": "ltr"}))
        return {}

    # A source

    def open(self, ask):
        self.data = data = os.pread(5, min(os.fstat(5).st_size, 1 << 24), 0)
        if data and not data.endswith(END):
            spoil("cut")
        spans = spoil("spans", [found.span() for found in re.finditer(rb"\x89PNG.*?IEND....", data, re.DOTALL)])
        self.spans = spans[:int(self.settings.get("faulty-pages", "100"))]
        expect(self.spans, "empty" if data in (b"", SIGNATURE) else "damaged", "has no pages")
        self.allow("pages", len(self.spans))
        pages = [{"page": number, "name": f"page {number}", "label": str(number)} for number in range(1, len(self.spans) + 1)]
        for line in [*spoil("pages", pages), spoil("outline", {"outline": "Chapter 1", "page": 1, "level": 0})]:
            say(line)
        spoil("listed")
        return {"book": {"title": "Faults"}}

    def find(self, ask):
        """Finds the page of a request, and its file as the input has it."""
        expect(1 <= ask["id"] <= len(self.spans), "usage", "has no such page")
        self.number = ask["id"]
        self.start, end = self.spans[self.number - 1]
        return self.data[self.start:end]

    def examine(self, ask):
        self.find(ask)
        self.allow("pixels", SIDE[0] * SIDE[1])
        way = {4: {"kind": "sampled", "compression": "none", "format": "gray8", "size": list(SIDE)},
               5: {"kind": "rendered", "points": list(SIDE), "dpi": 72}}.get(self.number, {"kind": "encoded", "encoding": "png"})
        is_first = self.number == 1
        return spoil("examined", {"size": list(SIDE), "representations": [spoil("way", way)], "text": is_first, "links": is_first})

    def read(self, ask):
        data = file = self.find(ask)
        self.given += 1
        spoil("reading")
        if self.number == 4:
            data = spoil("samples", bytes(range(SIDE[0])) * SIDE[1])
        if self.number == 5:
            width, height = spoil("size", ask["size"])
            self.allow("pixels", width * height)
            data = spoil("pnm", b"P5\n%d %d\n255\n" % (width, height) + b"\x80" * (width * height))
        self.allow("bytes", len(data))
        data = spoil("data", data)
        if self.number in (1, 2) and data == file:
            return {"span": spoil("span", [self.start, len(data)])}
        return spoil("given", {"bytes": os.pwrite(4, data, 0)})

    def links(self, ask):
        say(spoil("link", {"link": [0.1, 0.1, 0.5, 0.2], "page": len(self.spans)}))
        return {}

    # A sink

    def write(self, data, name=None):
        data = spoil("written", data)
        if not self.folder:
            os.write(5, data)
        elif name:
            pathlib.Path(self.folder, name).write_bytes(data)
        return {}

    def begin(self, ask):
        return self.write(SIGNATURE)

    def add(self, ask):
        expect(ask["encoding"] == "png", "unsupported", "is no PNG")
        self.number = ask["number"]
        name = f"{self.number}.png"
        self.write(spoil("page", os.pread(4, ask["bytes"], 0)), name)
        return spoil("added", {"name": name})

    def finish(self, ask):
        return self.write(spoil("last", END))

    # A transform

    def change(self, ask):
        pages = [json.loads(next(lines))["page"] for _ in range(ask["count"])]
        for page in spoil("looks", pages[:1]):
            say({"preview": page, "pixels": 100})
            next(lines)
        more = {"image": True} if FAULT.startswith("image") else {"text": True, "pixels": 100}
        for made in spoil("answers", [{"page": page, **more} for page in pages]):
            say(made)
        return {}

    def image(self, ask):
        data = os.pread(4, ask["bytes"], 0)
        self.allow("bytes", len(data))
        head = re.match(rb"(P[56])\s+(\d+)\s+(\d+)\s+(\d+)\s", data)
        image = spoil("negative", (*head.groups(), bytes(255 - sample for sample in data[head.end():])))
        return spoil("changed", {"bytes": os.pwrite(4, b"%s %s %s %s\n%s" % image, 0)})


plugin = Plugin()


def answer(line):
    """The name of the request in a line, and the end of the answer."""
    name, about = "", {}
    try:
        ask = spoil("asked", json.loads(line))
        name = ask["ask"]
        expect(name in Plugin.requests, "unsupported", "does not know the request")
        about = {"id": ask.get("id")} if name == "image" else {}
        spoil(name, ask)
        return name, {"ok": True, **about, **getattr(plugin, name)(ask)}
    except Refusal as refusal:
        code, message = refusal.args
    except OSError as error:
        code, message = "unwritable" if role_of(FAULT) == "sink" else "damaged", error.strerror
    except (LookupError, AttributeError, TypeError, ValueError):
        code, message = "usage", "is asked in a way that it does not understand"
    return name, spoil("error", spoil(f"error {code}", {"error": code, "message": message, **about}))


def serve():
    global host, lines
    host = socket.socket(fileno=3)
    spoil("start")
    lines = iter(host.makefile("rb"))
    for line in lines:
        name, end = answer(line)
        end = spoil(f"end {name}", end)
        say(end)
        spoil(f"sent {name}", end)
    return spoil("status", 0)


def install(folder, fault="", form="file"):
    program = pathlib.Path(__file__).read_text().replace('\nFAULT = ""\n', f"\nFAULT = {fault!r}\n", 1)
    path = pathlib.Path(folder, f"jisui-{role_of(fault)}-faulty")
    for file, text, mode in (path, program, 0o755), (path.with_suffix(".json"), card(fault, form), 0o644):
        file.write_text(text)
        file.chmod(mode)
    return path


def sample(path):
    pathlib.Path(path).write_bytes(SIGNATURE + b"".join(map(png, range(1, 6))) + END)


def main(arguments):
    if arguments == ["manifest"]:
        print(spoil("printed", pathlib.Path(__file__).with_suffix(".json").read_text()), end="")
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
