/// The limits of the search for the borders of a scan and for punch holes.
///
/// Levels are relative to the paper near a pixel, which is 200. Shares are those of the shorter side of a page, unless
/// they say otherwise. Chosen on twelve pages of a library scan with dark borders, on comics with dark edges, and on the
/// pages that `Benchmarks/clean_accuracy.py` makes.
enum BorderLimits {
    /// The level of paper, the maximum level of a border, and the minimum level of what counts as paper next to it.
    static let (paper, dark, light): (Int, UInt8, UInt8) = (200, 120, 176)
    /// The maximum difference of neighboring pixels in a border and in the shadow next to it.
    static let grain: UInt8 = 16
    /// The radius of the opening that removes strokes from dark areas. Print is thinner than twice this and one more.
    static let stroke = 0.003
    /// The radius of the opening after which solid areas are left: those of art. The letters of titles are thinner.
    static let solid = 0.008
    /// The maximum share of a page that solid areas within it have, and that of a page on white paper.
    static let (solids, solidsOnWhite) = (0.015, 0.003)
    /// The maximum share of middle tones on a page on white paper. A program made it, so it is art unless it is print.
    static let middleOnWhite = 0.02
    /// The maximum depth of a border, as a share of the side that it goes into.
    static let depth = 0.25
    /// The maximum distance of a border from the edge, in pixels, and as a share where an operation filled the corners.
    static let (distance, filled) = (3, 0.04)
    /// The minimum length of a border, as a share of its side.
    static let length = 0.1
    /// The maximum breadth of the shadow next to a border, and the minimum breadth of paper beyond.
    static let (shadow, clearance) = (0.06, 0.01)
    /// The breadth of the soft edge of a border, in pixels.
    static let edge = 3
    /// The minimum share of lines through a border that end at paper, and that end at a smooth edge. The minimum share
    /// of all lines, among them those that end in a shadow.
    static let (clear, smooth, seen) = (0.92, 0.92, 0.3)
    /// The reach in lines of a smooth edge, as a share of the side, and the maximum deviation from it in pixels.
    static let (reach, deviation) = (0.02, 4)
    /// The maximum share of pixels within a border that differ from their neighbors.
    static let texture = 0.02
    /// The minimum deviation of a border on white paper from a rectangle, in pixels: a program draws exact ones.
    static let skew = 2
    /// The side of a filled cell, in pixels.
    static let cell = 2
    /// The breadth of the tiles along the edge that may be in shadow, as a share of all. The minimum light of paper there,
    /// as a share of that farther inside.
    static let (outerTiles, outerLight): (Double, Float) = (0.08, 0.9)
}

/// The limits of the search for punch holes, as shares of the shorter side of a page.
enum PunchHoleLimits {
    /// The diameter of a hole, and the maximum distance of its middle from the side.
    static let (diameter, distance): (ClosedRange<Double>, Double) = (0.015...0.065, 0.13)
    /// The ratio of the width and the height of a hole, and that of its area and of a disc.
    static let (aspect, disc): (ClosedRange<Double>, ClosedRange<Double>) = (0.85...1.18, 0.9...1.1)
    /// The minimum level of a hole over a white lid.
    static let bright: UInt8 = 212
    /// The minimum share of paper around a hole.
    static let paper = 0.9
    /// The maximum ratio of the diameters of two holes, and the maximum difference of their distances from the side.
    static let (ratio, offset) = (1.2, 0.02)
    /// The minimum distance of two holes, in diameters.
    static let gap = 2.5
    /// The maximum distance of the middle of all holes from that of their side, as a share of the side.
    static let asymmetry = 0.12
    /// The breadth around a hole that its edge and its shadow cover, as a share of its diameter.
    static let edge = 0.2
}
