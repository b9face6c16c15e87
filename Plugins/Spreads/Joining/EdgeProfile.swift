/// What is kept of one edge of a page: 6 KB where something is drawn, next to nothing for a margin.
struct EdgeProfile: Sendable {
    /// Whether anything is drawn there.
    let doubt: EdgeDoubt
    /// For every gap, the gray down the page as it would go on to the gap's middle; `EdgeBand.rows` values each.
    /// Empty, as the others are, where nothing is drawn.
    let levels: [[UInt8]]
    /// How the strokes slant there, −127 to 127: above 0, they run down towards the edge.
    let slants: [[Int8]]
    /// How much the page's own columns agree over every gap, at every scale: 1 is fully.
    let joinKey: [[Float]]
    /// Rows at which a frame of a panel runs over the edge.
    let frames: [Bool]

    /// The gaps that are tried, in columns, from the middle of the two columns that are carried on on either side.
    ///
    /// A drawing of which nothing is lost lies 2 apart, one that lost 3 % of a page's width 15.
    static let gaps = [4, 7, 10, 14]

    init(_ band: EdgeBand) {
        let first = band.firstColumn
        let frames = Frames(band)
        let edge = frames.filled(band.levels(at: first))
        doubt = EdgeDoubt(edge, inside: band.inside)
        guard doubt.contrast > EdgeDoubt.plain else {
            (levels, slants, joinKey, self.frames) = ([], [], [], [])
            return
        }
        let courses = Courses(band, first)
        let weights = [Float](repeating: 1, count: EdgeBand.rows)
        var levels: [[UInt8]] = []
        var slants: [[Int8]] = []
        var joinKey: [[Float]] = []
        for gap in EdgeProfile.gaps {
            let half = Float(gap) / 2
            let beyond = courses.carry(edge, by: half)
            levels.append(beyond.levels.map { UInt8(max(0, min(255, $0.rounded()))) })
            slants.append(beyond.slants.map { Int8(max(-127, min(127, $0 * 127))) })
            // The same gap, but within the page, where what lies on both sides is known to belong together.
            let inner = Courses(band, first + gap).carry(frames.filled(band.levels(at: first + gap)), by: half)
            let back = courses.carry(edge, by: -half)
            let one = EdgeSignals(inner.levels, slants: inner.slants)
            let two = EdgeSignals(back.levels, slants: back.slants)
            joinKey.append(
                EdgeSignals.scales.indices.map { one.agreement(two, $0, shift: 0, weights).correlation })
        }
        self.levels = levels
        self.slants = slants
        self.joinKey = joinKey
        self.frames = frames.rows
    }
}
