/// The texture of a block of a page, which decides how it is scaled.
struct TextureBlock {
    enum Kind {
        /// Little contrast: every method gives the same pixels.
        case flat
        /// Ink and paper with few levels between: lines and letters.
        case line
        /// Many levels between dark and light: a photograph or a painting.
        case picture
    }

    var kind: Kind
    /// The dots of a screentone; nil without screentone.
    var lattice: ToneLattice?

    /// The least contrast of a line, in levels.
    static let minimumContrast = 80
    /// The largest share of pixels between dark and light that makes a block line art. Photographs have more.
    static let maximumMidtones = 0.25
    /// The least contrast of dots, in levels.
    private static let minimumToneContrast = 16
    /// The divisor for the number of the darkest and of the lightest pixels that do not count, as dust and noise.
    private static let outliers = 100

    /// Returns the kind of a block, and whether its contrast suffices for dots.
    static func kind(_ pixels: UnsafePointer<UInt8>, stride: Int) -> (kind: Kind, mayBeTone: Bool) {
        let side = BlockSpectrum.side
        if contrast(pixels, stride: stride) < minimumToneContrast { return (.flat, false) }
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 4 * 256) { counts in
            counts.initialize(repeating: 0)
            // Four tables: a counter that was just stored takes long to load.
            for row in 0..<side {
                let line = pixels + row * stride
                for column in Swift.stride(from: 0, to: side, by: 4) {
                    for part in 0..<4 { counts[part << 8 | Int(line[column &+ part])] &+= 1 }
                }
            }
            for level in 0..<256 {
                for part in 1..<4 { counts[level] &+= counts[part << 8 | level] }
            }
            let few = side * side / outliers
            var (low, high, below, above) = (0, 255, Int(counts[0]), Int(counts[255]))
            while below <= few, low < 255 {
                low += 1
                below += Int(counts[low])
            }
            while above <= few, high > low {
                high -= 1
                above += Int(counts[high])
            }
            let contrast = high - low
            if contrast < minimumContrast { return (.flat, contrast >= minimumToneContrast) }
            let between = (low + contrast / 4 + 1)..<(high - contrast / 4)
            let midtones = between.reduce(0) { $0 + Int(counts[$1]) }
            let isLine = Double(midtones) < maximumMidtones * Double(side * side)
            return (isLine ? .line : .picture, true)
        }
    }

    /// Returns the difference between the lightest and the darkest pixel.
    private static func contrast(_ pixels: UnsafePointer<UInt8>, stride: Int) -> Int {
        var (low, high): (UInt8, UInt8) = (255, 0)
        for row in 0..<BlockSpectrum.side {
            let line = pixels + row * stride
            for column in 0..<BlockSpectrum.side {
                low = min(low, line[column])
                high = max(high, line[column])
            }
        }
        return Int(high) - Int(low)
    }
}
