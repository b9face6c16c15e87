/// The colors that chunks of a PNG describe (PNG 3rd edition §11.3.2 and §4.3).
///
/// A cICP chunk overrides a profile, a profile overrides an sRGB chunk, and that overrides gAMA and cHRM.
enum PNGColors {
    /// The described colors, and whether they override a profile in the file; nil for sRGB.
    static func described(_ file: ByteReader) -> (colors: DescribedColors, overridesProfile: Bool)? {
        var (exponent, primaries): (Double?, [Double]?) = (nil, nil)
        var isSRGB = false
        var offset = 8
        while let length = file.uint32(at: offset), let name = file.fourCC(at: offset + 4), name != "IDAT" {
            guard let contents = file.part(at: offset + 8, count: length) else { break }
            switch name {
            case "cICP":
                // Matrix coefficients other than 0 are for YCbCr, which a PNG never has.
                if let primaries = contents.uint8(at: 0), let transfer = contents.uint8(at: 1),
                    let colors = DescribedColors(primaries: primaries, transfer: transfer)
                {
                    return (colors, true)
                }
            case "sRGB": isSRGB = true
            case "gAMA":
                exponent = contents.uint32(at: 0).flatMap { $0 > 0 ? 100_000 / Double($0) : nil }
            case "cHRM":
                let numbers = (0..<8).compactMap { contents.uint32(at: 4 * $0) }.map { Double($0) / 100_000 }
                primaries = numbers.count == 8 ? numbers : nil
            default: break
            }
            offset += 12 + length
        }
        guard !isSRGB, exponent != nil || primaries != nil else { return nil }
        let curve = exponent.map(DescribedColors.Curve.gamma) ?? .sRGB
        return (DescribedColors(primaries: primaries ?? DescribedColors.sRGB, curve: curve), false)
    }

    /// Returns the profile of the samples: that of the file, or one made from the described colors.
    static func profile(_ file: ByteReader, own: [UInt8]?) -> [UInt8]? {
        guard let (colors, overrides) = described(file), overrides || own == nil else { return own }
        return colors.profile(ofGray: PNGCodec.isGray(file))
    }
}
