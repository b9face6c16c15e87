internal import PageModel

/// The strength of a page's edges, and the places where it is greatest (Canny, "A computational approach to edge
/// detection", 1986).
struct EdgeField {
    let width: Int
    let height: Int
    /// The squares of the gradients, in units of `BilevelLimits.unit`.
    private(set) var squares: [Int32]
    /// Whether a gradient is the greatest across its edge.
    private var isRidge: [Bool]

    /// - Parameter gray: samples of 8 bits.
    init(_ gray: [UInt8], width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        squares = [Int32](repeating: 0, count: width * height)
        isRidge = [Bool](repeating: false, count: width * height)
        // The directions of gradients: across, down, and along both diagonals.
        var directions = [UInt8](repeating: 0, count: width * height)
        measure(gray, &directions)
        thin(directions)
    }

    private mutating func measure(_ gray: [UInt8], _ directions: inout [UInt8]) {
        let (width, height) = (width, height)
        var rows = BlurredRows(width: width, height: height)
        gray.withUnsafeBufferPointer { gray in
            squares.withUnsafeMutableBufferPointer { squares in
                directions.withUnsafeMutableBufferPointer { directions in
                    rows.fill(gray, -1)
                    rows.fill(gray, 0)
                    for y in 0..<height {
                        rows.fill(gray, y + 1)
                        rows.withRows(around: y) { above, own, below in
                            for x in 0..<width {
                                let corners = (above[x &+ 2] &- above[x]) &+ (below[x &+ 2] &- below[x])
                                let dx = (3 &* corners &+ 10 &* (own[x &+ 2] &- own[x])) &>> 3
                                let ends = (below[x] &- above[x]) &+ (below[x &+ 2] &- above[x &+ 2])
                                let dy = (3 &* ends &+ 10 &* (below[x &+ 1] &- above[x &+ 1])) &>> 3
                                squares[y &* width &+ x] = dx &* dx &+ dy &* dy
                                directions[y &* width &+ x] = EdgeField.direction(dx, dy)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns 0 for a gradient across, 1 down, 2 and 3 along the diagonals. The bounds are the tangents of 22.5° and 67.5°.
    @inline(__always)
    private static func direction(_ dx: Int32, _ dy: Int32) -> UInt8 {
        let (across, down) = (abs(dx), abs(dy) &<< 15)
        let low = across &* 13573
        if down < low { return 0 }
        if down > low &+ across &<< 16 { return 1 }
        return (dx ^ dy) < 0 ? 3 : 2
    }

    /// Finds the greatest gradient across each edge.
    private mutating func thin(_ directions: [UInt8]) {
        let (width, height) = (width, height)
        let least = Int32(BilevelLimits.weakLow * BilevelLimits.unit)
        squares.withUnsafeBufferPointer { squares in
            func square(_ x: Int, _ y: Int) -> Int32 {
                x < 0 || y < 0 || x >= width || y >= height ? 0 : squares[y &* width &+ x]
            }
            isRidge.withUnsafeMutableBufferPointer { isRidge in
                for y in 0..<height {
                    for x in 0..<width {
                        let own = squares[y &* width &+ x]
                        guard own > least &* least else { continue }
                        isRidge[y &* width &+ x] =
                            switch directions[y &* width &+ x] {
                            case 0: own > square(x &- 1, y) && own >= square(x &+ 1, y)
                            case 1: own > square(x, y &- 1) && own >= square(x, y &+ 1)
                            case 2: own > square(x &- 1, y &- 1) && own > square(x &+ 1, y &+ 1)
                            case _: own > square(x &+ 1, y &- 1) && own > square(x &- 1, y &+ 1)
                            }
                    }
                }
            }
        }
    }

    /// The greatest strength of a gradient, in levels over two pixels.
    var greatestStrength: Double { Double(squares.max() ?? 0).squareRoot() / Double(BilevelLimits.unit) }

    /// The greatest strength that the grain of the paper explains, in levels over two pixels; 0 for dense print.
    ///
    /// Most pixels are paper, so their median shows the grain.
    var greatestGrain: Double {
        var counts = [Int](repeating: 0, count: 256)
        // A prime, so that no column is sampled repeatedly.
        for place in stride(from: 0, to: squares.count, by: 7) {
            counts[Int(clamping: 8 * strength(at: place), to: 0...255)] += 1
        }
        let median = Double(counts.place(ofShare: 1, of: 2)) / 8
        return median > BilevelLimits.maximumGrain ? 0 : BilevelLimits.grain * median
    }

    /// Returns the strength of the gradient at a pixel, in levels over two pixels.
    func strength(at place: Int) -> Double { Double(squares[place]).squareRoot() / Double(BilevelLimits.unit) }

    /// Returns the places of the edges that reach a high threshold somewhere and a low one everywhere, in levels.
    func edges(low: Double, high: Double) -> [Int32] {
        func square(_ level: Double) -> Int32 {
            let scaled = level * Double(BilevelLimits.unit)
            return Int32(Int(clamping: scaled * scaled, to: 0...Int(Int32.max)))
        }
        let (low, high) = (square(low), square(high))
        var isKnown = [Bool](repeating: false, count: squares.count)
        var places: [Int32] = []
        for place in squares.indices where isRidge[place] && squares[place] > high && !isKnown[place] {
            isKnown[place] = true
            var next = places.count
            places.append(Int32(place))
            while next < places.count {
                let (x, y) = (Int(places[next]) % width, Int(places[next]) / width)
                next += 1
                for row in max(0, y - 1)...min(height - 1, y + 1) {
                    for column in max(0, x - 1)...min(width - 1, x + 1) {
                        let other = row * width + column
                        if isRidge[other], !isKnown[other], squares[other] > low {
                            isKnown[other] = true
                            places.append(Int32(other))
                        }
                    }
                }
            }
        }
        return places
    }

    /// The usual strength of the edges of print, by which the page sets its own thresholds: Otsu's split of all edges.
    ///
    /// Nil for a page without any edge.
    func usualStrength() -> Int? {
        let weak = edges(low: Double(BilevelLimits.weakLow), high: Double(BilevelLimits.weakHigh))
        guard !weak.isEmpty else { return nil }
        var counts = [Double](repeating: 0, count: 256)
        for place in weak { counts[Int(clamping: strength(at: Int(place)), to: 0...255)] += 1 }
        return max(EdgeField.split(counts), BilevelLimits.weakHigh)
    }

    /// Returns the level that divides a histogram into the two classes of the greatest distance (Otsu 1979).
    private static func split(_ counts: [Double]) -> Int {
        let total = counts.reduce(0, +)
        let mean = counts.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element } / total
        var (best, level, share, sum) = (0.0, 0, 0.0, 0.0)
        for (place, count) in counts.enumerated() {
            share += count / total
            sum += Double(place) * count / total
            guard share > 0, share < 1 else { continue }
            let difference = mean * share - sum
            let between = difference * difference / (share * (1 - share))
            if between > best { (best, level) = (between, place) }
        }
        return level
    }
}

/// Three rows of a blurred image, in sixteenths of levels, with a pixel more on each side.
private struct BlurredRows {
    let width: Int
    let height: Int
    private var rows: [[Int32]]
    private var column: [Int32]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        rows = [[Int32]](repeating: [Int32](repeating: 0, count: width + 2), count: 3)
        column = [Int32](repeating: 0, count: width + 4)
    }

    /// Blurs a row, or the one next to it beyond the edge.
    mutating func fill(_ gray: UnsafeBufferPointer<UInt8>, _ y: Int) {
        let (width, height, blur) = (width, height, BilevelLimits.blur)
        func start(_ row: Int) -> Int { min(max(row, 0), height - 1) * width }
        let (a, b, c, d, e) = (start(y - 2), start(y - 1), start(y), start(y + 1), start(y + 2))
        let (k0, k1, k2) = (blur[0], blur[1], blur[2])
        column.withUnsafeMutableBufferPointer { column in
            for x in 0..<width {
                let inner = Int32(gray[b &+ x]) &+ Int32(gray[d &+ x])
                let outer = Int32(gray[a &+ x]) &+ Int32(gray[e &+ x])
                column[x &+ 2] = k0 &* Int32(gray[c &+ x]) &+ k1 &* inner &+ k2 &* outer
            }
            (column[0], column[1]) = (column[2], column[2])
            (column[width + 2], column[width + 3]) = (column[width + 1], column[width + 1])
            rows[(y + 3) % 3].withUnsafeMutableBufferPointer { row in
                for x in 0..<width {
                    let inner = column[x &+ 1] &+ column[x &+ 3]
                    let outer = column[x] &+ column[x &+ 4]
                    row[x &+ 1] = (k0 &* column[x &+ 2] &+ k1 &* inner &+ k2 &* outer) &>> 16
                }
                (row[0], row[width + 1]) = (row[1], row[width])
            }
        }
    }

    func withRows(
        around y: Int,
        _ body: (UnsafeBufferPointer<Int32>, UnsafeBufferPointer<Int32>, UnsafeBufferPointer<Int32>) -> Void
    ) {
        rows[(y + 2) % 3].withUnsafeBufferPointer { above in
            rows[y % 3].withUnsafeBufferPointer { own in
                rows[(y + 1) % 3].withUnsafeBufferPointer { below in body(above, own, below) }
            }
        }
    }
}
