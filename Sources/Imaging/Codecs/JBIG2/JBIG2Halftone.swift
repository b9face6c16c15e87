/// A dictionary of patterns of one size (ITU-T T.88, 6.7).
struct JBIG2PatternDictionary {
    let patterns: [JBIG2Bitmap]

    /// Decodes a segment.
    ///
    /// - Throws: `.damaged`, `.tooLarge`.
    init(_ segment: JBIG2Segment, _ budget: JBIG2Budget) throws(PictureFault) {
        var reader = segment.fields
        let flags = try reader.next(1)
        let (width, height, count) = (try reader.next(1), try reader.next(1), try reader.next(4) + 1)
        guard let template = JBIG2GenericRegion.Template(rawValue: flags >> 1 & 3), width > 0, height > 0 else {
            throw .brokenJBIG2
        }
        let plane = JBIG2Plane(
            isMMR: flags & 1 == 1, width: width * count, height: height, template: template,
            firstAdaptive: JBIG2Place(-width, 0))
        try budget.spend(width * count, height)
        let decoder = JBIG2PlaneDecoder(segment.bytes, reader.rest)
        let all = try decoder.decode(plane, budget)
        patterns = (0..<count).map { all.part(x: $0 * width, y: 0, width: width, height: height) }
    }
}

/// A bitmap of a pattern dictionary or of a halftone region.
struct JBIG2Plane {
    let isMMR: Bool
    let width: Int
    let height: Int
    let template: JBIG2GenericRegion.Template
    let firstAdaptive: JBIG2Place
    var skipped: JBIG2Bitmap?
}

/// A decoder of successive bitmaps.
final class JBIG2PlaneDecoder {
    private var arithmetic: JBIG2ArithmeticDecoder
    private var reader: JBIG2BitReader
    private var contexts = [UInt8](repeating: 0, count: JBIG2GenericRegion.Template.contextCount)

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        arithmetic = JBIG2ArithmeticDecoder(bytes, range)
        reader = JBIG2BitReader(bytes, range)
    }

    func decode(_ plane: JBIG2Plane, _ budget: JBIG2Budget) throws(PictureFault) -> JBIG2Bitmap {
        if plane.isMMR {
            return try JBIG2MMRDecoder.decode(&reader, width: plane.width, height: plane.height, budget)
        }
        let adaptive = [plane.firstAdaptive] + plane.template.adaptive.dropFirst()
        let region = JBIG2GenericRegion(
            width: plane.width, height: plane.height, template: plane.template, adaptive: adaptive,
            skipped: plane.skipped)
        return try region.decode(&arithmetic, &contexts, budget)
    }
}

/// A region of patterns on a grid, whose numbers are coded like levels of gray (6.6 and annex C).
struct JBIG2HalftoneRegion {
    private let width: Int
    private let height: Int
    private let patterns: [JBIG2Bitmap]
    private let columns: Int
    private let rows: Int
    private let origin: JBIG2Place
    private let step: JBIG2Place
    private let flags: Int

    /// Decodes a segment.
    ///
    /// - Parameter reader: the fields after those of every region.
    /// - Throws: `.damaged`, `.tooLarge`.
    static func decode(
        _ segment: JBIG2Segment, _ reader: JBIG2Segment.Fields, width: Int, height: Int, _ patterns: [JBIG2Bitmap],
        _ budget: JBIG2Budget
    ) throws(PictureFault) -> JBIG2Bitmap {
        var reader = reader
        let flags = try reader.next(1)
        let region = JBIG2HalftoneRegion(
            width: width, height: height, patterns: patterns, columns: try reader.next(4), rows: try reader.next(4),
            origin: JBIG2Place(try reader.nextSigned(4), try reader.nextSigned(4)),
            step: JBIG2Place(try reader.next(2), try reader.next(2)), flags: flags)
        return try region.decoded(JBIG2PlaneDecoder(segment.bytes, reader.rest), budget)
    }

    private func decoded(_ decoder: JBIG2PlaneDecoder, _ budget: JBIG2Budget) throws(PictureFault) -> JBIG2Bitmap {
        guard let first = patterns.first, let template = JBIG2GenericRegion.Template(rawValue: flags >> 1 & 3),
            let operation = JBIG2Bitmap.Operator(rawValue: flags >> 4 & 7)
        else { throw .brokenJBIG2 }
        try budget.spend(width, height)
        try budget.spend(columns, rows)
        var bitmap = JBIG2Bitmap(width: width, height: height, color: UInt8(truncatingIfNeeded: flags >> 7 & 1))
        var plane = JBIG2Plane(
            isMMR: flags & 1 == 1, width: columns, height: rows, template: template,
            firstAdaptive: template.adaptive[0])
        if flags >> 3 & 1 == 1 { plane.skipped = skipped(by: first) }
        var numbers = [Int](repeating: 0, count: columns * rows)
        var above = JBIG2Bitmap(width: columns, height: rows)
        // Gray code, from the highest bit.
        for _ in 0..<JBIG2Segment.bits(for: patterns.count) {
            var bits = try decoder.decode(plane, budget)
            bits.put(above, atX: 0, y: 0, .xor)
            for index in numbers.indices { numbers[index] = numbers[index] << 1 | Int(bits.pixels[index]) }
            above = bits
        }
        for (index, number) in numbers.enumerated() {
            try budget.spend(first.width, first.height)
            let place = place(index % columns, index / columns)
            // Numbers above the last pattern are damage that other programs accept.
            bitmap.put(patterns[min(number, patterns.count - 1)], atX: place.x, y: place.y, operation)
        }
        return bitmap
    }

    private func place(_ column: Int, _ row: Int) -> JBIG2Place {
        JBIG2Place(
            (origin.x + row * step.y + column * step.x) >> 8, (origin.y + row * step.x - column * step.y) >> 8)
    }

    /// The patterns that are outside of the region.
    private func skipped(by pattern: JBIG2Bitmap) -> JBIG2Bitmap {
        var skipped = JBIG2Bitmap(width: columns, height: rows)
        for index in skipped.pixels.indices {
            let place = place(index % columns, index / columns)
            let isOutside =
                place.x + pattern.width <= 0 || place.x >= width || place.y + pattern.height <= 0 || place.y >= height
            if isOutside { skipped.pixels[index] = 1 }
        }
        return skipped
    }
}
