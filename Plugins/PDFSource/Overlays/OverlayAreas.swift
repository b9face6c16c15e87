internal import Imaging
internal import PDFStructure
internal import PageModel

/// The thresholds for measuring the content over an image.
enum OverlayDrawingLimits {
    /// The levels of 255 that a pixel may be off the straight line between black and white. Normal, Multiply, Screen, HardLight
    /// and Exclusion are off by 1 at most; all other blend modes by more than 3 somewhere.
    static let maximumNonlinearity = 3
    /// The number of rows without a touched pixel that end an area: that of two of the largest MCUs.
    static let rowsBetweenAreas = 32
    /// Returns the side of an opaque square that may hide readable content, in pixels of a scan.
    ///
    /// It is a 200th of the longer side, which is half a line of small print. Strokes of letters are thinner up to 40 points.
    static func hiddenSquare(on size: PixelSize) -> Int { max(6, max(size.width, size.height) / 200) }
    /// The maximum number of letters of the text in the report.
    static let maximumLetters = 80
    /// The color that is tested in addition to black and white: three different levels show blend modes that mix channels.
    static let probe: [UInt8] = [190, 70, 128]
}

/// The touched areas of three renderings of one part of an image: on black, on white and on `OverlayDrawingLimits.probe`.
struct OverlayAreas {
    private(set) var areas: [PictureOverlay.Area] = []
    private let rect: PixelRect
    /// The pixels with red, green and blue in the low 24 bits.
    private let black: [UInt32]
    private let white: [UInt32]

    /// - Parameter rect: the part; each rendering holds its pixels row by row.
    /// - Throws: `.unsupported` if no factor and addend explain all three renderings.
    init(_ rect: PixelRect, black: [UInt32], white: [UInt32], probe: [UInt32]) throws(AdapterError) {
        (self.rect, self.black, self.white) = (rect, black, white)
        var open: (rows: Range<Int>, columns: Range<Int>)?
        for y in 0..<rect.height {
            let row = y * rect.width..<(y + 1) * rect.width
            let (touched, bent) = OverlayAreas.touched(black[row].span, white[row].span, probe[row].span)
            guard bent <= OverlayDrawingLimits.maximumNonlinearity else {
                throw AdapterError(.unsupported, "the content over the image is blended with it in an unusual way")
            }
            guard let touched else { continue }
            if let area = open, y - area.rows.upperBound < OverlayDrawingLimits.rowsBetweenAreas {
                let left = min(area.columns.lowerBound, touched.lowerBound)
                open = (area.rows.lowerBound..<y + 1, left..<max(area.columns.upperBound, touched.upperBound))
            } else {
                if let area = open { add(area.rows, area.columns) }
                open = (y..<y + 1, touched)
            }
        }
        if let area = open { add(area.rows, area.columns) }
    }

    /// Returns the columns of a row from the first to the last touched pixel, and the maximum deviation from the straight line.
    private static func touched(
        _ black: Span<UInt32>, _ white: Span<UInt32>, _ probe: Span<UInt32>
    ) -> (columns: Range<Int>?, bent: Int) {
        let levels = OverlayDrawingLimits.probe.map(Int.init)
        let untouched = UInt32(levels[0] << 16 | levels[1] << 8 | levels[2])
        var (first, last, bent) = (-1, -1, 0)
        for x in black.indices {
            let (low, high, middle) = (black[x] & 0xFF_FFFF, white[x] & 0xFF_FFFF, probe[x] & 0xFF_FFFF)
            if low == 0, high == 0xFF_FFFF, middle == untouched { continue }
            for channel in 0..<3 {
                let shift = UInt32(16 - 8 * channel)
                let (start, end) = (Int(low >> shift & 0xFF), Int(high >> shift & 0xFF))
                let product = (end - start) * levels[channel]
                let expected = start + (product + (product < 0 ? -127 : 127)) / 255
                bent = max(bent, abs(expected - Int(middle >> shift & 0xFF)))
            }
            // Rounding alone may move the third color.
            if low == 0, high == 0xFF_FFFF { continue }
            if first < 0 { first = x }
            last = x
        }
        return (first < 0 ? nil : first..<last + 1, bent)
    }

    /// Whether the middle of a part of the image shows letters: pixels that are touched differently. Under an opaque shape all are
    /// alike. A bar over a word may be somewhat smaller than the word's box.
    func showsLetters(in whole: PDFBox) -> Bool {
        let (across, down) = (whole.width / 5, whole.height / 5)
        let box = PDFBox(
            left: whole.left + across, bottom: whole.bottom + down, right: whole.right - across, top: whole.top - down)
        let range = 0...1 << 24
        let (left, right) = (Int(clamping: box.left, to: range) - rect.x, Int(clamping: box.right, to: range) - rect.x)
        let (top, bottom) = (Int(clamping: box.bottom, to: range) - rect.y, Int(clamping: box.top, to: range) - rect.y)
        let columns = max(0, left)..<max(0, left, min(right, rect.width))
        let rows = max(0, top)..<max(0, top, min(bottom, rect.height))
        guard let top = rows.first, let left = columns.first else { return false }
        let first = top * rect.width + left
        return rows.contains { y in
            columns.contains { x in
                let place = y * rect.width + x
                return (black[place] ^ black[first]) & 0xFF_FFFF != 0 || (white[place] ^ white[first]) & 0xFF_FFFF != 0
            }
        }
    }

    private mutating func add(_ rows: Range<Int>, _ columns: Range<Int>) {
        let place = PixelRect(
            x: rect.x + columns.lowerBound, y: rect.y + rows.lowerBound, width: columns.count, height: rows.count)
        areas.append(
            PictureOverlay.Area(place, black: colors(of: black, rows, columns), white: colors(of: white, rows, columns))
        )
    }

    /// Returns the red, green and blue of a part of a rendering.
    private func colors(of drawing: [UInt32], _ rows: Range<Int>, _ columns: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 3 * rows.count * columns.count) { colors, count in
            for y in rows {
                for pixel in drawing[y * rect.width + columns.lowerBound..<y * rect.width + columns.upperBound] {
                    colors[count] = UInt8(truncatingIfNeeded: pixel >> 16)
                    colors[count + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
                    colors[count + 2] = UInt8(truncatingIfNeeded: pixel)
                    count += 3
                }
            }
        }
    }
}
