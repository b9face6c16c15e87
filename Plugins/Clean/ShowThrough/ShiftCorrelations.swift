/// The correlations of the stains on a page with the print of another one, at all shifts within a reach.
struct ShiftCorrelations {
    /// The sum of the squares of the stains.
    let stains: Float
    /// For each shift, the sum of the products of the stains and the print, and that of the squares of the print.
    private(set) var sums: [Float]
    private(set) var squares: [Float]
    private let (across, down): (Int, Int)

    /// - Parameters:
    ///   - print: the print of the other page: mirrored, as a leaf shows it, or as it is.
    ///   - middle: the shift in the middle of the reach.
    ///   - across: the reach across.
    ///   - down: the reach down.
    init(_ side: LeafSide, _ print: Plane, _ middle: (x: Int, y: Int), _ across: Int, _ down: Int) {
        (self.across, self.down) = (across, down)
        let print = print.withoutLayout(on: Plane(width: print.width, height: print.height, repeating: 1))
        let (width, height) = (side.paper.width, side.paper.height)
        // The middle of the print is on that of the page. Beyond the print is bare paper.
        var field = Plane(width: width + 2 * across, height: height + 2 * down, repeating: 0)
        let left = (field.width - print.width) / 2 - middle.x
        let top = (field.height - print.height) / 2 - middle.y
        let columns = max(0, left)..<max(max(0, left), min(field.width, left + print.width))
        for y in max(0, top)..<max(max(0, top), min(field.height, top + print.height)) {
            for x in columns { field.values[y * field.width + x] = print.values[(y - top) * print.width + x - left] }
        }
        stains = side.stain.values.reduce(0) { $0 + $1 * $1 }
        (sums, squares) = ([], [])
        for y in 0...2 * down {
            for x in 0...2 * across {
                let rows = 0..<height
                let found = side.products(field, 0..<width, rows, step: 1, offset: y * field.width + x)
                sums.append(found.sum)
                squares.append(found.squares)
            }
        }
    }

    func place(_ x: Int, _ y: Int) -> Int { (y + down) * (2 * across + 1) + x + across }

    /// The correlation at a place.
    func value(_ place: Int) -> Float { correlation(sums[place], stains * squares[place]) }

    /// The correlation at a place and at one of the other page together.
    func joint(_ place: Int, with other: ShiftCorrelations, _ otherPlace: Int) -> Float {
        correlation(
            sums[place] + other.sums[otherPlace],
            (stains + other.stains) * (squares[place] + other.squares[otherPlace]))
    }
}

/// Returns a correlation from the sum of products and the product of the sums of squares.
func correlation(_ sum: Float, _ squares: Float) -> Float { squares > 1e-9 ? sum / squares.squareRoot() : 0 }

extension LeafSide {
    /// Returns the sum of the products of the stains and a print, and that of the squares of the print on paper.
    ///
    /// - Parameters:
    ///   - print: a plane in which every pixel of the area has one at the offset.
    ///   - step: the distance of the rows that count.
    func products(
        _ print: Plane, _ columns: Range<Int>, _ rows: Range<Int>, step: Int, offset: Int
    ) -> (sum: Float, squares: Float) {
        let (bytes, width, wide) = (MemoryLayout<Float>.stride, paper.width, print.width)
        var (sum, squares) = (SIMD8<Float>(), SIMD8<Float>())
        stain.values.withUnsafeBytes { stain in
            paper.values.withUnsafeBytes { paper in
                print.values.withUnsafeBytes { print in
                    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
                        var own = (y &* width &+ columns.lowerBound) &* bytes
                        let end = (y &* width &+ columns.upperBound &- 7) &* bytes
                        var other = (y &* wide &+ columns.lowerBound &+ offset) &* bytes
                        while own < end {
                            let ink = print.loadUnaligned(fromByteOffset: other, as: SIMD8<Float>.self)
                            sum += stain.loadUnaligned(fromByteOffset: own, as: SIMD8<Float>.self) * ink
                            squares += paper.loadUnaligned(fromByteOffset: own, as: SIMD8<Float>.self) * ink * ink
                            own &+= 8 &* bytes
                            other &+= 8 &* bytes
                        }
                    }
                }
            }
        }
        return (sum.sum(), squares.sum())
    }
}
