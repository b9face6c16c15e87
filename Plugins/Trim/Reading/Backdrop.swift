internal import PageModel

/// A plain dark band along a side of a scan: the scanner's lid or a table around a page smaller than the glass.
///
/// Bands along more than two sides are left alone: they could be the black background of a comic's panels.
struct Backdrop {
    /// For each line of pixels that begins at the band's side, the number of its pixels in the band.
    private let depths: [Int]
    private let side: EdgeLines

    /// The width of a band, in percent of the page. A narrower one is the dark edge that scanners leave, and a wider one is part
    /// of the page.
    private static let (minimumWidth, maximumWidth) = (3, 20)
    /// The maximum difference of levels within a band, and within paper, from the most frequent one.
    private static let maximumGrain = 25
    /// The minimum difference between paper and its darker surroundings, in levels.
    private static let minimumContrast = 50
    /// The minimum depth of the paper after a band, and the maximum deviation of its edge from a straight line, in percent of the
    /// page.
    private static let (minimumPaperDepth, maximumUnevenness) = (1, 1)

    /// Returns the raster with paper in place of such bands; nil if it has none.
    static func removed(from raster: Raster) -> Raster? {
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
        let near = side.length * Backdrop.minimumWidth / 100
        // Bands along the other sides are excluded.
        let middle = side.count * Backdrop.maximumWidth / 100..<side.count - side.count * Backdrop.maximumWidth / 100
        guard near > 0, middle.count >= 30,
            let level = Backdrop.plainLevel(of: raster, side, lines: middle, places: 0..<near),
            let paper = Backdrop.paper(of: raster), level + Backdrop.minimumContrast <= paper,
            let ends = Backdrop.ends(of: raster, side, lines: middle, level: level, paper: paper)
        else { return nil }
        // The page may be skewed: its edge is the straight line through the medians of the first and last third.
        let third = ends.count / 3
        let first = ends[..<third].sorted()[third / 2]
        let last = ends[(ends.count - third)...].sorted()[third / 2]
        let slope = Double(last - first) / Double(ends.count - third)
        let edge = (0..<side.count).map { line in
            first + Int(clamping: slope * Double(line - middle.lowerBound - third / 2), to: -side.length...side.length)
        }
        let uneven = max(1, side.length * Backdrop.maximumUnevenness / 100)
        let straight = zip(middle, ends).count { abs(edge[$0] - $1) <= uneven }
        let far = side.length * Backdrop.maximumWidth / 100
        guard straight * 100 >= ends.count * 97, middle.allSatisfy({ (near...far).contains(edge[$0]) }) else {
            return nil
        }
        self.side = side
        depths = edge.map { min(max(0, $0 + uneven), side.length) }
    }

    /// Returns the level of nearly all pixels near a side; nil if it does not exist, or is light.
    private static func plainLevel(
        of raster: Raster, _ side: EdgeLines, lines: Range<Int>, places: Range<Int>
    ) -> Int? {
        var counts = [Int](repeating: 0, count: 256)
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
            for place in stride(from: places.lowerBound, to: places.upperBound, by: 2) {
                counts[Int(raster.samples[side.place(line, place)])] += 1
            }
        }
        let levels = 0...255 - minimumContrast
        guard let level = levels.max(by: { counts[$0] < counts[$1] }) else { return nil }
        let near = counts[max(0, level - maximumGrain)...level + maximumGrain].reduce(0, +)
        return near * 25 >= counts.reduce(0, +) * 24 ? level : nil
    }

    /// Returns the distance from the side to the paper for each line; nil if too few of the pixels before have the band's level.
    private static func ends(
        of raster: Raster, _ side: EdgeLines, lines: Range<Int>, level: Int, paper: Int
    ) -> [Int]? {
        let (far, gap) = (side.length * maximumWidth / 100, max(2, side.length * minimumPaperDepth / 100))
        // A shadow covers few of a band's pixels.
        var (plain, all) = (0, 0)
        let ends = lines.map { line -> Int in
            var (place, run) = (0, 0)
            while place < far + gap, run < gap {
                let seen = Int(raster.samples[side.place(line, place)])
                run = seen >= paper - maximumGrain ? run + 1 : 0
                if abs(seen - level) <= maximumGrain { plain += 1 }
                place += 1
            }
            all += place - run
            return place - run
        }
        return plain * 5 >= all * 4 ? ends : nil
    }

    /// Returns the level of the paper, well within the page.
    ///
    /// Returns nil if the page has hardly any paper, or paper without grain. Such a page was not scanned, and a band is part of
    /// its design.
    private static func paper(of raster: Raster) -> Int? {
        let (width, height) = (raster.size.width, raster.size.height)
        var counts = [Int](repeating: 0, count: 256)
        for y in stride(from: height * maximumWidth / 100, to: height - height * maximumWidth / 100, by: 4) {
            for x in stride(from: width * maximumWidth / 100, to: width - width * maximumWidth / 100, by: 4) {
                counts[Int(raster.samples[y * width + x])] += 1
            }
        }
        func count(_ range: ClosedRange<Int>) -> Int { counts[range.clamped(to: 0...255)].reduce(0, +) }
        guard let level = (130...255).max(by: { counts[$0] < counts[$1] }) else { return nil }
        let near = count(level - maximumGrain...level + maximumGrain)
        let isClean = level >= PaperTone.blownOut || count(level - 1...level + 1) * 10 >= near * 9
        return near * 4 >= count(0...255) && !isClean ? level : nil
    }
}

/// The lines of pixels from one side of a raster to the opposite one.
struct EdgeLines {
    /// The number of lines, and the number of their pixels.
    let count: Int
    let length: Int
    private let start: Int
    private let nextLine: Int
    private let nextPlace: Int

    /// Returns the lines from the left, the right, the top and the bottom.
    static func all(of size: PixelSize) -> [EdgeLines] {
        let (width, height) = (size.width, size.height)
        return [
            EdgeLines(count: height, length: width, start: 0, nextLine: width, nextPlace: 1),
            EdgeLines(count: height, length: width, start: width - 1, nextLine: width, nextPlace: -1),
            EdgeLines(count: width, length: height, start: 0, nextLine: 1, nextPlace: width),
            EdgeLines(count: width, length: height, start: (height - 1) * width, nextLine: 1, nextPlace: -width),
        ]
    }

    /// Returns the index of a line's sample, by its distance from the side.
    func place(_ line: Int, _ place: Int) -> Int { start + line * nextLine + place * nextPlace }
}
