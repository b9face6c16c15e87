internal import CDeflate
internal import Files
internal import Imaging
internal import PDFStructure
internal import PageModel

/// The invisible text of pages whose images show it: it waits in a spool, because its fonts are known only at the end.
struct TextLayers {
    /// The text of one page.
    struct Layer {
        /// The range of its content stream in the spool.
        fileprivate let place: Range<Int>
        /// The checksum, equal for equal texts, and for hardly any others.
        let checksum: UInt32
    }

    private let spool: SpoolFile
    private var font = TextFont()

    /// - Throws: `.unwritable`.
    init() throws(AdapterError) {
        spool = try SpoolFile()
    }

    /// Adds a page's text; returns nil without text.
    ///
    /// - Parameter box: the visible part of the page, in its own coordinates.
    mutating func add(_ lines: [TextLine], on box: PDFBox) throws(AdapterError) -> Layer? {
        var text = ""
        for line in lines { append(line, on: box, to: &text) }
        guard !text.isEmpty else { return nil }
        // Mode 3 paints nothing (ISO 32000-1, 9.3.6).
        let bytes = Flate.compressed(Array("q BT 3 Tr\n\(text)ET Q".utf8))
        let start = try spool.append(bytes)
        return Layer(
            place: start..<start + bytes.count,
            checksum: bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) })
    }

    private mutating func append(_ line: TextLine, on box: PDFBox, to text: inout String) {
        let runs = runs(line, on: box)
        guard !runs.isEmpty else { return }
        if line.direction == .vertical { font.useVertical() }
        text += "/\(line.direction == .vertical ? TextFont.vertical : TextFont.horizontal) 1 Tf\n"
        for run in runs {
            let codes = run.scalars.map { TextFont.hex(font.code(of: $0)) }.joined()
            text += run.matrix.map { PDFValue.decimal(($0 * 1000).rounded() / 1000) }.joined(separator: " ")
            text += " Tm <\(codes)> Tj\n"
        }
    }

    /// Characters, and the matrix that brings an em of their font to the place of the first.
    private struct Run {
        let scalars: [Unicode.Scalar]
        let matrix: [Double]
    }

    /// Returns the words of a line in visual order, with a space between each two: without one, close words are read as one. Each
    /// is as wide as its place.
    private func runs(_ line: TextLine, on box: PDFBox) -> [Run] {
        let frame = LineFrame(line, box)
        var words = line.words.compactMap { word in
            let scalars = Script.visualOrder(word.text).filter { $0.properties.generalCategory != .control }
            return scalars.isEmpty || word.area.isEmpty ? nil : (scalars: scalars, place: frame.place(of: word.area))
        }
        if line.direction == .rightToLeft { words.sort { $0.place.start < $1.place.start } }
        var runs: [Run] = []
        for (index, word) in words.enumerated() {
            runs.append(Run(scalars: word.scalars, matrix: frame.matrix(word.place, count: word.scalars.count)))
            guard index + 1 < words.count else { continue }
            var gap = word.place
            gap.start = word.place.start + word.place.length
            gap.length = max(words[index + 1].place.start - gap.start, word.place.height / 100)
            runs.append(Run(scalars: [" "], matrix: frame.matrix(gap, count: 1)))
        }
        return runs
    }

    /// Adds the fonts to the document.
    ///
    /// - Returns: the fonts of pages with text; nil without such pages.
    func writeFonts(to document: PDFFile) throws(AdapterError) -> PDFValue? {
        font.isEmpty ? nil : try font.write(to: document, spool)
    }

    /// Adds a page's text to the document as a form XObject.
    ///
    /// - Parameters:
    ///   - box: the box for which the text was set. `matrix` brings it to the page.
    ///   - fonts: the result of `writeFonts`.
    func writeForm(
        _ layer: Layer, on box: PDFBox, by matrix: [Double], _ fonts: PDFValue, to document: PDFFile
    ) throws(AdapterError) -> PDFReference {
        let dictionary: [String: PDFValue] = [
            "Type": .name("XObject"), "Subtype": .name("Form"), "BBox": PDFValue(box),
            "Matrix": .array(matrix.map { .real($0) }), "Resources": .dictionary(["Font": fonts]),
            "Filter": .name("FlateDecode"),
        ]
        return try document.addStream(dictionary, spool, at: layer.place)
    }

    /// Adds the content stream of a page's text to the document.
    func write(_ layer: Layer, to document: PDFFile) throws(AdapterError) -> PDFReference {
        try document.addStream(["Filter": .name("FlateDecode")], spool, at: layer.place)
    }
}

/// The coordinates of a line that may be rotated: along it, and across it.
private struct LineFrame {
    /// The place of a word.
    struct Place {
        /// Its beginning along the line.
        var start: Double
        var length: Double
        /// Its middle across the line; upwards, or to the right of a vertical line.
        var middle: Double
        var height: Double
    }

    private let box: PDFBox
    private let isVertical: Bool
    /// The direction of the tops of letters, on the page with y upwards.
    private let up: (x: Double, y: Double)

    init(_ line: TextLine, _ box: PDFBox) {
        self.box = box
        isVertical = line.direction == .vertical
        up = [(0, 1), (1, 0), (0, -1), (-1, 0)][line.turns & 3]
    }

    /// The direction to the right of the letters.
    private var right: (x: Double, y: Double) { (up.y, -up.x) }
    private var along: (x: Double, y: Double) { isVertical ? (-up.x, -up.y) : right }
    private var across: (x: Double, y: Double) { isVertical ? right : up }

    func place(of area: PageArea) -> Place {
        let center = (
            x: box.left + (area.left + area.right) / 2 * box.width,
            y: box.top - (area.top + area.bottom) / 2 * box.height
        )
        let (width, height) = (area.width * box.width, area.height * box.height)
        let (length, thickness) = along.y == 0 ? (width, height) : (height, width)
        return Place(
            start: center.x * along.x + center.y * along.y - length / 2, length: length,
            middle: center.x * across.x + center.y * across.y, height: thickness)
    }

    /// Returns the matrix for that many characters, each one em wide, or high, to fill a place (ISO 32000-1, 9.4.4 and 9.7.4.3).
    func matrix(_ place: Place, count: Int) -> [Double] {
        let advance = place.length / Double(count)
        // A line is on its letters' base; a vertical one hangs from the middle of its upper edge.
        let base = isVertical ? 0 : -0.5 - Double(GlyphlessFont.descent) / Double(GlyphlessFont.em)
        let offset = place.middle + base * place.height
        let (x, y) = (
            along.x * place.start + across.x * offset, along.y * place.start + across.y * offset
        )
        let (wide, high) = isVertical ? (place.height, advance) : (advance, place.height)
        return [right.x * wide, right.y * wide, up.x * high, up.y * high, x, y]
    }
}

/// PDF's usual compression (ISO 32000-1, 7.4.4).
enum Flate {
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var joiner = ZlibJoiner()
        return joiner.append(DeflatePiece(bytes, level: 6)) + joiner.finish()
    }
}

extension PDFFile {
    /// Adds a compressed stream.
    func addCompressed(
        _ bytes: [UInt8], _ dictionary: [String: PDFValue] = [:], _ spool: SpoolFile
    ) throws(AdapterError) -> PDFReference {
        let packed = Flate.compressed(bytes)
        let start = try spool.append(packed)
        let entries = dictionary.merging(["Filter": .name("FlateDecode")]) { first, _ in first }
        return try addStream(entries, spool, at: start..<start + packed.count)
    }
}
