"""Makes Fixtures/good/EPUBSource and Fixtures/bad/EPUBSource: EPUBs of pictures as several programs lay them out."""

import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JPEG = (ROOT / "good/Imaging/baseline.jpg").read_bytes()
CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="{}" media-type="application/oebps-package+xml"/></rootfiles></container>"""


def picture(number):
    """The test picture with a comment, so that no two are the same file."""
    return JPEG[:2] + b"\xff\xfe\x00\x08page %d" % number + JPEG[2:]


def write(path, entries, package="item/standard.opf"):
    path.parent.mkdir(parents=True, exist_ok=True)
    files = [("mimetype", b"application/epub+zip"), ("META-INF/container.xml", CONTAINER.format(package))] + entries
    with zipfile.ZipFile(path, "w") as book:
        for name, data in files:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            book.writestr(info, data)


def opf(metadata, items, spine, version="3.0", attributes=""):
    manifest = "".join(
        f'<item id="{id}" href="{href}" media-type="{kind}"{more}/>' for id, href, kind, more in items
    )
    references = "".join(f'<itemref idref="{id}"{more}/>' for id, more in spine)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="{version}" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier>{metadata}</metadata>
<manifest>{manifest}</manifest><spine{attributes}>{references}</spine></package>"""


def page(body, doctype="<!DOCTYPE html>"):
    return f"""<?xml version="1.0" encoding="UTF-8"?>
{doctype}
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A page</title></head><body>{body}</body></html>"""


def svg(link, box="0 0 72 72", width=72, height=72):
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100%" height="100%" '
        f'viewBox="{box}"><image width="{width}" height="{height}" xlink:href="{link}"/></svg>'
    )


XHTML, FIXED = "application/xhtml+xml", '<meta property="rendition:layout">pre-paginated</meta>'


def pages(count, kind=XHTML):
    return [(f"p{n}", f"xhtml/p{n}.xhtml", kind, "") for n in range(1, count + 1)]


def pictures(count):
    return [(f"i{n}", f"image/i{n}.jpg", "image/jpeg", "") for n in range(1, count + 1)]


def good(folder):
    # As the Digital Comic Association has it: right to left, a blank page, and a part of a picture at double size.
    nav = page(
        '<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol><li><a href="xhtml/p1.xhtml">表紙</a></li>'
        '<li><span>第一部</span><ol><li><a href="xhtml/p2.xhtml#top">一</a></li></ol></li></ol></nav>'
        '<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="page-list"><ol><li><a href="xhtml/p1.xhtml">i</a></li>'
        '<li><a href="xhtml/p2.xhtml">1</a></li></ol></nav>'
    )
    write(
        folder / "svg-rtl.epub",
        [("item/image/i1.jpg", picture(1)), ("item/image/i2.jpg", picture(2))]
        + [("item/xhtml/p1.xhtml", page(svg("../image/i1.jpg"))), ("item/xhtml/p3.xhtml", page("<div></div>"))]
        + [("item/xhtml/p2.xhtml", page(svg("../image/i2.jpg", "16 32 96 64", 144, 144)))]
        + [("item/nav.xhtml", nav)]
        + [
            (
                "item/standard.opf",
                opf(
                    "<dc:title>右から左へ</dc:title><dc:creator>甲</dc:creator><dc:creator>乙</dc:creator>"
                    '<dc:language>ja</dc:language><meta property="belongs-to-collection" id="s">叢書</meta>'
                    '<meta refines="#s" property="group-position">3</meta>' + FIXED,
                    pages(3) + pictures(2) + [("nav", "nav.xhtml", XHTML, ' properties="nav"')],
                    [("p1", ""), ("p3", ""), ("p2", ' properties="page-spread-left"')],
                    attributes=' page-progression-direction="rtl"',
                ),
            )
        ],
    )
    # Pages with an img, in a book that does not say it is fixed; names with blanks, and the package at the root.
    write(
        folder / "img.epub",
        [("Images/the first.jpg", picture(1)), ("Images/zwölf.jpg", picture(2))]
        + [("Text/1.xhtml", page('<p>1</p><img src="../Images/the%20first.jpg" alt=""/>'))]
        + [("Text/2.xhtml", page('<img src="../Images/zw%C3%B6lf.jpg" alt=""/>'))]
        + [
            (
                "content.opf",
                opf(
                    "<dc:title>Two</dc:title><dc:language>und</dc:language>",
                    [("a", "Text/1.xhtml", XHTML, ""), ("b", "Text/2.xhtml", XHTML, "")],
                    [("a", ""), ("b", "")],
                ),
            )
        ],
        "content.opf",
    )
    # EPUB 2: a public document type, a table of contents as NCX, Amazon's pair that says the layout is fixed.
    doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
    ncx = """<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN"
 "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
<navMap><navPoint id="a"><navLabel><text>One</text></navLabel><content src="xhtml/p1.xhtml"/>
<navPoint id="b"><navLabel><text>One and a half</text></navLabel><content src="xhtml/p2.xhtml"/></navPoint></navPoint>
</navMap></ncx>"""
    write(
        folder / "epub2.epub",
        [(f"item/image/i{n}.jpg", picture(n)) for n in (1, 2)]
        + [(f"item/xhtml/p{n}.xhtml", page(f'<div><img src="../image/i{n}.jpg"/></div>', doctype)) for n in (1, 2)]
        + [("item/toc.ncx", ncx)]
        + [
            (
                "item/standard.opf",
                opf(
                    '<dc:title>Old</dc:title><meta name="fixed-layout" content="true"/>'
                    '<meta name="calibre:series" content="Series"/><meta name="calibre:series_index" content="2"/>',
                    pages(2) + pictures(2) + [("ncx", "toc.ncx", "application/x-dtbncx+xml", "")],
                    [("p1", ""), ("p2", "")],
                    version="2.0",
                    attributes=' toc="ncx"',
                ),
            )
        ],
    )
    # Pictures that are pages themselves.
    write(
        folder / "pictures.epub",
        [(f"item/image/i{n}.jpg", picture(n)) for n in (1, 2, 3)]
        + [("item/standard.opf", opf(FIXED, pictures(3), [("i1", ""), ("i3", ""), ("i2", ' linear="no"')]))],
    )


def bad(folder):
    def book(name, body, metadata=FIXED, more=(), title="page"):
        write(
            folder / f"{name}.epub",
            [("item/image/i1.jpg", picture(1)), ("item/xhtml/p1.xhtml", page(body)), *more]
            + [("item/standard.opf", opf(metadata, pages(1) + pictures(1), [("p1", "")]))],
        )

    text = "<p>" + "It was a dark and stormy night. " * 20 + "</p>"
    book("flowing", text * 3 + '<img src="../image/i1.jpg"/>', metadata="<dc:title>A novel</dc:title>")
    book("picture-missing", '<img src="../image/i2.jpg"/>')
    book("picture-outside", '<img src="../../../../etc/passwd"/>')
    book("picture-on-the-network", '<img src="https://example.org/i1.jpg"/>')
    book("two-pictures", '<img src="../image/i1.jpg"/><img src="../image/i1.jpg"/>')
    book("rights", svg("../image/i1.jpg"), more=[("META-INF/rights.xml", "<rights/>")])
    laughs = '<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    write(
        folder / "entities.epub",
        [("item/image/i1.jpg", picture(1)), ("item/xhtml/p1.xhtml", page(svg("../image/i1.jpg"), laughs))]
        + [("item/standard.opf", opf(FIXED, pages(1) + pictures(1), [("p1", "")]))],
    )
    write(folder / "no-package.epub", [("item/image/i1.jpg", picture(1))])
    write(folder / "empty-spine.epub", [("item/standard.opf", opf(FIXED, pages(1), []))])


good(ROOT / "good/EPUBSource")
bad(ROOT / "bad/EPUBSource")
