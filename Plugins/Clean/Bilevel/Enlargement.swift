internal import AdapterKit
public import PageModel

/// The enlargement of a page before it becomes black and white, so that its outlines have finer steps.
struct Enlargement: Sendable {
    /// The resolutions to which pages can be enlarged, in pixels per inch.
    static let resolutions = 150...1_200
    /// The maximum factor: a file that states a lower resolution is a preview, or states it wrongly.
    static let maximumFactor = 4.0

    /// The box of the enlarged page; nil for a page that keeps its size.
    private(set) var box: FitBox?
    let finding: EnlargementFinding
    /// Whether the page keeps its size because its resolution is unknown.
    private(set) var isUnknown = false

    /// Returns the wanted resolution; nil without the option.
    ///
    /// - Throws: `.usage` with `--fit`, which sets the size of pages, too.
    static func resolution(_ settings: Settings) throws(AdapterError) -> Int? {
        guard let resolution = settings.integer("bilevel-dpi") else { return nil }
        guard settings["fit"] == nil else {
            throw AdapterError(
                .usage, "--bilevel-dpi cannot be combined with --fit, because both set the size of pages",
                hint: "remove one of them")
        }
        return resolution
    }

    init(_ seen: PreviewResult, to wanted: Int) {
        switch seen {
        case .unseen(let reason, let damage, _):
            finding = EnlargementFinding("not scaled up: \(reason)", factor: nil, damage: damage)
        case .seen(let preview):
            // Pixels of a fax are not square. The page must not get more than the wanted resolution.
            let own = preview.resolution.map { max($0.horizontal, $0.vertical) } ?? 0
            guard own > 0, own.isFinite else {
                (finding, isUnknown) = (
                    EnlargementFinding("not scaled up: its resolution is unknown", factor: nil), true
                )
                return
            }
            let (factor, rounded) = (Double(wanted) / own, Int(clamping: own, to: 1...1_000_000))
            guard factor > 1 else {
                finding = EnlargementFinding("not scaled up: it has \(rounded) pixels per inch", factor: 1)
                return
            }
            guard factor <= Enlargement.maximumFactor else {
                finding = EnlargementFinding(
                    "not scaled up: it has only \(rounded) pixels per inch", factor: 1)
                return
            }
            func scaled(_ length: Int) -> Int { Int(clamping: (Double(length) * factor).rounded(), to: 1...100_000) }
            box = FitBox(width: scaled(preview.size.width), height: scaled(preview.size.height), enlarges: true)
            finding = EnlargementFinding("scaled up from \(rounded) to \(wanted) pixels per inch", factor: factor)
        }
    }
}

/// The enlargement of a page, or the reason that it keeps its size.
public struct EnlargementFinding: PageFinding {
    public let remark: Message
    /// The factor between the lengths; 1 for a page that keeps its size, nil if its resolution is unknown.
    public let factor: Double?
    /// The damage of the page's data that the analysis found; nil for intact data.
    public let damage: Message?

    init(_ remark: Message, factor: Double?, damage: Message? = nil) {
        (self.remark, self.factor, self.damage) = (remark, factor, damage)
    }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [("bilevelScale", factor.map { .number(($0 * 1000).rounded() / 1000) } ?? .none)]
    }
}
