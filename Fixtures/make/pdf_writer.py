"""A PDF written exactly as told: nothing is checked, repaired or added, so that a fixture can be wrong on purpose.

Python values stand for PDF objects: "/Name" a name, bytes a string, Ref an indirect object, Raw anything else.
"""

import zlib


class Ref(int):
    """The number of an indirect object."""


class Raw(str):
    """Text that goes into the file as it stands."""


def spell(value):
    if isinstance(value, Ref):
        return f"{int(value)} 0 R"
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, (int, float)):
        return f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    if isinstance(value, str):
        assert value.startswith("/"), value
        return value
    if isinstance(value, bytes):
        return f"<{value.hex()}>"
    if isinstance(value, (list, tuple)):
        return "[" + " ".join(map(spell, value)) + "]"
    if isinstance(value, dict):
        return "<<" + " ".join(f"{key} {spell(item)}" for key, item in value.items()) + ">>"
    raise TypeError(value)


class Document:
    """Pages are given as dictionaries; `save` adds the catalog, the page tree, the cross-reference table."""

    def __init__(self):
        self.objects = {}
        self.pages = []
        self.catalog = {}
        self.tree = {}  # what every page inherits
        self.info = None
        self.tree_ref = self.reserve()

    def reserve(self):
        ref = Ref(len(self.objects) + 1)
        self.objects[ref] = None
        return ref

    def add(self, value, stream=None, ref=None):
        ref = ref or self.reserve()
        self.objects[ref] = (value, stream)
        return ref

    def stream(self, data, **entries):
        return self.add({f"/{key}": value for key, value in entries.items()}, data)

    def flate(self, data, **entries):
        return self.stream(zlib.compress(data, 9), Filter="/FlateDecode", **entries)

    def page(self, content, resources=None, **entries):
        """Adds a page. `content` is text, a Ref, or a list of them; None leaves /Contents out."""
        page = {"/Type": "/Page", "/Parent": self.tree_ref}
        if resources is not None:
            page["/Resources"] = resources
        if content is not None:
            parts = content if isinstance(content, list) else [content]
            refs = [part if isinstance(part, Ref) else self.stream(part.encode("latin-1")) for part in parts]
            page["/Contents"] = refs if isinstance(content, list) else refs[0]
        page.update({f"/{key}": value for key, value in entries.items()})
        self.pages.append(self.add(page))
        return self.pages[-1]

    def bytes(self):
        if self.objects[self.tree_ref] is None:
            tree = {"/Type": "/Pages", "/Kids": self.pages, "/Count": len(self.pages)}
            self.add({**tree, **self.tree}, ref=self.tree_ref)
        catalog = self.add({"/Type": "/Catalog", "/Pages": self.tree_ref, **self.catalog})
        trailer = {"/Root": catalog, "/ID": [bytes(16), bytes(16)]}
        if self.info:
            trailer["/Info"] = self.add(self.info)
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        offsets = []
        for ref, (value, stream) in self.objects.items():
            offsets.append(len(out))
            if stream is not None:
                value = {**value, "/Length": value.get("/Length", len(stream))}
            out += f"{int(ref)} 0 obj\n{spell(value)}\n".encode("latin-1")
            if stream is not None:
                out += b"stream\n" + stream + b"\nendstream\n"
            out += b"endobj\n"
        start = len(out)
        out += f"xref\n0 {len(offsets) + 1}\n0000000000 65535 f \n".encode()
        for offset in offsets:
            out += f"{offset:010d} 00000 n \n".encode()
        trailer["/Size"] = len(offsets) + 1
        out += f"trailer\n{spell(trailer)}\nstartxref\n{start}\n%%EOF\n".encode()
        return bytes(out)
