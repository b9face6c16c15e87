/// The ink of a page: a first guess by thresholds, and one pass in which pixels follow their neighbors.
///
/// A page has a border of one pixel, so that each pixel has four neighbors.
struct InkField {
    let width: Int
    let height: Int
    /// The number of pixels in a row with its border.
    let stride: Int
    /// The levels of the page.
    private var gray: [UInt8]
    /// 1 for ink, -1 for paper, 0 in the border.
    private(set) var labels: [Int8]
    /// Whether a strong edge is at a pixel.
    private(set) var isEdge: [Bool]

    init(_ gray: [UInt8], width: Int, height: Int, edges: [Int32]) {
        (self.width, self.height, stride) = (width, height, width + 2)
        let count = (width + 2) * (height + 2)
        self.gray = [UInt8](repeating: 0, count: count)
        labels = [Int8](repeating: 0, count: count)
        isEdge = [Bool](repeating: false, count: count)
        for y in -1...height {
            let row = min(max(y, 0), height - 1) * width
            for x in -1...width { self.gray[place(x, y)] = gray[row + min(max(x, 0), width - 1)] }
        }
        for edge in edges { isEdge[place(Int(edge) % width, Int(edge) / width)] = true }
        guess(edges)
    }

    /// Returns the place of a pixel in rows with borders.
    @inline(__always)
    func place(_ x: Int, _ y: Int) -> Int { (y &+ 1) &* stride &+ x &+ 1 }

    /// Compares each pixel with the threshold surface, and the edges with their own thresholds.
    private mutating func guess(_ edges: [Int32]) {
        let (width, stride, belief) = (width, stride, BilevelLimits.belief)
        let levels = edges.map { edge in
            (place: edge, threshold: threshold(at: place(Int(edge) % width, Int(edge) / width)))
        }
        let surface = ThresholdSurface(levels, width: width, height: height)
        surface.forEachRow { y, thresholds in
            let row = (y + 1) * stride + 1
            labels.withUnsafeMutableBufferPointer { labels in
                gray.withUnsafeBufferPointer { gray in
                    thresholds.withUnsafeBufferPointer { thresholds in
                        for x in 0..<width { labels[row &+ x] = Float(gray[row &+ x]) <= thresholds[x] ? 1 : -1 }
                    }
                }
            }
            for x in 0..<width where isEdge[row + x] {
                let own = (threshold(at: row + x) + belief * thresholds[x]) / (1 + belief)
                labels[row + x] = Float(gray[row + x]) <= own ? 1 : -1
            }
        }
    }

    /// Returns the threshold between the darkest and the lightest of the nine pixels around an edge.
    private func threshold(at middle: Int) -> Float {
        var (low, high) = (UInt8.max, UInt8.min)
        for row in [middle - stride, middle, middle + stride] {
            for other in row - 1...row + 1 { (low, high) = (min(low, gray[other]), max(high, gray[other])) }
        }
        return Float(low) + BilevelLimits.level * Float(high - low)
    }

    /// Lets each pixel follow the majority of its neighbors on its own side of the edges, on one color of a checkerboard after
    /// the other.
    ///
    /// The second derivative decides where they disagree (after Howe, "Document binarization with automatic parameter
    /// tuning", 2013, whose energy has the same terms).
    ///
    /// - Parameter strength: the usual strength of edges.
    mutating func relax(strength: Int) {
        let (width, height, stride, twentieth) = (width, height, stride, BilevelLimits.twentieth)
        let (bias, weight) = (BilevelLimits.bias * Int32(strength), BilevelLimits.neighbor * Int32(strength))
        labels.withUnsafeMutableBufferPointer { labels in
            gray.withUnsafeBufferPointer { gray in
                isEdge.withUnsafeBufferPointer { isEdge in
                    /// Returns the label of a neighbor; 0 across an edge. An edge pixel is a gate to a lighter neighbor. Of two
                    /// equal ones, the later one is the lighter.
                    @inline(__always)
                    func vote(_ place: Int, _ other: Int, isAfter: Bool) -> Int32 {
                        let (own, level) = (gray[place], gray[other])
                        let isGate =
                            isEdge[place] && (level > own || level == own && !isAfter)
                            || isEdge[other] && (own > level || own == level && isAfter)
                        return isGate ? 0 : Int32(labels[other])
                    }
                    for color in 0...1 {
                        for y in 0..<height {
                            let row = (y &+ 1) &* stride &+ 1
                            var x = (y &+ color) & 1
                            while x < width {
                                let place = row &+ x
                                let across = Int32(gray[place &- 1]) &+ Int32(gray[place &+ 1])
                                let down = Int32(gray[place &- stride]) &+ Int32(gray[place &+ stride])
                                let bend = twentieth &* (across &+ down &- 4 &* Int32(gray[place])) &- bias
                                let votes =
                                    vote(place, place &- 1, isAfter: false) &+ vote(place, place &+ 1, isAfter: true)
                                    &+ vote(place, place &- stride, isAfter: false)
                                    &+ vote(place, place &+ stride, isAfter: true)
                                labels[place] = bend &+ weight &* votes > 0 ? 1 : -1
                                x &+= 2
                            }
                        }
                    }
                }
            }
        }
    }
}
