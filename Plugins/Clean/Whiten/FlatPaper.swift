internal import PageModel

/// The removal of the grain of flat paper.
///
/// A pixel is flat paper if the 25 around it are nearly white together, and none of them is darker than the grain
/// explains. So screentones, pale plates and pencil keep all their pixels: they have a texture, or another mean.
struct FlatPaper {
    /// The maximum darkness of one pixel, and of the 25 around a pixel together.
    private let (darkest, sum): (UInt16, UInt16)

    /// - Parameter deviation: the standard deviation of the paper, in levels.
    init(deviation: Float) {
        let darkest = Int(clamping: Double(WhiteningLimits.darkest * deviation).rounded(.up), to: 1...254)
        let sum = Int(clamping: Double(25 * max(1, WhiteningLimits.mean * deviation)), to: 1...1_000)
        (self.darkest, self.sum) = (UInt16(darkest), UInt16(sum))
    }

    /// Makes the flat paper of a page white whose paper is nearly white.
    func whiten(_ samples: inout [UInt8], _ size: PixelSize, channels: Int) {
        let (width, height, reach) = (size.width, size.height, 2)
        guard width > 2 * reach, height > 2 * reach else { return }
        // The darkness of the last five rows, and its sums by columns. A dark pixel exceeds any sum by itself.
        var rows = [[UInt16]](repeating: [UInt16](repeating: 0, count: width), count: 2 * reach + 1)
        var sums = [UInt16](repeating: 0, count: width)
        samples.withUnsafeMutableBufferPointer { samples in
            for y in 0..<height {
                let slot = y % rows.count
                rows[slot].withUnsafeMutableBufferPointer { row in
                    sums.withUnsafeMutableBufferPointer { sums in
                        enter(samples, row: y, width, channels, into: row, sums)
                        guard y >= 2 * reach else { return }
                        clear(samples, row: y - reach, width, channels, sums)
                    }
                }
            }
        }
    }

    /// Replaces the oldest row by the darkness of a row.
    @inline(__always)
    private func enter(
        _ samples: UnsafeMutableBufferPointer<UInt8>, row: Int, _ width: Int, _ channels: Int,
        into line: UnsafeMutableBufferPointer<UInt16>, _ sums: UnsafeMutableBufferPointer<UInt16>
    ) {
        // Five rows of five such pixels fit into 16 bits.
        let excess: UInt16 = 2_000
        /// The processor does this for many pixels at once if the loop has no branches.
        func add(_ level: UInt8, at x: Int) {
            let darkness = 255 &- UInt16(level)
            let value = darkness > darkest ? excess : darkness
            sums[x] = sums[x] &+ value &- line[x]
            line[x] = value
        }
        var place = row &* width &* channels
        if channels == 1 {
            for x in 0..<width { add(samples[place &+ x], at: x) }
        } else {
            for x in 0..<width {
                add(min(samples[place], samples[place &+ 1], samples[place &+ 2]), at: x)
                place &+= channels
            }
        }
    }

    /// Makes the flat pixels of a row white.
    @inline(__always)
    private func clear(
        _ samples: UnsafeMutableBufferPointer<UInt8>, row: Int, _ width: Int, _ channels: Int,
        _ sums: UnsafeMutableBufferPointer<UInt16>
    ) {
        let sum = sum
        let start = channels &* row &* width
        if channels == 1 {
            for x in 2..<width - 2 {
                let total = sums[x &- 2] &+ sums[x &- 1] &+ sums[x] &+ sums[x &+ 1] &+ sums[x &+ 2]
                samples[start &+ x] |= total <= sum ? 255 : 0
            }
            return
        }
        for x in 2..<width - 2 {
            let total = sums[x &- 2] &+ sums[x &- 1] &+ sums[x] &+ sums[x &+ 1] &+ sums[x &+ 2]
            guard total <= sum else { continue }
            for channel in 0..<channels { samples[start &+ channels &* x &+ channel] = 255 }
        }
    }
}
