/// The rows of a plane of samples that scalers still need, in a ring.
final class SampleRows {
    private let samples: UnsafeMutablePointer<Float>
    private let stride: Int
    private let room: Int

    /// - Parameters:
    ///   - padding: the samples after the end of each row, which are 0.
    ///   - room: the number of rows.
    init(width: Int, padding: Int, room: Int) {
        stride = width + padding
        self.room = room
        samples = .allocate(capacity: stride * room)
        samples.initialize(repeating: 0, count: stride * room)
    }

    deinit {
        samples.deallocate()
    }

    /// Returns the memory of a row, in which an earlier row may be.
    func row(_ row: Int) -> UnsafeMutablePointer<Float> { samples + row % room * stride }
}

/// A scaler of planes of samples with one kernel. It makes any part of a target row from the source rows in memory.
///
/// A part is scaled down first: a target row needs as many source rows as the kernel has weights, and most parts are narrow.
final class PlaneScaler {
    private typealias Vector = SIMD8<Float>

    private let across: ScalingWeights
    private let down: ScalingWeights
    /// The source columns of the part, scaled down.
    private let line: UnsafeMutablePointer<Float>
    /// The last target row that was made. Other parts have old samples.
    let target: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - across: the weights of the columns.
    ///   - down: the weights of the rows.
    ///   - width: the number of source columns.
    init(_ across: ScalingWeights, _ down: ScalingWeights, width: Int) {
        self.across = across
        self.down = down
        let room = width + PlaneScaler.padding(across)
        line = .allocate(capacity: room)
        line.initialize(repeating: 0, count: room)
        target = .allocate(capacity: across.first.count)
        target.initialize(repeating: 0, count: across.first.count)
    }

    deinit {
        line.deallocate()
        target.deallocate()
    }

    /// Returns the samples that source rows need after their ends.
    static func padding(_ across: ScalingWeights) -> Int { across.taps + Vector.scalarCount }

    /// Makes a part of the target row `place`.
    func scale(_ rows: SampleRows, to place: Int, columns: Range<Int>) {
        guard let last = columns.last else { return }
        scaleDown(rows, to: place, across.first[columns.lowerBound]..<across.first[last] + across.taps)
        scaleAcross(columns)
    }

    private func scaleDown(_ rows: SampleRows, to place: Int, _ columns: Range<Int>) {
        let (first, line) = (down.first[place], line)
        let sources = (0..<down.counts[place]).map { UnsafeRawPointer(rows.row(first + $0)) }
        let own = down.weights[place * down.taps..<place * down.taps + sources.count]
        own.withUnsafeBufferPointer { weights in
            sources.withUnsafeBufferPointer { sources in
                for x in stride(from: columns.lowerBound, to: columns.upperBound, by: Vector.scalarCount) {
                    var sum = Vector()
                    for tap in 0..<sources.count {
                        sum += sources[tap].loadUnaligned(fromByteOffset: x &* 4, as: Vector.self) * weights[tap]
                    }
                    UnsafeMutableRawPointer(line + x).storeBytes(of: sum, as: Vector.self)
                }
            }
        }
    }

    private func scaleAcross(_ columns: Range<Int>) {
        let (taps, line, target) = (across.taps, line, target)
        across.weights.withUnsafeBufferPointer { weights in
            across.first.withUnsafeBufferPointer { first in
                /// Returns the sums of the odd and of the even products of a target column.
                @inline(__always) func halves(_ x: Int) -> SIMD2<Float> {
                    let source = UnsafeRawPointer(line + first[x])
                    let own = UnsafeRawPointer(weights.baseAddress.unsafelyUnwrapped + x &* taps)
                    var sum = SIMD4<Float>()
                    for tap in stride(from: 0, to: taps &* 4, by: 16) {
                        sum +=
                            source.loadUnaligned(fromByteOffset: tap, as: SIMD4<Float>.self)
                            * own.loadUnaligned(fromByteOffset: tap, as: SIMD4<Float>.self)
                    }
                    return sum.lowHalf + sum.highHalf
                }
                var x = columns.lowerBound
                while x &+ 4 <= columns.upperBound {
                    let left = SIMD4(lowHalf: halves(x), highHalf: halves(x &+ 1))
                    let right = SIMD4(lowHalf: halves(x &+ 2), highHalf: halves(x &+ 3))
                    let sums =
                        SIMD4(lowHalf: left.evenHalf, highHalf: right.evenHalf)
                        + SIMD4(lowHalf: left.oddHalf, highHalf: right.oddHalf)
                    UnsafeMutableRawPointer(target + x).storeBytes(of: sums, as: SIMD4<Float>.self)
                    x &+= 4
                }
                for x in x..<columns.upperBound { target[x] = halves(x).sum() }
            }
        }
    }
}
