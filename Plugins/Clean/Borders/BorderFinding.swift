public import PageModel

/// The borders of the scan and the punch holes of a page that become paper.
public struct BorderFinding: PageFinding {
    public let remark: Message
    /// The number of borders that become paper; nil for a page that was not analyzed.
    public let borders: Int?
    /// The number of punch holes that become paper; nil for a page that was not analyzed.
    public let holes: Int?
    /// The damage of the page's data that the analysis found; nil for intact data.
    public let damage: Message?

    init(_ reading: BorderReading) {
        (borders, holes, damage) = (reading.borders, reading.holes, nil)
        remark =
            switch (reading.borders, reading.holes) {
            case (0, 0): reading.reason.map { "borders not filled: \($0)" } ?? "no borders"
            case (0, let holes): "\(holes) punch holes filled"
            case (1, 0): "1 border filled"
            case (let borders, 0): "\(borders) borders filled"
            case (1, let holes): "1 border and \(holes) punch holes filled"
            case (let borders, let holes): "\(borders) borders and \(holes) punch holes filled"
            }
    }

    init(unseen reason: Message, damage: Message?) {
        (borders, holes, self.damage, remark) = (nil, nil, damage, "borders not filled: \(reason)")
    }

    /// A page whose borders stay, because a person decided so.
    static let kept = BorderFinding()

    private init() { (borders, holes, damage, remark) = (nil, nil, nil, "borders not filled, as --clean-file says") }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [
            ("borders", borders.map { .integer($0) } ?? .none), ("punchHoles", holes.map { .integer($0) } ?? .none),
        ]
    }
}
