internal import PageModel

internal import func Glibc.sin

/// A filter kernel for scaling, in units of a source pixel, or of a target pixel when an image shrinks.
enum ScalingKernel: Hashable {
    /// The windowed sinc with three lobes: the sharpest, with overshoot.
    case lanczos
    /// The family of cubics of Mitchell and Netravali ("Reconstruction Filters in Computer Graphics", 1988).
    case cubic(b: Double, c: Double)
    /// The triangle of this half width. It erases patterns whose period is the half width.
    case triangle(Double)

    /// The cubic that Mitchell and Netravali recommend. It halves the moiré of Lanczos, and hardly overshoots.
    static let mitchell = ScalingKernel.cubic(b: 1.0 / 3, c: 1.0 / 3)
    /// The cubic B-spline: it has no overshoot, and averages dots of less than three target pixels to flat gray.
    static let spline = ScalingKernel.cubic(b: 1, c: 0)

    /// The distance beyond which the kernel is 0.
    var support: Double {
        switch self {
        case .lanczos: 3
        case .cubic: 2
        case .triangle(let width): width
        }
    }

    func value(at distance: Double) -> Double {
        let x = abs(distance)
        guard x < support else { return 0 }
        switch self {
        case .lanczos:
            if x < 1e-9 { return 1 }
            let angle = Double.pi * x
            return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
        case .triangle(let width): return 1 - x / width
        case .cubic(let b, let c):
            if x < 1 { return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + 6 - 2 * b) / 6 }
            return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x + 8 * b + 24 * c) / 6
        }
    }
}

/// The weights with which source pixels of a line make each target pixel.
struct ScalingWeights {
    /// The number of weights of each target pixel, a multiple of 4; unused ones are 0.
    let taps: Int
    /// The first source pixel of each target pixel. Its weights may extend beyond the line, where they are 0.
    private(set) var first: [Int]
    /// The number of source pixels of each target pixel whose weights are used.
    private(set) var counts: [Int]
    private(set) var weights: [Float]

    /// Returns the number of weights of each target pixel.
    static func taps(_ kernel: ScalingKernel, from source: Int, to target: Int) -> Int {
        let reach = kernel.support * max(Double(source) / Double(target), 1)
        return (Int(clamping: (2 * reach).rounded(.up) + 1, to: 1...source + 1) + 3) / 4 * 4
    }

    /// - Precondition: both lengths are positive.
    init(_ kernel: ScalingKernel, from source: Int, to target: Int) {
        let step = Double(source) / Double(target)
        let width = max(step, 1)
        let reach = kernel.support * width
        taps = ScalingWeights.taps(kernel, from: source, to: target)
        first = []
        counts = []
        weights = [Float](repeating: 0, count: taps * target)
        for place in 0..<target {
            let middle = (Double(place) + 0.5) * step - 0.5
            let start = max(0, Int(clamping: (middle - reach).rounded(.up), to: 0...source - 1))
            let end = min(source - 1, Int(clamping: (middle + reach).rounded(.down), to: 0...source - 1))
            let own = (start...max(start, end)).map { kernel.value(at: (Double($0) - middle) / width) }
            let sum = own.reduce(0, +)
            first.append(start)
            counts.append(own.count)
            for (tap, weight) in own.enumerated() { weights[place * taps + tap] = Float(weight / sum) }
        }
    }
}
