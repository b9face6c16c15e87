internal import Imaging
internal import PageModel

/// The shadow at the fold: the light of the paper near the side edges of a page, as shares of the surface.
///
/// The surface is too coarse for it. A shadow gets darker toward the edge, faster and faster, and covers all of the paper
/// along it. Images and tables at the edge are different.
struct FoldShadow: Hashable, Sendable {
    /// The shares of both sides, band by band and each from the edge inward. A side without a shadow has an empty list.
    private var sides: [[UInt8]] = [[], []]

    /// Whether both sides are without a shadow.
    var isEmpty: Bool { sides.allSatisfy(\.isEmpty) }

    init() {}

    /// - Parameters:
    ///   - luma: the brightness of the pixels of a preview.
    ///   - surface: the surface of its paper.
    init(_ luma: [UInt8], _ size: PixelSize, under surface: PaperSurface) {
        let paper = PaperTiles.brightness(of: surface.light.indices.map { surface.grid($0) })
        for side in 0..<2 {
            let bands = FoldShadow.bands(luma, size, surface, paper, isRight: side == 1)
            var found = bands.map(FoldShadow.shadow)
            // A band whose edge is hidden does not show where the shadow begins.
            let whole = found.indices.filter { band in
                found[band].map { bands[band][..<$0.first].allSatisfy { $0 > 0 } } ?? false
            }
            if whole.count >= FoldLimits.minimumBands {
                for band in found.indices where !whole.contains(band) { found[band] = nil }
            }
            let places = found.map { $0?.first }
            for band in found.indices {
                // The fold is straight. Where it seems to begin elsewhere, a dark image covers it.
                let near = places[FoldShadow.around(band)].compactMap { $0 }.sorted()
                if let place = places[band], abs(place - near[near.count / 2]) > 1 { found[band] = nil }
            }
            let known = found.indices.filter { found[$0] != nil }
            let shades = known.compactMap { found[$0]?.line }
            guard shades.count(where: { $0[0] < 1 }) >= FoldLimits.minimumBands else { continue }
            let usual = FoldShadow.median(shades)
            let starts = found.indices.map { band in
                known.min { abs($0 - band) < abs($1 - band) }.flatMap { found[$0]?.first } ?? 0
            }
            // Print makes paper darker, but nothing makes it lighter than in the shadow.
            let lighter = found.indices.count { band in
                // An image may hide how light the paper is there.
                let lightest = max(1, bands[band].max() ?? 1)
                let excess = usual.indices.map { place in
                    place + starts[band] < FoldLimits.columns
                        ? bands[band][place + starts[band]] / lightest - usual[place] : 0
                }
                return excess[0] + excess[1] > 2 * FoldLimits.maximumExcess
            }
            guard lighter <= FoldLimits.maximumLighter else { continue }
            sides[side] = found.indices.flatMap { band in
                let near = found[FoldShadow.around(band)].compactMap { $0?.line }
                let line = near.isEmpty ? usual : FoldShadow.median(near)
                return (0..<FoldLimits.columns).map { column in
                    let share = column < starts[band] ? 1 : line[column - starts[band]]
                    return UInt8(truncatingIfNeeded: Int(clamping: Double(share * 255), to: 0...255))
                }
            }
        }
    }

    /// Returns the light of the paper in each band down a side, from the edge inward, as shares of the surface.
    ///
    /// It is 0 where the paper is hidden.
    private static func bands(
        _ luma: [UInt8], _ size: PixelSize, _ surface: PaperSurface, _ paper: [Float], isRight: Bool
    ) -> [[Float]] {
        let (shown, rows) = (surface.area.columns(of: size), surface.area.rows(of: size))
        return (0..<FoldLimits.bands).map { band in
            let part =
                rows.lowerBound + band * rows.count / FoldLimits.bands..<rows.lowerBound + (band + 1) * rows.count
                / FoldLimits.bands
            let row = min(
                (part.lowerBound + part.upperBound) * surface.down / max(1, 2 * size.height), surface.down - 1)
            return (0..<FoldLimits.columns).map { column in
                let near = place(column, shown.count)..<place(column + 1, shown.count)
                let columns =
                    isRight
                    ? shown.upperBound - near.upperBound..<shown.upperBound - near.lowerBound
                    : shown.lowerBound + near.lowerBound..<shown.lowerBound + near.upperBound
                let node = Interpolation.place(
                    (columns.lowerBound + columns.upperBound) / 2, size.width, surface.across)
                let (one, next) = (
                    paper[row * surface.across + node.first],
                    paper[row * surface.across + min(node.first + 1, surface.across - 1)]
                )
                return level(luma, columns, part, size.width) / max(one + (next - one) * node.share, 1e-3)
            }
        }
    }

    private static func place(_ column: Int, _ width: Int) -> Int {
        column * width / (FoldLimits.columns * FoldLimits.part)
    }

    /// Returns the light of the paper between the strokes; 0 if little of it is seen.
    ///
    /// A steep shadow differs between the pixels of a row, so each column of pixels has a level of its own.
    private static func level(_ luma: [UInt8], _ columns: Range<Int>, _ rows: Range<Int>, _ width: Int) -> Float {
        let lights = columns.compactMap { x -> Float? in
            var counts = [Int](repeating: 0, count: 256)
            for y in rows { counts[Int(luma[y &* width &+ x])] &+= 1 }
            let middle = counts.place(ofShare: PaperLimits.percentile, of: 100)
            let band = max(0, middle - PaperLimits.minimumBand)...min(255, middle + PaperLimits.minimumBand)
            let count = band.reduce(0) { $0 + counts[$1] }
            guard count > 0, Double(count) >= FoldLimits.minimumPaper * Double(rows.count) else { return nil }
            return band.reduce(0) { $0 + Float(counts[$1]) * SRGBCurve.light8[$1] } / Float(count)
        }
        // A line of print down the page is much darker than the paper next to it.
        guard 2 * lights.count >= columns.count, let low = lights.min(), let high = lights.max(),
            low >= FoldLimits.print * high
        else { return 0 }
        return lights.reduce(0, +) / Float(lights.count)
    }

    /// Returns the column where the shadow of a band begins, and the light from there on.
    ///
    /// Nil for anything else than a shadow. Of all shadows that explain the paper, this one lifts pixels the least.
    private static func shadow(_ light: [Float]) -> (first: Int, line: [Float])? {
        // Another page is beyond the fold, and the fold may be black.
        let near = light.indices.prefix(FoldLimits.columns / 3).filter { light[$0] > 0 }
        guard let darkest = near.min(by: { light[$0] < light[$1] }),
            let first = near.first(where: { $0 >= darkest && light[$0] >= FoldLimits.darkest })
        else { return nil }
        let end = light.count - first
        func height(_ place: Int) -> Float { place < end ? min(1, light[first + place]) : 1 }
        let seen = (0..<end).filter { light[first + $0] > 0 }
        let depth = 1 - height(0)
        var line = [Float](repeating: 1, count: light.count)
        guard 2 * seen.count >= light.count else { return nil }
        guard depth > PaperLimits.maximumStep else { return (0, line) }
        // The least concave line that is nowhere darker than the paper.
        var corner = 0
        while corner < end {
            func slope(_ place: Int) -> Float { (height(place) - height(corner)) / Float(place - corner) }
            let next = (corner + 1...end).max { slope($0) <= slope($1) } ?? end
            if corner == 0, slope(next) > FoldLimits.steepest * depth { return nil }
            for place in corner..<next { line[place] = height(corner) + slope(next) * Float(place - corner) }
            corner = next
        }
        let paper = seen.filter { height($0) >= FoldLimits.print * line[$0] }
        guard 2 * paper.count >= light.count else { return nil }
        let off = paper.reduce(Float(0)) { $0 + line[$1] - height($1) }
        let shade = paper.reduce(Float(0)) { $0 + 1 - line[$1] }
        return off <= FoldLimits.maximumOff * shade ? (first, line) : nil
    }

    /// Returns the bands around one, and itself.
    private static func around(_ band: Int) -> ClosedRange<Int> {
        max(0, band - 2)...min(FoldLimits.bands - 1, band + 2)
    }

    private static func median(_ lines: [[Float]]) -> [Float] {
        lines[0].indices.map { place in lines.map { $0[place] }.sorted()[lines.count / 2] }
    }

    /// Returns the columns of a shadow between which the pixels of a page of some width are, from the edge inward.
    static func columns(of width: Int) -> Interpolation { Interpolation(width / FoldLimits.part, FoldLimits.columns) }

    /// Divides the factors of a row of pixels by the shadow.
    ///
    /// - Parameter columns: the columns of the page.
    func divide(_ line: inout [Float], _ y: Int, _ size: PixelSize, in area: AreaShare, _ columns: Interpolation) {
        let (shown, rows) = (area.columns(of: size), area.rows(of: size))
        guard rows.contains(y) else { return }
        let row = Interpolation.place(y - rows.lowerBound, rows.count, FoldLimits.bands)
        let next = min(row.first + 1, FoldLimits.bands - 1)
        for (side, shares) in sides.enumerated() where !shares.isEmpty {
            let nodes = (0...FoldLimits.columns).map { column in
                guard column < FoldLimits.columns else { return Float(1) }
                let (one, other) = (
                    Float(shares[row.first * FoldLimits.columns + column]),
                    Float(shares[next * FoldLimits.columns + column])
                )
                return (one + (other - one) * row.share) / 255
            }
            for (column, distances) in columns.runs.enumerated() {
                let slope = nodes[column + 1] - nodes[column]
                for distance in distances {
                    let share = nodes[column] + slope * columns.share[distance]
                    line[side == 1 ? shown.upperBound - 1 - distance : shown.lowerBound + distance] /= share
                }
            }
        }
    }
}

/// The limits of the search for the shadow at the fold.
///
/// `darkest` and `print` were chosen on synthetic pages (`Benchmarks/clean_accuracy.py`), the others without a measurement.
enum FoldLimits {
    /// The part of the width that may be in a shadow, the number of columns in it, and the number of bands down the page.
    static let (part, columns, bands) = (8, 24, 16)
    /// The minimum number of bands that show a shadow, the maximum number of bands that are lighter, and by how much.
    static let (minimumBands, maximumLighter, maximumExcess): (Int, Int, Float) = (4, 2, 0.1)
    /// The minimum share of the pixels of a column in a band that have the level of paper.
    static let minimumPaper = 0.4
    /// The minimum light of paper in a shadow as a share of the surface: the bound of the lift.
    static let darkest: Float = 0.125
    /// The minimum light of paper as a share of that of the paper around it: less is print.
    static let print: Float = 0.25
    /// The maximum share of a shadow's depth between two columns: more is an edge.
    static let steepest: Float = 0.5
    /// The maximum difference of the paper from the shadow, as a share of the shadow.
    static let maximumOff: Float = 0.25
}
