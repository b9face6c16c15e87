/// A scaler of one plane of samples with one kernel. It takes source rows one after the other, and keeps only the target rows that
/// are incomplete or wait for the kernels of others.
final class PlaneScaler {
    private let across: ScalingWeights
    private let down: ScalingWeights
    private let width: Int
    private let height: Int
    /// A source row, scaled across.
    private let line: UnsafeMutablePointer<Float>
    /// The target rows that were begun and not yet read, in a ring.
    private let sums: UnsafeMutablePointer<Float>
    private let room: Int
    /// The number of target rows that were begun.
    private var begun = 0

    /// - Parameters:
    ///   - across: the weights of the columns.
    ///   - down: the weights of the rows.
    ///   - ends: the number of source rows that are added before each target row is read. It never decreases.
    init(_ across: ScalingWeights, _ down: ScalingWeights, readAfter ends: [Int]) {
        self.across = across
        self.down = down
        width = across.first.count
        height = down.first.count
        room = PlaneScaler.rows(down, ends)
        line = .allocate(capacity: width)
        sums = .allocate(capacity: width * room)
    }

    deinit {
        line.deallocate()
        sums.deallocate()
    }

    /// The extra samples that a source row needs after its end.
    var padding: Int { across.taps }

    /// Returns the maximum number of target rows that are begun before the oldest of them is read.
    private static func rows(_ down: ScalingWeights, _ ends: [Int]) -> Int {
        var (begun, most) = (0, 1)
        for (place, end) in ends.enumerated() {
            while begun < down.first.count, down.first[begun] < end { begun += 1 }
            most = max(most, begun - place)
        }
        return most
    }

    /// Adds the source row `row` to the target rows that need it. `samples` has `padding` samples after its end.
    func add(_ samples: UnsafePointer<Float>, row: Int) {
        scaleAcross(samples)
        while begun < height, down.first[begun] <= row {
            (sums + begun % room * width).update(repeating: 0, count: width)
            begun += 1
        }
        var place = begun - 1
        while place >= 0, begun - place <= room {
            let tap = row - down.first[place]
            if tap < down.counts[place] { add(down.weights[place * down.taps + tap], to: place) }
            place -= 1
        }
    }

    /// Returns a complete target row.
    func row(_ place: Int) -> UnsafeMutablePointer<Float> { sums + place % room * width }

    private func add(_ weight: Float, to place: Int) {
        let sum = sums + place % room * width
        for x in 0..<width { sum[x] += weight * line[x] }
    }

    private func scaleAcross(_ samples: UnsafePointer<Float>) {
        let taps = across.taps
        across.weights.withUnsafeBufferPointer { weights in
            across.first.withUnsafeBufferPointer { first in
                for x in 0..<width {
                    let source = UnsafeRawPointer(samples + first[x])
                    let own = UnsafeRawPointer(weights.baseAddress.unsafelyUnwrapped + x * taps)
                    var sum = SIMD4<Float>()
                    for tap in stride(from: 0, to: taps * 4, by: 16) {
                        sum +=
                            source.loadUnaligned(fromByteOffset: tap, as: SIMD4<Float>.self)
                            * own.loadUnaligned(fromByteOffset: tap, as: SIMD4<Float>.self)
                    }
                    line[x] = sum.sum()
                }
            }
        }
    }
}
