public import PageModel

/// The specks of a page that jisui removes.
public struct SpeckFinding: PageFinding {
    public let remark: Message
    /// The number of specks; nil for a page that could not be analyzed.
    public let count: Int?
    /// Whether the specks stay, because a person decided so.
    let isKept: Bool
    /// The damage of the page's data that the analysis found; nil for intact data.
    public let damage: Message?

    init(count: Int, isKept: Bool = false) {
        (self.count, self.isKept, damage) = (isKept ? 0 : count, isKept, nil)
        remark =
            isKept
            ? "not despeckled, as the file of cleaning says"
            : count == 0 ? "no specks" : count == 1 ? "1 speck removed" : "\(count) specks removed"
    }

    init(unseen reason: Message, damage: Message?) {
        (count, isKept, self.damage, remark) = (nil, false, damage, "not despeckled: \(reason)")
    }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [("specks", count.map { .integer($0) } ?? .none)]
    }
}
