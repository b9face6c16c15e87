/// A TrueType font of two glyphs that do not paint anything (ISO/IEC 14496-22), for invisible text.
///
/// Viewers require a font program even for text that is not painted; one with invisible glyphs is smaller than a kilobyte.
enum GlyphlessFont {
    /// The units of the em, and of every width.
    static let em = 1000
    /// The height of letters above the line, in units of the em. With their depth below it they are one em, so a line is as high
    /// as its font size.
    static let ascent = 800
    static let descent = -200

    /// The font's file.
    static let file: [UInt8] = {
        let tables: [(tag: String, bytes: [UInt8])] = [
            ("glyf", [0, 0, 0, 0]),
            (
                "head",
                // Version, revision, checksum, magic number, flags, em, two dates, the box of all glyphs. Then style, the least
                // size, direction, the form of loca, the form of glyphs.
                long(0x10000, 0x10000, 0, 0x5F0F_3CF5) + short(0, em) + long(0, 0, 0, 0)
                    + short(0, descent, em, ascent, 0, 8, 2, 1, 0)
            ),
            (
                "hhea",
                // Version, ascent, descent, gap, the largest advance, bearings and extent, the caret, the number of advances.
                long(0x10000) + short(ascent, descent, 0, em, 0, 0, em, 1, 0, 0, 0, 0, 0, 0, 0, 2)
            ),
            ("hmtx", short(em, 0, em, 0)),
            ("loca", long(0, 0, 0)),
            // Version, the number of glyphs, and the counts of everything else.
            ("maxp", long(0x10000) + short(2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)),
        ]
        var file = long(0x10000) + short(tables.count, 64, 2, 16 * tables.count - 64)
        var body: [UInt8] = []
        let start = file.count + 16 * tables.count
        for (tag, bytes) in tables {
            let padded = bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
            let words = stride(from: 0, to: padded.count, by: 4).map { index in
                padded[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            file += Array(tag.utf8) + long(words.reduce(0, &+), UInt32(start + body.count), UInt32(bytes.count))
            body += padded
        }
        return file + body
    }()

    private static func short(_ values: Int...) -> [UInt8] {
        values.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    private static func long(_ values: UInt32...) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) } }
    }
}
