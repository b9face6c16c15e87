package import PageModel

/// The limits of the detection of bands along the sides of a scan. Levels are those of 256 gray levels.
///
/// Chosen on synthetic scans; no separate measurement of these values is recorded.
enum BackdropLimits {
    /// The widths of a band, as shares of the page. A narrower one is the dark edge that scanners leave, and a wider
    /// one is part of the page.
    static let (minimumWidth, maximumWidth) = (Ratio(3, 100), Ratio(20, 100))
    /// The maximum difference of levels within a band, and within paper, from the most frequent one.
    static let maximumGrain = 25
    /// The minimum difference between paper and its darker surroundings, in levels.
    static let minimumContrast = 50
    /// The minimum depth of the paper after a band, as a share of the page.
    static let minimumPaperDepth = Ratio(1, 100)
    /// The maximum deviation of the band's edge from a straight line, as a share of the page.
    static let maximumUnevenness = Ratio(1, 100)
    /// The minimum number of lines of pixels through a band: fewer do not show whether its edge is straight.
    static let minimumLines = 30
    /// The number of parts of an edge: the medians of the first and the last one give its slope.
    static let parts = 3
    /// The minimum share of the lines that end at the band's straight edge.
    static let straightLines = Ratio(97, 100)
    /// The minimum share of the pixels near the side that have the band's level.
    static let plainPixels = Ratio(24, 25)
    /// The minimum share of the pixels before the paper that have the band's level: a shadow covers few.
    static let bandPixels = Ratio(4, 5)
    /// The minimum share of paper among the pixels well within the page.
    static let paperPixels = Ratio(1, 4)
    /// The distance of the examined pixels. It affects mostly the speed.
    static let step = 4
}

/// A plain dark band along a side of a scan: the scanner's lid or a table around a page smaller than the glass.
///
/// Bands along more than two sides are left alone: they could be the black background of a comic's panels.
package struct Backdrop {
    /// For each line of pixels that begins at the band's side, the number of its pixels in the band.
    private let depths: [Int]
    private let side: EdgeLines

    /// Returns the raster with paper in place of such bands; nil if it has none.
    package static func removed(from raster: Raster) -> Raster? {
        let found = EdgeLines.all(of: raster.size).compactMap { Backdrop(raster, $0) }
        guard (1...2).contains(found.count), let paper = paper(of: raster) else { return nil }
        var samples = raster.samples
        for backdrop in found {
            for (line, depth) in backdrop.depths.enumerated() {
                for place in 0..<depth { samples[backdrop.side.place(line, place)] = UInt8(paper) }
            }
        }
        return Raster(size: raster.size, format: raster.format, samples: samples)
    }

    /// Returns nil if there is not a band along a side.
    private init?(_ raster: Raster, _ side: EdgeLines) {
        let near = BackdropLimits.minimumWidth.of(side.length)
        // Bands along the other sides are excluded.
        let middle =
            BackdropLimits.maximumWidth.of(side.count)..<side.count - BackdropLimits.maximumWidth.of(side.count)
        guard near > 0, middle.count >= BackdropLimits.minimumLines,
            let level = Backdrop.plainLevel(of: raster, side, lines: middle, places: 0..<near),
            let paper = Backdrop.paper(of: raster), level + BackdropLimits.minimumContrast <= paper,
            let ends = Backdrop.ends(of: raster, side, lines: middle, level: level, paper: paper)
        else { return nil }
        // The page may be skewed: its edge is the straight line through the medians of the first and last third.
        let third = ends.count / BackdropLimits.parts
        let first = ends[..<third].sorted()[third / 2]
        let last = ends[(ends.count - third)...].sorted()[third / 2]
        let slope = Double(last - first) / Double(ends.count - third)
        let edge = (0..<side.count).map { line in
            first + Int(clamping: slope * Double(line - middle.lowerBound - third / 2), to: -side.length...side.length)
        }
        let uneven = max(1, BackdropLimits.maximumUnevenness.of(side.length))
        let straight = zip(middle, ends).count { abs(edge[$0] - $1) <= uneven }
        let far = BackdropLimits.maximumWidth.of(side.length)
        guard straight.isAtLeast(BackdropLimits.straightLines, of: ends.count),
            middle.allSatisfy({ (near...far).contains(edge[$0]) })
        else {
            return nil
        }
        self.side = side
        depths = edge.map { min(max(0, $0 + uneven), side.length) }
    }

    /// Returns the level of nearly all pixels near a side; nil if it does not exist, or is light.
    private static func plainLevel(
        of raster: Raster, _ side: EdgeLines, lines: Range<Int>, places: Range<Int>
    ) -> Int? {
        var counts = [Int](repeating: 0, count: PaperToneLimits.levelCount)
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: BackdropLimits.step) {
            for place in stride(from: places.lowerBound, to: places.upperBound, by: 2) {
                counts[Int(raster.samples[side.place(line, place)])] += 1
            }
        }
        let levels = 0...counts.count - 1 - BackdropLimits.minimumContrast
        guard let level = levels.max(by: { counts[$0] < counts[$1] }) else { return nil }
        let near = counts[max(0, level - BackdropLimits.maximumGrain)...level + BackdropLimits.maximumGrain].reduce(
            0, +)
        return near.isAtLeast(BackdropLimits.plainPixels, of: counts.reduce(0, +)) ? level : nil
    }

    /// Returns the distance from the side to the paper for each line; nil if too few of the pixels before have the band's level.
    private static func ends(
        of raster: Raster, _ side: EdgeLines, lines: Range<Int>, level: Int, paper: Int
    ) -> [Int]? {
        let (far, gap) = (
            BackdropLimits.maximumWidth.of(side.length), max(2, BackdropLimits.minimumPaperDepth.of(side.length))
        )
        // A shadow covers few of a band's pixels.
        var (plain, all) = (0, 0)
        let ends = lines.map { line -> Int in
            var (place, run) = (0, 0)
            while place < far + gap, run < gap {
                let seen = Int(raster.samples[side.place(line, place)])
                run = seen >= paper - BackdropLimits.maximumGrain ? run + 1 : 0
                if abs(seen - level) <= BackdropLimits.maximumGrain { plain += 1 }
                place += 1
            }
            all += place - run
            return place - run
        }
        return plain.isAtLeast(BackdropLimits.bandPixels, of: all) ? ends : nil
    }

    /// Returns the level of the paper, well within the page.
    ///
    /// Returns nil if the page has hardly any paper, or paper without grain. Such a page was not scanned, and a band is part of
    /// its design.
    private static func paper(of raster: Raster) -> Int? {
        let (width, height) = (raster.size.width, raster.size.height)
        let border = PixelSize(
            width: BackdropLimits.maximumWidth.of(width), height: BackdropLimits.maximumWidth.of(height))
        var counts = [Int](repeating: 0, count: PaperToneLimits.levelCount)
        for y in stride(from: border.height, to: height - border.height, by: BackdropLimits.step) {
            for x in stride(from: border.width, to: width - border.width, by: BackdropLimits.step) {
                counts[Int(raster.samples[y * width + x])] += 1
            }
        }
        func count(_ range: ClosedRange<Int>) -> Int { counts[range.clamped(to: 0...counts.count - 1)].reduce(0, +) }
        guard let level = PaperToneLimits.levels.max(by: { counts[$0] < counts[$1] }) else { return nil }
        let near = count(level - BackdropLimits.maximumGrain...level + BackdropLimits.maximumGrain)
        let isClean =
            level >= PaperToneLimits.blownOut
            || count(level - 1...level + 1).isAtLeast(PaperToneLimits.evenShare, of: near)
        return near.isAtLeast(BackdropLimits.paperPixels, of: counts.reduce(0, +)) && !isClean ? level : nil
    }
}
