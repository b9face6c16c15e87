internal import PageModel

/// A picture of real numbers, for the comparison of the two sides of a leaf.
struct Plane: Sendable {
    let width: Int
    let height: Int
    var values: [Float]

    init(width: Int, height: Int, values: [Float]) {
        (self.width, self.height, self.values) = (width, height, values)
    }

    init(width: Int, height: Int, repeating value: Float) {
        self.init(width: width, height: height, values: [Float](repeating: value, count: width * height))
    }

    /// The plane seen from the back.
    var mirrored: Plane {
        var result = self
        for y in 0..<height { result.values[y * width..<(y + 1) * width].reverse() }
        return result
    }

    /// Returns the means of the rectangles into which the pixels fall.
    ///
    /// - Parameter step: the number of pixels per pixel of the result, at least 1.
    func reduced(by step: Double) -> Plane {
        guard step > 1 else { return self }
        let across = max(1, Int(clamping: Double(width) / step, to: 1...width))
        let down = max(1, Int(clamping: Double(height) / step, to: 1...height))
        let columns = (0...across).map { Int(clamping: Double($0) * step, to: 0...width) }
        var result = Plane(width: across, height: down, repeating: 0)
        values.withUnsafeBufferPointer { values in
            result.values.withUnsafeMutableBufferPointer { result in
                for row in 0..<down {
                    let rows =
                        Int(
                            clamping: Double(row) * step, to: 0...height)..<Int(
                            clamping: Double(row + 1) * step, to: 0...height)
                    for y in rows {
                        let place = y &* width
                        for x in 0..<across {
                            var sum: Float = 0
                            for column in columns[x]..<columns[x &+ 1] { sum += values[place &+ column] }
                            result[row &* across &+ x] += sum
                        }
                    }
                    for x in 0..<across {
                        result[row &* across &+ x] /= Float(max(1, rows.count &* (columns[x &+ 1] &- columns[x])))
                    }
                }
            }
        }
        return result
    }

    /// Returns the values blurred by a bell that two boxes make. The edges are continued.
    func blurred(radius: Int) -> Plane { radius > 0 ? meaned(radius, radius).meaned(radius, radius) : self }

    /// Returns the means of the pixels within a distance across and down.
    func meaned(_ across: Int, _ down: Int) -> Plane {
        var result = self
        if across > 0 { result.meanRows(across) }
        if down > 0 { result.meanColumns(down) }
        return result
    }

    private mutating func meanRows(_ radius: Int) {
        let share = 1 / Float(2 * radius + 1)
        var line = [Float](repeating: 0, count: width)
        values.withUnsafeMutableBufferPointer { values in
            line.withUnsafeMutableBufferPointer { line in
                for y in 0..<height {
                    let row = y &* width
                    for x in 0..<width { line[x] = values[row &+ x] }
                    var sum = line[0] * Float(radius)
                    for x in 0...radius { sum += line[min(x, width &- 1)] }
                    for x in 0..<width {
                        values[row &+ x] = sum * share
                        sum += line[min(x &+ radius &+ 1, width &- 1)] - line[max(x &- radius, 0)]
                    }
                }
            }
        }
    }

    private mutating func meanColumns(_ radius: Int) {
        let share = 1 / Float(2 * radius + 1)
        let rows = values
        var sums = [Float](repeating: 0, count: width)
        rows.withUnsafeBufferPointer { rows in
            values.withUnsafeMutableBufferPointer { values in
                sums.withUnsafeMutableBufferPointer { sums in
                    for y in -radius...radius {
                        let row = min(max(y, 0), height &- 1) &* width
                        for x in 0..<width { sums[x] += rows[row &+ x] }
                    }
                    for y in 0..<height {
                        let row = y &* width
                        let enter = min(y &+ radius &+ 1, height &- 1) &* width
                        let leave = max(y &- radius, 0) &* width
                        for x in 0..<width {
                            values[row &+ x] = sums[x] * share
                            sums[x] += rows[enter &+ x] - rows[leave &+ x]
                        }
                    }
                }
            }
        }
    }
}

extension Plane {
    /// Returns what no row and no column around a pixel shows as a whole; 0 outside of the paper.
    ///
    /// Lines of print, columns and margins are at the same places on all pages, so they do not show a leaf.
    func withoutLayout(on paper: Plane) -> Plane {
        let reach = max(4, min(width, height) / ShowThroughLimits.surroundings)
        return centered(on: paper, reach, 0).centered(on: paper, 0, reach)
    }

    /// Returns the differences from the mean of the paper within a distance; 0 outside of the paper.
    private func centered(on paper: Plane, _ across: Int, _ down: Int) -> Plane {
        var result = self
        for place in values.indices { result.values[place] *= paper.values[place] }
        let (sums, counts) = (result.meaned(across, down), paper.meaned(across, down))
        for place in values.indices {
            let mean = sums.values[place] / max(counts.values[place], 1e-3)
            result.values[place] = paper.values[place] * (values[place] - mean)
        }
        return result
    }

    /// The median of the absolute values where the page is paper.
    func usualDistance(on paper: Plane) -> Float {
        var counts = [Int](repeating: 0, count: 512)
        for (value, share) in zip(values, paper.values) where share > 0 {
            counts[Int(clamping: Double(abs(value) * 1024), to: 0...511)] += 1
        }
        return (Float(counts.place(ofShare: 1, of: 2)) + 0.5) / 1024
    }
}

/// The nodes of a grid between which a pixel is, for linear interpolation. A node is in the middle of its block.
struct GridPlace {
    let first: Int
    let next: Int
    let share: Float

    init(_ pixel: Int, _ pixels: Int, _ nodes: Int) {
        let place = max(0, (Float(pixel) + 0.5) * Float(nodes) / Float(max(1, pixels)) - 0.5)
        first = Int(clamping: Double(place), to: 0...max(0, nodes - 1))
        next = min(first + 1, nodes - 1)
        share = min(1, place - Float(first))
    }

    static func all(_ pixels: Int, _ nodes: Int) -> [GridPlace] { (0..<pixels).map { GridPlace($0, pixels, nodes) } }
}
