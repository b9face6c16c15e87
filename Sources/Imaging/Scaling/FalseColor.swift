internal import func Glibc.exp

/// The reduction of the false color that a gray picture shows under a color filter, such as that of Kaleido.
///
/// Each pixel of such a screen lies under one color. So red, green and blue see different pixels of a fine pattern, and an eye sees
/// their differences as color. Two arrangements are known: cells of two by two pixels, and diagonal stripes that repeat every three
/// pixels. False color is the difference of the mean of every second or third pixel from that of all.
///
/// Gradient descent makes it small in light, near the given samples. A sample of a dark pixel hardly changes its light, so strokes
/// stay dark, and the bright side of their edges changes.
final class FalseColor {
    /// The pixels around one that an eye averages on each side.
    private static let reach = 5
    /// The steps of the descent. More hardly change the result.
    private static let steps = 6
    /// The rows beyond a strip that its result depends on.
    static let margin = reach * steps
    /// The weight of the difference from the given samples in that of false color. A smaller one blurs edges.
    private static let fidelity: Float = 0.08
    private static let rate: Float = 0.3
    private static let momentum: Float = 0.6
    /// The weight of stripes in that of cells, across and down.
    private static let stripes: Float = 0.7

    /// The weights of a Gaussian, of the pixels that share a color in two by two cells, and in stripes without those of all.
    private let (all, second, third): ([Float], [Float], [Float])
    private let width: Int
    /// The planes of a strip: the given samples, the last change, and the light that each weighting averages across.
    private let planes: [UnsafeMutablePointer<Float>]
    /// A row of light, with the pixels beyond its ends.
    private let line: UnsafeMutablePointer<Float>

    /// - Parameter rows: the most rows of a strip.
    init(width: Int, rows: Int) {
        self.width = width
        func weights(_ isCounted: (Int) -> Bool) -> [Float] {
            let places = -FalseColor.reach...FalseColor.reach
            let values = places.map { isCounted($0) ? exp(-Float($0 * $0) / 9) : 0 }
            let sum = values.reduce(0, +)
            return values.map { $0 / sum }
        }
        let all = weights { _ in true }
        (self.all, second) = (all, weights { $0 % 2 == 0 })
        third = zip(weights { $0 % 3 == 0 }, all).map { FalseColor.stripes * ($0 - $1) }
        planes = (0..<5).map { _ in .allocate(capacity: width * rows) }
        line = .allocate(capacity: width + 2 * FalseColor.reach)
    }

    deinit {
        for plane in planes { plane.deallocate() }
        line.deallocate()
    }

    /// Changes the samples of a strip, which are 0 to 1.
    func reduce(_ samples: UnsafeMutablePointer<Float>, rows: Int) {
        planes[0].update(from: samples, count: width * rows)
        planes[1].update(repeating: 0, count: width * rows)
        for _ in 0..<FalseColor.steps {
            for row in 0..<rows { averageAcross(samples + row * width, row) }
            for row in 0..<rows { step(samples + row * width, row, rows) }
        }
    }

    /// The light of a sample of sRGB, as a cubic within 0.002 of it, and its slope.
    static func light(_ sample: Float) -> Float {
        sample * (sample * (sample * 0.305_306 + 0.682_171) + 0.012_523)
    }

    private static func slope(_ sample: Float) -> Float { sample * (sample * 0.915_918 + 1.364_342) + 0.012_523 }

    private func averageAcross(_ samples: UnsafePointer<Float>, _ row: Int) {
        let reach = FalseColor.reach
        for x in 0..<width { line[reach + x] = FalseColor.light(samples[x]) }
        for x in 0..<reach {
            line[x] = line[reach]
            line[reach + width + x] = line[reach + width - 1]
        }
        for (weights, plane) in zip([all, second, third], planes[2...]) {
            let sums = plane + row * width
            sums.update(repeating: 0, count: width)
            for (tap, weight) in weights.enumerated() where weight != 0 {
                for x in 0..<width { sums[x] += weight * line[x + tap] }
            }
        }
    }

    private func step(_ samples: UnsafeMutablePointer<Float>, _ row: Int, _ rows: Int) {
        let color = line
        color.update(repeating: 0, count: width)
        for (weights, plane) in zip([all.map { -$0 }, second, third], planes[2...]) {
            for (tap, weight) in weights.enumerated() where weight != 0 {
                let sums = plane + min(max(row + tap - FalseColor.reach, 0), rows - 1) * width
                for x in 0..<width { color[x] += weight * sums[x] }
            }
        }
        let (given, change) = (planes[0] + row * width, planes[1] + row * width)
        for x in 0..<width {
            let sample = samples[x]
            let gradient = color[x] * FalseColor.slope(sample) + FalseColor.fidelity * (sample - given[x])
            change[x] = FalseColor.momentum * change[x] + gradient
            samples[x] = min(max(sample - FalseColor.rate * change[x], 0), 1)
        }
    }
}
