package import PageModel

extension Raster {
    /// Returns the raster in gray: the luma of ITU-R BT.601, computed from the samples as they are stored.
    ///
    /// That is 0.299 R + 0.587 G + 0.114 B, in the integers that Pillow uses, so that gray pages match other tools. A palette
    /// becomes gray of 8 bits. A profile for RGB does not fit gray samples and is dropped. A raster that is already gray is
    /// returned unchanged.
    package func gray() -> Raster {
        switch format {
        case .gray, .grayAlpha:
            return self
        case .palette(let bits, let colors):
            let table = Raster.entries(of: colors, bits: bits).map { color in
                [UInt8(Raster.luma(Int(color[0]), Int(color[1]), Int(color[2])))]
            }
            return mapped(table, to: .gray(bits: 8), iccProfile: .some(nil))
        case .rgb(let bits):
            return grayed(to: .gray(bits: bits))
        case .rgba(let bits):
            return grayed(to: .grayAlpha(bits: bits))
        }
    }

    /// Returns the luma. The weights are 65536ths, and the sum for white is white.
    private static func luma(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16
    }

    private func grayed(to target: PixelFormat) -> Raster {
        let channels = format.bitsPerPixel / format.bitsPerSample
        let step = target.bitsPerPixel / 8
        let total = size.area * step
        let bytes = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            samples.withUnsafeBufferPointer { samples in
                if target.bitsPerSample == 8 {
                    for pixel in 0..<size.area {
                        let first = pixel * channels
                        output[pixel * step] = UInt8(
                            truncatingIfNeeded: Raster.luma(
                                Int(samples[first]), Int(samples[first + 1]), Int(samples[first + 2])))
                        if step == 2 { output[pixel * 2 + 1] = samples[first + 3] }
                    }
                } else {
                    for pixel in 0..<size.area {
                        let first = pixel * channels * 2
                        func sample(_ index: Int) -> Int {
                            Int(samples[first + 2 * index]) << 8 | Int(samples[first + 2 * index + 1])
                        }
                        let luma = Raster.luma(sample(0), sample(1), sample(2))
                        output[pixel * step] = UInt8(truncatingIfNeeded: luma >> 8)
                        output[pixel * step + 1] = UInt8(truncatingIfNeeded: luma)
                        if step == 4 {
                            output[pixel * 4 + 2] = samples[first + 6]
                            output[pixel * 4 + 3] = samples[first + 7]
                        }
                    }
                }
            }
            count = total
        }
        return Raster(size: size, format: target, samples: bytes, resolution: resolution)
    }
}

extension Raster {
    /// Returns gray of 8 bits that represents the amount of ink of any color on the paper.
    ///
    /// It is the lowest of a pixel's red, green and blue, each relative to that of the paper. So yellow ink, which is nearly as
    /// bright as white, counts as ink, and yellowed paper does not. On a plain ground that is too strong a color for paper, the
    /// paper below it counts as white. If there is neither, the brightness is used.
    ///
    /// - Returns: the gray raster, and the color of the paper if it is found.
    /// - Precondition: the raster has no alpha.
    func ink() -> (gray: Raster, paper: RGB?) {
        let plain = narrowed().widened()
        guard case .rgb(8) = plain.format else { return (plain.gray(), nil) }
        if let paper = plain.ground(from: Raster.darkestPaper) {
            let color = RGB(red: UInt8(paper[0]), green: UInt8(paper[1]), blue: UInt8(paper[2]))
            return (plain.ink(on: paper), color)
        }
        return (plain.ground(from: 0) == nil ? plain.gray() : plain.ink(on: [255, 255, 255]), nil)
    }

    /// - Parameter paper: the levels of red, green and blue of the paper.
    private func ink(on paper: [Int]) -> Raster {
        let (minimum, maximum) = (paper.min() ?? 255, paper.max() ?? 255)
        let bytes = [UInt8](unsafeUninitializedCapacity: size.area) { output, count in
            samples.withUnsafeBufferPointer { samples in
                if maximum - minimum <= Raster.maximumTint {
                    for pixel in 0..<size.area {
                        let first = pixel &* 3
                        output[pixel] = min(samples[first], samples[first &+ 1], samples[first &+ 2])
                    }
                } else {
                    let tables = paper.flatMap { level in
                        (0...255).map { UInt8(min(255, ($0 * maximum + level / 2) / level)) }
                    }
                    tables.withUnsafeBufferPointer { tables in
                        for pixel in 0..<size.area {
                            let first = pixel &* 3
                            output[pixel] = min(
                                tables[Int(samples[first])], tables[256 &+ Int(samples[first &+ 1])],
                                tables[512 &+ Int(samples[first &+ 2])])
                        }
                    }
                }
            }
            count = size.area
        }
        return Raster(size: size, format: .gray(bits: 8), samples: bytes, resolution: resolution)
    }

    /// The maximum difference between the colors of white paper.
    private static let maximumTint = 4
    /// The darkest level of paper in any color, the minimum share of a page that it covers, and the levels within which it
    /// varies.
    private static let (darkestPaper, minimumShare, maximumGrain) = (90, 3, 12)

    /// Returns the most frequent levels of red, green and blue from a level on; nil if they cover too little of the page.
    private func ground(from lowest: Int) -> [Int]? {
        var counts = [Int](repeating: 0, count: 3 * 256)
        // A prime, so that no column is sampled repeatedly.
        let places = stride(from: 0, to: size.area, by: 31)
        for pixel in places {
            for color in 0..<3 { counts[256 * color + Int(samples[3 * pixel + color])] += 1 }
        }
        let seen = (size.area + 30) / 31
        var levels: [Int] = []
        for color in 0..<3 {
            let counts = counts[256 * color..<256 * color + 256]
            let light = counts.startIndex + lowest..<counts.endIndex
            guard let place = light.max(by: { counts[$0] < counts[$1] }) else { return nil }
            let near =
                max(
                    counts.startIndex, place - Raster.maximumGrain)...min(
                    counts.endIndex - 1, place + Raster.maximumGrain)
            guard counts[near].reduce(0, +) * Raster.minimumShare >= seen else { return nil }
            levels.append(place - counts.startIndex)
        }
        return levels
    }
}

extension Raster {
    /// Returns the raster in gray if it is RGB without a profile and every pixel is gray; otherwise unchanged.
    ///
    /// Nothing is lost, and a rendered page of black text shrinks to a third of the size.
    package func withoutNeedlessColor() -> Raster {
        switch format {
        case .rgb(bits: 8) where iccProfile == nil: withoutNeedlessColor(bytes: 1)
        case .rgb(bits: 16) where iccProfile == nil: withoutNeedlessColor(bytes: 2)
        default: self
        }
    }

    /// - Parameter bytes: the bytes of a sample; a constant after inlining, so that the loops become vector code.
    @inline(__always) private func withoutNeedlessColor(bytes: Int) -> Raster {
        let isGray = samples.withUnsafeBufferPointer { samples in
            var different: UInt8 = 0
            for start in stride(from: 0, to: samples.count, by: 3 * bytes * 4096) {
                let end = min(start + 3 * bytes * 4096, samples.count)
                for pixel in stride(from: start, to: end, by: 3 * bytes) {
                    for red in pixel..<pixel + bytes {
                        let (green, blue) = (samples[red + bytes], samples[red + 2 * bytes])
                        different |= (samples[red] ^ green) | (samples[red] ^ blue)
                    }
                }
                if different != 0 { return false }
            }
            return true
        }
        guard isGray else { return self }
        let gray = [UInt8](unsafeUninitializedCapacity: size.area * bytes) { output, count in
            samples.withUnsafeBufferPointer { samples in
                for pixel in 0..<size.area {
                    for byte in 0..<bytes { output[pixel * bytes + byte] = samples[3 * pixel * bytes + byte] }
                }
            }
            count = size.area * bytes
        }
        return Raster(size: size, format: .gray(bits: 8 * bytes), samples: gray, resolution: resolution)
    }

    /// Returns the raster with every bit of its samples inverted: black becomes white, and indexes count from the end of their
    /// table.
    package func withBitsInverted() -> Raster {
        Raster(
            size: size, format: format, samples: samples.map { ~$0 }, resolution: resolution, iccProfile: iccProfile)
    }
}
