#!/usr/bin/env python3
"""A plug-in that breaks one promise of docs/dev/plugin-protocol.md, to judge those who judge plug-ins.

    faulty.py --list                     prints the faults: name, role and the promise that is broken
    faulty.py --install FOLDER [FAULT]   writes the plug-in with its card there; without a fault it keeps all promises
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

SOURCE_FAULTS = {
    # The card and the start
    "card-differs": "the card beside the program is what it prints",
    "card-escapes": "no text of a card has escape sequences",
    "card-setting": "the name of a setting is the ID or begins with it",
    "card-takes-all": "the magic fits files of this kind alone, and no zip, no PDF",
    "by-hand": "without JISUI_PLUGIN the program says what it is and ends with status 64",
    "version-wrong": "hello answers with a version that was offered",
    "version-any": "hello refuses where no version it speaks was offered",
    # Lines
    "key-unknown": "keys that are not known are passed over",
    "ask-unknown-dies": "a request that is not known is answered, and others after it",
    "ask-unknown-ok": "a request that is not known is answered unsupported",
    "garbage-hangs": "what is no JSON is answered, or ends the program",
    "never-reads": "requests are read",
    "line-garbage": "an answer is JSON",
    "line-no-object": "an answer is an object of JSON",
    "line-bytes": "a line is UTF-8",
    "line-long": "a line has at most 64 KiB",
    "line-endless": "a line ends",
    "line-deep": "an answer is nested as the protocol has it",
    "noise": "an answer has the lines that belong to it, and not 100,000 others",
    "noise-endless": "an answer comes to its end",
    "unasked": "nothing is answered that was not asked",
    "answers-twice": "a request has one answer",
    "ok-false": "an end says ok or an error",
    "stdout-flood": "what is printed is kept to 64 KiB and stops nobody: here it is 1 GB",
    # Processes
    "hello-hangs": "hello is answered within 5 s",
    "open-hangs": "open is answered within 60 s from line to line",
    "examine-hangs": "a page is examined within the time for a page",
    "read-hangs": "a page is given within the time for a page",
    "read-hangs-busy": "a page is given within the time for a page: this one computes on",
    "open-crashes": "the program does not die while it opens",
    "read-crashes": "the program does not die while it gives page 3",
    "read-crashes-once": "the program does not die at all: this one would serve if it were asked again",
    "exits-early": "the program serves until its socket is closed: this one ends with 0 after open",
    "closes-early": "the socket stays open until jisui closes it",
    "exit-status": "the program ends with status 0 when its socket is closed",
    "stays": "the program ends when its socket is closed",
    "stays-stubbornly": "the program ends when its socket is closed, and SIGTERM is not ignored",
    "forks": "no child is left behind",
    "forks-away": "no child is left behind in a session of its own",
    "files": "no file is left behind",
    "input-written": "the input is not changed",
    "memory-grows": "memory levels off: here it grows by 1 MiB with each page given",
    "descriptors-grow": "descriptors level off: here one stays open with each page given",
    # The list of pages
    "ids-descend": "IDs ascend",
    "ids-twice": "no two pages have the same ID",
    "id-zero": "an ID is above 0",
    "id-text": "an ID is a whole number",
    "id-fraction": "an ID is a whole number: one is 1.5",
    "id-huge": "an ID is a whole number: one has 30 digits",
    "id-missing": "a line belongs to the answer: one says 'pages' instead of 'page'",
    "label-number": "a label is a text",
    "outline-text": "an outline leads to a page by its number: this one tells its name",
    "names-twice": "names are unique",
    "name-control": "names have no control characters",
    "name-missing": "a page has a name",
    "side-unknown": "a side is left or right",
    "outline-nowhere": "an outline leads to pages that there are",
    "list-differs": "each process finds the same pages",
    "list-by-limits": "pages are listed however few pixels are allowed",
    "no-pages": "a book without pages is answered empty",
    "limits-pages": "more pages than the limit are refused with too-large",
    # Pages
    "unknown-page-given": "a page that there is not is answered with an error",
    "no-ways": "a page has a way to be given",
    "way-unknown": "a representation is encoded, sampled or rendered",
    "encoding-lies": "an encoded picture has the encoding that was told",
    "size-lies": "a page has the size that was told",
    "format-lies": "samples have the format that was told",
    "turn-odd": "a rotation is 90, 180 or 270",
    "rows-short": "samples are complete",
    "pnm-cut": "a PNM file is complete",
    "pnm-huge": "a PNM file has the size that it says: this one says a million by a million",
    "dpi-ignored": "a drawn page has the resolution that was asked for",
    "bytes-too-many": "no more bytes are told than lie in the slot",
    "bytes-negative": "a count of bytes is not negative",
    "bytes-missing": "what was given is told, as bytes or as a span",
    "slot-huge": "the slot is not filled beyond the limit: here to 1 TiB, with a hole",
    "span-beyond": "a span lies in the input",
    "span-negative": "a span begins in the input",
    "span-overflows": "a span ends in the input: this one ends beyond 64 bits",
    "read-differs": "the same request gives the same bytes",
    "read-differs-by-process": "the same request gives the same bytes in each process",
    "limits-bytes": "a picture of more bytes than the limit is refused with too-large",
    "limits-pixels": "a page of more pixels than the limit is refused with too-large",
    # Errors
    "code-wrong": "an error has one of the codes of the protocol",
    "message-missing": "an error has a message",
    "message-escapes": "a message has no escape sequences",
    "empty-file": "an empty file is refused as empty or damaged: this one has a page",
    "cut-crashes": "a file that was cut short does not crash it",
    "cut-hangs": "a file that was cut short does not hang it",
    # Text and links
    "text-outside": "places are shares from 0 to 1",
    "text-direction": "a direction is ltr, rtl or vertical",
    "link-nowhere": "a link leads to a page that there is",
    "link-script": "an address is one of the web: this one is a script",
}
SINK_FAULTS = {
    "sink-writes-nothing": "the output is complete when finish was answered",
    "sink-differs": "the same pages give the same bytes",
    "sink-name-missing": "add answers with the name that the page got",
    "sink-writes-beside": "nothing is written but the output",
    "sink-writes-late": "nothing is written after finish was answered",
    "sink-loses": "every page that was added is in the output: this one leaves out the second",
    "sink-crashes": "the program does not die while it adds a page",
    "sink-hangs": "a page is added within the time for a page",
    "sink-finish-refused": "finish is answered with ok where all pages were added",
}
TRANSFORM_FAULTS = {
    "transform-id-text": "a page is told by its number: this one by a text",
    "transform-id-missing": "a line belongs to the answer: one says 'pages' instead of 'page'",
    "transform-invents": "only pages that came are in the new order",
    "transform-doubles": "a page comes once",
    "transform-drops-all": "a book keeps a page",
    "transform-crop-outside": "a crop lies on the page",
    "transform-crop-empty": "a crop has an area",
    "transform-turn-odd": "a rotation is 90, 180 or 270",
    "transform-wants-unknown": "only pages that came are wanted",
    "transform-wants-forever": "a list comes to its end: this one wants the first page again and again",
    "transform-differs": "the same pages give the same order",
    "transform-text-outside": "places are shares from 0 to 1",
    "transform-hangs": "change is answered within 60 s from line to line",
    "transform-crashes": "the program does not die while it reads the list",
}
IMAGE_FAULTS = {
    "image-undeclared": "a transform that changes images declares that in its manifest",
    "image-and-text": "a transform that changes images recognizes no text",
    "image-features": "a transform that changes images adds no features to pages",
    "image-none": "a transform that declares images changes that of a page",
    "image-no-id": "an answer about an image has the id of its page",
    "image-twice": "an image has one answer",
    "image-preview": "a reduced image is answered as well",
    "image-deeper": "a changed image has no more bits a sample than the image that came",
    "image-icc": "a color profile is text: this one is a number",
    "image-no-bytes": "an image that is described has bytes",
    "image-excess": "a changed image has about as many bytes as the image that came: this one has a megabyte more",
    "image-size": "a changed image has the size of the image that came",
    "image-differs": "the same image gives the same image",
    "image-bytes": "there are as many bytes in the slot as the answer says",
    "image-garbage": "an image file can be decoded",
    "image-unlimited": "an image of more bytes than are allowed is refused",
    "image-crashes": "the program does not die while it changes an image",
}
FAULTS = {**SOURCE_FAULTS, **SINK_FAULTS, **TRANSFORM_FAULTS, **IMAGE_FAULTS}

SIGNATURE = b"FAULTY\n"
SIDE = (40, 60)


def role_of(fault):
    if fault in SINK_FAULTS or fault == "sink":
        return "sink"
    return "transform" if fault in {**TRANSFORM_FAULTS, **IMAGE_FAULTS} or fault in ("transform", "image") else "source"


# "sink", "transform" and "image" are those without a fault.
ROLE = role_of(FAULT)


def card(fault):
    role = role_of(fault)
    made = {"jisui": [1], "role": role, "id": "faulty", "summary": "books for tests"}
    if role == "source":
        made |= {"extensions": ["faulty"], "magic": [{"at": 0, "text": "FAULTY\n"}],
                 "settings": [{"name": "faulty-pages", "kind": "integer", "minimum": 1, "maximum": 100, "default": "100", "valueName": "count",
                               "help": "How many pages are shown"}]}
    elif role == "sink":
        made |= {"extensions": ["faulty"], "form": "file", "displays": ["png"], "processes": 1}
    else:
        made |= {"settings": [{"name": "faulty", "kind": "flag", "help": "Look at all pages and keep them"}]}
        if changes_images(fault) and fault != "image-undeclared":
            made |= {"images": True}
        if fault == "image-features":
            made |= {"features": ["text"]}
    if fault == "card-escapes":
        made["summary"] = "books \x1b[31min red\x1b[0m\r\nand another line"
        made["settings"][0]["help"] = "How many\x1b]0;title\x07 pages"
    if fault == "card-setting":
        made["settings"][0]["name"] = "pages"
    if fault == "card-takes-all":
        made["magic"] += [{"at": 0, "text": "PK"}, {"at": 0, "text": "%PDF"}]
    return json.dumps(made, indent=1) + "\n"


def png(number, width=SIDE[0], height=SIDE[1]):
    """A gray picture that is another for each number."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + row(number, y, width) for y in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def row(number, y, width):
    return bytes((number * 40 + x * 3 + y) % 256 for x in range(width))


def changes_images(fault):
    return fault in IMAGE_FAULTS or fault == "image"


def is_faulty(*faults):
    return FAULT in faults


class Refusal(Exception):
    pass


class Role:
    def hello(self, ask):
        self.settings, self.limits = ask["settings"], ask["limits"]
        if is_faulty("hello-hangs"):
            time.sleep(3600)
        if 1 not in ask["versions"] and not is_faulty("version-any"):
            raise Refusal("unsupported", "speaks version 1 of the protocol only")
        return {"version": 2 if is_faulty("version-wrong") else 1}


class Source(Role):
    """Five pages: three PNG files, of which two are in the input, one of samples, one that is drawn."""

    requests = ["hello", "open", "examine", "read", "text", "links"]

    def __init__(self):
        self.given, self.kept = 0, []

    def open(self, ask):
        size = os.fstat(5).st_size
        data = os.pread(5, min(size, 1 << 24), 0)
        if is_faulty("open-hangs"):
            time.sleep(3600)
        if is_faulty("open-crashes"):
            os.kill(os.getpid(), signal.SIGSEGV)
        if not data and not is_faulty("empty-file"):
            raise Refusal("empty", "the file is empty")
        if not data.startswith(SIGNATURE) and data:
            raise Refusal("damaged", "is no book for tests")
        self.starts = [found.start() for found in re.finditer(b"\x89PNG\r\n\x1a\n", data)]
        self.data = data
        if not data.endswith(b"END\n") and data:
            if is_faulty("cut-crashes"):
                os.kill(os.getpid(), signal.SIGABRT)
            if is_faulty("cut-hangs"):
                time.sleep(3600)
        count = min(len(self.starts), int(self.settings.get("faulty-pages", "100")))
        if is_faulty("empty-file"):
            count = max(count, 1)
        if count == 0 or is_faulty("no-pages"):
            if is_faulty("no-pages"):
                return {}
            raise Refusal("empty", "has no pages")
        if count > self.limits["pages"] and not is_faulty("limits-pages"):
            raise Refusal("too-large", "has more pages than are allowed")
        self.count = count
        pages = [{"page": number, "name": f"page {number}", "label": str(number)} for number in range(1, count + 1)]
        self.spoil_list(pages)
        for page in pages:
            say(page)
        say({"outline": "Chapter 1", "page": 77 if is_faulty("outline-nowhere") else "page 1" if is_faulty("outline-text") else 1, "level": 0})
        if is_faulty("forks") and os.fork() == 0:
            time.sleep(3600)
        if is_faulty("forks-away"):
            subprocess.Popen(["sleep", "3600"], start_new_session=True, close_fds=False)
        if is_faulty("files"):
            for folder in (os.environ.get("TMPDIR", "/tmp"), "/tmp", "/var/tmp"):
                try:
                    open(os.path.join(folder, f"faulty-left-{os.getpid()}"), "w").close()
                except OSError:
                    pass
        if is_faulty("input-written"):
            try:
                with open(os.environ["JISUI_INPUT"], "r+b") as file:
                    file.seek(0, os.SEEK_END)
                    file.write(b"!")
            except OSError:
                pass
        return {"book": {"title": "Faults"}}

    def spoil_list(self, pages):
        if is_faulty("ids-descend"):
            pages.reverse()
        if is_faulty("ids-twice"):
            pages[-1]["page"] = pages[0]["page"]
        if is_faulty("id-zero"):
            for page in pages:
                page["page"] -= 1
        if is_faulty("id-text"):
            pages[0]["page"] = "1"
        if is_faulty("id-fraction"):
            pages[0]["page"] = 1.5
        if is_faulty("id-huge"):
            pages[-1]["page"] = 10**30
        if is_faulty("id-missing"):
            pages[1]["pages"] = pages[1].pop("page")
        if is_faulty("label-number"):
            pages[1]["label"] = 2
        if is_faulty("names-twice"):
            pages[-1]["name"] = pages[0]["name"]
        if is_faulty("name-control"):
            pages[0]["name"] = "page\x1b[2J\n1"
        if is_faulty("name-missing"):
            del pages[0]["name"]
        if is_faulty("side-unknown"):
            pages[0]["side"] = "top"
        if is_faulty("list-by-limits") and self.limits["pixels"] == 0:
            pages.pop()
        if is_faulty("list-differs"):
            pages[-1]["name"] = f"page {os.getpid()}"

    def number(self, ask):
        number = ask.get("id")
        if not isinstance(number, int) or not 1 <= number <= self.count:
            if is_faulty("unknown-page-given"):
                return 1
            raise Refusal("usage", "has no such page")
        return number

    def picture(self, number):
        """The bytes of a page's file as the input has them."""
        start = self.starts[number - 1] if self.starts else 0
        end = self.data.find(b"IEND", start)
        if end < 0:
            raise Refusal("oops" if is_faulty("code-wrong") else "damaged", "breaks off")
        data = self.data[start:end + 8]
        place = 8
        while place < len(data):
            count = int.from_bytes(data[place:place + 4], "big")
            if zlib.crc32(data[place + 4:place + 8 + count]) != int.from_bytes(data[place + 8 + count:place + 12 + count], "big"):
                raise Refusal("oops" if is_faulty("code-wrong") else "damaged", "has a wrong checksum")
            place += 12 + count
        return start, data

    def examine(self, ask):
        number = self.number(ask)
        if is_faulty("examine-hangs"):
            time.sleep(3600)
        self.picture(number)
        width, height = SIDE
        if width * height > self.limits["pixels"] and not is_faulty("limits-pixels"):
            raise Refusal("too-large", "has more pixels than are allowed")
        way = {"kind": "encoded", "encoding": "jpeg" if is_faulty("encoding-lies") else "png"}
        if number == 4:
            way = {"kind": "sampled", "compression": "none", "format": "gray8", "size": list(SIDE)}
        if number == 5:
            way = {"kind": "rendered", "points": list(SIDE), "dpi": 72}
        if is_faulty("way-unknown"):
            way["kind"] = "dreamt"
        if is_faulty("turn-odd"):
            way["rotation"] = 45
        size = [width * 2, height] if is_faulty("size-lies") else [width, height]
        return {"size": size, "representations": [] if is_faulty("no-ways") else [way], "text": number == 1, "links": number == 1}

    def read(self, ask):
        number = self.number(ask)
        self.given += 1
        if is_faulty("read-hangs"):
            time.sleep(3600)
        while is_faulty("read-hangs-busy"):
            pass
        if is_faulty("read-crashes") and number == 3:
            os.kill(os.getpid(), signal.SIGSEGV)
        if is_faulty("read-crashes-once") and number == 3 and self.given > 1:
            os.kill(os.getpid(), signal.SIGSEGV)
        if is_faulty("memory-grows"):
            self.kept.append(os.urandom(1 << 20))
        if is_faulty("descriptors-grow"):
            self.kept.append(os.dup(5))
        start, data = self.picture(number)
        if number == 4:
            data = b"".join(row(number, y, SIDE[0]) for y in range(SIDE[1]))
            data = data * 3 if is_faulty("format-lies") else data[:-1] if is_faulty("rows-short") else data
        if number == 5:
            width, height = SIDE if is_faulty("dpi-ignored") else ask["size"]
            if width * height > self.limits["pixels"] and not is_faulty("limits-pixels"):
                raise Refusal("too-large", "has more pixels than are allowed")
            data = b"P5\n%d %d\n255\n" % (width, height) + b"\x80" * (width * height)
            if is_faulty("pnm-cut"):
                data = data[:-1]
            if is_faulty("pnm-huge"):
                data = b"P5\n1000000 1000000\n255\n" + b"\x80" * 100
        if len(data) > self.limits["bytes"] and not is_faulty("limits-bytes"):
            raise Refusal("too-large", "has more bytes than are allowed")
        if is_faulty("read-differs") and self.given % 2 == 0:
            data = png(number + self.given)
        if is_faulty("read-differs-by-process"):
            data = png(os.getpid() % 199)
        if number in (1, 2) and data == self.data[start:start + len(data)]:
            return {"span": self.spoilt_span(start, len(data))}
        os.pwrite(4, data, 0)
        if is_faulty("slot-huge"):
            os.ftruncate(4, 1 << 40)
            return {"bytes": 1 << 40}
        if is_faulty("bytes-missing"):
            return {}
        if is_faulty("bytes-negative"):
            return {"bytes": -1}
        return {"bytes": len(data) + 1000 if is_faulty("bytes-too-many") else len(data)}

    def spoilt_span(self, start, count):
        if is_faulty("span-beyond"):
            return [start, len(self.data)]
        if is_faulty("span-negative"):
            return [-1, count]
        if is_faulty("span-overflows"):
            return [2**63 - 1, 2**63 - 1]
        return [start, count]

    def text(self, ask):
        if self.number(ask) == 1:
            place = [0.1, -3, 7, 0.2] if is_faulty("text-outside") else [0.1, 0.1, 0.5, 0.2]
            say({"line": [[*place, "word"]], "direction": "sideways" if is_faulty("text-direction") else "ltr"})
        return {}

    def links(self, ask):
        if self.number(ask) == 1:
            if is_faulty("link-script"):
                say({"link": [0.1, 0.1, 0.5, 0.2], "address": "javascript:alert(1)"})
            else:
                say({"link": [0.1, 0.1, 0.5, 0.2], "page": 77 if is_faulty("link-nowhere") else self.count})
        return {}


class Sink(Role):
    """The pages one behind the other, in the form that the source reads."""

    requests = ["hello", "begin", "add", "finish"]

    def begin(self, ask):
        self.place = os.pwrite(5, SIGNATURE, 0)
        return {}

    def add(self, ask):
        if is_faulty("sink-hangs"):
            time.sleep(3600)
        if is_faulty("sink-crashes"):
            os.kill(os.getpid(), signal.SIGSEGV)
        if ask["encoding"] != "png":
            raise Refusal("unsupported", "is no PNG")
        data = os.pread(4, ask["bytes"], 0)
        if not (is_faulty("sink-loses") and ask["number"] == 2) and not is_faulty("sink-writes-nothing"):
            self.place += os.pwrite(5, data, self.place)
        if is_faulty("sink-writes-beside"):
            for folder in ("/tmp", os.environ.get("TMPDIR", "/tmp")):
                try:
                    open(os.path.join(folder, f"faulty-beside-{os.getpid()}"), "w").close()
                except OSError:
                    pass
        return {} if is_faulty("sink-name-missing") else {"name": f"page {ask['number']}"}

    def finish(self, ask):
        if is_faulty("sink-finish-refused"):
            raise Refusal("unwritable", "does not want to")
        if is_faulty("sink-differs"):
            self.place += os.pwrite(5, b"%d\n" % time.time_ns(), self.place)
        if is_faulty("sink-writes-nothing"):
            os.ftruncate(5, 0)
        else:
            os.pwrite(5, b"END\n", self.place)
        return {}


class Transform(Role):
    """Looks at the first page and keeps all."""

    requests = ["hello", "change", "text", "image"]

    def change(self, ask):
        pages = [json.loads(next(lines))["page"] for _ in range(ask["count"])]
        if is_faulty("transform-crashes"):
            os.kill(os.getpid(), signal.SIGSEGV)
        if is_faulty("transform-hangs"):
            time.sleep(3600)
        while True:
            say({"preview": 777 if is_faulty("transform-wants-unknown") else pages[0], "pixels": 100})
            next(lines)
            if not is_faulty("transform-wants-forever"):
                break
        answers = [{"page": page, "text": True, "pixels": 100} for page in pages]
        if changes_images(FAULT):
            answers = [{"page": page, "image": not is_faulty("image-none"), "text": is_faulty("image-and-text")} for page in pages]
        if is_faulty("transform-id-text"):
            answers[0]["page"] = str(pages[0])
        if is_faulty("transform-id-missing"):
            answers[0]["pages"] = answers[0].pop("page")
        if is_faulty("transform-invents"):
            answers.append({"page": 777})
        if is_faulty("transform-doubles"):
            answers.append(answers[0])
        if is_faulty("transform-drops-all"):
            answers = []
        if is_faulty("transform-crop-outside"):
            answers[0]["crop"] = [-10, 0, 1_000_000, 10]
        if is_faulty("transform-crop-empty"):
            answers[0]["crop"] = [0, 0, 0, 0]
        if is_faulty("transform-turn-odd"):
            answers[0]["rotation"] = 45
        if is_faulty("transform-differs"):
            random.shuffle(answers)
        for answer in answers:
            say(answer)
        return {}

    def image(self, ask):
        """Makes negatives."""
        data = os.pread(4, ask["bytes"], 0)
        if is_faulty("image-crashes"):
            os.kill(os.getpid(), signal.SIGSEGV)
        if len(data) > self.limits["bytes"] and not is_faulty("image-unlimited"):
            raise Refusal("too-large", "the image is too large")
        if is_faulty("image-preview") and "preview" in ask:
            raise Refusal("usage", "previews are not changed")
        if is_faulty("image-no-bytes"):
            return {"encoding": "png"}
        head = re.match(rb"(P[56])\s+(\d+)\s+(\d+)\s+(\d+)\s", data)
        samples = bytes(255 - sample for sample in data[head.end():])
        if is_faulty("image-differs"):
            samples = os.urandom(len(samples))
        kind, width, height, most = head.groups()
        if is_faulty("image-size"):
            height, samples = b"%d" % (2 * int(height)), 2 * samples
        if is_faulty("image-deeper") and most == b"255":
            most, samples = b"65535", bytes(sample for sample in samples for _ in range(2))
        answer = {"bytes": os.pwrite(4, b"%s %s %s %s\n" % (kind, width, height, most) + samples, 0)}
        if is_faulty("image-bytes"):
            answer["bytes"] += 1 << 20
        if is_faulty("image-garbage"):
            answer["encoding"] = "png"
        if is_faulty("image-icc"):
            answer["icc"] = 5
        if is_faulty("image-excess"):
            answer["bytes"] = os.pwrite(4, bytes((1 << 21) + 4 * len(samples)), 0)
        return answer

    def text(self, ask):
        place = [-1, 0, 2, float(10**9)] if is_faulty("transform-text-outside") else [0.1, 0.1, 0.5, 0.2]
        say({"line": [[*place, "word"]], "direction": "ltr"})
        return {}


def say(answer):
    host.sendall(json.dumps(answer, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")


def answer(role, line):
    """The end of the answer to a line."""
    try:
        ask = json.loads(line)
        name = ask["ask"]
    except (ValueError, KeyError, TypeError):
        if is_faulty("garbage-hangs"):
            time.sleep(3600)
        return {"error": "usage", "message": "is asked in what is no request"}
    if is_faulty("key-unknown") and set(ask) - {"ask", "id", "versions", "role", "settings", "limits", "name", "password", "representation", "dpi", "size",
                                                      "book", "count", "lossless", "cover", "lines", "number", "encoding", "bytes", "label",
                                                      "side", "doublePage", "pixels"}:
        return {"error": "usage", "message": "is asked with a key that is not known"}
    if name not in role.requests:
        if is_faulty("ask-unknown-dies"):
            sys.exit(1)
        return {"ok": True} if is_faulty("ask-unknown-ok") else {"error": "unsupported", "message": "does not know the request"}
    about = {"id": ask.get("id")} if name == "image" and not is_faulty("image-no-id") else {}
    try:
        return {"ok": True, **about, **getattr(role, name)(ask)}
    except Refusal as refusal:
        code, message = refusal.args
        if is_faulty("message-escapes"):
            message = "is \x1b[31mred\x1b[0m\r\nerror: another line"
        return {"error": code} if is_faulty("message-missing") else {"error": code, "message": message, **about}
    except OSError as error:
        return {"error": "unwritable", "message": error.strerror}
    except (KeyError, AttributeError, TypeError, ValueError):
        return {"error": "usage", "message": "is asked in a way that it does not understand", **about}


def before(name):
    """Faults on the wire before the end of an answer."""
    if is_faulty("stdout-flood") and name == "open":
        for _ in range(1024):
            os.write(1, b"flood of what nobody reads\n" * 38836)
    if is_faulty("noise") and name == "open":
        for number in range(100_000):
            host.sendall(b'{"noise":%d,"depth":[[[[[["x"]]]]]]}\n' % number)
    while is_faulty("noise-endless") and name == "open":
        host.sendall(b'{"noise":"endless"}\n' * 1000)
    while is_faulty("line-endless") and name == "examine":
        host.sendall(b"x" * 65536)
    spoilt = {"line-garbage": lambda: b"Segmentation fault (core dumped)\n", "line-no-object": lambda: b"[1,2,3]\n",
              "line-bytes": lambda: b'{"x":"\xff\xfe\xc0"}\n', "line-long": lambda: b'{"x":"' + b"x" * (1 << 20) + b'"}\n',
              "line-deep": lambda: b"[" * 32_000 + b"]" * 32_000 + b"\n"}
    if FAULT in spoilt and name == "examine":
        host.sendall(spoilt[FAULT]())


def serve():
    global host, lines
    host = socket.socket(fileno=3)
    role = {"source": Source, "sink": Sink, "transform": Transform}[ROLE]()
    if is_faulty("never-reads"):
        time.sleep(3600)
    if is_faulty("stays-stubbornly"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if is_faulty("unasked"):
        say({"ok": True, "version": 1})
    lines = iter(host.makefile("rb"))
    for line in lines:
        end = answer(role, line)
        name = re.match(rb'\{"ask":"([a-z]+)"', line)
        name = name[1].decode() if name else ""
        before(name)
        if is_faulty("ok-false") and name == "examine":
            end["ok"] = False
        say(end)
        if is_faulty("answers-twice") and name == "examine" or is_faulty("image-twice") and name == "image":
            say(end)
        if is_faulty("exits-early") and name == "open":
            os._exit(0)
        if is_faulty("closes-early") and name == "open":
            host.shutdown(socket.SHUT_RDWR)
            time.sleep(3600)
        if is_faulty("sink-writes-late") and name == "finish":
            time.sleep(0.05)
            os.pwrite(5, b"late", 0)
    while is_faulty("stays", "stays-stubbornly"):
        time.sleep(3600)
    return 1 if is_faulty("exit-status") else 0


def install(folder, fault):
    with open(os.path.abspath(__file__), encoding="utf-8") as file:
        program = file.read().replace('\nFAULT = ""\n', f"\nFAULT = {fault!r}\n", 1)
    path = os.path.join(folder, f"jisui-{role_of(fault)}-faulty")
    for name, text, mode in ((path, program, 0o755), (path + ".json", card(fault), 0o644)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, mode)
    print(path)


def main(arguments):
    if arguments == ["--list"]:
        for name, promise in FAULTS.items():
            print(f"{name}\t{role_of(name)}\t{promise}")
    elif arguments[:1] == ["--install"] and len(arguments) in (2, 3):
        fault = arguments[2] if len(arguments) == 3 else ""
        if fault not in ("", "sink", "transform", "image", *FAULTS):
            sys.exit(f"faulty.py: there is no fault {fault}")
        install(arguments[1], fault)
    elif arguments[:1] == ["--sample"] and len(arguments) == 2:
        with open(arguments[1], "wb") as file:
            file.write(SIGNATURE + b"".join(png(number) for number in range(1, 6)) + b"END\n")
    elif arguments == ["manifest"]:
        print(card(FAULT).replace("books", "other books") if is_faulty("card-differs") else card(FAULT), end="")
    elif os.environ.get("JISUI_PLUGIN") != "1":
        if is_faulty("by-hand"):
            return 0
        print("faulty: a plug-in for tests; jisui starts it by itself", file=sys.stderr)
        return 64
    else:
        return serve()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
