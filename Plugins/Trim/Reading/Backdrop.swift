internal import PageModel

/// A plain dark band along a side of a scan: the scanner's lid or a table, seen beside a page that is smaller than the
/// glass.
///
/// Bands along more than two sides are left alone: they could be the black ground on which panels of a comic stand.
struct Backdrop {
    /// For each line of pixels that begins at the band's side, how many of its pixels belong to the band.
    private let depths: [Int]
    private let side: EdgeLines

    /// How wide a band is, in percent of the page: a narrower one is the dark edge that scanners leave, and a wider
    /// one is part of the page.
    private static let (least, most) = (3, 20)
    /// Levels within a band, and within paper, differ by no more than this from the commonest one.
    private static let mostGrain = 25
    /// Paper is lighter than what lies beside it by this.
    private static let leastContrast = 50
    /// How much paper must follow, and how far from a straight line its edge may be, in percent of the page.
    private static let (leastPaper, mostUneven) = (1, 1)

    /// The raster with paper in place of such bands; nil when there are none.
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

    /// Nil where there is no band along a side.
    private init?(_ raster: Raster, _ side: EdgeLines) {
        let near = side.length * Backdrop.least / 100
        // Bands along the other sides are left out.
        let middle = side.count * Backdrop.most / 100..<side.count - side.count * Backdrop.most / 100
        guard near > 0, middle.count >= 30,
            let level = Backdrop.plainLevel(of: raster, side, lines: middle, places: 0..<near),
            let paper = Backdrop.paper(of: raster), level + Backdrop.leastContrast <= paper,
            let ends = Backdrop.ends(of: raster, side, lines: middle, level: level, paper: paper)
        else { return nil }
        // The page may lie askew: its edge is the straight line through the medians of the first and last third.
        let third = ends.count / 3
        let first = ends[..<third].sorted()[third / 2]
        let last = ends[(ends.count - third)...].sorted()[third / 2]
        let slope = Double(last - first) / Double(ends.count - third)
        let edge = (0..<side.count).map { line in
            first + Int(clamping: slope * Double(line - middle.lowerBound - third / 2), to: -side.length...side.length)
        }
        let uneven = max(1, side.length * Backdrop.mostUneven / 100)
        let straight = zip(middle, ends).count { abs(edge[$0] - $1) <= uneven }
        let far = side.length * Backdrop.most / 100
        guard straight * 100 >= ends.count * 97, middle.allSatisfy({ (near...far).contains(edge[$0]) }) else {
            return nil
        }
        self.side = side
        depths = edge.map { min(max(0, $0 + uneven), side.length) }
    }

    /// The level that nearly all pixels near a side have; nil where there is none, or where it is light.
    private static func plainLevel(
        of raster: Raster, _ side: EdgeLines, lines: Range<Int>, places: Range<Int>
    ) -> Int? {
        var counts = [Int](repeating: 0, count: 256)
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
            for place in stride(from: places.lowerBound, to: places.upperBound, by: 2) {
                counts[Int(raster.samples[side.place(line, place)])] += 1
            }
        }
        let levels = 0...255 - leastContrast
        guard let level = levels.max(by: { counts[$0] < counts[$1] }) else { return nil }
        let near = counts[max(0, level - mostGrain)...level + mostGrain].reduce(0, +)
        return near * 25 >= counts.reduce(0, +) * 24 ? level : nil
    }

    /// How far from the side each line reaches paper; nil where too few of the pixels before have the band's level.
    private static func ends(
        of raster: Raster, _ side: EdgeLines, lines: Range<Int>, level: Int, paper: Int
    ) -> [Int]? {
        let (far, gap) = (side.length * most / 100, max(2, side.length * leastPaper / 100))
        // A shadow falls on few of a band's pixels.
        var (plain, all) = (0, 0)
        let ends = lines.map { line -> Int in
            var (place, run) = (0, 0)
            while place < far + gap, run < gap {
                let seen = Int(raster.samples[side.place(line, place)])
                run = seen >= paper - mostGrain ? run + 1 : 0
                if abs(seen - level) <= mostGrain { plain += 1 }
                place += 1
            }
            all += place - run
            return place - run
        }
        return plain * 5 >= all * 4 ? ends : nil
    }

    /// The level of the paper, well within the page. Nil where there is hardly any, and where it has no grain: then the
    /// page was not scanned, and a band is part of its design.
    private static func paper(of raster: Raster) -> Int? {
        let (width, height) = (raster.size.width, raster.size.height)
        var counts = [Int](repeating: 0, count: 256)
        for y in stride(from: height * most / 100, to: height - height * most / 100, by: 4) {
            for x in stride(from: width * most / 100, to: width - width * most / 100, by: 4) {
                counts[Int(raster.samples[y * width + x])] += 1
            }
        }
        func count(_ range: ClosedRange<Int>) -> Int { counts[range.clamped(to: 0...255)].reduce(0, +) }
        guard let level = (130...255).max(by: { counts[$0] < counts[$1] }) else { return nil }
        let near = count(level - mostGrain...level + mostGrain)
        let isClean = level >= PaperTone.blownOut || count(level - 1...level + 1) * 10 >= near * 9
        return near * 4 >= count(0...255) && !isClean ? level : nil
    }
}

/// The lines of pixels that begin at one side of a raster and run across to the opposite one.
struct EdgeLines {
    /// How many lines there are, and of how many pixels.
    let count: Int
    let length: Int
    private let start: Int
    private let nextLine: Int
    private let nextPlace: Int

    /// Those from the left, the right, the top and the bottom.
    static func all(of size: PixelSize) -> [EdgeLines] {
        let (width, height) = (size.width, size.height)
        return [
            EdgeLines(count: height, length: width, start: 0, nextLine: width, nextPlace: 1),
            EdgeLines(count: height, length: width, start: width - 1, nextLine: width, nextPlace: -1),
            EdgeLines(count: width, length: height, start: 0, nextLine: 1, nextPlace: width),
            EdgeLines(count: width, length: height, start: (height - 1) * width, nextLine: 1, nextPlace: -width),
        ]
    }

    /// The index of a line's sample, by its distance from the side.
    func place(_ line: Int, _ place: Int) -> Int { start + line * nextLine + place * nextPlace }
}
