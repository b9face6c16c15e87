/// The threshold at every pixel: that at the strong edges, and between them interpolated by a pyramid.
///
/// At an edge, ink and paper are both near (Su, Lu and Tan, "Robust document image binarization technique for degraded
/// document images", 2013). Far from edges the threshold is that of the nearest ones.
struct ThresholdSurface {
    /// A level of the pyramid: the values, and the weights with which they are known.
    private struct Level {
        let width: Int
        let height: Int
        var values: [Float]
        var weights: [Float]
    }

    private let size: (width: Int, height: Int)
    /// The thresholds at half of the resolution.
    private let half: Level

    /// - Parameter edges: the places of the edges, and the threshold at each.
    init(_ edges: [(place: Int32, threshold: Float)], width: Int, height: Int) {
        size = (width, height)
        var levels = [ThresholdSurface.first(edges, width, height)]
        while levels.count < BilevelLimits.levels, let last = levels.last, min(last.width, last.height) >= 4 {
            levels.append(ThresholdSurface.reduced(last))
        }
        var estimate = levels.removeLast()
        for place in estimate.values.indices { estimate.values[place] /= max(estimate.weights[place], 1e-9) }
        let belief = BilevelLimits.belief
        for level in levels.reversed() {
            var next = ThresholdSurface.enlarged(estimate, width: level.width, height: level.height)
            for place in next.values.indices {
                next.values[place] =
                    (level.values[place] + belief * next.values[place]) / (level.weights[place] + belief)
            }
            estimate = next
        }
        half = estimate
    }

    private static let kernel: [Float] = [1, 4, 6, 4, 1].map { $0 / 16 }

    /// Returns the sums over the edges at half of the resolution. Few pixels are edges, so each adds itself to its places.
    private static func first(_ edges: [(place: Int32, threshold: Float)], _ width: Int, _ height: Int) -> Level {
        var level = Level(
            width: (width + 1) / 2, height: (height + 1) / 2, values: [], weights: [])
        level.values = [Float](repeating: 0, count: level.width * level.height)
        level.weights = level.values
        for edge in edges {
            let (x, y) = (Int(edge.place) % width, Int(edge.place) / width)
            for row in max(0, (y - 1) / 2)...min(level.height - 1, (y + 2) / 2) where abs(y - 2 * row) <= 2 {
                for column in max(0, (x - 1) / 2)...min(level.width - 1, (x + 2) / 2) where abs(x - 2 * column) <= 2 {
                    let weight = kernel[y - 2 * row + 2] * kernel[x - 2 * column + 2]
                    level.values[row * level.width + column] += weight * edge.threshold
                    level.weights[row * level.width + column] += weight
                }
            }
        }
        return level
    }

    private static func reduced(_ level: Level) -> Level {
        var next = Level(
            width: (level.width + 1) / 2, height: (level.height + 1) / 2, values: [], weights: [])
        next.values = reduced(level.values, level, next)
        next.weights = reduced(level.weights, level, next)
        return next
    }

    private static func reduced(_ values: [Float], _ level: Level, _ next: Level) -> [Float] {
        var rows = [Float](repeating: 0, count: next.width * level.height)
        for y in 0..<level.height {
            for x in 0..<next.width {
                var sum: Float = 0
                for step in -2...2 {
                    sum += kernel[step + 2] * values[y * level.width + min(max(2 * x + step, 0), level.width - 1)]
                }
                rows[y * next.width + x] = sum
            }
        }
        var result = [Float](repeating: 0, count: next.width * next.height)
        for y in 0..<next.height {
            for step in -2...2 {
                let row = min(max(2 * y + step, 0), level.height - 1) * next.width
                for x in 0..<next.width { result[y * next.width + x] += kernel[step + 2] * rows[row + x] }
            }
        }
        return result
    }

    private static func enlarged(_ level: Level, width: Int, height: Int) -> Level {
        var result = [Float](repeating: 0, count: width * height)
        var (line, row) = ([Float](repeating: 0, count: level.width), [Float](repeating: 0, count: width))
        for y in 0..<height {
            enlarge(level, row: y, into: &row, by: &line)
            for x in 0..<width { result[y * width + x] = row[x] }
        }
        return Level(width: width, height: height, values: result, weights: [])
    }

    /// Fills a row of the next finer level. Even pixels lie on coarse ones (1, 6, 1), odd pixels between two (1, 1).
    private static func enlarge(_ level: Level, row y: Int, into output: inout [Float], by line: inout [Float]) {
        let (width, own) = (level.width, y / 2)
        let (above, below) = (max(0, own - 1) * width, min(level.height - 1, own + 1) * width)
        level.values.withUnsafeBufferPointer { values in
            line.withUnsafeMutableBufferPointer { line in
                let row = own * width
                if y.isMultiple(of: 2) {
                    for x in 0..<width {
                        line[x] = 0.125 * (values[above &+ x] + 6 * values[row &+ x] + values[below &+ x])
                    }
                } else {
                    for x in 0..<width { line[x] = 0.5 * (values[row &+ x] + values[below &+ x]) }
                }
                output.withUnsafeMutableBufferPointer { output in
                    for x in 0..<width {
                        let (left, right) = (line[max(0, x &- 1)], line[min(width &- 1, x &+ 1)])
                        output[2 &* x] = 0.125 * (left + 6 * line[x] + right)
                        if 2 &* x &+ 1 < output.count { output[2 &* x &+ 1] = 0.5 * (line[x] + right) }
                    }
                }
            }
        }
    }

    /// Calls `body` with each row and the thresholds of its pixels, except at the edges themselves.
    func forEachRow(_ body: (_ y: Int, _ thresholds: [Float]) -> Void) {
        var (line, row) = ([Float](repeating: 0, count: half.width), [Float](repeating: 0, count: size.width))
        for y in 0..<size.height {
            ThresholdSurface.enlarge(half, row: y, into: &row, by: &line)
            body(y, row)
        }
    }
}
