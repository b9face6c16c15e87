internal import PageModel

/// The pixels of a preview that have a property, and their morphology (Serra, "Image analysis and mathematical
/// morphology", 1982).
struct PixelMask: Sendable {
    let width: Int
    let height: Int
    private(set) var isSet: [Bool]

    init(width: Int, height: Int, _ isSet: [Bool]) { (self.width, self.height, self.isSet) = (width, height, isSet) }

    subscript(x: Int, y: Int) -> Bool {
        get { isSet[y &* width &+ x] }
        set { isSet[y &* width &+ x] = newValue }
    }

    /// Returns the pixels as rectangles of cells. A cell belongs to them if one of its pixels is set.
    func areas(of cell: Int) -> [AreaShare] {
        let (across, down) = ((width + cell - 1) / cell, (height + cell - 1) / cell)
        var cells = [Bool](repeating: false, count: across * down)
        for y in 0..<height { for x in 0..<width where self[x, y] { cells[y / cell * across + x / cell] = true } }
        return AreaShare.all(
            cells, across: across, down: down, side: cell, of: PixelSize(width: width, height: height))
    }

    /// Returns the mask without the parts that are thinner than a square.
    ///
    /// - Parameters:
    ///   - radius: the square's side is twice this and one more.
    ///   - continues: whether the parts at the edge continue beyond it.
    func opened(_ radius: Int, continues: Bool) -> PixelMask {
        let (across, down) = (width + 2 * radius, height + 2 * radius)
        var padded = PixelMask(width: across, height: down, [Bool](repeating: continues, count: across * down))
        for y in 0..<height { for x in 0..<width { padded[x + radius, y + radius] = self[x, y] } }
        padded = padded.spread(radius, false).spread(radius, true)
        var result = self
        for y in 0..<height { for x in 0..<width where !padded[x + radius, y + radius] { result[x, y] = false } }
        return result
    }

    /// Returns the mask in which each pixel has the value that one within a square around it has.
    private func spread(_ radius: Int, _ value: Bool) -> PixelMask {
        func pass(_ source: [Bool], _ count: Int, _ step: Int, _ lines: Int, _ lineStep: Int) -> [Bool] {
            var result = source
            source.withUnsafeBufferPointer { source in
                result.withUnsafeMutableBufferPointer { result in
                    for line in 0..<lines {
                        let start = line &* lineStep
                        var end = -1
                        for place in 0..<min(radius, count) where source[start &+ place &* step] == value {
                            end = place &+ radius
                        }
                        for place in 0..<count {
                            let next = place &+ radius
                            if next < count, source[start &+ next &* step] == value { end = next &+ radius }
                            if place <= end { result[start &+ place &* step] = value }
                        }
                    }
                }
            }
            return result
        }
        return PixelMask(
            width: width, height: height, pass(pass(isSet, width, 1, height, width), height, width, width, 1))
    }

    /// Returns the mask without the components that touch an edge of the raster.
    var withoutEdges: PixelMask {
        var (result, pending) = (self, [Int]())
        func visit(_ x: Int, _ y: Int) {
            guard x >= 0, y >= 0, x < width, y < height, result[x, y] else { return }
            result[x, y] = false
            pending.append(y * width + x)
        }
        for x in 0..<width { for y in [0, height - 1] { visit(x, y) } }
        for y in 0..<height { for x in [0, width - 1] { visit(x, y) } }
        while let place = pending.popLast() {
            let (x, y) = (place % width, place / width)
            visit(x - 1, y)
            visit(x + 1, y)
            visit(x, y - 1)
            visit(x, y + 1)
        }
        return result
    }
}
