internal import Imaging
internal import Metadata
internal import PageModel

/// The first record of a book: the headers of PalmDOC and MOBI, and the extended header (EXTH).
struct MobiHeader {
    /// The number of the record, to which the others are relative.
    let start: Int
    let version: Int
    private let bytes: ByteReader
    private let values: [Int: [[UInt8]]]

    private static let absent = 0xFFFF_FFFF
    /// The maximum number of values in the extended header, above that of any real book.
    private static let maximumValues = 10_000

    /// - Throws: `.encrypted` for a book with DRM; `.damaged`, `.unsupported`.
    init(_ database: PalmDatabase, at start: Int) throws(AdapterError) {
        self.start = start
        let record = ByteReader(try database.record(start))
        bytes = record
        guard record.has("MOBI", at: 16), let length = record.uint32(at: 20) else {
            throw AdapterError(.unsupported, "is a text without pages")
        }
        guard record.uint16(at: 12) == 0 else {
            throw AdapterError(.encrypted, "is a book with copy protection, which cannot be read")
        }
        version = record.uint32(at: 36) ?? 0
        values = MobiHeader.values(
            in: record.uint32(at: 128).map { $0 & 0x40 != 0 } ?? false ? record.part(from: 16 + length) : nil)
    }

    private static func values(in extended: ByteReader?) -> [Int: [[UInt8]]] {
        guard let extended, extended.has("EXTH"), let count = extended.uint32(at: 8) else { return [:] }
        var values: [Int: [[UInt8]]] = [:]
        var place = 12
        for _ in 0..<min(count, maximumValues) {
            guard let number = extended.uint32(at: place), let size = extended.uint32(at: place + 4), size >= 8,
                let value = extended.part(at: place + 8, count: size - 8)
            else { break }
            values[number, default: []].append(value.array)
            place += size
        }
        return values
    }

    // MARK: The text

    /// 1 for none, 2 for that of PalmDOC, 17480 for Huffman codes.
    var compression: Int { bytes.uint16(at: 0) ?? 0 }
    var textRecordCount: Int { bytes.uint16(at: 8) ?? 0 }
    /// The flags for the data after the text in each record.
    var trailingFlags: Int { bytes.uint32(at: 20).map { $0 >= 228 } ?? false ? bytes.uint16(at: 242) ?? 0 : 0 }

    // MARK: The numbers of records

    /// The record that an offset in the header refers to; nil for none.
    private func number(at offset: Int) -> Int? {
        guard let length = bytes.uint32(at: 20), offset + 4 <= 16 + length, let number = bytes.uint32(at: offset),
            number != MobiHeader.absent
        else { return nil }
        return start + number
    }

    var contents: Int? { number(at: 244) }
    var skeletons: Int? { version == 8 ? number(at: 252) : nil }
    var flows: Int? { version == 8 ? number(at: 192) : nil }
    /// In a file that contains a book in two formats, it is in the first header.
    var images: Int? { number(at: 108) }
    /// The record with the header of the same book in KF8.
    var newer: Int? { value(121).flatMap { $0 == MobiHeader.absent ? nil : $0 } }

    // MARK: Values

    /// Returns a number in the extended header.
    func value(_ number: Int) -> Int? {
        values[number]?.first.flatMap { $0.count == 4 ? ByteReader($0).uint32(at: 0) : nil }
    }

    /// Returns the texts in the extended header.
    func texts(_ number: Int) -> [String] {
        (values[number] ?? []).map(text).clean
    }

    private func text(_ bytes: [UInt8]) -> String {
        self.bytes.uint32(at: 28) == 65001
            ? String(decoding: bytes, as: UTF8.self)
            : String(decoding: bytes.map { UInt16($0) }, as: UTF16.self)
    }

    /// The title after the headers.
    private var ownTitle: String? {
        guard let place = bytes.uint32(at: 84), let count = bytes.uint32(at: 88), count <= 4096 else { return nil }
        return bytes.part(at: place, count: count).map { text($0.array) }
    }

    /// Whether the book states that its pages have a fixed layout.
    var isFixed: Bool { texts(122) == ["true"] || texts(123) == ["comic"] }

    var metadata: BookMetadata {
        var book = BookMetadata(title: (texts(503) + [ownTitle].clean).first, authors: texts(100).unique)
        book.publisher = texts(101).first
        // `texts` makes one line of a text.
        book.summary = values[103]?.first.map(text).flatMap { PlainText.clean(perhapsHTML: $0) }
        book.isbn = texts(104).lazy.compactMap { ISBN($0) }.first
        book.genres = texts(105).unique
        book.date = texts(106).lazy.compactMap { BookDate($0) }.first
        book.rights = texts(109).first
        book.language = texts(524).lazy.compactMap(LanguageTag.normalized).first { $0 != "und" }
        book.direction =
            texts(527).lazy.compactMap { Direction(rawValue: $0) }.first
            ?? texts(525).first.flatMap {
                $0.hasSuffix("-rl") ? .rightToLeft : $0.hasSuffix("-lr") ? .leftToRight : nil
            }
        return book
    }
}
