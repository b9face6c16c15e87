internal import Files
internal import PDFStructure
internal import PageModel

/// The fonts of a document's invisible text: one for lines, one for vertical lines, with the same empty glyphs.
///
/// Characters get codes in the order of their first use, and a table maps codes to characters (ISO 32000-1, 9.10.3). Viewers use
/// only this table to find and copy such text.
struct TextFont {
    /// The name of the font in pages' resources.
    static let horizontal = "T"
    /// The name of the font for lines that run down.
    static let vertical = "V"

    private var codes: [Unicode.Scalar: Int] = [:]
    private var scalars: [Unicode.Scalar] = []
    private(set) var hasVertical = false

    /// The maximum number of codes, which have two bytes.
    private static let maximumCodes = 0xFFFF

    /// Returns the code of a character. In a document of more kinds of characters than codes, the rest become U+FFFD.
    mutating func code(of scalar: Unicode.Scalar) -> Int {
        if let code = codes[scalar] { return code }
        if scalars.count >= TextFont.maximumCodes - 1, scalar != "\u{FFFD}" { return code(of: "\u{FFFD}") }
        scalars.append(scalar)
        codes[scalar] = scalars.count
        return scalars.count
    }

    mutating func useVertical() { hasVertical = true }

    var isEmpty: Bool { scalars.isEmpty }

    /// Adds the fonts to a document.
    ///
    /// - Returns: the font resources of pages with text.
    func write(to document: PDFFile, _ spool: SpoolFile) throws(AdapterError) -> PDFValue {
        func stream(_ bytes: [UInt8], _ more: [String: PDFValue] = [:]) throws(AdapterError) -> PDFReference {
            try document.addCompressed(bytes, more, spool)
        }
        let name = PDFValue.name("JisuiText")
        let program = try stream(GlyphlessFont.file, ["Length1": .integer(GlyphlessFont.file.count)])
        let descriptor = try document.add(
            .dictionary([
                "Type": .name("FontDescriptor"), "FontName": name, "Flags": .integer(5),
                "FontBBox": .array(
                    [0, GlyphlessFont.descent, GlyphlessFont.em, GlyphlessFont.ascent].map { .integer($0) }),
                "ItalicAngle": .integer(0), "Ascent": .integer(GlyphlessFont.ascent),
                "Descent": .integer(GlyphlessFont.descent), "CapHeight": .integer(GlyphlessFont.ascent),
                "StemV": .integer(80), "FontFile2": .reference(program),
            ]))
        // Every code has the second glyph: the first is for missing characters.
        let glyphs: [UInt8] = [0, 0] + (0..<scalars.count).flatMap { _ -> [UInt8] in [0, 1] }
        let descendant = try document.add(
            .dictionary([
                "Type": .name("Font"), "Subtype": .name("CIDFontType2"), "BaseFont": name,
                "CIDSystemInfo": .dictionary([
                    "Registry": .bytes(Array("Adobe".utf8)), "Ordering": .bytes(Array("Identity".utf8)),
                    "Supplement": .integer(0),
                ]),
                "DW": .integer(GlyphlessFont.em), "FontDescriptor": .reference(descriptor),
                "CIDToGIDMap": .reference(try stream(glyphs)),
            ]))
        let meanings = try stream(Array(toUnicode.utf8))
        var fonts: [String: PDFValue] = [:]
        for (key, encoding) in [(TextFont.horizontal, "Identity-H"), (TextFont.vertical, "Identity-V")] {
            if key == TextFont.vertical && !hasVertical { continue }
            fonts[key] = .reference(
                try document.add(
                    .dictionary([
                        "Type": .name("Font"), "Subtype": .name("Type0"), "BaseFont": name,
                        "Encoding": .name(encoding), "DescendantFonts": .array([.reference(descendant)]),
                        "ToUnicode": .reference(meanings),
                    ])))
        }
        return .dictionary(fonts)
    }

    /// The table of the codes' meanings, in UTF-16 (Adobe Technical Note 5411).
    private var toUnicode: String {
        var text = """
            /CIDInit /ProcSet findresource begin
            12 dict begin
            begincmap
            /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
            /CMapName /Adobe-Identity-UCS def
            /CMapType 2 def
            1 begincodespacerange
            <0000> <FFFF>
            endcodespacerange

            """
        // A section has a hundred lines at most.
        for start in stride(from: 0, to: scalars.count, by: 100) {
            let section = scalars[start..<min(start + 100, scalars.count)]
            text += "\(section.count) beginbfchar\n"
            for (index, scalar) in section.enumerated() {
                let meaning = String(scalar).utf16.map { TextFont.hex(Int($0)) }.joined()
                text += "<\(TextFont.hex(start + index + 1))> <\(meaning)>\n"
            }
            text += "endbfchar\n"
        }
        return text + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    }

    /// Returns two bytes as four digits.
    static func hex(_ code: Int) -> String {
        let digits = String(code, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
