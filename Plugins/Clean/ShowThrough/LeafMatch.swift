internal import OrderedWork
internal import PageModel

/// A page in the sizes in which the other side of its leaf is sought.
struct LeafView: Sendable {
    let coarse: LeafSide
    let fine: LeafSide
    /// The number of pixels of the page per pixel of the mask. Pages of another unit are not compared.
    let unit: Double
    /// The number of pixels of the page per pixel of the fine side.
    let scale: Double

    /// - Parameters:
    ///   - levels: the levels of a preview, 0 to 1.
    ///   - scale: the number of pixels of the page per pixel of the preview.
    ///   - unit: the number of pixels of the page per pixel of the mask.
    init(_ levels: Plane, scale: Double, unit: Double) {
        let limits = (ShowThroughLimits.mask, ShowThroughLimits.fine, ShowThroughLimits.coarse)
        let side = LeafSide(levels.reduced(by: unit / scale))
        self.unit = unit
        fine = side.reduced(by: limits.0 / limits.1)
        coarse = fine.reduced(by: limits.1 / limits.2)
        // A preview is not enlarged.
        self.scale = max(unit, scale) * limits.0 / limits.1
    }
}

/// The unit in which the pages of a book are compared, although they may be trimmed differently.
struct LeafScale: Sendable {
    /// The median length of the shorter sides of the pages, in pixels.
    private let usual: Double
    /// The ratio from which a page has another scale, such as a cover.
    private static let otherScale = 1.5

    /// - Parameter width: the number of pages that are examined at a time.
    /// - Throws: `CancellationError`.
    init(_ pages: [Page], width: Int) async throws {
        let sizes = try await mapInOrder(pages, width: width) { page in
            try? await page.examine().size.map(page.edits.applied)
        }
        let sides = sizes.compactMap { $0.map(LeafScale.side) }
        usual = sides.isEmpty ? 1 : sides.median
    }

    private static func side(_ size: PixelSize) -> Double { Double(max(1, min(size.width, size.height))) }

    /// Returns the number of pixels of a page per pixel of the mask.
    func unit(of size: PixelSize) -> Double {
        let own = LeafScale.side(size)
        let ratio = max(own, usual) / min(own, usual)
        return max(1, (ratio < LeafScale.otherScale ? usual : own) / ShowThroughLimits.mask)
    }
}

/// The comparison of two pages: whether each shows the print of the other, mirrored, as the sides of a leaf do.
struct LeafMatch: Sendable {
    /// The place of the middle of the other page, mirrored, in pixels from the middle of a page. The correlation is that
    /// of the stains at this place.
    struct Side: Sendable {
        var x = 0.0
        var y = 0.0
        var correlation: Float = 0
    }

    /// The correlation of both sides at the best common place.
    let correlation: Float
    /// How far it exceeds the correlations with the print that is not mirrored, in their standard deviations.
    ///
    /// That print has the same shapes and the same layout, but no leaf shows it.
    let prominence: Float
    let front: Side
    let back: Side

    /// Nil if nothing correlates.
    init?(_ front: LeafView, _ back: LeafView) {
        guard front.unit == back.unit else { return nil }
        let sides = [front.coarse.paper, back.coarse.paper].map { min($0.width, $0.height) }
        let reach = min(sides[0], sides[1]) / ShowThroughLimits.reach
        let step = Int(clamping: ShowThroughLimits.fine / ShowThroughLimits.coarse, to: 1...8)
        let own = ShowThroughLimits.ownReach
        guard let far = CommonShift(front.coarse, back.coarse, (0, 0), reach, reach),
            let near = CommonShift(front.fine, back.fine, (step * far.place.x, step * far.place.y), own, own)
        else { return nil }
        func side(_ best: CommonShift.Best) -> Side {
            Side(x: Double(best.x) * front.scale, y: Double(best.y) * front.scale, correlation: best.correlation)
        }
        let control = LeafMatch.control(front.coarse, back.coarse, reach)
        let mean = control.reduce(0, +) / Float(control.count)
        let variance = control.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(control.count)
        correlation = near.place.correlation
        prominence = (far.place.correlation - mean) / max(variance, 1e-9).squareRoot()
        // A scan may place a page elsewhere than that of the other side placed it.
        (self.front, self.back) = (side(near.front), side(near.back))
    }

    /// Returns the correlations of two pages with each other's print as it is, at all shifts.
    private static func control(_ front: LeafSide, _ back: LeafSide, _ reach: Int) -> [Float] {
        let one = ShiftCorrelations(front, back.darkness, (0, 0), reach, reach)
        let other = ShiftCorrelations(back, front.darkness, (0, 0), reach, reach)
        // The opposite shift has the opposite place.
        return one.sums.indices.map { one.joint($0, with: other, other.sums.count - 1 - $0) }
    }
}

/// The shift at which two pages show each other's print best.
private struct CommonShift {
    struct Best {
        var (x, y) = (0, 0)
        var correlation: Float = 0

        mutating func take(_ x: Int, _ y: Int, _ correlation: Float) {
            if correlation > self.correlation { self = Best(x: x, y: y, correlation: correlation) }
        }
    }

    private(set) var place = Best()
    private(set) var front = Best()
    private(set) var back = Best()

    init?(_ front: LeafSide, _ back: LeafSide, _ middle: (x: Int, y: Int), _ across: Int, _ down: Int) {
        // Seen from the back, the other page is off by as much across, and by the opposite down.
        let one = ShiftCorrelations(front, back.darkness.mirrored, middle, across, down)
        let other = ShiftCorrelations(back, front.darkness.mirrored, (middle.x, -middle.y), across, down)
        for dy in -down...down {
            for dx in -across...across {
                let (a, b) = (one.place(dx, dy), other.place(dx, -dy))
                let (x, y) = (middle.x + dx, middle.y + dy)
                place.take(x, y, one.joint(a, with: other, b))
                self.front.take(x, y, one.value(a))
                self.back.take(x, -y, other.value(b))
            }
        }
        guard place.correlation > 0 else { return nil }
    }
}
