#!/usr/bin/env python3
"""A plug-in that breaks one promise of docs/dev/plugin-protocol.md, to judge those who judge plug-ins.

    faulty.py --list                     prints the faults: name, role and the promise that is broken
    faulty.py --install FOLDER [FAULT [FORM]]   writes the plug-in with its card there; without a fault it keeps all promises.
                                         A sink writes an output of the form: file, folder or stream
    faulty.py --sample FILE              writes a book of five pages that the source reads

The copy that is installed is called jisui-ROLE-faulty and has its fault written into it.
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


# Each fault: the promise, the place where it is broken, and the effect on the value there. An effect that returns nothing has
# changed the value itself; no effect means that the code asks for the fault.
SOURCE_FAULTS = {
    # The card and the start
    "card-differs": ("the card beside the program is what it prints", "printed", lambda text: text.replace("books", "other books")),
    "card-escapes": ("no text of a card has escape sequences", "card",
                     set_key("summary", "books \x1b[31min red\x1b[0m\r\nand another line")),
    "card-setting": ("the name of a setting is the ID or begins with it", "card", lambda card: card["settings"][0].update(name="pages")),
    "card-takes-all": ("the magic fits files of this kind alone, and no zip, no PDF", "card",
                       lambda card: card["magic"].extend([{"at": 0, "text": "PK"}, {"at": 0, "text": "%PDF"}])),
    "by-hand": ("without JISUI_PLUGIN the program says what it is and ends with status 64", "by hand", lambda _: 0),
    "version-wrong": ("hello answers with a version that was offered", "end hello", set_key("version", 2)),
    "version-any": ("hello refuses where no version it speaks was offered", "", None),
    # Lines
    "key-unknown": ("keys that are not known are passed over", "asked",
                    lambda ask: {"ask": "?"} if "later" in ask else None),
    "ask-unknown-dies": ("a request that is not known is answered, and others after it", "unknown", lambda _: sys.exit(1)),
    "ask-unknown-ok": ("a request that is not known is answered unsupported", "unknown", lambda _: {"ok": True}),
    "garbage-hangs": ("what is no JSON is answered, or ends the program", "garbage", hang),
    "never-reads": ("requests are read", "start", hang),
    "line-garbage": ("an answer is JSON", "wire examine", send(b"Segmentation fault (core dumped)\n")),
    "line-no-object": ("an answer is an object of JSON", "wire examine", send(b"[1,2,3]\n")),
    "line-bytes": ("a line is UTF-8", "wire examine", send(b'{"x":"\xff\xfe\xc0"}\n')),
    "line-long": ("a line has at most 64 KiB", "wire examine", send(b'{"x":"' + b"x" * (1 << 20) + b'"}\n')),
    "line-endless": ("a line ends", "wire examine", send_endlessly(b"x" * 65536)),
    "line-deep": ("an answer is nested as the protocol has it", "wire examine", send(b"[" * 32_000 + b"]" * 32_000 + b"\n")),
    "noise": ("an answer has the lines that belong to it, and not 100,000 others", "wire open",
              send(b'{"noise":1,"depth":[[[[[["x"]]]]]]}\n' * 100_000)),
    "noise-endless": ("an answer comes to its end", "wire open", send_endlessly(b'{"noise":"endless"}\n' * 1000)),
    "unasked": ("nothing is answered that was not asked", "start", send(b'{"ok":true,"version":1}\n')),
    "answers-twice": ("a request has one answer", "sent examine", lambda end: say(end)),
    "ok-false": ("an end says ok or an error", "end examine", set_key("ok", False)),
    "stdout-flood": ("what is printed is kept to 64 KiB and stops nobody: here it is 1 GB", "wire open",
                     lambda _: [os.write(1, b"flood of what nobody reads\n" * 38836) for _ in range(1024)]),
    # Processes
    "hello-hangs": ("hello is answered within 5 s", "hello", hang),
    "open-hangs": ("open is answered within 60 s from line to line", "open", hang),
    "examine-hangs": ("a page is examined within the time for a page", "examine", hang),
    "read-hangs": ("a page is given within the time for a page: not page 3", "reading", on_third(hang)),
    "read-hangs-busy": ("a page is given within the time for a page: this one computes on", "read", compute),
    "open-crashes": ("the program does not die while it opens", "open", crash),
    "read-crashes": ("the program does not die while it gives page 3", "reading", on_third(crash)),
    "read-eats": ("memory has a limit: page 3 takes all that there is", "reading", on_third(eat)),
    "read-spews": ("an answer has lines: that about page 3 has none, and no end", "reading", on_third(send_endlessly(b"spew " * 100_000))),
    "read-lies": ("no more bytes are told than lie in the slot: of page 3 a terabyte", "given", on_third(lambda _: {"bytes": 10**12})),
    "read-forks": ("no process is started without exec: page 3 tries to", "reading",
                   on_third(attempt("fork", lambda: os.fork() or time.sleep(1000)))),
    "read-opens": ("nothing is written without scratch: page 3 tries to", "reading",
                   on_third(attempt("open", lambda: open(f"/tmp/faulty-opened-{os.getpid()}", "w")))),
    "read-connects": ("there is no network: page 3 tries to reach it", "reading", on_third(attempt("connect", socket.socket))),
    "read-crashes-once": ("the program does not die at all: this one would serve if it were asked again", "reading",
                          on_third(lambda _: crash(_) if role.given > 1 else None)),
    "exits-early": ("the program serves until its socket is closed: this one ends with 0 after open", "sent open", lambda _: os._exit(0)),
    "closes-early": ("the socket stays open until jisui closes it", "sent open", close_early),
    "exit-status": ("the program ends with status 0 when its socket is closed", "status", lambda _: 1),
    "stays": ("the program ends when its socket is closed", "status", hang),
    "stays-stubbornly": ("the program ends when its socket is closed, and SIGTERM is not ignored", "status", hang),
    "forks": ("no child is left behind", "listed", lambda _: hang(_) if os.fork() == 0 else None),
    "forks-away": ("no child is left behind in a session of its own", "listed",
                   lambda _: subprocess.Popen(["sleep", "3600"], start_new_session=True, close_fds=False)),
    "files": ("no file is left behind", "listed", lambda _: leave("faulty-left", "/var/tmp")),
    "input-written": ("the input is not changed", "listed", lambda _: write_input()),
    "memory-grows": ("memory levels off: here it grows by 1 MiB with each page given", "reading", lambda _: role.kept.append(os.urandom(1 << 20))),
    "descriptors-grow": ("descriptors level off: here one stays open with each page given", "reading", lambda _: role.kept.append(os.dup(5))),
    # The list of pages
    "ids-descend": ("IDs ascend", "pages", lambda pages: pages.reverse()),
    "ids-twice": ("no two pages have the same ID", "pages", lambda pages: pages[-1].update(page=pages[0]["page"])),
    "id-zero": ("an ID is above 0", "pages", lambda pages: [{**page, "page": page["page"] - 1} for page in pages]),
    "id-text": ("an ID is a whole number", "pages", of_first("page", "1")),
    "id-fraction": ("an ID is a whole number: one is 1.5", "pages", of_first("page", 1.5)),
    "id-huge": ("an ID is a whole number: one has 30 digits", "pages", lambda pages: pages[-1].update(page=10**30)),
    "id-missing": ("a line belongs to the answer: one says 'pages' instead of 'page'", "pages", misspell(1)),
    "label-number": ("a label is a text", "pages", lambda pages: pages[1].update(label=2)),
    "outline-text": ("an outline leads to a page by its number: this one tells its name", "outline", set_key("page", "page 1")),
    "outline-nowhere": ("an outline leads to pages that there are", "outline", set_key("page", 77)),
    "names-twice": ("names are unique", "pages", lambda pages: pages[-1].update(name=pages[0]["name"])),
    "name-control": ("names have no control characters", "pages", of_first("name", "page\x1b[2J\n1")),
    "name-missing": ("a page has a name", "pages", lambda pages: [pages[0].pop("name")] and pages),
    "side-unknown": ("a side is left or right", "pages", of_first("side", "top")),
    "list-differs": ("each process finds the same pages", "pages", lambda pages: pages[-1].update(name=f"page {os.getpid()}")),
    "list-by-limits": ("pages are listed however few pixels are allowed", "pages",
                       lambda pages: pages[:-1] if role.limits["pixels"] == 0 else None),
    "no-pages": ("a book without pages is answered empty", "", None),
    "limits-pages": ("more pages than the limit are refused with too-large", "", None),
    # Pages
    "unknown-page-given": ("a page that there is not is answered with an error", "", None),
    "no-ways": ("a page has a way to be given", "examined", set_key("representations", [])),
    "way-unknown": ("a representation is encoded, sampled or rendered", "way", set_key("kind", "dreamt")),
    "encoding-lies": ("an encoded picture has the encoding that was told", "way",
                      lambda way: way.update(encoding="jpeg") if way["kind"] == "encoded" else None),
    "size-lies": ("a page has the size that was told", "examined", set_key("size", [2 * SIDE[0], SIDE[1]])),
    "format-lies": ("samples have the format that was told", "samples", lambda data: data * 3),
    "turn-odd": ("a rotation is 90, 180 or 270", "way", set_key("rotation", 45)),
    "rows-short": ("samples are complete", "samples", lambda data: data[:-1]),
    "pnm-cut": ("a PNM file is complete", "pnm", lambda data: data[:-1]),
    "pnm-huge": ("a PNM file has the size that it says: this one says a million by a million", "pnm",
                 lambda _: b"P5\n1000000 1000000\n255\n" + b"\x80" * 100),
    "dpi-ignored": ("a drawn page has the resolution that was asked for", "size", lambda _: SIDE),
    "bytes-too-many": ("no more bytes are told than lie in the slot", "given", lambda given: {"bytes": given["bytes"] + 1000}),
    "bytes-negative": ("a count of bytes is not negative", "given", set_key("bytes", -1)),
    "bytes-missing": ("what was given is told, as bytes or as a span", "given", lambda _: {}),
    "slot-huge": ("the slot is not filled beyond the limit: here to 1 TiB, with a hole", "given", fill_beyond_limit),
    "span-beyond": ("a span lies in the input", "span", lambda span: [span[0], len(role.data)]),
    "span-negative": ("a span begins in the input", "span", lambda span: [-1, span[1]]),
    "span-overflows": ("a span ends in the input: this one ends beyond 64 bits", "span", lambda _: [2**63 - 1, 2**63 - 1]),
    "read-differs": ("the same request gives the same bytes", "data",
                     lambda _: png(role.number + role.given) if role.given % 2 == 0 else None),
    "read-differs-by-process": ("the same request gives the same bytes in each process", "data", lambda _: png(os.getpid() % 199)),
    "limits-bytes": ("a picture of more bytes than the limit is refused with too-large", "", None),
    "limits-pixels": ("a page of more pixels than the limit is refused with too-large", "", None),
    # Errors
    "code-wrong": ("an error has one of the codes of the protocol", "error",
                   lambda error: error.update(error="oops") if error["error"] == "damaged" else None),
    "message-missing": ("an error has a message", "error", lambda error: {"error": error["error"]}),
    "message-escapes": ("a message has no escape sequences", "error",
                        set_key("message", "is \x1b[31mred\x1b[0m\r\nerror: another line")),
    "empty-file": ("an empty file is refused as empty or damaged: this one has a page", "", None),
    "cut-crashes": ("a file that was cut short does not crash it", "cut", lambda _: crash(_, signal.SIGABRT)),
    "cut-hangs": ("a file that was cut short does not hang it", "cut", hang),
    # Text and links
    "text-outside": ("places are shares from 0 to 1", "line", set_key("line", [[0.1, -3, 7, 0.2, "word"]])),
    "text-direction": ("a direction is ltr, rtl or vertical", "line", set_key("direction", "sideways")),
    "link-nowhere": ("a link leads to a page that there is", "link", set_key("page", 77)),
    "link-script": ("an address is one of the web: this one is a script", "link",
                    lambda link: {"link": link["link"], "address": "javascript:alert(1)"}),
}
SINK_FAULTS = {
    "sink-writes-nothing": ("the output is complete when finish was answered", "last", empty_output),
    "sink-differs": ("the same pages give the same bytes", "last", lambda data: b"%d\n" % time.time_ns() + data),
    "sink-name-missing": ("add answers with the name that the page got", "added", lambda _: {}),
    "sink-writes-beside": ("nothing is written but the output", "add", lambda _: leave("faulty-beside")),
    "sink-writes-late": ("nothing is written after finish was answered", "sent finish", write_late),
    "sink-loses": ("every page that was added is in the output: this one leaves out the second", "page",
                   lambda _: b"" if role.number == 2 else None),
    "sink-crashes": ("the program does not die while it adds a page", "add", crash),
    "sink-hangs": ("a page is added within the time for a page", "add", hang),
    "sink-stops": ("the program is not stopped in the middle of a book", "page", on_third(lambda _: os.kill(os.getpid(), signal.SIGSTOP))),
    "sink-exits": ("the program does not end while it adds a page", "page", on_third(lambda _: os._exit(4))),
    "sink-ends": ("the program ends after finish was answered", "finish", lambda _: os._exit(0)),
    "sink-babbles": ("an answer is JSON", "wire add", on_third(send(b"what?\n"))),
    "sink-answers-twice": ("a page has one answer", "sent add", on_third(lambda end: say(end))),
    "sink-answers-too-often": ("finish has one answer", "wire finish", lambda _: say({"ok": True, "name": "6.png"}) or time.sleep(1)),
    "sink-answers-for-another": ("an answer has no other ID than the request", "end add", on_third(set_key("id", 2))),
    "sink-name-dots": ("a name leads to a file in the output", "added", on_third(set_key("name", "../3.png"))),
    "sink-name-whole": ("a name is relative to the output", "added", on_third(set_key("name", "/etc/passwd"))),
    "sink-name-escapes": ("a name has no escape sequences", "added", on_third(set_key("name", "\x1b[31m"))),
    "sink-name-empty": ("a name is not empty", "added", on_third(set_key("name", ""))),
    "sink-finish-refused": ("finish is answered with ok where all pages were added", "finish", refuse_to_finish),
}
# Of those that write a folder.
FOLDER_FAULTS = {
    "folder-link": ("no link leads out of the output", "last", in_folder(lambda folder: os.symlink("/etc/passwd", f"{folder}/link"))),
    "folder-link-up": ("no link leads above the output", "last", in_folder(lambda folder: os.symlink("../../x", f"{folder}/link"))),
    "folder-pipe": ("an output has files and folders only", "last", in_folder(lambda folder: os.mkfifo(f"{folder}/pipe"))),
    "folder-escapes": ("the name of a file has no escape sequences", "last", in_folder(lambda folder: open(f"{folder}/\x1b[31m", "w").close())),
    "folder-wrong-name": ("a page has a file of its name", "added", on_third(set_key("name", "4.jpg"))),
}
TRANSFORM_FAULTS = {
    "transform-id-text": ("a page is told by its number: this one by a text", "answers", of_first("page", "1")),
    "transform-id-missing": ("a line belongs to the answer: one says 'pages' instead of 'page'", "answers", misspell(0)),
    "transform-invents": ("only pages that came are in the new order", "answers", lambda answers: answers.append({"page": 777})),
    "transform-doubles": ("a page comes once", "answers", lambda answers: answers.append(answers[0])),
    "transform-drops-all": ("a book keeps a page", "answers", lambda _: []),
    "transform-crop-outside": ("a crop lies on the page", "answers", of_first("crop", [-10, 0, 1_000_000, 10])),
    "transform-crop-empty": ("a crop has an area", "answers", of_first("crop", [0, 0, 0, 0])),
    "transform-turn-odd": ("a rotation is 90, 180 or 270", "answers", of_first("rotation", 45)),
    "transform-wants-unknown": ("only pages that came are wanted", "wanted", lambda _: 777),
    "transform-wants-forever": ("a list comes to its end: this one wants the first page again and again", "", None),
    "transform-differs": ("the same pages give the same order", "answers", random.shuffle),
    "transform-text-outside": ("places are shares from 0 to 1", "line", set_key("line", [[-1, 0, 2, float(10**9), "word"]])),
    "transform-hangs": ("change is answered within 60 s from line to line", "wanted", hang),
    "transform-crashes": ("the program does not die while it reads the list", "wanted", crash),
}
IMAGE_FAULTS = {
    "image-undeclared": ("a transform that changes images declares that in its manifest", "card", lambda card: [card.pop("images")] and card),
    "image-and-text": ("a transform that changes images recognizes no text", "answers", of_first("text", True)),
    "image-features": ("a transform that changes images adds no features to pages", "card", set_key("features", ["text"])),
    "image-none": ("a transform that declares images changes that of a page", "answers",
                   lambda answers: [{**answer, "image": False} for answer in answers]),
    "image-no-id": ("an answer about an image has the id of its page", "end image", lambda end: [end.pop("id", 0)] and end),
    "image-twice": ("an image has one answer", "sent image", lambda end: say(end)),
    "image-preview": ("a reduced image is answered as well", "", None),
    "image-deeper": ("a changed image has no more bits a sample than the image that came", "negative",
                     lambda image: (*image[:3], b"65535", bytes(sample for sample in image[4] for _ in range(2))) if image[3] == b"255" else None),
    "image-icc": ("a color profile is text: this one is a number", "changed", set_key("icc", 5)),
    "image-no-bytes": ("an image that is described has bytes", "changed", lambda _: {"encoding": "png"}),
    "image-excess": ("a changed image has about as many bytes as the image that came: this one has a megabyte more", "changed",
                     lambda changed: {"bytes": os.pwrite(4, bytes((1 << 21) + 4 * changed["bytes"]), 0)}),
    "image-size": ("a changed image has the size of the image that came", "negative",
                   lambda image: (*image[:2], b"%d" % (2 * int(image[2])), image[3], 2 * image[4])),
    "image-differs": ("the same image gives the same image", "negative", lambda image: (*image[:4], os.urandom(len(image[4])))),
    "image-bytes": ("there are as many bytes in the slot as the answer says", "changed",
                    lambda changed: changed.update(bytes=changed["bytes"] + (1 << 20))),
    "image-garbage": ("an image file can be decoded", "changed", set_key("encoding", "png")),
    "image-unlimited": ("an image of more bytes than are allowed is refused", "", None),
    "image-crashes": ("the program does not die while it changes an image", "image", crash),
}
FAULTS = {**SOURCE_FAULTS, **SINK_FAULTS, **FOLDER_FAULTS, **TRANSFORM_FAULTS, **IMAGE_FAULTS}
# Those without a fault.
SOUND = {"": "source", "sink": "sink", "folder": "sink", "folder-links-inside": "sink", "transform": "transform", "image": "transform"}


def spoil(place, value=None):
    """The value at a place of the program, with the fault if it is one of this place."""
    _, where, effect = FAULTS.get(FAULT, ("", "", None))
    spoilt = effect(value) if effect and where == place else None
    return value if spoilt is None else spoilt


def role_of(fault):
    if fault in SOUND:
        return SOUND[fault]
    return "source" if fault in SOURCE_FAULTS else "sink" if fault in SINK_FAULTS or fault in FOLDER_FAULTS else "transform"


def changes_images(fault):
    return fault in IMAGE_FAULTS or fault == "image"


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
        made |= {"images": True} if changes_images(FAULT) else {}
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
        more = {"image": True} if changes_images(FAULT) else {"text": True, "pixels": 100}
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
    print(path)


def main(arguments):
    if arguments == ["--list"]:
        for name, (promise, _, _) in FAULTS.items():
            print(f"{name}\t{role_of(name)}\t{promise}")
    elif arguments[:1] == ["--install"] and len(arguments) in (2, 3, 4):
        if arguments[2:] and arguments[2] not in (*SOUND, *FAULTS):
            sys.exit(f"faulty.py: there is no fault {arguments[2]}")
        install(*arguments[1:])
    elif arguments[:1] == ["--sample"] and len(arguments) == 2:
        with open(arguments[1], "wb") as file:
            file.write(SIGNATURE + b"".join(png(number) for number in range(1, 6)) + b"END\n")
    elif arguments == ["manifest"]:
        print(spoil("printed", card()), end="")
    elif os.environ.get("JISUI_PLUGIN") != "1":
        print("faulty: a plug-in for tests; jisui starts it by itself", file=sys.stderr)
        return spoil("by hand", 64)
    else:
        return serve()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
