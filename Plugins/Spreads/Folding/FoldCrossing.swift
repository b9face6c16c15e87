internal import PageModel

/// How much of what is drawn left of a line runs on to the right of it.
///
/// A stroke that crosses a line at some angle looks alike on both sides of it when it is followed along that angle. So both
/// sides are read along many angles, and short pieces of the two readings are compared: where they should meet, and, to
/// learn how often such pieces match by chance, where they should not.
struct FoldCrossing: Sendable {
    /// The pieces that run on, less those that would by chance.
    let excess: Double
    /// In how many tenths of the height some do.
    let tenths: Int

    /// Two pages of art alike in style match in one or two pieces; a drawing that runs on matches in more.
    private static let leastExcess = 2.3
    private static let leastTenths = 3
    /// Art that keeps to a part of the height must match all the more there.
    private static let leastExcessInTwo = 4.5
    /// Where neither a line nor an even column parts the scan, art does cross the place, and less of a proof will do.
    private static let leastExcessUnparted = 1.5

    /// The width in pixels that lengths here are meant for; wider scans are looked at in coarser steps.
    private static let width = 900.0
    /// How steeply strokes may cross, in pixels down for each pixel across.
    private static let angles = [-2, -1.5, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.5, 2]
    /// How far from a line reading begins: beyond its own shade.
    static let besideLine = 3
    /// How far from a place without a line reading begins.
    static let besideNothing = 1
    /// How many pixels are read along an angle: fewer are lost in grain, and strokes bend over more.
    private static let reading = 6
    /// So many pixels along the line may be swallowed by the binding.
    private static let swallowed = 4.0
    /// How far the halves of a book may be shifted against each other when it is bound, as a share of the height.
    private static let misfit = 0.004
    /// A piece is as long as a stroke with the white above and below it, as a share of the height.
    private static let piece = 0.04
    /// What is not looked at, at the top and bottom, as a share of the height: scanners' edges.
    private static let edge = 0.06
    /// The variance of levels below which a piece shows nothing but grain.
    private static let leastVariance = 36.0
    /// The variance of levels that makes a piece count in full: soft shades are alike more easily than strokes.
    private static let fullVariance = 400.0
    /// Both sides of a piece must have at least this share of the variance of the livelier one.
    private static let leastBalance = 0.4
    /// Pieces match when they differ by less than this share of their variance.
    private static let mostDifference = 0.5
    /// How many chance matches one of those found is worth.
    private static let chanceWeight = 1.3
    /// How far pieces are moved to learn how often they match by chance, as shares of the height.
    private static let moves = [-0.31, -0.23, -0.17, -0.11, 0.11, 0.17, 0.23, 0.31]

    /// Whether one drawing is on both sides of the line.
    ///
    /// - Parameter isUnparted: whether nothing else speaks for a fold there.
    func isOneDrawing(isUnparted: Bool) -> Bool {
        if isUnparted { return tenths >= 2 && excess >= FoldCrossing.leastExcessUnparted }
        return tenths >= FoldCrossing.leastTenths && excess >= FoldCrossing.leastExcess
            || tenths >= 2 && excess >= FoldCrossing.leastExcessInTwo
    }

    /// - Parameters:
    ///   - place: of the line at mid-height, as a share of the width.
    ///   - slope: how far it goes right for each pixel down.
    ///   - clearance: how far from it reading begins, in pixels of a scan 900 pixels wide.
    init(_ raster: Raster, place: Double, slope: Double, clearance: Int) {
        let height = raster.size.height
        let step = max(1, Int((Double(raster.size.width) / FoldCrossing.width).rounded()))
        let sides = FoldSides(
            raster, x: place * Double(raster.size.width), slope: slope, step: step,
            rows: Int(FoldCrossing.edge * Double(height))..<Int((1 - FoldCrossing.edge) * Double(height)),
            angles: FoldCrossing.angles, clearance: clearance, reading: FoldCrossing.reading)
        let whole = Double(height) / Double(step)
        let length = max(6, Int(FoldCrossing.piece * whole))
        let misfit = max(1, Int((FoldCrossing.misfit * whole).rounded()))
        let starts = Array(stride(from: 0, to: max(0, sides.count - length), by: length / 2))
        let left = starts.map { start in sides.left.map { FoldSides.variance($0, start..<start + length) } }
        let right = starts.map { start in sides.right.map { FoldSides.variance($0, start..<start + length) } }
        let most = (left: left.map { $0.max() ?? 0 }, right: right.map { $0.max() ?? 0 })

        /// How much a match of two pieces counts; 0 if they do not.
        func match(_ one: Int, _ other: Int) -> Double {
            let (low, high) = (min(most.left[one], most.right[other]), max(most.left[one], most.right[other]))
            guard high > FoldCrossing.leastVariance, low > FoldCrossing.leastBalance * high else { return 0 }
            let allowed = FoldCrossing.mostDifference * high
            for (index, angle) in FoldCrossing.angles.enumerated() {
                // An angle that blurs what is seen is not the strokes' own.
                let blur = max(most.left[one] - left[one][index], most.right[other] - right[other][index])
                guard blur < allowed else { continue }
                let lost = Int((angle * FoldCrossing.swallowed).rounded())
                for shift in min(0, lost) - misfit...max(0, lost) + misfit {
                    let difference = sides.difference(
                        index, starts[one], starts[other] + shift, length, most: allowed - blur)
                    if difference < allowed - blur { return min(1, low / FoldCrossing.fullVariance) }
                }
            }
            return 0
        }

        var (found, tenths): (Double, Set<Int>) = (0, [])
        for piece in starts.indices {
            let weight = match(piece, piece)
            found += weight
            if weight > 0 { tenths.insert((starts[piece] + length / 2) * 10 / sides.count) }
        }
        self.tenths = tenths.count
        var chance = 0.0
        if found >= FoldCrossing.leastExcessUnparted {
            for move in FoldCrossing.moves {
                let away = Int(move * Double(starts.count))
                for piece in starts.indices {
                    chance += match(piece, (piece + away + starts.count) % starts.count)
                }
            }
        }
        excess = found - FoldCrossing.chanceWeight * chance / Double(FoldCrossing.moves.count)
    }
}
