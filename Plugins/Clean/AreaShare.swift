internal import PageModel

/// A rectangle of a page, in 65,535ths of the page: it holds for previews, and after scaling, too.
struct AreaShare: Hashable {
    let left: UInt16
    let top: UInt16
    let right: UInt16
    let bottom: UInt16

    /// The whole page.
    static let page = AreaShare(.page)

    init(_ area: PageArea) {
        func share(_ place: Double) -> UInt16 { UInt16(Int(clamping: place * 65_535, to: 0...65_535)) }
        (left, top, right, bottom) = (share(area.left), share(area.top), share(area.right), share(area.bottom))
    }

    init(_ columns: Range<Int>, _ rows: Range<Int>, of size: PixelSize) {
        func share(_ place: Int, _ whole: Int) -> UInt16 {
            UInt16(Int(clamping: Double(place) / Double(max(1, whole)) * 65_535, to: 0...65_535))
        }
        (left, right) = (share(columns.lowerBound, size.width), share(columns.upperBound, size.width))
        (top, bottom) = (share(rows.lowerBound, size.height), share(rows.upperBound, size.height))
    }

    /// Returns the columns of the rectangle in a raster.
    func columns(of size: PixelSize) -> Range<Int> { AreaShare.pixels(left, right, of: size.width) }

    /// Returns the rows of the rectangle in a raster.
    func rows(of size: PixelSize) -> Range<Int> { AreaShare.pixels(top, bottom, of: size.height) }

    /// Returns the pixels of the rectangle in a row or a column of `count` pixels.
    private static func pixels(_ low: UInt16, _ high: UInt16, of count: Int) -> Range<Int> {
        let first = (Int(low) * count + 32_767) / 65_535
        return first..<max(first, min(count, (Int(high) * count + 32_767) / 65_535))
    }

    /// Returns the rectangles of the cells of a grid that are set: the runs of each row, joined with equal ones above.
    ///
    /// - Parameters:
    ///   - side: the side of a cell, in pixels of the raster.
    ///   - size: the size of the raster.
    static func all(_ isSet: [Bool], across: Int, down: Int, side: Int, of size: PixelSize) -> [AreaShare] {
        var rectangles: [(columns: Range<Int>, rows: Range<Int>)] = []
        var open: [Range<Int>: Int] = [:]
        for y in 0..<down {
            var next: [Range<Int>: Int] = [:]
            var x = 0
            while x < across {
                guard isSet[y * across + x] else {
                    x += 1
                    continue
                }
                let start = x
                while x < across, isSet[y * across + x] { x += 1 }
                let index = open[start..<x] ?? rectangles.count
                if index == rectangles.count { rectangles.append((start..<x, y..<y)) }
                rectangles[index].rows = rectangles[index].rows.lowerBound..<y + 1
                next[start..<x] = index
            }
            open = next
        }
        return rectangles.map { columns, rows in
            AreaShare(
                columns.lowerBound * side..<min(size.width, columns.upperBound * side),
                rows.lowerBound * side..<min(size.height, rows.upperBound * side), of: size)
        }
    }
}
