public import PageModel

/// The page whose print shines through a page.
public struct ShowThroughFinding: PageFinding {
    public let remark: Message
    /// The place of that page in the output, from 1.
    public let page: Int
    /// The correlation of the two pages, 0 to 1.
    public let correlation: Double

    /// - Parameters:
    ///   - page: the place of the other page, from 1.
    ///   - name: its name.
    init(page: Int, name: String, correlation: Double) {
        (self.page, self.correlation) = (page, correlation)
        remark = "the print of \(name) shines through"
    }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [
            ("showThroughPage", .integer(page)),
            ("showThroughCorrelation", .number((correlation * 100).rounded() / 100)),
        ]
    }
}
