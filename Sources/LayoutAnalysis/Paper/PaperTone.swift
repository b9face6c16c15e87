package import PageModel

/// The level of a page's paper, and the thresholds for ink.
package struct PaperTone: Sendable {
    /// The most frequent light level near the page's edges.
    package private(set) var level: Int
    /// Whether the paper is as even as only cleaned or digital pages have it; scans have a grain.
    package private(set) var isClean: Bool
    /// Whether nearly all of it has one level, as a digital image of any brightness.
    package private(set) var isPlain: Bool
    /// The share of paper in the band along the page's edges, 0 to 1.
    private let share: Double
    /// The share of nearly black pixels in that band, 0 to 1.
    private let darkShare: Double
    /// Whether enough of that band is paper to distinguish a page from an image that fills it.
    package var isSeen: Bool {
        let minimum =
            level >= PaperToneLimits.nearlyWhite ? PaperToneLimits.nearlyWhiteShare : PaperToneLimits.paperShare
        return !isDark && share > minimum
    }
    /// Whether most of that band is nearly black.
    package var isDark: Bool { darkShare >= PaperToneLimits.maximumDarkShare }
    /// For each block, the level below which a pixel is ink.
    private(set) var thresholds: [UInt8]
    private(set) var blocksAcross: Int

    /// Whether thresholds follow the local paper.
    package private(set) var isLocal = false
    /// The side of a block with its own threshold, in pixels.
    private(set) var block: Int

    package init(_ raster: Raster) {
        let (width, height) = (raster.size.width, raster.size.height)
        let frame = PaperTone.frame(raster)
        let total = max(1, frame.reduce(0, +))
        func count(_ range: ClosedRange<Int>) -> Int {
            frame[max(0, range.lowerBound)...min(frame.count - 1, range.upperBound)].reduce(0, +)
        }
        let level =
            PaperToneLimits.levels.max { count($0 - 2...$0 + 2) < count($1 - 2...$1 + 2) } ?? PaperToneLimits.white
        self.level = level
        let near = count(level - PaperToneLimits.grain...level + PaperToneLimits.grain)
        share = Double(near) / Double(total)
        darkShare = Double(count(0...PaperToneLimits.black)) / Double(total)
        isClean =
            level >= PaperToneLimits.blownOut
            || count(level - 1...level + 1).isAtLeast(PaperToneLimits.evenShare, of: near)
        // The most frequent level may be at an end of the window around `level`.
        let usual = (level - 2...level + 2).clamped(to: 0...frame.count - 1).max { frame[$0] < frame[$1] } ?? level
        isPlain = isClean || count(usual - 1...usual + 1).isAtLeast(PaperToneLimits.evenShare, of: near)
        let block = PaperToneLimits.block
        self.block = block
        let contrast = isClean ? PaperToneLimits.cleanContrast : PaperToneLimits.scanContrast
        let across = (width + block - 1) / block
        let down = (height + block - 1) / block
        blocksAcross = across
        var thresholds = [UInt8](repeating: 0, count: across * down)
        raster.samples.withUnsafeBufferPointer { samples in
            var histogram = [Int](repeating: 0, count: PaperToneLimits.levelCount / PaperToneLimits.binWidth)
            for blockY in 0..<down {
                for blockX in 0..<across {
                    for bin in histogram.indices { histogram[bin] = 0 }
                    var seen = 0
                    for y in stride(
                        from: blockY * block, to: min(height, (blockY + 1) * block), by: 2)
                    {
                        for x in stride(
                            from: blockX * block, to: min(width, (blockX + 1) * block), by: 2)
                        {
                            histogram[Int(samples[y * width + x]) / PaperToneLimits.binWidth] += 1
                            seen += 1
                        }
                    }
                    // The paper between strokes: all except the lightest fifth are darker.
                    var (bin, left) = (histogram.count - 1, PaperToneLimits.lightest.of(seen))
                    while bin > 0, histogram[bin] <= left {
                        left -= histogram[bin]
                        bin -= 1
                    }
                    let local = PaperToneLimits.binWidth * bin + PaperToneLimits.binWidth / 2
                    // A block full of ink has no paper for a comparison.
                    let base = local >= level - PaperToneLimits.maximumShading ? min(local, level) : level
                    thresholds[blockY * across + blockX] = max(1, UInt8(clamping: base - contrast))
                }
            }
        }
        self.thresholds = thresholds
    }

    /// Measures ink against the paper around it instead.
    ///
    /// In the shadow of a binding and on stained or toned paper a mark is ink if it is darker by a fifth.
    package mutating func follow(_ sheet: PaperSheet) {
        // A scanner background along the image's edges is not evidence about the paper.
        if !isSeen, sheet.isOnBackground { (level, isClean, isPlain) = (sheet.level, false, false) }
        block = sheet.cell
        blocksAcross = sheet.across
        thresholds = sheet.background.map {
            UInt8(max(1, Int($0) * PaperToneLimits.maximumInkPercent / PaperToneLimits.wholePercent))
        }
        isLocal = true
    }

    /// Whether a level is that of ink on paper of another level: darker by a fifth.
    package static func isInk(_ level: Double, onPaper paper: Double) -> Bool {
        level * Double(PaperToneLimits.wholePercent) < paper * Double(PaperToneLimits.maximumInkPercent)
    }

    /// Returns the difference in levels between the paper and a darker pixel.
    ///
    /// If thresholds follow the local paper, it is scaled to paper of the usual level. Ink in the shadow of a binding has the
    /// same proportional contrast.
    ///
    /// - Parameter threshold: the threshold of the place.
    @inline(__always)
    func contrast(of darkest: UInt8, below threshold: UInt8) -> UInt8 {
        guard isLocal else { return UInt8(max(0, level - Int(darkest))) }
        let paper = Int(threshold) * PaperToneLimits.wholePercent / PaperToneLimits.maximumInkPercent
        return UInt8(clamping: level * (paper - Int(darkest)) / max(1, paper))
    }

    /// Returns the levels in the band along the four edges, within the part that scanners darken and before the end of most
    /// margins.
    private static func frame(_ raster: Raster) -> [Int] {
        let (width, height) = (raster.size.width, raster.size.height)
        let shorterSide = min(width, height)
        let (outer, inner) = (
            PaperToneLimits.bandBegins.of(shorterSide),
            max(PaperToneLimits.bandEnds.of(shorterSide), PaperToneLimits.bandBegins.of(shorterSide) + 1)
        )
        var histogram = [Int](repeating: 0, count: PaperToneLimits.levelCount)
        raster.samples.withUnsafeBufferPointer { samples in
            func add(_ columns: Range<Int>, _ rows: Range<Int>) {
                for y in rows where !columns.isEmpty {
                    for x in columns { histogram[Int(samples[y * width + x])] += 1 }
                }
            }
            guard 2 * inner < shorterSide else { return add(0..<width, 0..<height) }
            add(outer..<width - outer, outer..<inner)
            add(outer..<width - outer, height - inner..<height - outer)
            add(outer..<inner, inner..<height - inner)
            add(width - inner..<width - outer, inner..<height - inner)
        }
        return histogram
    }
}
