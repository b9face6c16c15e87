internal import PageModel

extension Raster {
    /// Gray of 8 bits that tells how much ink lies on the paper, whatever its colour: the least of a pixel's colours,
    /// each compared with the paper's.
    ///
    /// Yellow is nearly as bright as white, and is no paper; yellowed paper is no ink. Where no paper is to be seen, the
    /// brightness must do.
    ///
    /// - Precondition: there is no alpha.
    func ink() -> Raster {
        let plain = narrowed().widened()
        guard case .rgb(8) = plain.format, let paper = plain.paper, let most = paper.max(), let least = paper.min()
        else { return plain.gray() }
        let bytes = [UInt8](unsafeUninitializedCapacity: size.area) { output, count in
            plain.samples.withUnsafeBufferPointer { samples in
                if most - least <= Raster.mostTint {
                    for pixel in 0..<size.area {
                        let first = pixel &* 3
                        output[pixel] = min(samples[first], samples[first &+ 1], samples[first &+ 2])
                    }
                } else {
                    let tables = paper.map { level in
                        (0...255).map { UInt8(min(255, ($0 * most + level / 2) / level)) }
                    }
                    for pixel in 0..<size.area {
                        let first = pixel &* 3
                        output[pixel] = min(
                            tables[0][Int(samples[first])], tables[1][Int(samples[first &+ 1])],
                            tables[2][Int(samples[first &+ 2])])
                    }
                }
            }
            count = size.area
        }
        return Raster(size: size, format: .gray(bits: 8), samples: bytes, resolution: resolution)
    }

    /// By how much the colours of white paper may differ.
    private static let mostTint = 4
    /// No paper is darker than that in any colour, and this part of a page is paper, within so many levels.
    private static let (darkestPaper, leastShare, mostGrain) = (90, 3, 12)

    /// The levels of red, green and blue that are commonest among the light ones; nil where they are no paper's.
    private var paper: [Int]? {
        var counts = [Int](repeating: 0, count: 3 * 256)
        // A prime, so that no column is met again and again.
        let places = stride(from: 0, to: size.area, by: 31)
        for pixel in places {
            for color in 0..<3 { counts[256 * color + Int(samples[3 * pixel + color])] += 1 }
        }
        let seen = (size.area + 30) / 31
        var levels: [Int] = []
        for color in 0..<3 {
            let counts = counts[256 * color..<256 * color + 256]
            let light = counts.startIndex + Raster.darkestPaper..<counts.endIndex
            guard let place = light.max(by: { counts[$0] < counts[$1] }) else { return nil }
            let near =
                max(counts.startIndex, place - Raster.mostGrain)...min(counts.endIndex - 1, place + Raster.mostGrain)
            guard counts[near].reduce(0, +) * Raster.leastShare >= seen else { return nil }
            levels.append(place - counts.startIndex)
        }
        return levels
    }
}
