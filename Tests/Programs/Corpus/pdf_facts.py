"""What other people's programs find in a PDF: words, links, outline, labels, fields, tags, pixels.

Used by compare_combined.py. Words, tags and one kind of pixels come from poppler, the other kind from mupdf, objects from
qpdf. A program that fails, or takes too long, gives None for its fact: then that fact is not compared.
"""

import json
import re
import subprocess
import tempfile
from pathlib import Path

MOST_NODES = 200_000  # of one tree: a page tree, an outline, a form; there are files with loops


def run(arguments, timeout, statuses=(0,)):
    """Standard output, or None when the program fails or takes too long."""
    try:
        done = subprocess.run(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode in statuses else None


def words(path, timeout):
    """The words of each page, in the order in which they are read."""
    text = run(["pdftotext", path, "-"], timeout)
    if text is None:
        return None
    return [page.split() for page in text.decode("utf-8", "replace").split("\f")[:-1]]


def tags(path, timeout):
    """The lines of the tree of tags, with their text. The order of attributes and the numbers of objects mean nothing."""
    text = run(["pdfinfo", "-struct-text", path], timeout)
    if text is None:
        return None
    lines, attributes = [], []
    for line in text.decode("utf-8", "replace").splitlines():
        if re.match(r"\s+/\w+ ", line):
            attributes.append(line)
            continue
        lines += sorted(attributes)
        attributes = []
        if line.strip():
            lines.append(re.sub(r"^(\s+Object) \d+ \d+$", r"\1", line))
    return lines + sorted(attributes)


def is_marked(path, timeout):
    text = run(["pdfinfo", path], timeout)
    return None if text is None else b"\nTagged:          yes" in text


def pictures(bytes_):
    """The pages of a stream of PNMs: their sizes and samples."""
    found, at = [], 0
    while at < len(bytes_):
        head = re.compile(rb"P[56]\s+(\d+)\s+(\d+)\s+255\s").match(bytes_, at)
        if not head:
            return None
        width, height = int(head[1]), int(head[2])
        size = width * height * (3 if bytes_[at : at + 2] == b"P6" else 1)
        found.append((width, height, bytes_[head.end() : head.end() + size]))
        at = head.end() + size
    return found


def poppler_pixels(path, timeout):
    shown = run(["pdftoppm", "-r", "20", path], timeout)
    return None if shown is None else pictures(shown)


def mupdf_pixels(path, timeout):
    # Standard output has what it says of damage, too.
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "pages.ppm")
        if run(["mutool", "draw", "-q", "-r", "20", "-c", "rgb", "-o", str(made), path], timeout) is None:
            return None
        return pictures(made.read_bytes()) if made.exists() else None


def soundness(path, timeout):
    """What qpdf --check says with its exit status: 0 sound, 3 warnings, 2 broken."""
    try:
        return subprocess.run(
            ["qpdf", "--check", path], stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout
        ).returncode
    except subprocess.TimeoutExpired:
        return None


class Objects:
    """The objects of a PDF, as qpdf shows them."""

    def __init__(self, path, timeout):
        shown = run(["qpdf", "--json=2", "--json-key=qpdf", "--json-key=pages", path], timeout, (0, 3))
        if shown is None:
            raise ValueError("qpdf does not read it")
        # Keys that are no UTF-8 come as they are.
        data = json.loads(shown.decode("utf-8", "replace"))
        self.objects = data["qpdf"][1]
        self.pages = [page["object"] for page in data["pages"]]
        self.places = {page: index for index, page in reversed(list(enumerate(self.pages)))}
        self.catalog = self.at(self.at(self.objects["trailer"]["value"]).get("/Root"))

    def at(self, value):
        """What a reference leads to, a stream's dictionary for a stream."""
        for _ in range(10):
            if not (isinstance(value, str) and re.fullmatch(r"\d+ \d+ R", value)):
                break
            found = self.objects.get("obj:" + value, {})
            value = found["stream"]["dict"] if "stream" in found else found.get("value")
        return value

    def key(self, holder, *keys):
        for key in keys:
            holder = self.at(holder)
            holder = holder.get(key) if isinstance(holder, dict) else None
        return self.at(holder)

    def items(self, holder, *keys):
        found = self.key(holder, *keys) if keys else self.at(holder)
        return found if isinstance(found, list) else []

    def text(self, value):
        value = self.at(value)
        if not isinstance(value, str):
            return None
        if value.startswith("b:"):
            return bytes.fromhex(value[2:]).decode("latin-1")
        return value[2:] if value.startswith("u:") else value

    def tree(self, root, leaf):
        """The pairs of a tree of names or numbers."""
        pending, seen = [root], set()
        while pending and len(seen) < MOST_NODES:
            node = pending.pop()
            if isinstance(node, str) and node in seen:
                continue
            seen.add(node if isinstance(node, str) else len(seen))
            items = self.items(node, leaf)
            yield from zip(items[::2], items[1::2])
            pending += reversed(self.items(node, "/Kids"))

    def names(self):
        """The named destinations."""
        if not hasattr(self, "_names"):
            found = self.tree(self.key(self.catalog, "/Names", "/Dests"), "/Names")
            self._names = {self.text(name): value for name, value in found}
            old = self.key(self.catalog, "/Dests")
            self._names.update({name: value for name, value in (old if isinstance(old, dict) else {}).items()})
        return self._names

    def place(self, destination):
        """The page that a destination leads to, from 0, and the way it is shown; None for nowhere."""
        found = self.at(destination)
        for _ in range(4):
            if isinstance(found, dict):
                found = self.at(found.get("/D"))
            elif isinstance(found, str):
                name = found if found.startswith("/") else self.text(found)
                found = self.at(self.names().get(name))
        if not isinstance(found, list) or not found or found[0] not in self.places:
            return None
        numbers = [round(x, 1) if isinstance(x, (int, float)) else x for x in map(self.at, found[1:])]
        return self.places[found[0]], tuple(numbers)

    def links(self):
        """The links of each page: where they lie, and what they lead to."""
        return [sorted(filter(None, map(self.link, self.annotations(page))), key=repr) for page in self.pages]

    def annotations(self, page):
        return self.items(page, "/Annots")

    def link(self, annotation):
        if self.key(annotation, "/Subtype") != "/Link":
            return None
        rect = tuple(round(x, 1) for x in map(self.at, self.items(annotation, "/Rect")) if isinstance(x, (int, float)))
        action = self.key(annotation, "/A")
        kind = self.key(action, "/S")
        if kind == "/URI":
            return rect, "uri", self.text(self.key(action, "/URI"))
        if kind not in (None, "/GoTo"):
            return rect, kind, None
        place = self.place(self.key(annotation, "/Dest") or self.key(action, "/D"))
        return (rect, "page", place) if place else None

    def outline(self):
        """Titles, how deep they stand, and the pages they lead to."""
        lines, seen = [], set()
        pending = [(self.key(self.catalog, "/Outlines").get("/First"), 0)] if self.key(self.catalog, "/Outlines") else []
        while pending and len(seen) < MOST_NODES:
            item, level = pending.pop()
            if item is None or item in seen or not isinstance(self.at(item), dict):
                continue
            seen.add(item)
            place = self.place(self.key(item, "/Dest") or self.key(item, "/A", "/D"))
            lines.append((" ".join((self.text(self.key(item, "/Title")) or "").split()), level, place and place[0]))
            pending.append((self.at(item).get("/Next"), level))
            pending.append((self.at(item).get("/First"), level + 1))
        return lines

    def labels(self):
        """The label of each page; None where the book gives none."""
        ranges = sorted(
            (number, self.at(value))
            for number, value in self.tree(self.key(self.catalog, "/PageLabels"), "/Nums")
            if isinstance(number, int) and isinstance(self.at(value), dict)
        )
        if not ranges:
            return None
        labels = []
        for index in range(len(self.pages)):
            start, label = max((entry for entry in ranges if entry[0] <= index), default=(0, {}), key=lambda e: e[0])
            number = index - start + (self.at(label.get("/St")) or 1)
            labels.append((self.text(label.get("/P")) or "") + styled(self.at(label.get("/S")), number))
        return labels

    def fields(self):
        """The names of form fields that have no fields below them, and their values."""
        found, seen = [], set()
        pending = [(field, "", None) for field in reversed(self.items(self.key(self.catalog, "/AcroForm", "/Fields")))]
        while pending and len(seen) < MOST_NODES:
            field, above, value = pending.pop()
            if not isinstance(field, str) or field in seen:
                continue
            seen.add(field)
            own = self.text(self.key(field, "/T"))
            name = above if own is None else f"{above}.{own}" if above else own
            value = self.key(field, "/V") if self.key(field, "/V") is not None else value
            below = [kid for kid in self.items(field, "/Kids") if self.key(kid, "/T") is not None]
            pending += [(kid, name, value) for kid in reversed(below)]
            if not below:
                found.append((name, self.text(value) if isinstance(value, str) else None))
        return found

    def widgets(self):
        """How many parts of fields there are on each page."""
        return [
            sum(self.key(annotation, "/Subtype") == "/Widget" for annotation in self.annotations(page))
            for page in self.pages
        ]

    def layers(self):
        """The names of layers, each with whether it is shown at first."""
        default = self.key(self.catalog, "/OCProperties", "/D")
        on, off = set(map(str, self.items(default, "/ON"))), set(map(str, self.items(default, "/OFF")))
        is_off = self.key(default, "/BaseState") == "/OFF"
        groups = self.items(self.catalog, "/OCProperties", "/OCGs")
        return [
            (self.text(self.key(group, "/Name")), not (group in off or is_off and group not in on)) for group in groups
        ]


def styled(style, number):
    if style == "/D":
        return str(number)
    if style in ("/R", "/r") and 0 < number < 4000:
        signs = zip(
            (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
            "m cm d cd c xc l xl x ix v iv i".split(),
        )
        roman = ""
        for value, sign in signs:
            count, number = divmod(number, value)
            roman += sign * count
        return roman if style == "/r" else roman.upper()
    if style in ("/A", "/a") and number > 0:
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter if style == "/a" else letter.upper()
    return ""


OF_OBJECTS = "links outline labels fields widgets layers".split()


def facts(path, timeout):
    """All that is found, by name."""
    path = str(path)
    found = {
        "words": words(path, timeout),
        "tags": tags(path, timeout),
        "marked": is_marked(path, timeout),
        "poppler": poppler_pixels(path, timeout),
        "mupdf": mupdf_pixels(path, timeout),
        "check": soundness(path, timeout),
    }
    try:
        objects = Objects(path, timeout)
        found["pages"] = len(objects.pages)
        for name in OF_OBJECTS:
            found[name] = getattr(objects, name)()
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        found.update({"pages": None, **{name: None for name in OF_OBJECTS}, "unread": str(error)})
    return found
