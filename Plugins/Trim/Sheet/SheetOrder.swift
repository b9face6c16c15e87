internal import PageModel

/// The order of pages on the contact sheet: by the risk that print is cut, then by the size of the box.
///
/// A page that stays whole loses nothing. In each part, the pages of the lowest confidence come first. Of doubtful pages
/// with equal confidence, the largest boxes come first.
struct SheetOrder {
    private let entries: [ContactSheet.Entry]
    /// The median area of the boxes, in pixels; 1 without boxes.
    private let usualArea: Int

    init(_ entries: [ContactSheet.Entry]) {
        self.entries = entries
        let areas = entries.compactMap { SheetOrder.area($0) }.sorted()
        usualArea = areas.isEmpty ? 1 : max(1, areas[areas.count / 2])
    }

    /// The parts of the sheet with pages, and their headings.
    var parts: [(title: Message, entries: [ContactSheet.Entry])] {
        let groups = Dictionary(grouping: entries, by: part)
        return Part.allCases.compactMap { part in groups[part].map { (part.title, $0.sorted(by: precedes)) } }
    }

    /// The parts in their order, with their headings.
    private enum Part: CaseIterable {
        case unread, risk, excess, outliers, others

        var title: Message {
            switch self {
            case .unread: "Not analyzed"
            case .risk: "May lose print"
            case .excess: "May keep too much"
            case .outliers: "Pages treated by themselves"
            case .others: "The others"
            }
        }
    }

    /// Returns whether a person should check a page.
    func isDoubtful(_ entry: ContactSheet.Entry) -> Bool { [.unread, .risk, .excess].contains(part(of: entry)) }

    private func part(of entry: ContactSheet.Entry) -> Part {
        guard let decision = entry.decision, entry.finding != nil else { return .unread }
        if let doubt = decision.doubt { return doubt.mayCut && decision.box != nil ? .risk : .excess }
        return decision.isOutlier ? .outliers : .others
    }

    /// The area that is kept; nil for a page that could not be analyzed.
    private static func area(_ entry: ContactSheet.Entry) -> Int? {
        entry.finding.map { (entry.decision?.box?.size ?? $0.page.size).area }
    }

    /// The ratio of the kept area to that of the book's usual box.
    private func excess(_ entry: ContactSheet.Entry) -> Double {
        Double(SheetOrder.area(entry) ?? 0) / Double(usualArea)
    }

    private func precedes(_ one: ContactSheet.Entry, _ other: ContactSheet.Entry) -> Bool {
        let (first, second) = (one.decision?.confidence ?? 0, other.decision?.confidence ?? 0)
        if first != second { return first < second }
        let (larger, smaller) = (excess(one), excess(other))
        let isDoubtful = [.risk, .excess].contains(part(of: one))
        if isDoubtful, larger != smaller { return larger > smaller }
        return one.number < other.number
    }
}
