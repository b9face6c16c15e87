internal import PageModel

extension PixelFormat {
    /// How many samples of colour a pixel has, alpha not counted; an index is one.
    var colorants: Int {
        switch self {
        case .gray, .grayAlpha, .palette: 1
        case .rgb, .rgba: 3
        }
    }

    /// The same kind of samples with another number of bits.
    func with(bits: Int) -> PixelFormat {
        switch self {
        case .gray: .gray(bits: bits)
        case .grayAlpha: .grayAlpha(bits: bits)
        case .rgb: .rgb(bits: bits)
        case .rgba: .rgba(bits: bits)
        case .palette(_, let colors): .palette(bits: bits, colors: colors)
        }
    }
}

extension Raster {
    /// The raster with samples of 8 bits at least, each by itself: no smaller ones, no indexes. The colours stay.
    func widened() -> Raster {
        switch format {
        case .gray(let bits) where bits < 8:
            let most = 1 << bits - 1
            return mapped((0...most).map { [UInt8($0 * 255 / most)] }, to: .gray(bits: 8))
        case .palette(let bits, let colors):
            return mapped(Raster.entries(of: colors, bits: bits), to: .rgb(bits: 8))
        case .gray, .grayAlpha, .rgb, .rgba:
            return self
        }
    }

    /// The colours of all indexes of a palette.
    static func entries(of colors: [UInt8], bits: Int) -> [[UInt8]] {
        // An index without an entry is damage; as black it does no harm.
        (0..<1 << bits).map { 3 * $0 + 3 <= colors.count ? Array(colors[3 * $0..<3 * $0 + 3]) : [0, 0, 0] }
    }

    /// The raster with every pixel's bytes taken from a table.
    ///
    /// - Precondition: a pixel has 8 bits at most, and every value an entry of as many bytes as the format has.
    func mapped(_ table: [[UInt8]], to target: PixelFormat, iccProfile: [UInt8]?? = nil) -> Raster {
        let bits = format.bitsPerPixel
        let step = target.bitsPerPixel / 8
        precondition(bits <= 8 && table.count == 1 << bits && table.allSatisfy { $0.count == step })
        let entries = table.flatMap(\.self)
        let row = bytesPerRow
        let mask = 1 << bits - 1
        let total = size.area * step
        let bytes = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            samples.withUnsafeBufferPointer { samples in
                entries.withUnsafeBufferPointer { entries in
                    var index = 0
                    for y in 0..<size.height {
                        for x in 0..<size.width {
                            let place = x * bits
                            let byte = Int(samples[y * row + place >> 3])
                            let value = byte >> (8 - bits - place & 7) & mask
                            for part in 0..<step { output[index + part] = entries[value * step + part] }
                            index += step
                        }
                    }
                }
            }
            count = total
        }
        return Raster(
            size: size, format: target, samples: bytes, resolution: resolution,
            iccProfile: iccProfile ?? self.iccProfile)
    }
}
