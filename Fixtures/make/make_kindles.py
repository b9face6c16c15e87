"""Makes Fixtures/good/AZW3Source and Fixtures/bad/AZW3Source: books of pictures in KF8 and MOBI, as several programs lay them out."""

import struct
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JPEG = (ROOT / "good/Imaging/baseline.jpg").read_bytes()
NONE = 0xFFFFFFFF


def picture(number):
    """The test picture with a comment, so that no two are the same file."""
    return JPEG[:2] + b"\xff\xfe\x00\x08page %d" % number + JPEG[2:]


def vary(number):
    groups = [number & 127 | 128]
    while number := number >> 7:
        groups.insert(0, number & 127)
    return bytes(groups)


def index(tags, entries, texts=b""):
    """The records of an index: its description, its entries (label, control byte, values), its texts."""
    tagx = b"TAGX" + struct.pack(">LL", 16 + 4 * len(tags), 1) + b"".join(map(bytes, tags)) + b"\0\0\0\1"

    def record(kind, generation, body, offsets, count, total, more):
        start = 192 + len(body)
        words = [192, 0, kind, generation, start, len(offsets), count, NONE, total, 0, 0, 0, more]
        head = b"INDX" + struct.pack(">13L", *words) + bytes(124) + struct.pack(">L", 0 if kind else 192) + bytes(8)
        return head + body + b"IDXT" + b"".join(struct.pack(">H", offset) for offset in offsets)

    body, offsets = b"", []
    for label, control, values in entries:
        offsets.append(192 + len(body))
        body += bytes([len(label)]) + label.encode() + bytes([control]) + b"".join(map(vary, values))
    last = entries[-1][0].encode()
    meta = record(0, 2, tagx + bytes([len(last)]) + last + struct.pack(">H", len(entries)), [192 + len(tagx)], 65001,
                  len(entries), 1 if texts else 0)
    return [meta, record(1, 0, body, offsets, NONE, 0, 0)] + ([texts] if texts else [])


def exth(values):
    body = b"".join(
        struct.pack(">LL", number, 8 + len(value)) + value
        for number, value in ((n, struct.pack(">L", v) if isinstance(v, int) else v.encode()) for n, v in values)
    )
    return b"EXTH" + struct.pack(">LL", 12 + len(body), len(values)) + body + bytes(-len(body) % 4)


def header(version, text, records, title, values, encryption=0, compression=1, **places):
    """The first record. `places` are numbers at offsets of the record: at108=5."""
    extended = exth(values)
    record = bytearray(280)
    record[0:16] = struct.pack(">HHLHHHH", compression, 0, len(text), records, 4096, encryption, 0)
    record[16:40] = b"MOBI" + struct.pack(">5L", 264, 2, 65001, 1, version)
    for offset in (*range(40, 80, 4), 164, 168, 192, 208, 244, 248, 252, 256, 260):
        record[offset : offset + 4] = struct.pack(">L", NONE)
    record[84:92] = struct.pack(">LL", 280 + len(extended), len(title.encode()))
    record[128:132] = struct.pack(">L", 0x40)
    record[242:244] = struct.pack(">H", 1)
    for name, number in places.items():
        record[int(name[2:]) : int(name[2:]) + 4] = struct.pack(">L", number)
    return bytes(record) + extended + title.encode() + bytes(8)


def write(path, records):
    path.parent.mkdir(parents=True, exist_ok=True)
    offset = 80 + 8 * len(records)
    head = path.stem.encode()[:31].ljust(32, b"\0") + bytes(28) + b"BOOKMOBI" + struct.pack(">LLH", 0, 0, len(records))
    for number, record in enumerate(records):
        head += struct.pack(">LL", offset, number)
        offset += len(record)
    path.write_bytes(head + b"\0\0" + b"".join(records))


def packed(text):
    """Text as PalmDOC compresses it, with each kind of code: a space and a letter, a repetition, single bytes."""
    out, place = b"", 0
    while place < len(text):
        found = text.rfind(text[place : place + 5], max(0, place - 2047), place)
        if len(text) - place >= 5 and found >= 0 and found + 5 <= place:
            out += struct.pack(">H", 0x8000 | (place - found) << 3 | 2)
            place += 5
        elif text[place] == 32 and place + 1 < len(text) and 64 <= text[place + 1] < 128:
            out += bytes([text[place + 1] ^ 128])
            place += 2
        elif text[place] >= 128:
            out += bytes([1, text[place]])
            place += 1
        else:
            out += text[place : place + 1]
            place += 1
    return out


def documents(pages):
    """The text of a KF8: skeletons with the fragments behind them, their ranges, and the fragments' places."""
    text, skeletons = b"", []
    for number, body in enumerate(pages):
        head = f'<html><head><title>Page {number + 1}, 頁</title></head><body aid="{number}">'.encode()
        skeletons.append((len(text), len(head) + 14))
        text += head + b"</body></html>" + body.encode()
    return text, skeletons


def image(number):
    return f'<div><img src="kindle:embed:{number:04d}?mime=image/jpg" alt="page"/></div>'


VALUES = [(100, "A. Artist"), (122, "true"), (123, "comic"), (524, "ja"), (525, "horizontal-rl"), (201, 0)]


def kf8(pages, pictures, sides=(), values=VALUES, contents=(), compression=1, originals={}, encryption=0, title="図書"):
    """A book in KF8. `contents` are (page, depth, title, more values); `originals` are pictures by their number."""
    text, skeletons = documents(pages)
    style = b"img{margin:0}"
    whole = text + style
    parts = [whole[place : place + 4096] for place in range(0, len(whole), 4096)]
    records = [b""] + [(packed(part) if compression == 2 else part) + b"\0" for part in parts]
    places = {"at252": len(records)}
    records += index(
        [(1, 1, 3, 0), (6, 2, 12, 0)],
        [(f"SKEL{n:010}", 10, [1, 1, *place, *place]) for n, place in enumerate(skeletons)],
    )
    if contents:
        places["at244"] = len(records)
        texts, lines = b"", []
        for number, (page, depth, line, more) in enumerate(contents):
            values_of = [skeletons[page][0], 9, len(texts), depth, page, 0, *more]
            lines.append((f"{number:02X}", 0x1F | (32 if depth else 0) | (0xC0 if len(more) == 2 else 0), values_of))
            texts += vary(len(line.encode())) + line.encode()
        tags = [(1, 1, 1, 0), (2, 1, 2, 0), (3, 1, 4, 0), (4, 1, 8, 0), (6, 2, 16, 0), (21, 1, 32, 0)]
        records += index([*tags, (22, 1, 64, 0), (23, 1, 128, 0)], lines, texts)
    places["at108"] = len(records)
    records += pictures
    if sides:
        references = "".join(
            f'<itemref idref="p{n}" properties="{side}" skelid="{n}"/>' for n, side in enumerate(sides)
        )
        xml = f'<?xml version="1.0" encoding="UTF-8"?><spine toc="ncx">{references}</spine>'.encode()
        records.append(b"RESC" + struct.pack(">3L", 16, 1, 8) + b"size=00&" + xml + bytes(9))
    places["at192"] = len(records)
    records.append(b"FDST" + struct.pack(">6L", 12, 2, 0, len(text), len(text), len(whole)))
    records.append(b"\xe9\x8e\r\n")
    if originals:
        records += [b"BOUNDARY", b"CONT" + bytes(56)]
        for number in range(1, len(pictures) + 1):
            records.append(b"CRES" + struct.pack(">LL", 0, 12) + originals[number] if number in originals else b"\xa0" * 4)
        records += [b"CONTBOUNDARY", b"\xe9\x8e\r\n"]
    records[0] = header(8, whole, len(parts), title, values, encryption, compression, **places)
    return records


def mobi(body, pictures, values=(), newer=(), encryption=0):
    """A book in MOBI 6, perhaps with the same in KF8 behind it."""
    text = body.encode()
    records = [b"", text + b"\0"]
    first = len(records)
    records += pictures + [b"\xe9\x8e\r\n"]
    if newer:
        records.append(b"BOUNDARY")
        values = [*values, (121, len(records))]
    records[0] = header(6, text, 1, "An old book", [(100, "A. Artist"), *values], encryption, at108=first)
    return records + list(newer)


def good(folder):
    three = [picture(n) for n in (1, 2, 3)]
    sides = ["page-spread-center", "rendition:page-spread-right", "page-spread-left"]
    nested = [(0, 0, "表紙", []), (1, 0, "One", [3, 3]), (2, 0, "Two", []), (1, 1, "Below", [1])]
    write(folder / "sides-rtl.azw3", kf8([image(n) for n in (1, 2, 3)], three, sides, contents=nested))
    write(folder / "packed.azw3", kf8([image(n) for n in (1, 2, 3)], three, compression=2))
    write(folder / "originals.azw3", kf8([image(1), image(2)], [picture(8), picture(2)], originals={1: picture(1)}))
    # The cover is no page of its own, a page has panels, one is blank, and one image is a page twice.
    panels = image(2) + '<a class="app-amzn-magnify"></a>' + image(3)
    pages = [panels, "<div></div>", image(2)]
    write(folder / "cover-and-panels.azw3", kf8(pages, three))
    # The cover is stored once more for the device's library.
    write(folder / "cover-twice.azw3", kf8([image(2), image(3)], [picture(1), picture(1), picture(2)]))
    body = "<html><body>" + "".join(f'<mbp:pagebreak/><img recindex="{n:05}"/>' for n in (2, 1)) + "</body></html>"
    write(folder / "recindex.mobi", mobi(body, three[:2]))
    newer = kf8([image(2), image(1)], [])
    write(folder / "both.mobi", mobi(body, three[:2], newer=newer))
    rows = [("sides-rtl.azw3", 3), ("packed.azw3", 3), ("originals.azw3", 2), ("cover-and-panels.azw3", 3), ("cover-twice.azw3", 2),
            ("recindex.mobi", 2), ("both.mobi", 2)]
    (folder / "pages.tsv").write_text("file\tpages\tpassword\n" + "".join(f"{name}\t{n}\t\n" for name, n in rows))


def bad(folder):
    two = [picture(1), picture(2)]
    pages = [image(1), image(2)]
    write(folder / "drm.azw3", kf8(pages, two, encryption=2))
    write(folder / "drm.mobi", mobi('<img recindex="1"/>', two, encryption=1))
    novel = ["<p>" + "A long text without a picture. " * 20 + "</p>"] * 5 + [image(1)]
    write(folder / "flowing.azw3", kf8(novel, two, values=[(100, "A. Writer")]))
    write(folder / "huffman.azw3", [header(8, b"", 1, "x", VALUES, compression=17480, at108=2), b"x", picture(1)])
    write(folder / "no-pictures.azw3", kf8(["<div></div>"], []))
    write(folder / "picture-missing.azw3", kf8([image(1), image(9)], two))
    torn = kf8(pages, two)
    torn[3] = torn[3][:20] + b"\xff\xff\xff\xff" + torn[3][24:]
    write(folder / "index-torn.azw3", torn)
    torn = kf8(pages, two)
    torn[3] = torn[3][:24] + b"\x00\xff\xff\xff" + torn[3][28:]
    write(folder / "entries-beyond.azw3", torn)
    write(folder / "records-backwards.azw3", kf8(pages, two))
    raw = bytearray((folder / "records-backwards.azw3").read_bytes())
    raw[78 + 16 : 78 + 20] = b"\0\0\0\1"
    (folder / "records-backwards.azw3").write_bytes(bytes(raw))
    (folder / "header-only.azw3").write_bytes(raw[:78])
    text = header(8, b"", 1, "x", VALUES)
    write(folder / "not-a-book.prc", [text[:16] + bytes(264), b"x"])


if __name__ == "__main__":
    good(ROOT / "good/AZW3Source")
    bad(ROOT / "bad/AZW3Source")
