internal import LayoutAnalysis
internal import PageModel

/// The light of a page's paper at every place, without its print and its images.
///
/// It is a grid of shares of the paper's usual light. They are packed, because a run keeps the surfaces of all its pages.
struct PaperSurface: Hashable, Sendable {
    let across: Int
    let down: Int
    /// The part of the page that shows the paper: the rest may be a table.
    let area: AreaShare
    /// The usual light of the paper in each channel.
    let light: [Float]
    /// For each channel the share of the usual light at each place of the grid, in steps from `PaperLimits.range`.
    private var shares: PackedPlanes
    /// The shadow at the fold, in which the paper is darker than the grid.
    var fold = FoldShadow()

    /// The light of the paper of each channel at each place of the grid.
    func grid(_ channel: Int) -> [Float] {
        shares[channel].map { light[channel] * PaperSurface.share($0) }
    }

    /// The surface of the same paper under even light.
    var even: PaperSurface {
        var copy = self
        let plane = [UInt8](repeating: PaperSurface.code(1), count: across * down)
        copy.shares = PackedPlanes(light.map { _ in plane }, across: across)
        copy.fold = FoldShadow()
        return copy
    }

    private static let step =
        (PaperLimits.range.upperBound - PaperLimits.range.lowerBound) / Float(UInt8.max)

    private static func share(_ code: UInt8) -> Float { PaperLimits.range.lowerBound + Float(code) * step }

    private static func code(_ share: Float) -> UInt8 {
        let steps = (share - PaperLimits.range.lowerBound) / PaperSurface.step
        let code = Int(clamping: Double(steps).rounded(), to: 0...255)
        return UInt8(code)
    }

    /// Fits a surface to the tiles that are paper.
    init(_ tiles: PaperTiles, isPaper: [Bool]) {
        (across, down, area) = (tiles.across, tiles.down, tiles.area)
        let weights: [Float] = isPaper.map { $0 ? 1 : 0 }
        var (light, shares): ([Float], [[UInt8]]) = ([], [])
        for plane in tiles.light {
            let known = zip(plane, isPaper).compactMap { $1 ? $0 : nil }.sorted()
            let usual = max(known.isEmpty ? 1 : known[known.count / 2], 1e-3)
            light.append(usual)
            shares.append(
                PaperSurface.filled(plane, weights, tiles.across, tiles.down).map {
                    PaperSurface.code($0 / usual)
                })
        }
        (self.light, self.shares) = (light, PackedPlanes(shares, across: across))
    }

    /// Returns the values with those of weight 0 filled from the ones around them, by normalized convolution from coarse to fine.
    ///
    /// What is filled are distances from a plane: across a dark image, light goes on falling as it does elsewhere.
    static func filled(_ values: [Float], _ weights: [Float], _ across: Int, _ down: Int) -> [Float] {
        let trend = trend(values, weights, across, down)
        var estimate = [Float](repeating: 0, count: values.count)
        let weighted = values.indices.map { weights[$0] * (values[$0] - trend[$0]) }
        for radius in PaperLimits.radii {
            let sums = blurred(weighted, across, down, radius)
            let known = blurred(weights, across, down, radius)
            for place in estimate.indices {
                estimate[place] =
                    (sums[place] + PaperLimits.coarseWeight * estimate[place])
                    / (known[place] + PaperLimits.coarseWeight)
            }
        }
        return zip(trend, estimate).map { $0 + $1 }
    }

    /// Returns the plane that fits the values best. It is nearly even if they cover a small part of the page.
    private static func trend(_ values: [Float], _ weights: [Float], _ across: Int, _ down: Int) -> [Float] {
        let points = values.indices.map { place in
            SIMD2(Float(2 * (place % across) + 1) / Float(across), Float(2 * (place / across) + 1) / Float(down)) - 1
        }
        let total = max(weights.reduce(0, +), 1e-3)
        var (middle, mean) = (SIMD2<Float>.zero, Float(0))
        for place in values.indices {
            middle += weights[place] / total * points[place]
            mean += weights[place] / total * values[place]
        }
        // The normal equations of the slopes. Even light has the weight of a coarser surface.
        var (squares, product, sums) = (SIMD2(repeating: PaperLimits.coarseWeight), Float(0), SIMD2<Float>.zero)
        for place in values.indices where weights[place] > 0 {
            let (point, weight) = (points[place] - middle, weights[place] / Float(values.count))
            squares += weight * point * point
            product += weight * point.x * point.y
            sums += weight * (values[place] - mean) * point
        }
        let determinant = squares.x * squares.y - product * product
        let slopes = SIMD2(squares.y * sums.x - product * sums.y, squares.x * sums.y - product * sums.x) / determinant
        return points.map { mean + (($0 - middle) * slopes).sum() }
    }

    /// Returns the sums of the values around each place, weighted by a Gaussian whose weights have the sum 1.
    private static func blurred(_ values: [Float], _ across: Int, _ down: Int, _ radius: Float) -> [Float] {
        let reach = Int(clamping: (2.5 * Double(radius)).rounded(.up), to: 1...values.count)
        var kernel = (-reach...reach).map { 1 / (1 + (Float($0) / radius) * (Float($0) / radius) / 2) }
        // A rational bell: like a Gaussian near the middle, and no call of a C function.
        kernel = kernel.map { $0 * $0 }
        let total = kernel.reduce(0, +)
        kernel = kernel.map { $0 / total }
        let rows = weightedSums(values) { add in
            for start in stride(from: 0, to: values.count, by: across) {
                for shift in -min(reach, across - 1)...min(reach, across - 1) {
                    add(kernel[shift + reach], start + max(0, shift), start + max(0, -shift), across - abs(shift))
                }
            }
        }
        return weightedSums(rows) { add in
            for y in 0..<down {
                for other in max(0, y - reach)...min(down - 1, y + reach) {
                    add(kernel[other - y + reach], other * across, y * across, across)
                }
            }
        }
    }

    /// Returns the sums that a function adds, each a multiple of some neighboring values at another place.
    @inline(__always)
    private static func weightedSums(
        _ values: [Float], _ addAll: (_ add: (_ weight: Float, _ from: Int, _ to: Int, _ count: Int) -> Void) -> Void
    ) -> [Float] {
        var sums = [Float](repeating: 0, count: values.count)
        values.withUnsafeBufferPointer { values in
            sums.withUnsafeMutableBufferPointer { sums in
                // The processor does this for several values at once.
                addAll { weight, from, to, count in
                    for place in 0..<count { sums[to &+ place] += weight * values[from &+ place] }
                }
            }
        }
        return sums
    }
}

extension PaperTiles {
    /// Returns for each tile whether it is a part of the sheet: the largest light area without an edge in it.
    ///
    /// Parts of the sheet that print divides from it count too, such as the paper within the frame of an image. Nil
    /// without any light area.
    func sheet() -> [Bool]? {
        var sets = DisjointSets(count: brightness.count)
        func join(_ one: Int, _ other: Int) {
            let (low, high) = (min(brightness[one], brightness[other]), max(brightness[one], brightness[other]))
            if low > 0, high - low <= PaperLimits.maximumStep * high { sets.join(one, other) }
        }
        for y in 0..<down {
            for x in 0..<across {
                let tile = y * across + x
                // A line of print may cover one tile between two of paper.
                for reach in 1...2 where x + reach < across { join(tile, tile + reach) }
                for reach in 1...2 where y + reach < down { join(tile, tile + reach * across) }
            }
        }
        let seen = brightness.filter { $0 > 0 }.sorted()
        guard !seen.isEmpty else { return nil }
        let lightest = seen[min(seen.count - 1, seen.count * PaperLimits.lightest / 100)]
        let minimum = max(PaperLimits.minimumLight, PaperLimits.minimumRelativeLight * lightest)
        var (counts, sums) = ([Int: Int](), [Int: Float]())
        for tile in brightness.indices where brightness[tile] > 0 {
            let root = sets.root(of: tile)
            counts[root, default: 0] += 1
            sums[root, default: 0] += brightness[tile]
        }
        let light = counts.filter { (sums[$0.key] ?? 0) >= minimum * Float($0.value) }
        guard let largest = light.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return nil }
        var isPaper = brightness.indices.map { brightness[$0] > 0 && sets.root(of: $0) == largest }
        let surface = PaperSurface.filled(brightness, isPaper.map { $0 ? 1 : 0 }, across, down)
        for tile in isPaper.indices where !isPaper[tile] {
            let (low, high) = (min(brightness[tile], surface[tile]), max(brightness[tile], surface[tile]))
            isPaper[tile] = low > 0 && high - low <= PaperLimits.maximumStep / 2 * high
        }
        return isPaper
    }
}
