internal import func Glibc.cos
internal import func Glibc.sin

/// The power spectra of square blocks of gray pixels.
///
/// Two blocks are transformed at once, as the real and the imaginary part of one: their spectra are separable by symmetry.
final class BlockSpectrum {
    /// The side of a block in pixels.
    static let side = 64

    private let real: UnsafeMutablePointer<Float>
    private let imaginary: UnsafeMutablePointer<Float>
    private let spare: UnsafeMutablePointer<Float>
    private let window: [Float]
    private let cosines: [Float]
    private let sines: [Float]
    private let reversed: [Int]

    init() {
        let side = BlockSpectrum.side
        (real, imaginary, spare) = (BlockSpectrum.plane(), BlockSpectrum.plane(), BlockSpectrum.plane())
        let circle = (0..<side).map { 2 * Double.pi * Double($0) / Double(side) }
        // Von Hann's window: without it, the edges of the block would appear as a cross in the spectrum.
        window = circle.map { Float(0.5 - 0.5 * cos($0)) }
        cosines = circle.map { Float(cos($0)) }
        sines = circle.map { Float(-sin($0)) }
        let bits = side.trailingZeroBitCount
        reversed = (0..<side).map { index in
            (0..<bits).reduce(0) { $0 | (index >> $1 & 1) << (bits - 1 - $1) }
        }
    }

    /// Returns memory for a block, aligned for vectors.
    private static func plane() -> UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer.allocate(byteCount: 4 * side * side, alignment: 64).assumingMemoryBound(to: Float.self)
    }

    deinit {
        real.deallocate()
        imaginary.deallocate()
        spare.deallocate()
    }

    /// Computes the power of two blocks at half of the frequencies, column by column; they count in periods per block. The other
    /// half is its mirror image.
    ///
    /// - Parameters:
    ///   - pixels: the first pixels of the blocks.
    ///   - stride: the pixels from one row to the next.
    func powers(
        _ pixels: (UnsafePointer<UInt8>, UnsafePointer<UInt8>), stride: Int,
        into powers: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
    ) {
        let side = BlockSpectrum.side
        load(pixels.0, stride, into: real)
        load(pixels.1, stride, into: imaginary)
        transformColumns()
        transpose(real)
        transpose(imaginary)
        transformColumns()
        // The result is transposed.
        for column in 0...side / 2 {
            let mirrored = (side - column) % side * side
            for row in 0..<side {
                let (here, there) = (column &* side &+ row, mirrored &+ (side &- row) & (side &- 1))
                let (sumReal, differenceReal) = (real[here] + real[there], real[here] - real[there])
                let sum = imaginary[here] + imaginary[there]
                let difference = imaginary[here] - imaginary[there]
                powers.0[here] = (sumReal * sumReal + difference * difference) / 4
                powers.1[here] = (sum * sum + differenceReal * differenceReal) / 4
            }
        }
    }

    /// Loads a block without its mean, with the window. Rows go where the transform expects them.
    private func load(_ pixels: UnsafePointer<UInt8>, _ stride: Int, into plane: UnsafeMutablePointer<Float>) {
        let side = BlockSpectrum.side
        var sum: Int32 = 0
        for row in 0..<side {
            let line = pixels + row * stride
            for column in 0..<side { sum &+= Int32(line[column]) }
        }
        let mean = Float(sum) / Float(side * side)
        window.withUnsafeBufferPointer { window in
            for row in 0..<side {
                let (line, target) = (pixels + row * stride, plane + row * side)
                for column in 0..<side { target[column] = (Float(line[column]) - mean) * window[row] * window[column] }
            }
        }
    }

    private func transpose(_ plane: UnsafeMutablePointer<Float>) {
        let side = BlockSpectrum.side
        for row in 0..<side {
            for column in 0..<row {
                let (one, other) = (row * side + column, column * side + row)
                (plane[one], plane[other]) = (plane[other], plane[one])
            }
        }
    }

    /// Transforms all columns (Cooley and Tukey, 1965), each step for a whole row at once.
    private func transformColumns() {
        let side = BlockSpectrum.side
        for plane in [real, imaginary] {
            for row in 0..<side where reversed[row] > row {
                let (one, other) = (plane + row * side, plane + reversed[row] * side)
                spare.update(from: one, count: side)
                one.update(from: other, count: side)
                other.update(from: spare, count: side)
            }
        }
        var half = 1
        while half < side {
            let step = side / (2 * half)
            for start in stride(from: 0, to: side, by: 2 * half) {
                for offset in 0..<half {
                    butterfly(start + offset, start + offset + half, cosines[offset * step], sines[offset * step])
                }
            }
            half *= 2
        }
    }

    @inline(__always)
    private func butterfly(_ one: Int, _ other: Int, _ cosine: Float, _ sine: Float) {
        let side = BlockSpectrum.side
        let (cosines, sines) = (SIMD8<Float>(repeating: cosine), SIMD8<Float>(repeating: sine))
        let (oneReal, oneImaginary) = (rows(real, one), rows(imaginary, one))
        let (otherReal, otherImaginary) = (rows(real, other), rows(imaginary, other))
        for place in 0..<side / 8 {
            let (a, b) = (oneReal[place], oneImaginary[place])
            let (c, d) = (otherReal[place], otherImaginary[place])
            let (e, f) = (c * cosines - d * sines, c * sines + d * cosines)
            oneReal[place] = a + e
            oneImaginary[place] = b + f
            otherReal[place] = a - e
            otherImaginary[place] = b - f
        }
    }

    private func rows(_ plane: UnsafeMutablePointer<Float>, _ row: Int) -> UnsafeMutablePointer<SIMD8<Float>> {
        UnsafeMutableRawPointer(plane + row * BlockSpectrum.side).assumingMemoryBound(to: SIMD8<Float>.self)
    }
}
