internal import AdapterKit
public import PageModel

/// What became of one page.
public struct PageReport: Sendable {
    /// The page's place in the output, from 1.
    public var number: Int
    /// The page in its source, as `Page.name`.
    public var source: String
    /// Its name in the output; nil when nothing was written.
    public var output: String?
    public var treatment: Treatment
    public var reason: String
    public var size: PixelSize?
    /// The bytes written; nil when nothing was.
    public var bytes: Int?
    public var crop: PixelRect?
    /// What was found on the page, if something looked at it.
    public var layout: PageLayout?
    public var side = Side.single
    /// What was found out about its place in a spread, if that was asked for.
    public var spread: SpreadFinding?

    /// The pages that were merged in it: where each came from, and what was found on it.
    public var parts: [(source: String, layout: PageLayout?)] = []

    /// Whether a change that is made to the whole book treated it, or a part of it, by itself.
    public var isOutlier: Bool {
        layout?.isOutlier ?? false || parts.contains { $0.layout?.isOutlier ?? false }
    }

    /// Adds what the sink made of the page.
    mutating func apply(_ remake: Remake) {
        treatment = max(treatment, remake.treatment)
        reason += "; \(remake.reason)"
        output = remake.output ?? output
    }

    var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("number", .integer(number)), ("source", .string(source)), ("output", JSON(output)),
            ("treatment", .string(treatment.rawValue)), ("reason", .string(reason)), ("width", JSON(size?.width)),
            ("height", JSON(size?.height)), ("bytes", JSON(bytes)), ("crop", JSON(crop)),
        ]
        members += layout?.members ?? []
        if !parts.isEmpty {
            let list = parts.map { JSON.object([("source", .string($0.source))] + ($0.layout?.members ?? [])) }
            members.append(("parts", JSON(list)))
        }
        if let spread {
            members += [
                ("side", .string(side.rawValue)), ("wide", .boolean(spread.isWide)), ("spread", .string(spread.remark)),
                ("spreadConfidence", .number(spread.confidence)), ("fold", JSON(spread.fold)),
            ]
        }
        return .object(members)
    }
}

extension PageLayout {
    fileprivate var members: [(key: String, value: JSON)] {
        [
            ("content", JSON(content)), ("pageNumber", JSON(pageNumber)), ("head", JSON(head)),
            ("skew", skew.map(JSON.number) ?? .null), ("deskewed", .boolean(isDeskewed)),
            ("confidence", .number(confidence)), ("trim", .string(remark)), ("outlier", .boolean(isOutlier)),
        ]
    }
}
