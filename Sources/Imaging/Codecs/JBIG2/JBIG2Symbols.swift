/// A dictionary of symbols (ITU-T T.88, 6.5).
struct JBIG2SymbolDictionary {
    /// The Huffman tables of a dictionary.
    struct Tables {
        var height: JBIG2HuffmanTable
        var width: JBIG2HuffmanTable
        var size: JBIG2HuffmanTable
        var instances: JBIG2HuffmanTable
    }

    let known: [JBIG2Bitmap]
    let newCount: Int
    let exportedCount: Int
    /// Whether symbols are made of others.
    let refines: Bool
    let template: JBIG2GenericRegion.Template
    let adaptive: [JBIG2Place]
    let hasSmallTemplate: Bool
    let refinementAdaptive: [JBIG2Place]
    /// The tables; nil for arithmetic coding.
    let tables: Tables?

    /// The contexts of the integers.
    private struct Contexts {
        var height = JBIG2IntegerContexts()
        var width = JBIG2IntegerContexts()
        var exported = JBIG2IntegerContexts()
        var instances = JBIG2IntegerContexts()
    }

    /// Decodes the symbols.
    ///
    /// - Throws: `.damaged`, `.tooLarge`.
    func decode(_ coding: JBIG2SymbolCoding, _ budget: JBIG2Budget) throws(PictureFault) -> [JBIG2Bitmap] {
        var contexts = Contexts()
        var symbols = known
        let count = known.count + newCount
        var height = 0
        func next(
            _ own: inout JBIG2IntegerContexts, _ table: KeyPath<Tables, JBIG2HuffmanTable>
        ) throws(PictureFault) -> Int? {
            if let tables { return try tables[keyPath: table].integer(&coding.reader) }
            return own.integer(&coding.arithmetic)
        }
        while symbols.count < count {
            guard let added = try next(&contexts.height, \.height) else { throw .brokenJBIG2 }
            height += added
            guard (0...1 << 20).contains(height) else { throw .brokenJBIG2 }
            var (width, widths) = (0, [Int]())
            while let added = try next(&contexts.width, \.width) {
                width += added
                guard symbols.count + widths.count < count, (0...1 << 20).contains(width),
                    !coding.arithmetic.isExhausted
                else { throw .brokenJBIG2 }
                if refines {
                    guard let instances = try next(&contexts.instances, \.instances) else { throw .brokenJBIG2 }
                    symbols.append(try composed(instances, width, height, of: symbols, coding, budget))
                } else if tables != nil {
                    try budget.spend(0, 0)
                    widths.append(width)
                } else {
                    let region = JBIG2GenericRegion(
                        width: width, height: height, template: template, adaptive: adaptive)
                    symbols.append(try region.decode(&coding.arithmetic, &coding.generic, budget))
                }
            }
            if let tables, !widths.isEmpty {
                guard let size = try tables.size.integer(&coding.reader) else { throw .brokenJBIG2 }
                symbols += try collective(widths, height, size, &coding.reader, budget)
            }
        }
        return try exported(symbols, budget) { () throws(PictureFault) in
            // The table of the exported runs is always B.1.
            if tables != nil { return try JBIG2HuffmanTable.standard(1).integer(&coding.reader) }
            return contexts.exported.integer(&coding.arithmetic)
        }
    }

    /// Decodes a symbol that is made of others.
    private func composed(
        _ instances: Int, _ width: Int, _ height: Int, of symbols: [JBIG2Bitmap], _ coding: JBIG2SymbolCoding,
        _ budget: JBIG2Budget
    ) throws(PictureFault) -> JBIG2Bitmap {
        if instances != 1 {
            var region = JBIG2TextRegion(
                width: width, height: height, instanceCount: instances, symbols: symbols)
            (region.refines, region.hasSmallTemplate, region.adaptive) = (true, hasSmallTemplate, refinementAdaptive)
            return try region.decode(coding, budget)
        }
        let number = try coding.number()
        guard symbols.indices.contains(number) else { throw .brokenJBIG2 }
        let (x, y) = (try coding.integer(\.shiftX, \.shiftX), try coding.integer(\.shiftY, \.shiftY))
        return try coding.refine(
            JBIG2RefinementRegion(
                width: width, height: height, isSmall: hasSmallTemplate, adaptive: refinementAdaptive,
                reference: symbols[number], offset: JBIG2Place(x, y)), budget)
    }

    /// Returns the symbols of one height, which are coded as one bitmap.
    private func collective(
        _ widths: [Int], _ height: Int, _ size: Int, _ reader: inout JBIG2BitReader, _ budget: JBIG2Budget
    ) throws(PictureFault) -> [JBIG2Bitmap] {
        let total = widths.reduce(0, +)
        reader.align()
        var bitmap: JBIG2Bitmap
        if size == 0 {
            try budget.spend(total, height)
            bitmap = JBIG2Bitmap(width: total, height: height)
            for y in 0..<height {
                for x in 0..<total { bitmap.pixels[y * total + x] = UInt8(truncatingIfNeeded: try reader.bit()) }
                reader.align()
            }
        } else {
            guard size > 0, size <= reader.rest.count else { throw .brokenJBIG2 }
            var part = JBIG2BitReader(reader.bytes, reader.rest.lowerBound..<reader.rest.lowerBound + size)
            bitmap = try JBIG2MMRDecoder.decode(&part, width: total, height: height, budget)
            try reader.skip(bytes: size)
        }
        var (symbols, x): ([JBIG2Bitmap], Int) = ([], 0)
        for width in widths {
            symbols.append(bitmap.part(x: x, y: 0, width: width, height: height))
            x += width
        }
        return symbols
    }

    /// Returns the symbols that the dictionary exports: those of every second run.
    private func exported(
        _ symbols: [JBIG2Bitmap], _ budget: JBIG2Budget, _ run: () throws(PictureFault) -> Int?
    ) throws(PictureFault) -> [JBIG2Bitmap] {
        var (exported, place, isExported): ([JBIG2Bitmap], Int, Bool) = ([], 0, false)
        while place < symbols.count {
            guard let length = try run(), length >= 0, length <= symbols.count - place else { throw .brokenJBIG2 }
            try budget.spend(0, 0)
            if isExported { exported += symbols[place..<place + length] }
            place += length
            isExported.toggle()
        }
        guard exported.count == exportedCount else { throw .brokenJBIG2 }
        return exported
    }
}
