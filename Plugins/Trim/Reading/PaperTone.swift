internal import PageModel

/// How light a page's paper is, and how dark a pixel must be to count as ink.
struct PaperTone: Sendable {
    /// The commonest light level near the page's edges.
    private(set) var level: Int
    /// Whether the paper is as even as only cleaned or digital pages have it; scans have a grain.
    private(set) var isClean: Bool
    /// How much of the band along the page's edges is paper, 0 to 1.
    let share: Double
    /// How much of that band is nearly black, 0 to 1.
    let darkShare: Double
    /// Whether enough of that band is paper to tell a page from a picture that fills it.
    var isSeen: Bool { darkShare < 0.6 && share > (level >= 240 ? 0.1 : 0.45) }
    /// For each block, the level below which a pixel is ink.
    private(set) var thresholds: [UInt8]
    private(set) var blocksAcross: Int

    /// Paper as light as this was made white by a program: no scanner leaves it so.
    static let blownOut = 253
    /// Show-through and the shade of a binding are less than this much darker than the paper around.
    private static let scanContrast = 46
    /// On even paper, screentone reduced to a light gray is no darker than this.
    private static let cleanContrast = 24
    /// Paper darkens this much towards a binding before it counts as something printed.
    private static let mostShade = 70

    /// Whether thresholds follow the paper at each place.
    private(set) var isLocal = false
    /// The side of a block that has a threshold of its own, in pixels.
    private(set) var block: Int

    init(_ raster: Raster) {
        let (width, height) = (raster.size.width, raster.size.height)
        let frame = PaperTone.frame(raster)
        let total = max(1, frame.reduce(0, +))
        func count(_ range: ClosedRange<Int>) -> Int {
            frame[max(0, range.lowerBound)...min(255, range.upperBound)].reduce(0, +)
        }
        let level = (130...255).max { count($0 - 2...$0 + 2) < count($1 - 2...$1 + 2) } ?? 255
        self.level = level
        let near = count(level - 12...level + 12)
        share = Double(near) / Double(total)
        darkShare = Double(count(0...90)) / Double(total)
        isClean = level >= PaperTone.blownOut || count(level - 1...level + 1) * 10 >= near * 9
        let block = 32
        self.block = block
        let contrast = isClean ? PaperTone.cleanContrast : PaperTone.scanContrast
        let across = (width + block - 1) / block
        let down = (height + block - 1) / block
        blocksAcross = across
        var thresholds = [UInt8](repeating: 0, count: across * down)
        raster.samples.withUnsafeBufferPointer { samples in
            var histogram = [Int](repeating: 0, count: 64)
            for blockY in 0..<down {
                for blockX in 0..<across {
                    for bin in 0..<64 { histogram[bin] = 0 }
                    var seen = 0
                    for y in stride(
                        from: blockY * block, to: min(height, (blockY + 1) * block), by: 2)
                    {
                        for x in stride(
                            from: blockX * block, to: min(width, (blockX + 1) * block), by: 2)
                        {
                            histogram[Int(samples[y * width + x] >> 2)] += 1
                            seen += 1
                        }
                    }
                    // The paper between strokes: all but the lightest fifth are darker.
                    var (bin, left) = (63, seen / 5)
                    while bin > 0, histogram[bin] <= left {
                        left -= histogram[bin]
                        bin -= 1
                    }
                    let local = 4 * bin + 2
                    // A block that is all ink has no paper to compare with.
                    let base = local >= level - PaperTone.mostShade ? min(local, level) : level
                    thresholds[blockY * across + blockX] = UInt8(max(1, min(255, base - contrast)))
                }
            }
        }
        self.thresholds = thresholds
    }

    /// Measures ink against the paper around it instead: in the shade of a binding and on stained or toned sheets a mark
    /// is ink when it is darker than that by a fifth.
    mutating func follow(_ sheet: Sheet) {
        // Along the picture's edges lies a bed: it tells nothing of the paper.
        if !isSeen, sheet.isOnBed { (level, isClean) = (sheet.level, false) }
        block = sheet.cell
        blocksAcross = sheet.across
        thresholds = sheet.background.map { UInt8(max(1, Int($0) * PaperTone.mostLight / 100)) }
        isLocal = true
    }

    /// How much darker than the paper something is; where that is followed, as it would be on paper of the usual level, since
    /// ink in the shade of a binding is as much darker than its paper as elsewhere in proportion.
    ///
    /// - Parameter threshold: that of the place.
    @inline(__always)
    func contrast(of darkest: UInt8, below threshold: UInt8) -> UInt8 {
        guard isLocal else { return UInt8(max(0, level - Int(darkest))) }
        let paper = Int(threshold) * 100 / PaperTone.mostLight
        return UInt8(max(0, min(255, level * (paper - Int(darkest)) / max(1, paper))))
    }

    /// How light ink may be, in percent of the paper's level.
    private static let mostLight = 81

    /// The levels in the band along the four edges that lies within what scanners darken and before most margins end.
    private static func frame(_ raster: Raster) -> [Int] {
        let (width, height) = (raster.size.width, raster.size.height)
        let least = min(width, height)
        let (outer, inner) = (least * 4 / 100, max(least * 7 / 100, least * 4 / 100 + 1))
        var histogram = [Int](repeating: 0, count: 256)
        raster.samples.withUnsafeBufferPointer { samples in
            func add(_ columns: Range<Int>, _ rows: Range<Int>) {
                for y in rows where !columns.isEmpty {
                    for x in columns { histogram[Int(samples[y * width + x])] += 1 }
                }
            }
            guard 2 * inner < least else { return add(0..<width, 0..<height) }
            add(outer..<width - outer, outer..<inner)
            add(outer..<width - outer, height - inner..<height - outer)
            add(outer..<inner, inner..<height - inner)
            add(width - inner..<width - outer, inner..<height - inner)
        }
        return histogram
    }
}
