package import PageModel

/// A decoder for JBIG2 (ITU-T T.88) as PDFs contain it: a page without a file header.
///
/// Poppler and jbig2dec ignore some of its features without a report, so that pixels are wrong.
package enum JBIG2Decoder {
    /// Decodes an image of the given size.
    ///
    /// - Parameter globals: the segments that several images share.
    /// - Returns: rows of one bit a pixel, 0 for black. Each row starts on a byte boundary.
    /// - Throws: `PictureFault`. The kind is `.unsupported` for colors and for more adaptive pixels, which later versions of the
    ///   standard added.
    package static func decode(_ data: [UInt8], globals: [UInt8], size: PixelSize) throws(PictureFault) -> [UInt8] {
        var page = JBIG2Page(size: size)
        for segment in try JBIG2Segment.all(in: globals) { try page.add(segment) }
        for segment in try JBIG2Segment.all(in: data) { try page.add(segment) }
        guard let bitmap = page.bitmap else { throw PictureFault("the JBIG2 data has no page") }
        guard bitmap.width == size.width else { throw PictureFault("the JBIG2 data has another width than the image") }
        return bitmap.packedRows
    }
}

extension JBIG2Decoder {
    /// Whether Poppler decodes the data as well: it has no refinements, halftones, Huffman codes or intermediate regions.
    package static func isUsual(_ data: [UInt8], globals: [UInt8]) -> Bool {
        guard let segments = try? JBIG2Segment.all(in: globals) + JBIG2Segment.all(in: data) else { return true }
        return segments.allSatisfy { segment in
            var fields = segment.fields
            switch segment.type {
            // The bits of Huffman codes, refinements and reused contexts.
            case 0: return (try? fields.next(2)).map { $0 & 0x103 == 0 } ?? true
            case 6, 7:
                try? fields.skip(17)
                return (try? fields.next(2)).map { $0 & 3 == 0 } ?? true
            case 38, 39, 48...52, 62: return true
            default: return false
            }
        }
    }
}

/// The page of JBIG2 data, and the results of segments to which others refer.
struct JBIG2Page {
    private(set) var bitmap: JBIG2Bitmap?
    private let size: PixelSize
    let budget: JBIG2Budget
    private var operation = JBIG2Bitmap.Operator.or
    fileprivate var results: [Int: Result] = [:]

    enum Result {
        case symbols([JBIG2Bitmap], generic: [UInt8], refinement: [UInt8])
        case patterns([JBIG2Bitmap])
        case table(JBIG2HuffmanTable)
        case bitmap(JBIG2Bitmap)
    }

    init(size: PixelSize) {
        self.size = size
        budget = JBIG2Budget(area: size.area)
    }

    /// Decodes a segment.
    mutating func add(_ segment: JBIG2Segment) throws(PictureFault) {
        switch segment.type {
        case 0: results[segment.number] = try symbolDictionary(segment)
        case 16: results[segment.number] = .patterns(try JBIG2PatternDictionary(segment, budget).patterns)
        case 48: try begin(segment)
        case 53:
            results[segment.number] = .table(
                try JBIG2HuffmanTable(segment: ByteReader(Array(segment.bytes[segment.range]))))
        case 4, 6, 7, 20, 22, 23, 36, 38, 39, 40, 42, 43: try addRegion(segment)
        // Ends of pages, of stripes and of files, profiles, and comments.
        case 49...52, 62: break
        default: throw PictureFault("the JBIG2 data has a kind of segment that jisui does not know", kind: .unsupported)
        }
    }

    private mutating func begin(_ segment: JBIG2Segment) throws(PictureFault) {
        var fields = segment.fields
        let (width, height) = (try fields.next(4), try fields.next(4))
        try fields.skip(8)
        let flags = try fields.next(1)
        guard bitmap == nil else { throw PictureFault("the JBIG2 data has several pages", kind: .unsupported) }
        // A page in stripes may not state its height. Rows that the image does not have are not kept.
        guard height == size.height || height == 0xFFFF_FFFF else {
            throw PictureFault("the JBIG2 data has another height than the image")
        }
        try budget.spend(width, size.height)
        operation = JBIG2Bitmap.Operator(rawValue: flags >> 3 & 3) ?? .or
        bitmap = JBIG2Bitmap(width: width, height: size.height, color: UInt8(truncatingIfNeeded: flags >> 2 & 1))
    }

    /// Decodes a region, and puts it on the page or keeps it for another segment.
    private mutating func addRegion(_ segment: JBIG2Segment) throws(PictureFault) {
        var fields = segment.fields
        var region = Region(
            width: try fields.next(4), height: try fields.next(4), x: try fields.next(4), y: try fields.next(4))
        let flags = try fields.next(1)
        guard flags & 8 == 0, let operation = JBIG2Bitmap.Operator(rawValue: flags & 7) else {
            throw PictureFault("the JBIG2 data has colors", kind: .unsupported)
        }
        guard max(region.width, region.height, region.x, region.y) < 1 << 31 else { throw .brokenJBIG2 }
        let made: JBIG2Bitmap
        switch segment.type {
        case 4, 6, 7: made = try text(segment, fields, region)
        case 20, 22, 23:
            guard case .patterns(let patterns) = segment.references.compactMap({ results[$0] }).first else {
                throw .brokenJBIG2
            }
            made = try JBIG2HalftoneRegion.decode(
                segment, fields, width: region.width, height: region.height, patterns, budget)
        case 36, 38, 39:
            if segment.hasUnknownLength { region.height = try segment.heightAtEnd() }
            made = try generic(segment, fields, region)
        default: made = try refinement(segment, fields, region)
        }
        if [4, 20, 36, 40].contains(segment.type) {
            results[segment.number] = .bitmap(made)
        } else {
            bitmap?.put(made, atX: region.x, y: region.y, operation)
        }
    }

    struct Region {
        let width: Int
        var height: Int
        let x: Int
        let y: Int
    }

    private func generic(
        _ segment: JBIG2Segment, _ fields: JBIG2Segment.Fields, _ region: Region
    ) throws(PictureFault) -> JBIG2Bitmap {
        var fields = fields
        let flags = try fields.next(1)
        if flags & 1 == 1 {
            var reader = JBIG2BitReader(segment.bytes, fields.rest)
            return try JBIG2MMRDecoder.decode(&reader, width: region.width, height: region.height, budget)
        }
        guard flags & 16 == 0, let template = JBIG2GenericRegion.Template(rawValue: flags >> 1 & 3) else {
            throw PictureFault("the JBIG2 data has an extended template", kind: .unsupported)
        }
        let adaptive = try fields.nextPlaces(template.adaptive.count)
        try JBIG2Place.check(adaptive)
        var decoder = JBIG2ArithmeticDecoder(segment.bytes, fields.rest)
        var contexts = [UInt8](repeating: 0, count: JBIG2GenericRegion.Template.contextCount)
        return try JBIG2GenericRegion(
            width: region.width, height: region.height, template: template, adaptive: adaptive,
            predictsRows: flags & 8 != 0
        ).decode(&decoder, &contexts, budget)
    }

    private mutating func refinement(
        _ segment: JBIG2Segment, _ fields: JBIG2Segment.Fields, _ region: Region
    ) throws(PictureFault) -> JBIG2Bitmap {
        var fields = fields
        let flags = try fields.next(1)
        let isSmall = flags & 1 == 1
        let adaptive = isSmall ? JBIG2RefinementRegion.usualAdaptive : try fields.nextPlaces(2)
        try JBIG2Place.check(adaptive.prefix(1))
        var reference: JBIG2Bitmap?
        for number in segment.references {
            if case .bitmap(let bitmap) = results[number] { reference = bitmap }
        }
        // Without another region, a part of the page is refined.
        try budget.spend(region.width, region.height)
        let part = bitmap?.part(x: region.x, y: region.y, width: region.width, height: region.height)
        guard let reference = reference ?? part else { throw .brokenJBIG2 }
        var decoder = JBIG2ArithmeticDecoder(segment.bytes, fields.rest)
        var contexts = [UInt8](repeating: 0, count: JBIG2RefinementRegion.contextCount)
        return try JBIG2RefinementRegion(
            width: region.width, height: region.height, isSmall: isSmall, adaptive: adaptive, reference: reference,
            offset: JBIG2Place(0, 0), predictsPixels: flags & 2 != 0
        ).decode(&decoder, &contexts, budget)
    }
}

extension JBIG2Page {
    /// The symbols of the dictionaries to which a segment refers, in their order.
    func symbols(of segment: JBIG2Segment) -> [JBIG2Bitmap] {
        segment.references.flatMap { number in
            if case .symbols(let symbols, _, _) = results[number] { symbols } else { [JBIG2Bitmap]() }
        }
    }

    /// The tables to which a segment refers, in their order.
    func tables(of segment: JBIG2Segment) -> [JBIG2HuffmanTable] {
        segment.references.compactMap { number in
            if case .table(let table) = results[number] { table } else { nil }
        }
    }

    /// The contexts of the last dictionary to which a segment refers.
    func contexts(of segment: JBIG2Segment) -> (generic: [UInt8], refinement: [UInt8])? {
        for number in segment.references.reversed() {
            if case .symbols(_, let generic, let refinement) = results[number] { return (generic, refinement) }
        }
        return nil
    }
}

extension JBIG2Segment {
    /// Returns the number of rows that the end of a generic region states if its header states no length.
    func heightAtEnd() throws(PictureFault) -> Int {
        var fields = Fields(bytes: bytes, rest: range.suffix(4))
        return try fields.next(4)
    }
}

extension JBIG2Place {
    /// Checks that adaptive pixels are decoded before those that they predict.
    static func check(_ places: some Sequence<JBIG2Place>) throws(PictureFault) {
        for place in places where place.y > 0 || place.y == 0 && place.x >= 0 { throw .brokenJBIG2 }
    }
}
