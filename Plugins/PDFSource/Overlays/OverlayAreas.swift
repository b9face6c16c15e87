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
    private(set) var areas: [OverlayPixels.Area] = []
    private let rect: PixelRect
    /// The colors on black and on white, row by row: a level for each pixel, or red, green and blue.
    private var drawings: [[UInt8]] = []
    private var channels = 1

    /// - Parameter rect: the part of the image.
    init(_ rect: PixelRect) {
        self.rect = rect
    }

    /// Adds the next of the three renderings. The last completes the areas.
    ///
    /// - Throws: `.unsupported` if no factor and addend explain all three.
    mutating func add(_ pixels: CairoPixels) throws(AdapterError) {
        if drawings.count == 2 { return try compare(with: pixels) }
        if channels == 1, let gray = pixels.gray() {
            drawings.append(gray)
        } else {
            if channels == 1 { drawings = drawings.map { $0.flatMap { [$0, $0, $0] } } }
            channels = 3
            drawings.append(pixels.rgb())
        }
    }

    private mutating func compare(with probe: CairoPixels) throws(AdapterError) {
        var open: (rows: Range<Int>, columns: Range<Int>)?
        var (y, bent) = (0, 0)
        let (black, white) = (drawings[0], drawings[1])
        probe.forEachRow { row in
            defer { y += 1 }
            let pixels = channels * y * rect.width..<channels * (y + 1) * rect.width
            let (touched, rowBent) = black.withUnsafeBufferPointer { black in
                white.withUnsafeBufferPointer { white in
                    OverlayAreas.touched(
                        UnsafeBufferPointer(rebasing: black[pixels]), UnsafeBufferPointer(rebasing: white[pixels]), row,
                        channels)
                }
            }
            bent = max(bent, rowBent)
            guard let touched else { return }
            if let area = open, y - area.rows.upperBound < OverlayDrawingLimits.rowsBetweenAreas {
                let left = min(area.columns.lowerBound, touched.lowerBound)
                open = (area.rows.lowerBound..<y + 1, left..<max(area.columns.upperBound, touched.upperBound))
            } else {
                if let area = open { add(area.rows, area.columns) }
                open = (y..<y + 1, touched)
            }
        }
        guard bent <= OverlayDrawingLimits.maximumNonlinearity else {
            throw AdapterError(.unsupported, "the content over the image is blended with it in an unusual way")
        }
        if let area = open { add(area.rows, area.columns) }
    }

    /// The number of pixels that are compared at once with untouched ones.
    private static let stretch = 64

    /// Returns the columns of a row from the first to the last touched pixel, and the maximum deviation from the straight line.
    ///
    /// No branch depends on a pixel, so the compiler can process several pixels at a time.
    private static func touched(
        _ black: UnsafeBufferPointer<UInt8>, _ white: UnsafeBufferPointer<UInt8>, _ probe: UnsafeBufferPointer<UInt32>,
        _ channels: Int
    ) -> (columns: Range<Int>?, bent: Int) {
        let levels = OverlayDrawingLimits.probe
        let untouched = UInt32(levels[0]) << 16 | UInt32(levels[1]) << 8 | UInt32(levels[2])
        var (touched, bent): (Range<Int>?, Int32) = (nil, 0)
        for start in stride(from: 0, to: probe.count, by: stretch) {
            let columns = start..<min(start + stretch, probe.count)
            var (deviation, change): (UInt32, UInt8) = (0, 0)
            for x in columns { deviation |= (probe[x] ^ untouched) & 0xFF_FFFF }
            for index in channels * columns.lowerBound..<channels * columns.upperBound {
                change |= black[index] | ~white[index]
            }
            // Most stretches are untouched. Rounding alone may move the third color.
            if change != 0 { touched = (touched?.lowerBound ?? start)..<columns.upperBound }
            guard deviation != 0 || change != 0 else { continue }
            for channel in 0..<3 {
                let (level, shift) = (Int32(levels[channel]), UInt32(16 - 8 * channel))
                let place = channels == 1 ? 0 : channel
                for x in columns {
                    let (low, high) = (Int32(black[channels &* x &+ place]), Int32(white[channels &* x &+ place]))
                    let product = (high &- low) &* level
                    let expected = low &+ (product &+ (product < 0 ? -127 : 127)) / 255
                    let difference = expected &- Int32(truncatingIfNeeded: probe[x] &>> shift & 0xFF)
                    bent = max(bent, difference, 0 &- difference)
                }
            }
        }
        func isTouched(_ x: Int) -> Bool {
            (channels * x..<channels * (x + 1)).contains { black[$0] | ~white[$0] != 0 }
        }
        let columns = touched.flatMap { touched in
            touched.first(where: isTouched).flatMap { first in touched.last(where: isTouched).map { first..<$0 + 1 } }
        }
        return (columns, Int(bent))
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
        let first = channels * (top * rect.width + left)
        return rows.contains { y in
            columns.contains { x in
                let pixel = channels * (y * rect.width + x)
                return drawings.contains { drawing in
                    (0..<channels).contains { drawing[pixel + $0] != drawing[first + $0] }
                }
            }
        }
    }

    private mutating func add(_ rows: Range<Int>, _ columns: Range<Int>) {
        let place = PixelRect(
            x: rect.x + columns.lowerBound, y: rect.y + rows.lowerBound, width: columns.count, height: rows.count)
        let parts = drawings.map { part($0, rows, columns) }
        areas.append(OverlayPixels.Area(place, black: parts[0], white: parts[1]))
    }

    /// Returns the colors of a part of a rendering.
    private func part(_ drawing: [UInt8], _ rows: Range<Int>, _ columns: Range<Int>) -> [UInt8] {
        var part: [UInt8] = []
        part.reserveCapacity(channels * rows.count * columns.count)
        for y in rows {
            let start = channels * (y * rect.width + columns.lowerBound)
            part += drawing[start..<start + channels * columns.count]
        }
        return part
    }
}
