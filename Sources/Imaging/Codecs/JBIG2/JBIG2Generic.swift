/// A region whose pixels are predicted from their neighbors (ITU-T T.88, 6.2).
struct JBIG2GenericRegion {
    /// The pixels above and to the left that predict a pixel, and their order in the context.
    enum Template: Int {
        case large, medium, small, oneRow

        /// The pixels of a row with the same distance to the current one, as one piece of the context.
        struct Row {
            let above: Int
            let left: Int
            let right: Int
        }

        /// The rows from above. Their pixels include the adaptive ones at their usual places.
        var rows: [Row] {
            switch self {
            case .large:
                [
                    Row(above: 2, left: -2, right: 2), Row(above: 1, left: -3, right: 3),
                    Row(above: 0, left: -4, right: -1),
                ]
            case .medium:
                [
                    Row(above: 2, left: -1, right: 2), Row(above: 1, left: -2, right: 3),
                    Row(above: 0, left: -3, right: -1),
                ]
            case .small:
                [
                    Row(above: 2, left: -1, right: 1), Row(above: 1, left: -2, right: 2),
                    Row(above: 0, left: -2, right: -1),
                ]
            case .oneRow: [Row(above: 1, left: -3, right: 2), Row(above: 0, left: -4, right: -1)]
            }
        }

        /// The usual places of the adaptive pixels.
        var adaptive: [JBIG2Place] {
            switch self {
            case .large: [JBIG2Place(3, -1), JBIG2Place(-3, -1), JBIG2Place(2, -2), JBIG2Place(-2, -2)]
            case .medium: [JBIG2Place(3, -1)]
            case .small, .oneRow: [JBIG2Place(2, -1)]
            }
        }

        /// The context in which the equality of a row with the one above is coded.
        var equalityContext: Int {
            switch self {
            case .large: 0x9B25
            case .medium: 0x0795
            case .small: 0x00E5
            case .oneRow: 0x0195
            }
        }

        /// A number of contexts that is enough.
        static let contextCount = 1 << 16
    }

    let width: Int
    let height: Int
    let template: Template
    /// The places of the adaptive pixels.
    let adaptive: [JBIG2Place]
    /// Whether rows may be coded as equal to the one above.
    var predictsRows = false
    /// The pixels that are not coded, and white.
    var skipped: JBIG2Bitmap?

    /// Decodes the region.
    ///
    /// - Throws: `.damaged`, `.tooLarge`.
    func decode(
        _ decoder: inout JBIG2ArithmeticDecoder, _ contexts: inout [UInt8], _ budget: JBIG2Budget
    ) throws(PictureFault) -> JBIG2Bitmap {
        try budget.spend(width, height)
        var bitmap = JBIG2Bitmap(width: width, height: height)
        let moved = movedPixels()
        var isEqual = false
        for y in 0..<height {
            if predictsRows {
                if decoder.bit(&contexts[template.equalityContext]) == 1 { isEqual.toggle() }
                if isEqual {
                    if y > 0 {
                        for x in 0..<width { bitmap.pixels[y * width + x] = bitmap.pixels[(y - 1) * width + x] }
                    }
                    continue
                }
            }
            decodeRow(y, of: &bitmap, &decoder, &contexts, moved)
            if decoder.isExhausted { throw .brokenJBIG2 }
        }
        return bitmap
    }

    /// The adaptive pixels that are not at their usual places, with their bits in the context.
    private func movedPixels() -> [(bit: Int, place: JBIG2Place)] {
        zip(adaptive, template.adaptive).compactMap { place, usual in
            place == usual ? nil : (template.bit(of: usual), place)
        }
    }

    private func decodeRow(
        _ y: Int, of bitmap: inout JBIG2Bitmap, _ decoder: inout JBIG2ArithmeticDecoder, _ contexts: inout [UInt8],
        _ moved: [(bit: Int, place: JBIG2Place)]
    ) {
        // Each row of the template is a window that moves over a row of the bitmap.
        let rows = template.rows
        let (above, own) = (rows[rows.count - 2], rows[rows.count - 1])
        let highest = rows.count == 3 ? rows[0] : nil
        let mask = moved.reduce(0) { $0 | 1 << $1.bit }
        let (first, second) = (highest.map { bitmap.row(y - $0.above, $0) } ?? [], bitmap.row(y - above.above, above))
        var firstWindow = highest.map { Window($0, first) } ?? Window()
        var secondWindow = Window(above, second)
        var ownWindow = Window(own, [])
        contexts.withUnsafeMutableBufferPointer { contexts in
            for x in 0..<width {
                var context = firstWindow.value << secondWindow.count | secondWindow.value
                context = context << ownWindow.count | ownWindow.value
                if mask != 0 {
                    context &= ~mask
                    for (bit, place) in moved { context |= Int(bitmap[x + place.x, y + place.y]) << bit }
                }
                var pixel: UInt8 = 0
                if skipped == nil || skipped?[x, y] == 0 { pixel = decoder.bit(&contexts[context]) }
                bitmap.pixels[y * width + x] = pixel
                if highest != nil { firstWindow.append(first[x]) }
                secondWindow.append(second[x])
                ownWindow.append(pixel)
            }
        }
    }

    /// The pixels of a row of the template at one position.
    private struct Window {
        private(set) var count = 0
        private var mask = 0
        private(set) var value = 0

        init() {}

        /// - Parameter next: the pixels of the row that follow those of the window for the first pixel.
        init(_ row: Template.Row, _ next: [UInt8]) {
            count = row.right - row.left + 1
            mask = 1 << count - 1
            for pixel in next.suffix(max(0, row.right + 1)) { value = value << 1 | Int(pixel) }
        }

        @inline(__always)
        mutating func append(_ pixel: UInt8) { value = (value << 1 | Int(pixel)) & mask }
    }
}

extension JBIG2Bitmap {
    /// Returns a row as a template's window takes it in: for each pixel the one that the window gets after it. Behind them are
    /// the pixels of the window at the first pixel.
    fileprivate func row(_ y: Int, _ row: JBIG2GenericRegion.Template.Row) -> [UInt8] {
        let right = row.right
        guard y >= 0 else { return [UInt8](repeating: 0, count: width + right + 1) }
        let all = pixels[y * width..<(y + 1) * width]
        let padding = [UInt8](repeating: 0, count: right + 1)
        return Array((all.dropFirst(right + 1) + padding).prefix(width))
            + (all.prefix(right + 1) + padding).prefix(right + 1)
    }
}

/// A pixel relative to another one.
struct JBIG2Place: Hashable {
    let x: Int
    let y: Int

    init(_ x: Int, _ y: Int) {
        (self.x, self.y) = (x, y)
    }
}

extension JBIG2GenericRegion.Template {
    /// Returns the bit of the context in which a pixel of the template is.
    fileprivate func bit(of place: JBIG2Place) -> Int {
        var bit = rows.reduce(0) { $0 + $1.right - $1.left + 1 }
        for row in rows {
            bit -= row.right - row.left + 1
            if row.above == -place.y { return bit + row.right - place.x }
        }
        return 0
    }
}
