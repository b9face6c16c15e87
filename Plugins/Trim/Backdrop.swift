internal import PageModel

/// What a scan shows beside a page that is smaller than the glass: the scanner's lid, or a table, as a plain dark band
/// along one or two sides.
///
/// On more sides than two it could be the black ground on which panels of a comic stand, and is not looked for.
struct Backdrop {
    /// For each line of pixels that begins at the band's side, how many of its pixels are no paper.
    private let depths: [Int]
    private let side: EdgeLines

    /// In percent of the page: what scanners darken along an edge is less, and no lid shows more.
    private static let (least, most) = (3, 20)
    /// A band, and the paper beside it, are no darker or lighter than by this, either way.
    private static let mostGrain = 25
    /// Paper is lighter than what lies beside it by this.
    private static let leastContrast = 50
    /// How much paper must follow, and how far from a straight line its edge may be, in percent of the page.
    private static let (leastPaper, mostUneven) = (1, 1)

    /// The raster with paper where there was something beside the page; nil when there is nothing.
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
        func level(_ line: Int, _ place: Int) -> Int { Int(raster.samples[side.place(line, place)]) }
        let near = side.length * Backdrop.least / 100
        // Bands along the other sides are left out.
        let middle = side.count * Backdrop.most / 100..<side.count - side.count * Backdrop.most / 100
        guard near > 0, middle.count >= 30 else { return nil }
        var levels: [Int] = []
        for line in stride(from: middle.lowerBound, to: middle.upperBound, by: 4) {
            for place in stride(from: 0, to: near, by: 2) { levels.append(level(line, place)) }
        }
        levels.sort()
        let (fiftieth, usual) = (levels.count / 50, levels[levels.count / 2])
        guard levels[fiftieth] >= usual - Backdrop.mostGrain,
            levels[levels.count - 1 - fiftieth] <= usual + Backdrop.mostGrain,
            usual + Backdrop.leastContrast <= 255, let paper = Backdrop.paper(of: raster),
            usual + Backdrop.leastContrast <= paper
        else { return nil }
        let (far, gap) = (side.length * Backdrop.most / 100, max(2, side.length * Backdrop.leastPaper / 100))
        // How many pixels of the band are as its outer ones: a shadow falls on few.
        var (plain, all) = (0, 0)
        let ends = middle.map { line -> Int in
            var (place, run) = (0, 0)
            while place < far + gap, run < gap {
                let level = level(line, place)
                run = level >= paper - Backdrop.mostGrain ? run + 1 : 0
                if abs(level - usual) <= Backdrop.mostGrain { plain += 1 }
                place += 1
            }
            all += place - run
            return place - run
        }
        guard plain * 5 >= all * 4 else { return nil }
        // The page may lie askew: its edge is a straight line through what the outer thirds have in common.
        let third = ends.count / 3
        let first = ends[..<third].sorted()[third / 2]
        let last = ends[(ends.count - third)...].sorted()[third / 2]
        let slope = Double(last - first) / Double(ends.count - third)
        let uneven = max(1, side.length * Backdrop.mostUneven / 100)
        let edge = (0..<side.count).map { line in
            first + Int((slope * Double(line - middle.lowerBound - third / 2)).rounded())
        }
        let straight = zip(middle, ends).count { abs(edge[$0] - $1) <= uneven }
        guard straight * 100 >= ends.count * 97, middle.allSatisfy({ (near...far).contains(edge[$0]) }) else {
            return nil
        }
        self.side = side
        depths = edge.map { min(max(0, $0 + uneven), side.length) }
    }

    /// The commonest level of what is light well within the page; nil where hardly anything is, and where it has no
    /// grain: then no scanner has seen it, and a band is part of the page.
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
        let isClean = level >= Paper.blownOut || count(level - 1...level + 1) * 10 >= near * 9
        return near * 4 >= count(0...255) && !isClean ? level : nil
    }
}
