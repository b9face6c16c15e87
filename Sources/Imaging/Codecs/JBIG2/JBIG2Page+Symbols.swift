/// The headers of segments with symbols (ITU-T T.88, 7.4.2 and 7.4.3).
extension JBIG2Page {
    func symbolDictionary(_ segment: JBIG2Segment) throws(PictureFault) -> Result {
        var fields = segment.fields
        let flags = try fields.next(2)
        let (isHuffman, refines, isSmall) = (flags & 1 == 1, flags & 2 != 0, flags >> 12 & 1 == 1)
        guard let template = JBIG2GenericRegion.Template(rawValue: flags >> 10 & 3) else { throw .brokenJBIG2 }
        let adaptive = isHuffman ? [] : try fields.nextPlaces(template.adaptive.count)
        let hasPlaces = refines && !isSmall
        let refinementAdaptive = hasPlaces ? try fields.nextPlaces(2) : JBIG2RefinementRegion.usualAdaptive
        try JBIG2Place.check(adaptive + refinementAdaptive.prefix(1))
        let (exportedCount, newCount) = (try fields.next(4), try fields.next(4))
        let known = symbols(of: segment)
        var custom = JBIG2CustomTables(tables(of: segment))
        let tables =
            isHuffman
            ? JBIG2SymbolDictionary.Tables(
                height: try custom.table(flags >> 2 & 3, of: [4, 5]),
                width: try custom.table(flags >> 4 & 3, of: [2, 3]),
                size: try custom.table(3 * (flags >> 6 & 1), of: [1]),
                instances: try custom.table(3 * (flags >> 7 & 1), of: [1])) : nil
        let dictionary = JBIG2SymbolDictionary(
            known: known, newCount: newCount, exportedCount: exportedCount, refines: refines, template: template,
            adaptive: adaptive, hasSmallTemplate: isSmall, refinementAdaptive: refinementAdaptive, tables: tables)
        let bits = JBIG2Segment.bits(for: known.count + newCount)
        guard bits <= 24 else { throw .brokenJBIG2 }
        let coding = JBIG2SymbolCoding(
            segment.bytes, fields.rest, bits: bits,
            isHuffman && refines ? try .ofComposedSymbols(count: known.count + newCount) : nil)
        if flags & 0x100 != 0, let contexts = contexts(of: segment) {
            (coding.generic, coding.refinement) = contexts
        }
        let symbols = try dictionary.decode(coding, budget)
        return .symbols(symbols, generic: coding.generic, refinement: coding.refinement)
    }

    func text(
        _ segment: JBIG2Segment, _ fields: JBIG2Segment.Fields, _ region: Region
    ) throws(PictureFault) -> JBIG2Bitmap {
        var fields = fields
        let flags = try fields.next(2)
        let (isHuffman, refines, isSmall) = (flags & 1 == 1, flags & 2 != 0, flags >> 15 & 1 == 1)
        let huffmanFlags = isHuffman ? try fields.next(2) : 0
        let hasPlaces = refines && !isSmall
        let adaptive = hasPlaces ? try fields.nextPlaces(2) : JBIG2RefinementRegion.usualAdaptive
        try JBIG2Place.check(adaptive.prefix(1))
        let instanceCount = try fields.next(4)
        let symbols = symbols(of: segment)
        let bits = JBIG2Segment.bits(for: symbols.count)
        guard bits <= 24 else { throw .brokenJBIG2 }
        var rest = fields.rest
        var tables: JBIG2TextTables?
        if isHuffman {
            var reader = JBIG2BitReader(segment.bytes, fields.rest)
            let numbers = try JBIG2HuffmanTable.numbers(count: symbols.count, &reader)
            rest = reader.rest
            var custom = JBIG2CustomTables(self.tables(of: segment))
            tables = try custom.tables(huffmanFlags, numbers)
        }
        let coding = JBIG2SymbolCoding(segment.bytes, rest, bits: bits, tables)
        var text = JBIG2TextRegion(
            width: region.width, height: region.height, instanceCount: instanceCount, symbols: symbols)
        guard let corner = JBIG2TextRegion.Corner(rawValue: flags >> 4 & 3),
            let operation = JBIG2Bitmap.Operator(rawValue: flags >> 7 & 3)
        else { throw .brokenJBIG2 }
        (text.stripBits, text.corner, text.operation) = (flags >> 2 & 3, corner, operation)
        (text.isTransposed, text.background) = (flags & 0x40 != 0, UInt8(truncatingIfNeeded: flags >> 9 & 1))
        let offset = flags >> 10 & 31
        text.distanceOffset = offset < 16 ? offset : offset - 32
        (text.refines, text.hasSmallTemplate, text.adaptive) = (refines, isSmall, adaptive)
        return try text.decode(coding, budget)
    }
}

/// The choice between standard tables and those of a file, which are used in their order.
struct JBIG2CustomTables {
    private var tables: ArraySlice<JBIG2HuffmanTable>

    init(_ tables: [JBIG2HuffmanTable]) {
        self.tables = tables[...]
    }

    /// Returns the table for the value of a field. The value 3 stands for the next table of the file.
    mutating func table(_ choice: Int, of standard: [Int]) throws(PictureFault) -> JBIG2HuffmanTable {
        if choice < standard.count { return try JBIG2HuffmanTable.standard(standard[choice]) }
        guard choice == 3, let table = tables.popFirst() else { throw .brokenJBIG2 }
        return table
    }

    /// Returns the tables of a text region.
    mutating func tables(_ flags: Int, _ numbers: JBIG2HuffmanTable) throws(PictureFault) -> JBIG2TextTables {
        let first = try table(flags & 3, of: [6, 7])
        let distance = try table(flags >> 2 & 3, of: [8, 9, 10])
        let strip = try table(flags >> 4 & 3, of: [11, 12, 13])
        let width = try table(flags >> 6 & 3, of: [14, 15])
        let height = try table(flags >> 8 & 3, of: [14, 15])
        let x = try table(flags >> 10 & 3, of: [14, 15])
        let y = try table(flags >> 12 & 3, of: [14, 15])
        let size = try table(3 * (flags >> 14 & 1), of: [1])
        return JBIG2TextTables(
            stripDistance: strip, firstDistance: first, distance: distance, addedWidth: width, addedHeight: height,
            shiftX: x, shiftY: y, size: size, number: numbers)
    }
}

extension JBIG2TextTables {
    /// The tables for symbols that are made of others (table 17).
    static func ofComposedSymbols(count: Int) throws(PictureFault) -> JBIG2TextTables {
        let standard = JBIG2HuffmanTable.standard
        let bits = max(1, JBIG2Segment.bits(for: count))
        return JBIG2TextTables(
            stripDistance: try standard(11), firstDistance: try standard(6), distance: try standard(8),
            addedWidth: try standard(15), addedHeight: try standard(15), shiftX: try standard(15),
            shiftY: try standard(15), size: try standard(1),
            number: try JBIG2HuffmanTable([.init(first: 0, codeLength: 0, rangeLength: bits)]))
    }
}

extension JBIG2HuffmanTable {
    /// Reads the codes for the numbers of symbols (7.4.3.1.7).
    static func numbers(count: Int, _ reader: inout JBIG2BitReader) throws(PictureFault) -> JBIG2HuffmanTable {
        var lengths: [Int] = []
        for _ in 0..<35 { lengths.append(try reader.bits(4)) }
        let runs = try JBIG2HuffmanTable(lengths: lengths)
        lengths = []
        while lengths.count < count {
            guard let run = try runs.integer(&reader) else { throw .brokenJBIG2 }
            switch run {
            case 32:
                guard let last = lengths.last else { throw .brokenJBIG2 }
                lengths += [Int](repeating: last, count: try reader.bits(2) + 3)
            case 33: lengths += [Int](repeating: 0, count: try reader.bits(3) + 3)
            case 34: lengths += [Int](repeating: 0, count: try reader.bits(7) + 11)
            default: lengths.append(run)
            }
        }
        guard lengths.count == count else { throw .brokenJBIG2 }
        reader.align()
        return try JBIG2HuffmanTable(lengths: lengths)
    }
}
