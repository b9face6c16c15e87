"""Makes Fixtures/good/PDFSource: small PDFs, each of which keeps or breaks one condition under which a page *is* one
picture, and expected.tsv, which says what becomes of each page. README.md beside this file tells how to run it."""

import base64
import hashlib
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pikepdf

import jbig2
import pictures as pic
from pdf_writer import Document
from pictures import HEIGHT, WIDTH

OUT = Path(__file__).resolve().parent.parent / "good" / "PDFSource"
PASSWORD = "sesame"

PAGE = [0, 0, WIDTH / 2, HEIGHT / 2]  # in points: the pictures have 144 dpi, so that a drawn page is as large as they
WHOLE = f"{WIDTH / 2:g} 0 0 {HEIGHT / 2:g} 0 0 cm"  # the matrix that makes the picture fill the page
PAINT = f"q {WHOLE} /Im Do Q"
JPEG = pic.jpeg()

expected = []
facts = {}


# MARK: what is expected

def verbatim(data, reason="-", encoding="jpeg", size=(WIDTH, HEIGHT)):
    return ["verbatim", reason, *size, encoding, "-", "-", hashlib.sha256(data).hexdigest()]


def lossless(rows, colour="gray", bits=8, reason="-"):
    """The digest is that of the samples as PNG stores them, before filtering: packed, each row from a new byte."""
    width = len(rows[0]) // (3 if colour == "rgb" else 1)
    digest = hashlib.sha256(pic.packed(rows, bits)).hexdigest()
    return ["lossless", reason, width, len(rows), "png", colour, bits, digest]


def cut(reason, width=WIDTH, height=HEIGHT):
    """A JPEG cut or turned in its coefficients."""
    return ["lossless", reason, width, height, "jpeg", "-", "-", "-"]


def drawn(reason, width=WIDTH, height=HEIGHT):
    return ["rendered", reason, width, height, "png", "-", "-", "-"]


def patched(reason):
    """What lies over the picture is laid on the picture's own pixels."""
    return ["patched", reason, WIDTH, HEIGHT, "jpeg", "-", "-", "-"]


def undecided(*treatments, reason):
    """Where the rule leaves a choice; what is not among the treatments is wrong."""
    return ["|".join(treatments), reason, WIDTH, HEIGHT, "-", "-", "-", "-"]


def fixture(name, document, *pages):
    data = document if isinstance(document, bytes) else document.bytes()
    (OUT / f"{name}.pdf").write_bytes(data)
    for number, page in enumerate(pages, 1):
        expected.append([f"{name}.pdf", number, *page])


# MARK: pages

def image(document, data=JPEG, size=(WIDTH, HEIGHT), **entries):
    entries = {
        "Type": "/XObject", "Subtype": "/Image", "Width": size[0], "Height": size[1], "BitsPerComponent": 8,
        "ColorSpace": "/DeviceRGB", "Filter": "/DCTDecode", **entries,
    }  # fmt: skip
    return document.stream(data, **{key: value for key, value in entries.items() if value is not None})


def picture_page(document, ref, content=PAINT, resources=None, **entries):
    everything = {"/XObject": {"/Im": ref, **(resources or {}).get("/XObject", {})}}
    everything.update({key: value for key, value in (resources or {}).items() if key != "/XObject"})
    return document.page(content, everything, **{"MediaBox": PAGE, **entries})


def jpeg_page(name, outcome, content=PAINT, data=JPEG, picture=None, resources=None, **entries):
    """A document of one page that shows one JPEG, but for what the arguments change."""
    document = Document()
    ref = image(document, data, **(picture or {}))
    picture_page(document, ref, content, resources(document) if callable(resources) else resources, **entries)
    fixture(name, document, outcome)


def raster_page(
        name, outcome, data, content=PAINT, entries=None, size=(WIDTH, HEIGHT), resources=None, **picture):
    document = Document()
    picture = {"Filter": None, **picture}
    for key, value in picture.items():
        if callable(value):
            picture[key] = value(document)
    ref = image(document, data, size, **picture)
    box = [0, 0, size[0] / 2, size[1] / 2]
    if size != (WIDTH, HEIGHT):
        content = f"q {size[0] / 2} 0 0 {size[1] / 2} 0 0 cm /Im Do Q"
    picture_page(document, ref, content, resources, **{"MediaBox": box, **(entries or {})})
    fixture(name, document, outcome)


FONT = {"/Font": {"/F": {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}}}


def the_page():
    """(a) Exactly one picture is painted, and nothing else shows."""
    same = verbatim(JPEG)
    jpeg_page("jpeg", same)
    jpeg_page("jpeg-unpainted-second", same, resources=lambda d: {"/XObject": {"/Other": image(d)}})

    document = Document()
    left, right = image(document), image(document)
    content = "q 12 0 0 32 0 0 cm /Im Do Q q 12 0 0 32 12 0 cm /Right Do Q"
    picture_page(document, left, content, {"/XObject": {"/Right": right}})
    fixture("two-pictures", document, ["lossless", "several-pictures", 2 * WIDTH, HEIGHT, "jpeg", "-", "-", "-"])
    jpeg_page("picture-twice", drawn("several-pictures"), content=f"{PAINT} q 6 0 0 8 3 3 cm /Im Do Q")
    # The second hides the first, and is the same.
    same_place = undecided("verbatim", "rendered", reason="several-pictures")
    jpeg_page("picture-twice-in-place", same_place, content=f"{PAINT} {PAINT}")

    def form(box, content="q 24 0 0 32 0 0 cm /Im Do Q", **entries):
        document = Document()
        ref = image(document)
        inner = document.stream(
            content.encode(), Type="/XObject", Subtype="/Form", BBox=box, Resources={"/XObject": {"/Im": ref}}, **entries
        )
        document.page("q /Fm Do Q", {"/XObject": {"/Fm": inner}}, MediaBox=PAGE)
        return document

    fixture("form", form(PAGE), same)
    fixture("form-matrix", form([0, 0, 1, 1], "/Im Do", Matrix=[24, 0, 0, 32, 0, 0]), same)
    fixture("form-clips", form([0, 0, 20, 32]), drawn("clip"))
    fixture("form-two-pictures", form(PAGE, f"{PAINT} q 6 0 0 8 3 3 cm /Im Do Q"), drawn("several-pictures"))
    document = Document()
    name, ref, content = "/Im", image(document), PAINT
    for depth in range(3):
        ref = document.stream(
            content.encode(), Type="/XObject", Subtype="/Form", BBox=PAGE, Resources={"/XObject": {name: ref}}
        )
        name, content = "/Fm", "/Fm Do"
    document.page(content, {"/XObject": {name: ref}}, MediaBox=PAGE)
    fixture("form-in-form", document, same)

    inline = "q 12 0 0 16 6 8 cm BI /W 2 /H 1 /CS /RGB /BPC 8 /F /AHx ID ff000000ff00> EI Q"
    jpeg_page("inline-too", patched("inline-picture"), content=f"{PAINT} {inline}")
    jpeg_page("path", patched("path"), content=f"{PAINT} 1 0 0 rg 4 4 8 8 re f")
    jpeg_page("path-stroked", patched("path"), content=f"{PAINT} 1 0 0 RG 2 w 4 4 m 20 28 l S")
    jpeg_page("path-unpainted", same, content=f"4 4 8 8 re n {PAINT}")
    shading = {"/ShadingType": 2, "/ColorSpace": "/DeviceGray", "/Coords": [0, 0, 24, 0],
               "/Function": {"/FunctionType": 2, "/Domain": [0, 1], "/N": 1}}  # fmt: skip
    jpeg_page(
        "shading", patched("shading"), content=f"{PAINT} q 4 4 8 8 re W n /Sh sh Q",
        resources={"/Shading": {"/Sh": shading}},
    )  # fmt: skip
    text = "BT /F 12 Tf {mode} Tr 2 10 Td (jisui) Tj ET"
    jpeg_page("text", patched("text"), content=f"{PAINT} {text.format(mode=0)}", resources=FONT)
    jpeg_page("text-invisible", same, content=f"{text.format(mode=3)} {PAINT}", resources=FONT)
    jpeg_page("text-invisible-over", same, content=f"{PAINT} {text.format(mode=3)}", resources=FONT)
    # The text state outlives ET: what follows a `3 Tr` is invisible until a Q or another Tr.
    jpeg_page(
        "text-visible-after-restore", patched("text"), resources=FONT,
        content=f"{PAINT} q 3 Tr Q BT /F 12 Tf 2 10 Td (jisui) Tj ET",
    )  # fmt: skip
    jpeg_page("marked-content", same, content=f"/Artifact <</Type /Page>> BDC BX {PAINT} EX EMC")
    jpeg_page("contents-in-parts", same, content=["q 24 0", "0 32 0 0", "cm /Im", "Do", "Q"])


def annotations():
    def annotated(name, outcome, appearance=True, **entries):
        document = Document()
        look = document.stream(b"1 0 0 rg 0 0 8 8 re f", Type="/XObject", Subtype="/Form", BBox=[0, 0, 8, 8])
        annotation = {"/Type": "/Annot", "/Subtype": "/Stamp", "/Rect": [4, 4, 12, 12], "/F": 4}
        if appearance:
            annotation["/AP"] = {"/N": look}
        annotation.update({f"/{key}": value for key, value in entries.items()})
        picture_page(document, image(document), Annots=[document.add(annotation)])
        fixture(name, document, outcome)

    annotated("annotation", patched("annotation"))
    annotated("annotation-hidden", verbatim(JPEG), F=2)
    link = {"/S": "/URI", "/URI": b"https://example.org/"}
    annotated("annotation-link", verbatim(JPEG), appearance=False, Subtype="/Link", Border=[0, 0, 0], A=link)


def optional_content():
    def layered(name, outcome, visible, on_image=False):
        document = Document()
        group = document.add({"/Type": "/OCG", "/Name": b"Layer"})
        document.catalog["/OCProperties"] = {
            "/OCGs": [group], "/D": {"/ON": [group] if visible else [], "/OFF": [] if visible else [group]},
        }  # fmt: skip
        content = PAINT if on_image else f"/OC /Layer BDC {PAINT} EMC"
        ref = image(document, OC=group if on_image else None)
        picture_page(document, ref, content, {"/Properties": {"/Layer": group}})
        fixture(name, document, outcome)

    layered("layer-visible", verbatim(JPEG), True)
    layered("layer-hidden", drawn("hidden-layer", "-", "-"), False)
    layered("layer-hidden-picture", drawn("hidden-layer", "-", "-"), False, on_image=True)


def graphics_state():
    """(b) Nothing in the graphics state changes what the picture looks like."""
    def state(name, outcome, content=f"q /G gs {WHOLE} /Im Do Q", **entries):
        def resources(document):
            settings = {f"/{key}": value(document) if callable(value) else value for key, value in entries.items()}
            return {"/ExtGState": {"/G": settings}}

        jpeg_page(name, outcome, content, resources=resources)

    def soft_mask(document):
        group = {"/S": "/Transparency", "/CS": "/DeviceGray"}
        form = document.stream(b".5 g 0 0 24 32 re f", Type="/XObject", Subtype="/Form", BBox=PAGE, Group=group)
        return {"/Type": "/Mask", "/S": "/Luminosity", "/G": form}

    state("state-soft-mask", drawn("soft-mask"), SMask=soft_mask)
    state("state-soft-mask-none", verbatim(JPEG), SMask="/None", ca=1, CA=1, BM="/Normal", AIS=False)
    state("state-alpha", drawn("alpha"), ca=0.5)
    state("state-alpha-restored", verbatim(JPEG), content=f"q /G gs Q {PAINT}", ca=0.5)
    state("state-blend", drawn("blend-mode"), BM="/Multiply")
    state("state-blend-list", drawn("blend-mode"), BM=["/Unheard", "/Multiply"])
    jpeg_page("clip", drawn("clip"), content=f"q 2 2 20 28 re W n {WHOLE} /Im Do Q")
    jpeg_page("clip-whole", verbatim(JPEG), content=f"q -1 -1 26 34 re W n {WHOLE} /Im Do Q")
    jpeg_page("clip-triangle", drawn("clip"), content=f"q 0 0 m 48 0 l 0 64 l h W* n 0 0 20 32 re W n {WHOLE} /Im Do Q")
    jpeg_page("clip-restored", verbatim(JPEG), content=f"q 2 2 20 28 re W n Q {PAINT}")


def matrix():
    """(c) The picture stands upright and unskewed on the page, or turned by quarters."""
    jpeg_page("matrix-flip", cut("flip"), content="q -24 0 0 32 24 0 cm /Im Do Q")
    jpeg_page("matrix-flip-vertical", cut("flip"), content="q 24 0 0 -32 0 32 cm /Im Do Q")
    jpeg_page("matrix-upside-down", cut("turn"), content="q -24 0 0 -32 24 32 cm /Im Do Q")
    jpeg_page("matrix-shear", drawn("skew", "-", "-"), content="q 24 2 0 30 0 0 cm /Im Do Q")
    jpeg_page("matrix-tilt", drawn("skew", "-", "-"), content="q 23.9 .8 -1.1 31.9 0 0 cm /Im Do Q")
    jpeg_page("matrix-in-steps", verbatim(JPEG), content="q 2 0 0 2 0 0 cm q 12 0 0 16 0 0 cm /Im Do Q Q")
    jpeg_page("matrix-singular", drawn("skew", "-", "-"), content="q 24 0 0 0 0 0 cm /Im Do Q")
    across = [0, 0, HEIGHT / 2, WIDTH / 2]
    # [0 b; -c 0]: a quarter turn counter-clockwise, as a reader sees it.
    quarter = "q 0 24 -32 0 32 0 cm /Im Do Q"
    jpeg_page("matrix-quarter", cut("turn", HEIGHT, WIDTH), content=quarter, MediaBox=across)
    jpeg_page("matrix-quarter-turned-back", verbatim(JPEG), content=quarter, MediaBox=across, Rotate=90)
    rows = pic.gray()
    raster_page(
        "matrix-quarter-raster", lossless(pic.turned(rows, 270), reason="turn"), pic.packed(rows, 8),
        content=quarter, entries={"MediaBox": across}, ColorSpace="/DeviceGray",
    )  # fmt: skip
    raster_page(
        "matrix-flip-raster", lossless([row[::-1] for row in rows], reason="flip"), pic.packed(rows, 8),
        content="q -24 0 0 32 24 0 cm /Im Do Q", ColorSpace="/DeviceGray",
    )  # fmt: skip


def boxes():
    """(d) The page shows the picture: no less, no more."""
    same = verbatim(JPEG)
    jpeg_page("crop-equal", same, CropBox=PAGE)
    jpeg_page("crop-within-half-a-pixel", same, CropBox=[0.1, 0.1, 23.9, 31.9])
    # A cut can begin only where a block of 8 pixels does: 4 more are kept on the left and at the top.
    jpeg_page("crop-smaller", cut("crop", 44, 60), CropBox=[2, 2, 22, 30])
    jpeg_page("crop-larger", same, MediaBox=[-3, -4, 27, 36], CropBox=[-3, -4, 27, 36])
    jpeg_page("crop-beyond-media", same, CropBox=[-10, -10, 100, 100])
    # An empty box is no box; but poppler makes a page of one pixel of it.
    jpeg_page("crop-empty", undecided("verbatim", "rendered", reason="crop"), CropBox=[5, 5, 5, 5])
    jpeg_page("box-corners-swapped", same, MediaBox=[24, 32, 0, 0], CropBox=[24, 0, 0, 32])
    jpeg_page("box-offset", same, MediaBox=[100, -50, 124, -18], content="q 24 0 0 32 100 -50 cm /Im Do Q")
    jpeg_page("box-trim", same, TrimBox=[4, 4, 20, 28], BleedBox=[1, 1, 23, 31], ArtBox=[5, 5, 10, 10])
    jpeg_page("user-unit", same, UserUnit=2)
    rows = pic.gray()
    samples = {"data": pic.packed(rows, 8), "ColorSpace": "/DeviceGray"}
    part = [row[4:44] for row in rows[4:60]]
    raster_page("crop-raster", lossless(part, reason="crop"), entries={"CropBox": [2, 2, 22, 30]}, **samples)
    # The edge lies at 4.4 pixels: the nearest whole one is taken.
    raster_page("crop-raster-between-pixels", lossless(part, reason="crop"),
                entries={"CropBox": [2.2, 2, 22, 30]}, **samples)  # fmt: skip
    part = [row[6:40] for row in rows[10:62]]  # PDF counts from the bottom, rows from the top
    raster_page("crop-raster-off-centre", lossless(part, reason="crop"), entries={"CropBox": [3, 1, 20, 27]}, **samples)
    raster_page("crop-raster-turned", lossless(pic.turned(part, 90), reason="crop"),
                entries={"CropBox": [3, 1, 20, 27], "Rotate": 90}, **samples)  # fmt: skip

    document = Document()
    ref = image(document)
    document.tree = {"/MediaBox": [0, 0, 30, 40], "/CropBox": PAGE, "/Resources": {"/XObject": {"/Im": ref}}}
    document.page(PAINT)
    fixture("box-inherited", document, same)
    document = Document()
    box = document.add([document.add(0), 0, document.add(24), document.add(32)])
    picture_page(document, image(document), MediaBox=box)
    fixture("box-indirect", document, same)


def rotation():
    """(e) /Rotate turns clockwise what the page shows."""
    rows = pic.gray()
    samples = {"data": pic.packed(rows, 8), "ColorSpace": "/DeviceGray"}
    for angle in (90, 180, 270, -90, 450, 360):
        size = (HEIGHT, WIDTH) if angle % 180 else (WIDTH, HEIGHT)
        straight = angle % 360 == 0
        jpeg_page(f"rotate{angle}", verbatim(JPEG) if straight else cut("turn", *size), Rotate=angle)
        turned = lossless(pic.turned(rows, angle % 360), reason="-" if straight else "turn")
        raster_page(f"rotate{angle}-raster", turned, entries={"Rotate": angle}, **samples)
    rows = pic.bilevel(45, 64)  # its rows do not fill their last byte
    turned = lossless(pic.turned(rows, 90), bits=1, reason="turn")
    raster_page("rotate90-bilevel", turned, pic.packed(rows, 1), size=(45, 64), entries={"Rotate": 90},
                ColorSpace="/DeviceGray", BitsPerComponent=1)  # fmt: skip
    rows = pic.colour()
    turned = lossless(pic.turned(rows, 90, 3), "rgb", reason="turn")
    raster_page("rotate90-rgb", turned, pic.flate(pic.packed(rows, 8)), Filter="/FlateDecode", entries={"Rotate": 90})
    document = Document()
    picture_page(document, image(document))
    document.tree = {"/Rotate": 90}
    fixture("rotate-inherited", document, cut("turn", HEIGHT, WIDTH))
    jpeg_page("rotate45", verbatim(JPEG), Rotate=45)  # not a multiple of 90: no turn at all


def filters():
    """(f) Lossless wrappers, then the JPEG."""
    same = verbatim(JPEG)
    wrapped = {
        "flate": ("/FlateDecode", pic.flate(JPEG)),
        "ascii85": ("/ASCII85Decode", base64.a85encode(JPEG) + b"~>"),
        "hex": ("/ASCIIHexDecode", JPEG.hex().encode() + b">"),
        "run-length": ("/RunLengthDecode", pic.run_length(JPEG)),
        "lzw": ("/LZWDecode", pic.lzw(JPEG)),
    }
    for name, (wrapper, data) in wrapped.items():
        jpeg_page(f"filter-{name}-jpeg", same, data=data, picture={"Filter": [wrapper, "/DCTDecode"]})
    twice = base64.a85encode(pic.flate(JPEG)) + b"~>"
    jpeg_page("filter-ascii85-flate-jpeg", same, data=twice,
              picture={"Filter": ["/ASCII85Decode", "/FlateDecode", "/DCTDecode"], "DecodeParms": [None, None, {}]})  # fmt: skip
    jpeg_page("filter-array", same, picture={"Filter": ["/DCTDecode"]})


def masks_and_decode():
    """(g), (h), (i)"""
    def mask(document):
        return document.stream(
            pic.packed(pic.bilevel(), 1), Type="/XObject", Subtype="/Image", Width=WIDTH, Height=HEIGHT,
            ImageMask=True, BitsPerComponent=1,
        )  # fmt: skip

    def soft(document):
        return image(document, pic.packed(pic.gray(), 8), ColorSpace="/DeviceGray", Filter=None)

    for name, key, value in (("mask-stencil", "Mask", mask), ("mask-soft", "SMask", soft)):
        document = Document()
        picture_page(document, image(document, **{key: value(document)}))
        fixture(name, document, drawn("mask"))
    jpeg_page("mask-colour-key", drawn("mask"), picture={"Mask": [0, 40, 0, 40, 0, 40]})
    jpeg_page("decode-inverted", drawn("decode"), picture={"Decode": [1, 0, 1, 0, 1, 0]})
    jpeg_page("decode-default", verbatim(JPEG), picture={"Decode": [0, 1, 0, 1, 0, 1]})
    jpeg_page("bits-per-component", drawn("bits-per-component"), picture={"BitsPerComponent": 4})
    jpeg_page("bits-per-component-absent", undecided("verbatim", "rendered", reason="bits-per-component"),
              picture={"BitsPerComponent": None})  # fmt: skip
    rows = pic.bilevel()
    # A stencil through which black falls on white paper is a bilevel picture; one of colour is not.
    stencil = {"data": pic.packed(pic.inverted(rows), 1), "ImageMask": True, "ColorSpace": None, "BitsPerComponent": 1}
    raster_page("image-mask", lossless(pic.inverted(rows), bits=1), **stencil)
    raster_page("image-mask-decode", lossless(rows, bits=1), **stencil, Decode=[1, 0])
    # Black is black also in the spaces that producers give it with.
    calibrated = {"/ColorSpace": {"/Black": ["/CalRGB", {"/WhitePoint": [0.9505, 1, 1.089]}]}}
    raster_page(
        "image-mask-black-space", lossless(pic.inverted(rows), bits=1), **stencil,
        content=f"/Black cs 0 0 0 sc {PAINT}", resources=calibrated)
    raster_page("image-mask-red", drawn("mask"), **stencil, content=f"1 0 0 rg {PAINT}")
    raster_page("image-mask-white", drawn("mask"), **stencil, content=f"1 g {PAINT}")


def colour_spaces():
    """(j) and (n)"""
    grays = pic.jpeg(pic.image(pic.gray(), "L"))

    def space(name, outcome, colours, data=JPEG):
        document = Document()
        picture_page(document, image(document, data, ColorSpace=colours(document)))
        fixture(f"colour-{name}", document, outcome)

    double = {"/FunctionType": 2, "/Domain": [0, 1], "/C0": [1, 1, 1], "/C1": [1, 0, 0], "/N": 1}
    white = [0.9505, 1, 1.089]

    def swapped(document):
        return document.stream(b"{exch}", FunctionType=4, Domain=[0, 1] * 3, Range=[0, 1] * 3)

    space("separation", drawn("colour-space"), lambda d: ["/Separation", "/Spot", "/DeviceRGB", double], grays)
    space("device-n", drawn("colour-space"), lambda d: ["/DeviceN", ["/A", "/B", "/C"], "/DeviceRGB", swapped(d)])
    space("lab", drawn("colour-space"), lambda d: ["/Lab", {"/WhitePoint": white, "/Range": [-128, 127] * 2}])
    space("indexed-jpeg", drawn("colour-space"), lambda d: ["/Indexed", "/DeviceRGB", 255, pic.palette(8)], grays)
    calibrated = {"/WhitePoint": white, "/Gamma": [2.2] * 3,
                  "/Matrix": [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505]}  # fmt: skip
    space("calibrated-rgb", verbatim(JPEG), lambda d: ["/CalRGB", calibrated])
    space("calibrated-gray", verbatim(grays), lambda d: ["/CalGray", {"/WhitePoint": white, "/Gamma": 2.2}], grays)

    def profile(data, n=3):
        return lambda document: ["/ICCBased", document.flate(data, N=n, Alternate="/DeviceRGB")]

    space("srgb-profile", verbatim(JPEG), profile(pic.srgb_profile()))
    space("other-profile", undecided("lossless", "rendered", reason="profile"), profile(pic.wide_profile()))
    space("linear-srgb-profile", undecided("lossless", "rendered", reason="profile"), profile(pic.linear_srgb_profile()))
    space("profile-components", drawn("colour-space"), profile(pic.srgb_profile()), grays)
    jpeg_page(
        "colour-redefined", drawn("colour-space"),
        resources=lambda d: {"/ColorSpace": {"/DefaultRGB": profile(pic.wide_profile())(d)}},
    )  # fmt: skip
    ink = pic.Image.merge("CMYK", [pic.image(pic.gray(), "L")] * 4)
    cmyk = pic.jpeg(ink)  # Pillow inverts it and says so by an Adobe marker, as Photoshop does
    jpeg_page("colour-cmyk", verbatim(cmyk), data=cmyk,
              picture={"ColorSpace": "/DeviceCMYK", "Decode": [1, 0] * 4})  # fmt: skip
    # What the marker says and the PDF does not: other programs would show the opposite.
    jpeg_page("colour-cmyk-inverted", drawn("colour-space"), data=cmyk, picture={"ColorSpace": "/DeviceCMYK"})
    raster_page("colour-cmyk-raster", drawn("colour-space"), pic.flate(ink.tobytes()), Filter="/FlateDecode",
                ColorSpace="/DeviceCMYK")  # fmt: skip
    jpeg_page("colour-gray-jpeg-as-rgb", drawn("colour-space"), data=grays)


def jpegs():
    """(k), (l), (m)"""
    def one(name, data, outcome=None, **picture):
        jpeg_page(f"jpeg-{name}", outcome or verbatim(data), data=data, picture=picture)

    one("progressive", pic.jpeg(progressive=True))
    one("optimised", pic.jpeg(optimize=True))
    one("444", pic.jpeg(subsampling=0))
    one("restart-markers", pic.jpeg(restart_marker_blocks=2))
    one("gray", pic.jpeg(pic.image(pic.gray(), "L")), ColorSpace="/DeviceGray")
    one("no-jfif", pic.without(JPEG, 0xE0))
    one("bytes-after-end", JPEG + b"\r\n")
    one("declared-size", JPEG, drawn("jpeg-size", "-", "-"), Width=WIDTH // 2, Height=HEIGHT // 2)
    one("adobe-ycc", pic.adobe(JPEG, 1))
    one("adobe-rgb", pic.adobe(pic.rgb_jpeg(), 0))
    # Without a marker only the PDF knows that these are red, green and blue: another program would see false colours.
    one("unmarked-rgb", pic.rgb_jpeg(), drawn("jpeg-colours"), DecodeParms={"/ColorTransform": 0})
    one("transform-1", JPEG, DecodeParms={"/ColorTransform": 1})
    one("exif-upright", pic.exif(JPEG, 1))
    # A PDF reader ignores the orientation; a picture viewer would turn the page.
    one("exif-turned", pic.exif(JPEG, 6), undecided("lossless", "rendered", reason="jpeg-orientation"))
    jpegtran = shutil.which("jpegtran")
    if jpegtran:
        arithmetic = subprocess.run([jpegtran, "-arithmetic"], input=JPEG, stdout=subprocess.PIPE, check=True).stdout
        one("arithmetic", arithmetic, drawn("jpeg-coding"))
    else:
        print("jpegtran is missing: jpeg-arithmetic.pdf is left as it is", file=sys.stderr)
        data = (OUT / "jpeg-arithmetic.pdf").read_bytes()
        fixture("jpeg-arithmetic", data, drawn("jpeg-coding"))

    for name, picture, extra in (
        ("rgb", pic.image(pic.colour()), {}),
        ("gray", pic.image(pic.gray(), "L"), {"ColorSpace": "/DeviceGray"}),
    ):
        data = pic.jpeg2000(picture)
        entries = {"Filter": "/JPXDecode", "ColorSpace": None, "BitsPerComponent": None, **extra}
        jpeg_page(f"jpx-{name}", verbatim(data, encoding="jp2"), data=data, picture=entries)
    data = pic.jpeg2000()
    jpeg_page("jpx-mask-inside", drawn("mask"), data=data, picture={"Filter": "/JPXDecode", "SMaskInData": 1})
    turned = lossless(pic.turned(pic.colour(), 90, 3), "rgb", reason="turn")  # Pillow's JPEG 2000 is the lossless one
    jpeg_page("jpx-rotate90", turned, data=data, Rotate=90, picture={"Filter": "/JPXDecode"})


def rasters():
    """Samples become PNG, of the same depth."""
    for bits in (1, 2, 4, 8, 16):
        # 45 columns: the rows of the small depths do not fill their last byte.
        size = (45, HEIGHT)
        rows = pic.gray(*size, bits)
        raster_page(f"gray{bits}", lossless(rows, bits=bits), pic.flate(pic.packed(rows, bits)), size=size,
                    Filter="/FlateDecode", ColorSpace="/DeviceGray", BitsPerComponent=bits)  # fmt: skip
        if bits < 16:
            rows = pic.indexes(*size, bits)
            raster_page(f"indexed{bits}", lossless(rows, "palette", bits), pic.flate(pic.packed(rows, bits)), size=size,
                        Filter="/FlateDecode", BitsPerComponent=bits,
                        ColorSpace=["/Indexed", "/DeviceRGB", (1 << bits) - 1, pic.palette(bits)])  # fmt: skip
        if bits >= 8:
            rows = pic.colour(*size, bits)
            raster_page(f"rgb{bits}", lossless(rows, "rgb", bits), pic.flate(pic.packed(rows, bits)), size=size,
                        Filter="/FlateDecode", BitsPerComponent=bits)  # fmt: skip
    rows = pic.indexes(bits=4)
    table = ["/Indexed", "/DeviceRGB", 15]
    raster_page("indexed-stream", lossless(rows, "palette", 4), pic.packed(rows, 4), BitsPerComponent=4,
                ColorSpace=lambda d: [*table, d.flate(pic.palette(4))])  # fmt: skip
    grays = bytes(i * 16 for i in range(16))
    raster_page("indexed-gray", lossless(rows, "palette", 4), pic.packed(rows, 4), BitsPerComponent=4,
                ColorSpace=["/Indexed", "/DeviceGray", 15, grays])  # fmt: skip

    coded = {"Filter": "/FlateDecode"}
    grays, colours, two = pic.gray(), pic.colour(), pic.gray(bits=2)
    png = lambda colors, bits: {"/Predictor": 15, "/Colors": colors, "/BitsPerComponent": bits, "/Columns": WIDTH}  # noqa: E731
    tiff = lambda colors, bits=8: {**png(colors, bits), "/Predictor": 2}  # noqa: E731
    raster_page("predictor-png-gray", lossless(grays), pic.flate(pic.png_predicted(grays, 8, 1)), **coded,
                ColorSpace="/DeviceGray", DecodeParms=png(1, 8))  # fmt: skip
    raster_page("predictor-png-rgb", lossless(colours, "rgb"), pic.flate(pic.png_predicted(colours, 8, 3)), **coded,
                DecodeParms=png(3, 8))  # fmt: skip
    raster_page("predictor-png-gray2", lossless(two, bits=2), pic.flate(pic.png_predicted(two, 2, 1)), **coded,
                ColorSpace="/DeviceGray", BitsPerComponent=2, DecodeParms=png(1, 2))  # fmt: skip
    raster_page("predictor-tiff-gray", lossless(grays), pic.flate(pic.tiff_predicted(grays, 1)), **coded,
                ColorSpace="/DeviceGray", DecodeParms=tiff(1))  # fmt: skip
    raster_page("predictor-tiff-rgb", lossless(colours, "rgb"), pic.flate(pic.tiff_predicted(colours, 3)), **coded,
                DecodeParms=tiff(3))  # fmt: skip
    data = pic.packed(grays, 8)
    plain = {"ColorSpace": "/DeviceGray"}
    raster_page("lzw", lossless(grays), pic.lzw(data), Filter="/LZWDecode", **plain)
    raster_page("lzw-late", lossless(grays), pic.lzw(data, early=0), Filter="/LZWDecode",
                DecodeParms={"/EarlyChange": 0}, **plain)  # fmt: skip
    raster_page("lzw-predictor", lossless(grays), pic.lzw(pic.tiff_predicted(grays, 1)), Filter="/LZWDecode",
                DecodeParms=tiff(1), **plain)  # fmt: skip
    raster_page("run-length", lossless(grays), pic.run_length(data), Filter="/RunLengthDecode", **plain)
    raster_page("unfiltered", lossless(grays), data, **plain)
    raster_page("decode-inverted-gray", lossless(pic.inverted(grays, 8)), data, Decode=[1, 0], **plain)
    raster_page("decode-range-gray", drawn("decode"), data, Decode=[0, 0.5], **plain)
    raster_page("one-pixel", lossless([[200]]), b"\xc8", size=(1, 1), **plain)


def bilevel():
    """1-bit PNGs, whose 0 is black."""
    one = {"ColorSpace": "/DeviceGray", "BitsPerComponent": 1}
    size = (45, HEIGHT)  # the last byte of a row is not full
    ink = pic.bilevel(*size)
    black = lossless(pic.inverted(ink), bits=1)  # ink is 1 to the fax coder, black 0 to the PNG
    white = lossless(ink, bits=1)

    def fax(name, compression, options=None, **parameters):
        data = pic.ccitt(ink, compression, options)
        parameters = {"/Columns": size[0], "/Rows": size[1], **{f"/{k}": v for k, v in parameters.items()}}
        picture = {"data": data, "size": size, "Filter": "/CCITTFaxDecode", **one}
        raster_page(name, black, DecodeParms=parameters, **picture)
        raster_page(f"{name}-black-is-1", white, DecodeParms={**parameters, "/BlackIs1": True}, **picture)

    fax("ccitt-g4", "group4", K=-1)
    fax("ccitt-g3", "group3", 0, K=0, EndOfLine=True)
    fax("ccitt-g3-2d", "group3", 1, K=4, EndOfLine=True)
    fax("ccitt-byte-aligned", "tiff_ccitt", K=0, EncodedByteAlign=True, EndOfBlock=False)
    parameters = {"/Columns": size[0], "/K": -1}
    data = pic.ccitt(ink, "group4")
    g4 = {"size": size, "Filter": "/CCITTFaxDecode", "DecodeParms": parameters}
    raster_page("ccitt-without-rows", black, data, **g4, **one)
    raster_page("ccitt-decode-inverted", white, data, **g4, **one, Decode=[1, 0])
    raster_page("ccitt-palette", undecided("lossless", reason="-")[:2] + [*size, "png", "-", "-", "-"], data, **g4,
                BitsPerComponent=1, ColorSpace=["/Indexed", "/DeviceRGB", 1, bytes([128, 0, 0, 255, 255, 224])])  # fmt: skip
    raster_page("ccitt-flate", black, pic.flate(data), size=size, **one, Filter=["/FlateDecode", "/CCITTFaxDecode"],
                DecodeParms=[None, parameters])  # fmt: skip

    # To JBIG2 1 is ink too, and the filter turns it over.
    picture = {"size": size, "Filter": "/JBIG2Decode", **one}
    raster_page("jbig2", black, jbig2.generic(ink), **picture)
    glyphs = [[row[i : i + 6] for row in ink[10:18]] for i in (0, 12, 30)]
    placed = [(0, 2, 3), (1, 9, 3), (2, 20, 3), (2, 4, 20), (1, 30, 20), (0, 38, 55)]
    page = [[0] * size[0] for _ in range(size[1])]
    for symbol, x, y in placed:
        for dy, row in enumerate(glyphs[symbol]):
            for dx, value in enumerate(row):
                page[y + dy][x + dx] |= value
    shared, data = jbig2.with_symbols(*size, glyphs, placed)
    raster_page("jbig2-globals", lossless(pic.inverted(page), bits=1), data, **picture,
                DecodeParms=lambda d: {"/JBIG2Globals": d.stream(shared)})  # fmt: skip


def other_pages():
    document = Document()
    document.page("1 0 0 rg 6 6 m 18 6 l 12 30 l f", MediaBox=[0, 0, 24, 36])
    fixture("vector", document, drawn("no-picture", 100, 150))
    document = Document()
    document.page("", {}, MediaBox=[0, 0, 24, 36])
    fixture("blank", document, drawn("no-picture", 100, 150))
    document = Document()
    document.page(None, {}, MediaBox=[0, 0, 24, 36])
    fixture("no-contents", document, drawn("no-picture", 100, 150))
    document = Document()
    document.page("q 24 0 0 36 0 0 cm BI /W 2 /H 2 /CS /G /BPC 8 /F /AHx ID 00ff80c0> EI Q", {}, MediaBox=[0, 0, 24, 36])
    fixture("inline-only", document, lossless([[0x00, 0xFF], [0x80, 0xC0]]))

    document = Document()
    rows, ink = pic.gray(), pic.bilevel()
    picture_page(document, image(document))
    document.page("1 0 0 rg 6 6 m 18 6 l 12 30 l f", MediaBox=[0, 0, 24, 36])
    picture_page(document, image(document, pic.flate(pic.packed(rows, 8)), ColorSpace="/DeviceGray", Filter="/FlateDecode"))
    ccitt = {"Filter": "/CCITTFaxDecode", "DecodeParms": {"/K": -1, "/Columns": WIDTH, "/Rows": HEIGHT}}
    picture_page(
        document, image(document, pic.ccitt(ink, "group4"), ColorSpace="/DeviceGray", BitsPerComponent=1, **ccitt)
    )
    fixture(
        "mixed", document, verbatim(JPEG), drawn("no-picture", 100, 150), lossless(rows),
        lossless(pic.inverted(ink), bits=1),
    )  # fmt: skip

    # 200 inches is the largest page a reader must show; the picture on it is as small as ever.
    jpeg_page("huge-page", verbatim(JPEG), content="q 14400 0 0 14400 0 0 cm /Im Do Q", MediaBox=[0, 0, 14400, 14400])

    document = Document()
    picture = image(document)  # twelve pages share one picture: each of them is it
    for _ in range(12):
        picture_page(document, picture)
    fixture("shared-picture", document, *[verbatim(JPEG)] * 12)

    document = Document()
    leaves = [picture_page(document, image(document)) for _ in range(4)]
    inner = [
        document.add({"/Type": "/Pages", "/Parent": document.tree_ref, "/Kids": leaves[i : i + 2], "/Count": 2, "/Rotate": 180 * (i // 2)})
        for i in (0, 2)
    ]  # fmt: skip
    document.pages = inner
    document.tree = {"/Count": 4}
    fixture("page-tree", document, *[verbatim(JPEG)] * 2, *[cut("turn")] * 2)

    # As many kids as pages, and yet not each is a page: one is a node with the only page of its branch.
    for name, before, after in (("page-tree-of-one", 0, 0), ("page-tree-mixed", 1, 2)):
        document = Document()
        kids = [picture_page(document, image(document)) for _ in range(before + 1 + after)]
        branch = {"/Type": "/Pages", "/Parent": document.tree_ref, "/Kids": [kids[before]], "/Count": 1, "/Rotate": 180}
        kids[before] = document.add(branch)
        document.pages = kids
        fixture(name, document, *[verbatim(JPEG)] * before, cut("turn"), *[verbatim(JPEG)] * after)


def file_structure():
    document = Document()
    for _ in range(3):
        picture_page(document, image(document))
    plain, same = document.bytes(), [verbatim(JPEG)] * 3
    fixture("junk-before", b"junk from a mail gateway\r\n" * 20 + plain, *same)
    fixture("junk-after", plain + b"\0" * 700, *same)

    def saved(**options):
        out = io.BytesIO()
        with pikepdf.open(io.BytesIO(plain)) as pdf:
            pdf.save(out, **options)
        return out.getvalue()

    fixture("linearized", saved(linearize=True, deterministic_id=True), *same)
    mode = pikepdf.ObjectStreamMode.generate
    fixture("object-streams", saved(object_stream_mode=mode, deterministic_id=True), *same)

    # Encryption draws random numbers, so that these differ each time they are made: made once, they are kept.
    ways = {
        "rc4-40": pikepdf.Encryption(user=PASSWORD, owner="owner", R=2, aes=False, metadata=False),
        "rc4-128": pikepdf.Encryption(user=PASSWORD, owner="owner", R=3, aes=False, metadata=False),
        "aes-128": pikepdf.Encryption(user=PASSWORD, owner="owner", R=4),
        "aes-256": pikepdf.Encryption(user=PASSWORD, owner="owner", R=6),
        "owner-only": pikepdf.Encryption(user="", owner="owner", R=6),
    }
    for name, way in ways.items():
        path = OUT / f"encrypted-{name}.pdf"
        fixture(path.stem, path.read_bytes() if path.exists() else saved(encryption=way), *same)
        facts[path.name] = {"password": None if name == "owner-only" else PASSWORD}


# MARK: what a document says of itself

def utf16(text):
    return b"\xfe\xff" + text.encode("utf-16-be")


def book(name, count=1, told=None, info=None, **catalog):
    document = Document()
    picture = image(document)
    for _ in range(count):
        picture_page(document, picture)
    for key, value in catalog.items():
        document.catalog[f"/{key}"] = value(document) if callable(value) else value
    document.info = info
    fixture(name, document, *[verbatim(JPEG)] * count)
    facts[f"{name}.pdf"] = told


def book_facts():
    title = "機巧図彙 巻一"
    book("title-utf16", info={"/Title": utf16(title), "/Author": utf16("細川半蔵")}, told={"title": title, "authors": ["細川半蔵"]})
    # In PDFDocEncoding 0x84 is an em dash, 0xA0 the euro sign.
    latin = {"/Title": b"Bouvard \x84 P\xe9cuchet \xa0", "/Author": b"G. Flaubert"}
    book("title-pdfdoc", info=latin, told={"title": "Bouvard — Pécuchet €", "authors": ["G. Flaubert"]})
    xmp = f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>細川半蔵</rdf:li><rdf:li>北斎 &amp; 門人</rdf:li></rdf:Seq></dc:creator>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""
    metadata = lambda d: d.stream(xmp.encode(), Type="/Metadata", Subtype="/XML")  # noqa: E731
    book("title-xmp", Metadata=metadata, told={"title": title, "authors": ["細川半蔵", "北斎 & 門人"]})
    book("right-to-left", ViewerPreferences={"/Direction": "/R2L"}, told={"direction": "rtl"})
    book("left-to-right", ViewerPreferences={"/Direction": "/L2R"}, told={"direction": "ltr"})
    book("language", Lang=b"ja-JP", told={"language": "ja-JP"})

    numbers = [
        0, {"/P": b"Cover"}, 1, {"/S": "/r"}, 4, {"/S": "/D", "/St": 5}, 6, {"/S": "/A", "/P": b"App-"}, 8, {},
    ]  # fmt: skip
    labels = ["Cover", "i", "ii", "iii", "5", "6", "App-A", "App-B", ""]
    book("labels", 9, PageLabels={"/Nums": numbers}, told={"labels": labels})
    kids = lambda d: {"/Kids": [  # noqa: E731
        d.add({"/Limits": [0, 1], "/Nums": [0, {"/S": "/R", "/St": 9}]}),
        d.add({"/Limits": [2, 2], "/Nums": [2, {"/S": "/a", "/St": 27}]}),
    ]}  # fmt: skip
    book("labels-tree", 4, PageLabels=kids, told={"labels": ["IX", "X", "aa", "bb"]})

    def outline(document):
        page = document.pages
        root, one, two, three = (document.reserve() for _ in range(4))
        fit = ["/Fit"]
        item = lambda ref, title, **more: document.add({"/Title": title, **{f"/{k}": v for k, v in more.items()}}, ref=ref)  # noqa: E731
        item(one, utf16("第一章"), Parent=root, Next=two, First=three, Last=three, Count=1, Dest=[page[0], *fit])
        item(three, b"A section", Parent=one, Dest=b"named")
        item(two, b"By action", Parent=root, Prev=one, A={"/S": "/GoTo", "/D": b"also"})
        document.catalog["/Names"] = {"/Dests": {"/Names": [
            b"also", {"/D": [page[3], "/XYZ", 0, 32, None]}, b"named", [page[2], *fit],
        ]}}  # fmt: skip
        return document.add({"/Type": "/Outlines", "/First": one, "/Last": two, "/Count": 3}, ref=root)

    book("outline", 4, Outlines=outline, told={"outline": [
        {"title": "第一章", "page": 1, "children": [{"title": "A section", "page": 3, "children": []}]},
        {"title": "By action", "page": 4, "children": []},
    ]})  # fmt: skip

    def old_names(document):
        root, one = document.reserve(), document.reserve()
        document.add({"/Title": b"Old names", "/Parent": root, "/Dest": "/here"}, ref=one)
        document.catalog["/Dests"] = {"/here": [document.pages[1], "/Fit"]}
        return document.add({"/First": one, "/Last": one, "/Count": 1}, ref=root)

    book("outline-old-names", 2, Outlines=old_names, told={"outline": [{"title": "Old names", "page": 2, "children": []}]})


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for group in (
        the_page, annotations, optional_content, graphics_state, matrix, boxes, rotation, filters, masks_and_decode,
        colour_spaces, jpegs, rasters, bilevel, other_pages, file_structure, book_facts,
    ):  # fmt: skip
        group()
    columns = "file page treatment reason width height encoding colour depth sha256".split()
    lines = ["\t".join(map(str, row)) for row in [columns, *expected]]
    (OUT / "expected.tsv").write_text("\n".join(lines) + "\n")
    (OUT / "expected-facts.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
