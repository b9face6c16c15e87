internal import PageModel

/// The limits of the search for print that shines through.
///
/// Chosen on made-up leaves, whose results `Benchmarks/clean_accuracy.py` measures. The sides of these leaves have a
/// prominence of at least 9, and pages of different leaves one of at most 4.2. So have opaque comic pages (35 pairs, at
/// most 4.5) and photographs of books on the same table (8 pairs, at most 4.7).
enum ShowThroughLimits {
    /// The number of pixels across the shorter side of a page. The first three sizes are those of a preview: with its
    /// paper, in a coarse search and in a fine one. The last one is that of the page itself.
    static let (mask, coarse, fine, full) = (400.0, 100.0, 200.0, 800)
    /// The levels relative to the paper between which a pixel shows the other side.
    static let paper: ClosedRange<Float> = 0.55...1.12
    /// The distance in pixels within which there is nothing darker: the blurred edges of print are as light as what shines
    /// through.
    static let printEdge = 2
    /// The divisor of a plane's shorter side that gives the reach of the surroundings of a pixel.
    static let surroundings = 8
    /// The number of tiles across in which the paper is estimated, and the share of a tile that is lighter than its paper.
    static let (tilesAcross, lighter) = (24, 5)
    /// The factor between the usual stain and the greatest that counts: edges of art say little about the other side.
    static let clip: Float = 3
    /// The divisor of a page's size that gives the reach of the search, and the reach for each side, in fine pixels.
    static let (reach, ownReach) = (6, 6)
    /// The minimum correlation and prominence of the sides of a leaf, and its minimum ratio to that with
    /// the other neighbor.
    static let (correlation, prominence, ratio): (Float, Float, Float) = (0.12, 7, 1.5)
    /// The minimum correlation of what one page shows with its other side.
    static let ownCorrelation: Float = 0.1
    /// The number of pairs of pages before and after one that vote about it.
    static let voters = 12
    /// The number of blocks across in which sides are compared.
    static let blocksAcross = 6
    /// The reach in which the place of a block is sought, in pixels: at half of the size, and at the full one.
    static let (wideReach, closeReach) = (4, 2)
    /// The weight of the affine map in the place of a block, compared with that of the blocks around it.
    static let stiffness: Float = 40
    /// The radii of the blur that paper may cause.
    static let radii = 1...4
    /// The number of estimates of the strength, and the maximum strength.
    static let (passes, strongest): (Int, Float) = (4, 0.6)
    /// The weight of the whole page in the strength of a block, as a multiple of that of a usual block.
    static let uniformity: Float = 2
    /// The minimum strength: less is weaker than the grain of paper.
    static let weakest: Float = 0.01
    /// The maximum length of a page that is compared at full detail, as a multiple of its width.
    static let longest = 2
    /// The maximum number of rows of blocks: a strip is longer than a page.
    private static let mostBlocksDown = 24

    static func blocksDown(_ width: Int, _ height: Int) -> Int {
        min(mostBlocksDown, max(1, blocksAcross * height / max(1, width)))
    }

    /// Returns the divisor by which a page is reduced, so that a strip takes no more memory than a page.
    static func factor(for size: PixelSize) -> Int {
        let across = min(size.width, size.height) / full
        let area = (Double(size.area) / Double(longest * full * full)).squareRoot()
        return max(1, across, Int(clamping: area.rounded(.up), to: 1...1000))
    }
}
