"""Makes Fixtures/bad/PDFSource: damaged and hostile PDFs, and expected.tsv: how `jisui FILE -o X` may exit (0 done,
3 done with a warning that names the page, 1 failed), how many pages the result has, and what is wrong."""

import zlib
from pathlib import Path

import pictures as pic
from make_pdfs import JPEG, PAGE, PAINT, image, picture_page
from pdf_writer import Document, Raw
from pictures import HEIGHT, WIDTH

OUT = Path(__file__).resolve().parent.parent / "bad" / "PDFSource"
expected = []


def fixture(name, document, exit, pages, reason):
    data = document if isinstance(document, bytes) else document.bytes()
    (OUT / f"{name}.pdf").write_bytes(data)
    expected.append([f"{name}.pdf", exit, pages, reason])


def pages(count=1):
    document = Document()
    picture = image(document)
    for _ in range(count):
        picture_page(document, picture)
    return document


def one(content=PAINT, data=JPEG, page=None, **entries):
    """Three pages, of which the one in the middle is damaged: the others must arrive."""
    document = Document()
    good = image(document)
    picture_page(document, good)
    picture_page(document, image(document, data, **entries), content, **(page or {}))
    picture_page(document, good)
    return document


def files():
    whole = pages(3).bytes()
    fixture("empty", b"", "1", 0, "empty")
    fixture("only-header", b"%PDF-1.7\n", "1", 0, "no-pages")
    fixture("not-a-pdf", b"This is a letter, and no PDF.\n" * 20, "1", 0, "not-a-pdf")
    fixture("cut-in-half", whole[: len(whole) // 2], "1|3", "-", "truncated")
    fixture("without-end", whole[: whole.rindex(b"xref\n0")], "0|1|3", "-", "no-cross-reference")
    fixture("wrong-offsets", whole.replace(b"%PDF-1.7\n", b"%PDF-1.7\n%shifted by this line\n"), "0|3", 3, "cross-reference")
    fixture("start-of-nowhere", whole[: whole.rindex(b"startxref")] + b"startxref\n99999999\n%%EOF\n", "0|3", 3, "cross-reference")
    root = whole.index(b"/Root ")
    fixture("no-root", whole[:root] + b"/Toor " + whole[root + 6 :], "0|1|3", "-", "no-catalog")


def page_trees():
    fixture("no-pages", Document(), "1", 0, "no-pages")

    document = pages(2)
    document.pages.append(document.tree_ref)
    fixture("kids-loop", document, "0|1|3", "-", "page-tree-loop")

    document = pages(2)
    document.tree = {"/Count": 2000000000}
    fixture("count-too-large", document, "0|1|3", "-", "page-count")
    document = pages(3)
    document.tree = {"/Count": -1}
    fixture("count-negative", document, "0|1|3", "-", "page-count")

    document = pages(2)
    document.pages.insert(1, document.add({"/Type": "/Page", "/Parent": document.tree_ref}))  # neither box nor contents
    fixture("no-media-box", document, "0|3", 3, "no-media-box")
    document = pages(2)
    document.pages.insert(1, Raw("4711 0 R"))
    fixture("kid-missing", document, "0|1|3", "-", "page-missing")

    # Each page its own parent: to inherit is to run in a circle.
    document = Document()
    ref = document.reserve()
    document.add({"/Type": "/Page", "/Parent": ref, "/MediaBox": PAGE, "/Contents": document.stream(b"")}, ref=ref)
    document.pages = [ref]
    fixture("parent-loop", document, "0|1|3", "-", "parent-loop")


def contents():
    def recursive(levels):
        """Forms inside each other; with no end when `levels` is 0."""
        document = Document()
        refs = [document.reserve() for _ in range(levels or 2)]
        for i, ref in enumerate(refs):
            inner = {"/XObject": {"/Fm": refs[(i + 1) % len(refs)]}} if i + 1 < len(refs) or not levels else {}
            form = {"/Type": "/XObject", "/Subtype": "/Form", "/BBox": PAGE, "/Resources": inner}
            document.add(form, b"/Fm Do" if inner else b"0 0 8 8 re f", ref=ref)
        document.page("/Fm Do", {"/XObject": {"/Fm": refs[0]}}, MediaBox=PAGE)
        return document

    fixture("form-loop", recursive(0), "0|1|3", "-", "form-loop")
    fixture("form-deep", recursive(150), "0|1|3", "-", "form-depth")
    fixture("contents-garbage", one(content="\x00\xff ]] >> ( << 1 0 0 /Im Do [[ ET Q Q Q Q"), "0|3", 3, "contents")
    fixture("operand-flood", one(content="1 " * 4000 + PAINT), "0|3", 3, "contents")
    fixture("nested-arrays", one(content="[" * 5000 + PAINT), "0|1|3", "-", "contents")
    fixture("unbalanced-restore", one(content=f"Q Q {PAINT} Q"), "0|3", 3, "contents")
    document = one()
    cut = document.stream(pic.flate(PAINT.encode() * 30)[:-12], Filter="/FlateDecode")
    document.objects[document.pages[1]][0]["/Contents"] = cut
    fixture("contents-cut", document, "0|3", 3, "contents")
    document = one()
    document.objects[document.pages[1]][0]["/Contents"] = Raw("4711 0 R")
    fixture("contents-missing", document, "0|3", 3, "contents")
    document = one()
    document.objects[document.pages[1]][0]["/Resources"] = {"/XObject": {"/Im": Raw("4711 0 R")}}
    fixture("picture-missing", document, "0|3", 3, "picture-missing")


def pictures():
    gray = {"ColorSpace": "/DeviceGray"}
    flate = pic.flate(pic.packed(pic.gray(), 8))
    fixture("jpeg-cut", one(data=JPEG[: len(JPEG) * 2 // 3]), "3", 3, "jpeg-damaged")
    fixture("jpeg-without-end", one(data=JPEG[:-2]), "0|3", 3, "jpeg-damaged")
    middle = len(JPEG) * 2 // 3
    fixture("jpeg-holes", one(data=JPEG[:middle] + bytes(40) + JPEG[middle + 40 :]), "0|3", 3, "jpeg-damaged")
    fixture("jpeg-is-text", one(data=b"no JPEG at all"), "3", 3, "jpeg-damaged")
    fixture("flate-cut", one(data=flate[: len(flate) // 2], Filter="/FlateDecode", **gray), "3", 3, "raster-short")
    fixture("flate-damaged", one(data=flate[:60] + b"\xff" * 20 + flate[80:], Filter="/FlateDecode", **gray), "3", 3, "raster-damaged")
    fixture("raster-short", one(data=bytes(100), Filter=None, **gray), "3", 3, "raster-short")
    fixture("ccitt-damaged", one(data=b"\x55\xaa\x13" * 20, Filter="/CCITTFaxDecode", BitsPerComponent=1,
                                 DecodeParms={"/K": -1, "/Columns": WIDTH, "/Rows": HEIGHT}, **gray), "0|3", 3, "ccitt-damaged")  # fmt: skip
    fixture("jbig2-damaged", one(data=b"\0\0\0\1\x30\0\1\xff\xff\xff\xff" + b"\x99" * 60, Filter="/JBIG2Decode",
                                 BitsPerComponent=1, **gray), "3", 3, "jbig2-damaged")  # fmt: skip
    fixture("jpx-damaged", one(data=pic.jpeg2000()[:300], Filter="/JPXDecode"), "3", 3, "jpx-damaged")
    fixture("filter-unknown", one(Filter="/Unheard"), "3", 3, "filter")
    fixture("filter-flood", one(data=JPEG.hex().encode(), Filter=["/ASCIIHexDecode"] * 200), "0|3", 3, "filter")
    fixture("size-zero", one(Width=0, Height=0), "0|3", 3, "size")
    fixture("size-negative", one(Width=-48, Height=64), "0|3", 3, "size")
    fixture("size-enormous", one(data=flate, Filter="/FlateDecode", Width=2000000000, Height=2000000000, **gray), "3", 3, "size")
    fixture("bits-3", one(data=bytes(2000), Filter=None, BitsPerComponent=3, **gray), "0|3", 3, "bits-per-component")
    fixture("palette-short", one(data=pic.packed(pic.indexes(), 8), Filter=None,
                                 ColorSpace=["/Indexed", "/DeviceRGB", 255, b"abc"]), "0|3", 3, "palette")  # fmt: skip
    # A gigabyte of zeros: deflated twice it is a few hundred bytes.
    side = 32768
    once = deflated_zeros(side * side)
    bomb = one(data=pic.flate(once), Filter=["/FlateDecode", "/FlateDecode"], Width=side, Height=side, **gray)
    fixture("bomb", bomb, "3", 3, "too-large")
    fixture("columns-enormous", one(data=b"\0" * 64, Filter="/CCITTFaxDecode", BitsPerComponent=1,
                                    DecodeParms={"/K": -1, "/Columns": 2000000000}, **gray), "0|3", 3, "ccitt-damaged")  # fmt: skip

    document = Document()
    document.page("1 0 0 rg 0 0 14400 14400 re f", MediaBox=[0, 0, 14400, 14400])
    fixture("huge-page-drawn", document, "0|1|3", "-", "too-large")
    document = Document()
    document.page("1 0 0 rg 0 0 8 8 re f", MediaBox=[0, 0, 1e9, 1e9])
    fixture("enormous-page-drawn", document, "1|3", "-", "too-large")


def deflated_zeros(count):
    packer, out = zlib.compressobj(9), bytearray()
    for _ in range(count >> 20):
        out += packer.compress(bytes(1 << 20))
    return bytes(out + packer.flush())


def what_a_document_says():
    document = pages(2)
    root, item = document.reserve(), document.reserve()
    document.add({"/First": item, "/Last": item}, ref=root)
    document.add({"/Title": b"Again", "/Parent": root, "/Next": item, "/First": item, "/Dest": [document.pages[0], "/Fit"]}, ref=item)
    document.catalog["/Outlines"] = root
    fixture("outline-loop", document, "0|3", 2, "outline-loop")

    document = pages(2)
    labels = document.reserve()
    document.add({"/Kids": [labels]}, ref=labels)
    document.catalog["/PageLabels"] = labels
    fixture("labels-loop", document, "0|3", 2, "labels-loop")
    document = pages(2)
    document.catalog["/PageLabels"] = {"/Nums": [0, {"/S": "/r", "/St": 2000000000}]}  # two million times "m"
    fixture("labels-enormous", document, "0|3", 2, "labels")
    document = pages(1)
    document.catalog["/Metadata"] = document.stream(
        b'<!DOCTYPE a [<!ENTITY b "' + b"c" * 100 + b'"><!ENTITY d "' + b"&b;" * 100 + b'">]><a>&d;</a>', Subtype="/XML"
    )
    fixture("metadata-entities", document, "0|3", 1, "metadata")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for group in (files, page_trees, contents, pictures, what_a_document_says):
        group()
    columns = "file exit pages reason".split()
    lines = ["\t".join(map(str, row)) for row in [columns, *expected]]
    (OUT / "expected.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
