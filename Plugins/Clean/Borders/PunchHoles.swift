internal import LayoutAnalysis
internal import PageModel

/// The punch holes of a page: uniform discs of one size, at one distance from a side, and symmetric about its middle.
struct PunchHoles {
    struct Disc {
        let (x, y, diameter): (Double, Double, Double)

        func distance(to other: Disc) -> Double {
            ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
        }
    }

    private(set) var discs: [Disc] = []

    /// - Parameter excluded: the pixels that are borders already.
    init(_ page: RelativeLevels, _ textured: PixelMask, dark: PixelMask, excluded: PixelMask) {
        let unit = Double(min(page.width, page.height))
        var shapes = zip(dark.isSet, excluded.isSet).map { $0 && !$1 }
        var found = PunchHoles.discs(PixelMask(width: page.width, height: page.height, shapes), page, textured, unit)
        shapes = page.levels.map { $0 >= PunchHoleLimits.bright }
        found += PunchHoles.discs(PixelMask(width: page.width, height: page.height, shapes), page, textured, unit)
        for side in 0..<4 {
            let group = PunchHoles.regular(found, side: side, page.width, page.height)
            if group.count > discs.count { discs = group }
        }
    }

    /// Returns the components that are discs of the size of holes, with paper around them.
    private static func discs(
        _ shapes: PixelMask, _ page: RelativeLevels, _ textured: PixelMask, _ unit: Double
    ) -> [Disc] {
        let components = PixelComponents(shapes)
        return components.measures.compactMap { box, area -> Disc? in
            let (width, height) = (Double(box.width), Double(box.height))
            let diameter = (width + height) / 2
            guard !box.touchesEdge(of: PixelSize(width: page.width, height: page.height)),
                PunchHoleLimits.diameter.contains(diameter / unit), PunchHoleLimits.aspect.contains(width / height),
                PunchHoleLimits.disc.contains(Double(area) / (0.7854 * width * height))
            else { return nil }
            let disc = Disc(
                x: Double(box.left) + width / 2, y: Double(box.top) + height / 2, diameter: diameter)
            return isPlain(disc, page, textured) ? disc : nil
        }
    }

    /// Whether a disc is uniform, and paper surrounds it.
    private static func isPlain(_ disc: Disc, _ page: RelativeLevels, _ textured: PixelMask) -> Bool {
        let edge = max(Double(2 * BorderLimits.edge), PunchHoleLimits.edge * disc.diameter)
        let (inner, outer) = (disc.diameter / 2 - Double(BorderLimits.edge), disc.diameter / 2 + edge)
        var (area, rough, ring, paper) = (0, 0, 0, 0)
        let reach = Int(clamping: outer + 3, to: 1...max(page.width, page.height))
        let (middleX, middleY) = (
            Int(clamping: disc.x, to: 0...page.width - 1), Int(clamping: disc.y, to: 0...page.height - 1)
        )
        for y in max(0, middleY - reach)...min(page.height - 1, middleY + reach) {
            for x in max(0, middleX - reach)...min(page.width - 1, middleX + reach) {
                let (dx, dy) = (Double(x) + 0.5 - disc.x, Double(y) + 0.5 - disc.y)
                let distance = (dx * dx + dy * dy).squareRoot()
                if distance < inner {
                    area += 1
                    if textured[x, y] { rough += 1 }
                } else if distance > outer, distance < outer + 3 {
                    ring += 1
                    if page.levels[y * page.width + x] >= BorderLimits.light, !textured[x, y] { paper += 1 }
                }
            }
        }
        return Double(rough) <= BorderLimits.texture * Double(max(1, area))
            && Double(paper) >= PunchHoleLimits.paper * Double(max(1, ring))
    }

    /// Returns the largest group of discs along a side that are punched together.
    private static func regular(_ discs: [Disc], side: Int, _ width: Int, _ height: Int) -> [Disc] {
        let unit = Double(min(width, height))
        let length = Double(side < 2 ? height : width)
        func distance(_ disc: Disc) -> Double {
            [disc.x, Double(width) - disc.x, disc.y, Double(height) - disc.y][side]
        }
        func place(_ disc: Disc) -> Double { side < 2 ? disc.y : disc.x }
        let near = discs.filter { distance($0) <= PunchHoleLimits.distance * unit }
        // Many discs are a pattern, and no search among them is needed.
        guard near.count <= 24 else { return [] }
        var best: [Disc] = []
        for first in near {
            let group = near.filter { other in
                max(first.diameter, other.diameter) <= PunchHoleLimits.ratio * min(first.diameter, other.diameter)
                    && abs(distance(first) - distance(other)) <= PunchHoleLimits.offset * unit
            }.sorted { place($0) < place($1) }
            guard group.count > max(1, best.count), let start = group.first, let end = group.last else { continue }
            let middle = (place(start) + place(end)) / 2
            let areApart = zip(group, group.dropFirst()).allSatisfy {
                $0.distance(to: $1) >= PunchHoleLimits.gap * $0.diameter
            }
            if areApart, abs(middle - length / 2) <= PunchHoleLimits.asymmetry * length { best = group }
        }
        return best
    }

    /// Marks the pixels of the holes with their edges.
    func mark(_ pixels: inout PixelMask) {
        for disc in discs {
            let radius = disc.diameter / 2 + max(Double(BorderLimits.edge), PunchHoleLimits.edge * disc.diameter)
            for y in 0..<pixels.height {
                let dy = Double(y) + 0.5 - disc.y
                guard abs(dy) <= radius else { continue }
                let half = (radius * radius - dy * dy).squareRoot()
                let columns =
                    Int(
                        clamping: disc.x - half, to: 0...pixels.width)..<Int(
                        clamping: (disc.x + half).rounded(.up), to: 0...pixels.width)
                for x in columns { pixels[x, y] = true }
            }
        }
    }
}

/// The connected components of a mask.
private struct PixelComponents {
    private(set) var measures: [(box: Bounds, area: Int)] = []

    init(_ mask: PixelMask) {
        var runs: [(row: Int, columns: Range<Int>)] = []
        for y in 0..<mask.height {
            var x = 0
            while x < mask.width {
                guard mask[x, y] else {
                    x += 1
                    continue
                }
                let start = x
                while x < mask.width, mask[x, y] { x += 1 }
                runs.append((y, start..<x))
            }
        }
        var sets = DisjointSets(count: runs.count)
        var (above, row) = (0, 0)
        for (index, run) in runs.enumerated() {
            if run.row != row {
                row = run.row
                while runs[above].row < row - 1 { above += 1 }
            }
            while above < index, runs[above].row == row - 1, runs[above].columns.upperBound <= run.columns.lowerBound {
                above += 1
            }
            var other = above
            while other < index, runs[other].row == row - 1, runs[other].columns.lowerBound < run.columns.upperBound {
                sets.join(index, other)
                other += 1
            }
        }
        var places: [Int: Int] = [:]
        for (index, run) in runs.enumerated() {
            let box = Bounds(
                left: run.columns.lowerBound, top: run.row, right: run.columns.upperBound, bottom: run.row + 1)
            let root = sets.root(of: index)
            if let place = places[root] {
                measures[place] = (measures[place].box.union(box), measures[place].area + run.columns.count)
            } else {
                places[root] = measures.count
                measures.append((box, run.columns.count))
            }
        }
    }
}
