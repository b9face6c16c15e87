public import PageModel

/// The specks of a page that jisui removes.
public struct SpeckFinding: PageFinding {
    public let remark: Message
    /// The number of removed specks; nil for a page that was not analyzed.
    public let count: Int?
    /// Whether the specks stay, because a person decided so.
    let isKept: Bool
    /// The damage of the page's data that the analysis found; nil for intact data.
    public let damage: Message?

    /// - Parameter count: nil for specks that a person keeps.
    init(count: Int?) {
        (self.count, isKept, damage) = (count, count == nil, nil)
        remark =
            switch count {
            case nil: "not despeckled, as --clean-file says"
            case 0?: "no specks"
            case 1?: "1 speck removed"
            case let count?: "\(count) specks removed"
            }
    }

    init(unseen reason: Message, damage: Message?) {
        (count, isKept, self.damage, remark) = (nil, false, damage, "not despeckled: \(reason)")
    }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [("specks", count.map { .integer($0) } ?? .none)]
    }
}
