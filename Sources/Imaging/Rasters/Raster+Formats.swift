package import PageModel

extension PixelFormat {
    /// The number of color samples of a pixel, without alpha; an index counts as one.
    var colorants: Int {
        switch self {
        case .gray, .grayAlpha, .palette: 1
        case .rgb, .rgba: 3
        }
    }

    /// Returns the same kind of samples with another number of bits.
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
    /// Returns the raster with separate samples of at least 8 bits and without indexes. The colors stay.
    package func widened() -> Raster {
        switch format {
        case .gray(let bits) where bits < 8:
            let maximum = 1 << bits - 1
            return mapped((0...maximum).map { [UInt8($0 * 255 / maximum)] }, to: .gray(bits: 8))
        case .palette(let bits, let colors):
            return mapped(Raster.entries(of: colors, bits: bits), to: .rgb(bits: 8))
        case .gray, .grayAlpha, .rgb, .rgba:
            return self
        }
    }

    /// Returns the colors of all indexes of a palette.
    static func entries(of colors: [UInt8], bits: Int) -> [[UInt8]] {
        // An index without an entry is damage; black is a harmless choice.
        (0..<1 << bits).map { 3 * $0 + 3 <= colors.count ? Array(colors[3 * $0..<3 * $0 + 3]) : [0, 0, 0] }
    }

    /// Returns the raster with every pixel replaced from a table. Each entry holds the bytes of a pixel in `target`.
    ///
    /// - Precondition: a pixel has at most 8 bits, and every value has an entry.
    func mapped(_ table: [[UInt8]], to target: PixelFormat, iccProfile: [UInt8]?? = nil) -> Raster {
        let bits = format.bitsPerPixel
        let step = target.bitsPerPixel / 8
        precondition(bits <= 8 && table.count == 1 << bits && table.allSatisfy { $0.count == step })
        // All pixels of a byte are replaced at once.
        let perByte = 8 / bits
        let mask = 1 << bits - 1
        let entries = (0...255).flatMap { byte in
            (0..<perByte).flatMap { table[byte >> (8 - bits - $0 * bits) & mask] }
        }
        let (row, length) = (bytesPerRow, size.width * step)
        let run = perByte * step
        let total = size.height * length
        let bytes = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            count = total
            guard let output = output.baseAddress else { return }
            samples.withUnsafeBufferPointer { samples in
                entries.withUnsafeBufferPointer { entries in
                    guard let samples = samples.baseAddress, let entries = entries.baseAddress else { return }
                    for y in 0..<size.height {
                        let (source, target) = (samples + y * row, output + y * length)
                        for x in 0..<length / run {
                            let entry = entries + Int(source[x]) * run
                            for part in 0..<run { target[x * run + part] = entry[part] }
                        }
                        for part in length / run * run..<length {
                            target[part] = entries[Int(source[length / run]) * run + part % run]
                        }
                    }
                }
            }
        }
        return Raster(
            size: size, format: target, samples: bytes, resolution: resolution,
            iccProfile: iccProfile ?? self.iccProfile)
    }
}

extension PixelFormat {
    /// Returns the smallest format that holds the samples of both without loss.
    ///
    /// It has 8 or 16 bits a sample, or fewer if both are the same gray format. It has color or alpha if one of them has.
    package func joined(with other: PixelFormat) -> PixelFormat {
        if self == other, !isPalette { return self }
        let bits = max(8, bitsPerSample, other.bitsPerSample)
        return switch (hasColor || other.hasColor, hasAlpha || other.hasAlpha) {
        case (false, false): .gray(bits: bits)
        case (false, true): .grayAlpha(bits: bits)
        case (true, false): .rgb(bits: bits)
        case (true, true): .rgba(bits: bits)
        }
    }

    /// Whether pixels may have colors other than gray.
    package var hasColor: Bool {
        switch self {
        case .gray, .grayAlpha: false
        case .rgb, .rgba, .palette: true
        }
    }

    /// Whether samples are indexes into a table of colors.
    package var isPalette: Bool {
        if case .palette = self { true } else { false }
    }
}

extension Raster {
    /// Returns the same image in a format that holds more, without loss.
    ///
    /// - Precondition: `format` results from joining the raster's own format with another.
    package func widened(to format: PixelFormat) -> Raster {
        if format == self.format { return self }
        precondition(!format.isPalette && [8, 16].contains(format.bitsPerSample))
        let wide = widened()
        let (from, to) = (wide.format, format)
        let isWide = from.bitsPerSample == 16
        let step = to.bitsPerSample / 8
        precondition(step == 2 || !isWide)
        // The source of each sample of a pixel; nil for a missing alpha.
        let colors = (0..<to.colorants).map { Optional(from.colorants == 1 ? 0 : $0) }
        let origins = colors + (to.hasAlpha ? [from.hasAlpha ? from.colorants : nil] : [])
        let pixel = from.bitsPerPixel / from.bitsPerSample
        let total = size.area * origins.count * step
        let samples = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            wide.samples.withUnsafeBufferPointer { input in
                origins.withUnsafeBufferPointer { origins in
                    var target = 0
                    for index in 0..<size.area {
                        for origin in origins {
                            // 8 bits become 16 by doubling the byte: 255 is 65535.
                            let place = origin.map { (index * pixel + $0) * (isWide ? 2 : 1) }
                            output[target] = place.map { input[$0] } ?? 255
                            if step == 2 { output[target + 1] = place.map { input[isWide ? $0 + 1 : $0] } ?? 255 }
                            target += step
                        }
                    }
                }
            }
            count = total
        }
        return Raster(size: size, format: format, samples: samples, resolution: resolution, iccProfile: iccProfile)
    }
}

extension Raster {
    /// Returns the raster with black added to its palette for indexes beyond its end; mostly unchanged.
    ///
    /// Files with such indexes exist, and later code should not have to check for them.
    func withWholePalette() -> Raster {
        guard case .palette(let bits, let colors) = format, colors.count < 3 << bits else { return self }
        let maximum = highestIndex(bits)
        guard maximum >= colors.count / 3 else { return self }
        let missing = 3 * (maximum + 1) - colors.count
        return with(.palette(bits: bits, colors: colors + [UInt8](repeating: 0, count: missing)), samples)
    }

    /// Returns the raster with indexes of as few bits as its palette needs; unchanged unless they have 8.
    func withSmallIndexes() -> Raster {
        guard case .palette(bits: 8, let colors) = format, colors.count <= 3 * 16 else { return self }
        let bits = colors.count <= 3 * 2 ? 1 : colors.count <= 3 * 4 ? 2 : 4
        let small = PixelFormat.palette(bits: bits, colors: colors)
        let row = Raster.bytesPerRow(width: size.width, format: small)
        var packed = [UInt8](repeating: 0, count: row * size.height)
        let perByte = 8 / bits
        for y in 0..<size.height {
            for x in 0..<size.width {
                packed[y * row + x / perByte] |=
                    samples[y * size.width + x] << UInt8(8 - bits - x % perByte * bits)
            }
        }
        return with(small, packed)
    }

    /// Returns the same image in other samples.
    func with(_ format: PixelFormat, _ samples: [UInt8]) -> Raster {
        Raster(size: size, format: format, samples: samples, resolution: resolution, iccProfile: iccProfile)
    }

    private func highestIndex(_ bits: Int) -> Int {
        if bits == 8 { return Int(samples.max() ?? 0) }
        var maximum: UInt8 = 0
        let mask = UInt8((1 << bits) - 1)
        let perByte = 8 / bits
        for y in 0..<size.height {
            for x in 0..<size.width {
                let byte = samples[y * bytesPerRow + x / perByte]
                maximum = max(maximum, byte >> UInt8(8 - bits - x % perByte * bits) & mask)
            }
            if maximum == mask { break }
        }
        return Int(maximum)
    }
}

extension Raster {
    /// Returns gray of 8 bits in 1, 2 or 4 bits, from the highest bits of each sample; any other raster unchanged.
    ///
    /// Nothing is lost if the samples have only levels that `format` has.
    package func packed(to format: PixelFormat) -> Raster {
        guard case .gray(let bits) = format, bits < 8, self.format == .gray(bits: 8) else { return self }
        return with(format, bits == 4 ? packed(bits: 4) : bits == 2 ? packed(bits: 2) : packed(bits: 1))
    }

    /// - Parameter bits: a constant after inlining, so that the loop becomes vector code.
    @inline(__always) private func packed(bits: Int) -> [UInt8] {
        let row = Raster.bytesPerRow(width: size.width, format: .gray(bits: bits))
        let (perByte, whole) = (8 / bits, size.width * bits / 8)
        return [UInt8](unsafeUninitializedCapacity: row * size.height) { packed, count in
            samples.withUnsafeBufferPointer { samples in
                for y in 0..<size.height {
                    let first = y * size.width
                    for place in 0..<whole {
                        var byte: UInt8 = 0
                        for x in 0..<perByte {
                            byte = byte << bits | samples[first &+ place &* perByte &+ x] >> (8 - bits)
                        }
                        packed[y &* row &+ place] = byte
                    }
                    if whole == row { continue }
                    packed[y * row + whole] = (whole * perByte..<size.width).enumerated().reduce(0) {
                        $0 | (samples[first + $1.element] >> (8 - bits)) << (8 - bits * ($1.offset + 1))
                    }
                }
            }
            count = row * size.height
        }
    }

    /// Returns gray of 8 bits rounded to the nearest of the 16 levels that 4 bits have; nil for any other raster.
    ///
    /// A level moves by 8 of 255 at most: invisible in the smoothed edges of letters, at half the bytes.
    package func roundedToSixteenLevels() -> Raster? {
        guard format == .gray(bits: 8) else { return nil }
        return mapped((0...255).map { [UInt8(($0 + 8) / 17 * 17)] }, to: format).packed(to: .gray(bits: 4))
    }

    /// Returns samples of 16 bits rounded to 8; any other raster unchanged.
    package func narrowed() -> Raster {
        guard format.bitsPerSample == 16 else { return self }
        let bytes = [UInt8](unsafeUninitializedCapacity: samples.count / 2) { output, count in
            samples.withUnsafeBufferPointer { input in
                for index in 0..<input.count / 2 {
                    let value = UInt32(input[2 * index]) << 8 | UInt32(input[2 * index + 1])
                    output[index] = UInt8((value * 255 + 32_767) / 65_535)
                }
            }
            count = samples.count / 2
        }
        return Raster(
            size: size, format: format.with(bits: 8), samples: bytes, resolution: resolution, iccProfile: iccProfile)
    }
}
