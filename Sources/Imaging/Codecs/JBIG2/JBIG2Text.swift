/// The contexts of the numbers in text regions.
struct JBIG2TextContexts {
    var stripDistance = JBIG2IntegerContexts()
    var firstDistance = JBIG2IntegerContexts()
    var distance = JBIG2IntegerContexts()
    var lineOffset = JBIG2IntegerContexts()
    var isRefined = JBIG2IntegerContexts()
    var addedWidth = JBIG2IntegerContexts()
    var addedHeight = JBIG2IntegerContexts()
    var shiftX = JBIG2IntegerContexts()
    var shiftY = JBIG2IntegerContexts()
    var number: JBIG2NumberContexts
}

/// The Huffman tables of the numbers in text regions.
struct JBIG2TextTables {
    var stripDistance: JBIG2HuffmanTable
    var firstDistance: JBIG2HuffmanTable
    var distance: JBIG2HuffmanTable
    var addedWidth: JBIG2HuffmanTable
    var addedHeight: JBIG2HuffmanTable
    var shiftX: JBIG2HuffmanTable
    var shiftY: JBIG2HuffmanTable
    var size: JBIG2HuffmanTable
    var number: JBIG2HuffmanTable
}

/// The decoder of the symbols of a segment: arithmetic, or Huffman with tables.
final class JBIG2SymbolCoding {
    var arithmetic: JBIG2ArithmeticDecoder
    var reader: JBIG2BitReader
    var contexts: JBIG2TextContexts
    /// The tables; nil for arithmetic coding.
    var tables: JBIG2TextTables?
    /// The contexts of generic regions and of refinements.
    var generic = [UInt8](repeating: 0, count: JBIG2GenericRegion.Template.contextCount)
    var refinement = [UInt8](repeating: 0, count: JBIG2RefinementRegion.contextCount)

    /// - Parameter bits: the length of the numbers of symbols.
    init(_ bytes: [UInt8], _ range: Range<Int>, bits: Int, _ tables: JBIG2TextTables?) {
        arithmetic = JBIG2ArithmeticDecoder(bytes, range)
        reader = JBIG2BitReader(bytes, range)
        contexts = JBIG2TextContexts(number: JBIG2NumberContexts(bits: tables == nil ? bits : 0))
        self.tables = tables
    }

    /// Decodes an integer; nil for the end of a line.
    func optional(
        _ contexts: WritableKeyPath<JBIG2TextContexts, JBIG2IntegerContexts>,
        _ table: KeyPath<JBIG2TextTables, JBIG2HuffmanTable>
    ) throws(PictureFault) -> Int? {
        guard let tables else { return self.contexts[keyPath: contexts].integer(&arithmetic) }
        return try tables[keyPath: table].integer(&reader)
    }

    func integer(
        _ contexts: WritableKeyPath<JBIG2TextContexts, JBIG2IntegerContexts>,
        _ table: KeyPath<JBIG2TextTables, JBIG2HuffmanTable>
    ) throws(PictureFault) -> Int {
        guard let value = try optional(contexts, table) else { throw .brokenJBIG2 }
        return value
    }

    /// Decodes the number of a symbol.
    func number() throws(PictureFault) -> Int {
        guard let tables else { return contexts.number.number(&arithmetic) }
        guard let number = try tables.number.integer(&reader) else { throw .brokenJBIG2 }
        return number
    }

    /// Decodes a refinement, whose data are arithmetic in either case.
    func refine(_ region: JBIG2RefinementRegion, _ budget: JBIG2Budget) throws(PictureFault) -> JBIG2Bitmap {
        guard let tables else { return try region.decode(&arithmetic, &refinement, budget) }
        guard let size = try tables.size.integer(&reader) else { throw .brokenJBIG2 }
        reader.align()
        var decoder = JBIG2ArithmeticDecoder(reader.bytes, reader.rest)
        let bitmap = try region.decode(&decoder, &refinement, budget)
        try reader.skip(bytes: size)
        return bitmap
    }
}

/// A region of symbols on lines (ITU-T T.88, 6.4).
struct JBIG2TextRegion {
    /// The corner of a symbol that is at its place.
    enum Corner: Int {
        case bottomLeft, topLeft, bottomRight, topRight

        var isRight: Bool { self == .bottomRight || self == .topRight }
        var isBottom: Bool { self == .bottomLeft || self == .bottomRight }
    }

    let width: Int
    let height: Int
    let instanceCount: Int
    let symbols: [JBIG2Bitmap]
    /// The logarithm of the number of lines in a strip.
    var stripBits = 0
    var background: UInt8 = 0
    var operation = JBIG2Bitmap.Operator.or
    var isTransposed = false
    var corner = Corner.topLeft
    var distanceOffset = 0
    var refines = false
    var hasSmallTemplate = false
    var adaptive = JBIG2RefinementRegion.usualAdaptive

    /// Decodes the region.
    ///
    /// - Throws: `.damaged`, `.tooLarge`.
    func decode(_ coding: JBIG2SymbolCoding, _ budget: JBIG2Budget) throws(PictureFault) -> JBIG2Bitmap {
        try budget.spend(width, height)
        var bitmap = JBIG2Bitmap(width: width, height: height, color: background)
        var strip = try -coding.integer(\.stripDistance, \.stripDistance) << stripBits
        var (firstPlace, count) = (0, 0)
        while count < instanceCount {
            strip += try coding.integer(\.stripDistance, \.stripDistance) << stripBits
            firstPlace += try coding.integer(\.firstDistance, \.firstDistance)
            var place = firstPlace
            while count < instanceCount {
                let line = strip + (try lineOffset(coding))
                let symbol = try symbol(coding, budget)
                try budget.spend(symbol.width, symbol.height)
                guard abs(place) < 1 << 31, abs(line) < 1 << 31, !coding.arithmetic.isExhausted else {
                    throw .brokenJBIG2
                }
                put(symbol, on: &bitmap, at: &place, line)
                count += 1
                guard let distance = try coding.optional(\.distance, \.distance) else { break }
                place += distance + distanceOffset
            }
        }
        return bitmap
    }

    private func lineOffset(_ coding: JBIG2SymbolCoding) throws(PictureFault) -> Int {
        if stripBits == 0 { return 0 }
        if coding.tables != nil { return try coding.reader.bits(stripBits) }
        return try coding.integer(\.lineOffset, \.stripDistance)
    }

    /// Decodes the next symbol, with its refinement.
    private func symbol(_ coding: JBIG2SymbolCoding, _ budget: JBIG2Budget) throws(PictureFault) -> JBIG2Bitmap {
        let number = try coding.number()
        guard symbols.indices.contains(number) else { throw .brokenJBIG2 }
        let symbol = symbols[number]
        guard refines else { return symbol }
        let isRefined =
            coding.tables != nil
            ? try coding.reader.bit() == 1 : try coding.integer(\.isRefined, \.stripDistance) == 1
        guard isRefined else { return symbol }
        let addedWidth = try coding.integer(\.addedWidth, \.addedWidth)
        let addedHeight = try coding.integer(\.addedHeight, \.addedHeight)
        let shiftX = try coding.integer(\.shiftX, \.shiftX)
        let shiftY = try coding.integer(\.shiftY, \.shiftY)
        return try coding.refine(
            JBIG2RefinementRegion(
                width: symbol.width + addedWidth, height: symbol.height + addedHeight, isSmall: hasSmallTemplate,
                adaptive: adaptive, reference: symbol,
                offset: JBIG2Place(addedWidth >> 1 + shiftX, addedHeight >> 1 + shiftY)), budget)
    }

    /// Puts a symbol at its place, and moves the place to its end.
    private func put(_ symbol: JBIG2Bitmap, on bitmap: inout JBIG2Bitmap, at place: inout Int, _ line: Int) {
        let length = (isTransposed ? symbol.height : symbol.width) - 1
        let isAtEnd = isTransposed ? corner.isBottom : corner.isRight
        if isAtEnd { place += length }
        let (x, y) = isTransposed ? (line, place) : (place, line)
        bitmap.put(
            symbol, atX: corner.isRight ? x - symbol.width + 1 : x, y: corner.isBottom ? y - symbol.height + 1 : y,
            operation)
        if !isAtEnd { place += length }
    }
}
