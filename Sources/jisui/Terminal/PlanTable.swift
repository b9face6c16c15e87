internal import PageModel
internal import Work

/// The plan of a batch as a table: a line for each book, then the errors and the sums.
struct PlanTable {
    private let plan: BatchPlan

    init(_ plan: BatchPlan) {
        self.plan = plan
    }

    /// Prints the table on standard output, and the errors.
    func show() {
        let words = plan.lines.map { PlanTable.word(for: $0.action).localized }
        let sizes = plan.lines.map { $0.bytes.map { ByteCount($0).text.localized } ?? "?" }
        let (wordWidth, sizeWidth) = (PlanTable.width(words), PlanTable.width(sizes))
        for (place, line) in plan.lines.enumerated() {
            let word = words[place] + PlanTable.space(wordWidth - Terminal.width(of: words[place]))
            let size = PlanTable.space(sizeWidth - Terminal.width(of: sizes[place])) + sizes[place]
            print(Terminal.safe("\(word)  \(size)  \(line.input) -> \(line.output)"))
        }
        for error in plan.errors { Messages.error(error) }
        Messages.note("\(plan.lines.count) books: \(PlanTable.counts(plan).joined(separator: ", "))")
    }

    private static func counts(_ plan: BatchPlan) -> [Message] {
        var counts: [Message] = []
        for action in BatchPlan.Action.allCases {
            let count = plan.lines.count { $0.action == action }
            if count > 0 { counts.append("\(count) \(word(for: action))") }
        }
        counts.append("\(ByteCount(plan.bytes).text) to convert")
        return counts
    }

    private static func word(for action: BatchPlan.Action) -> Message {
        switch action {
        case .convert: "convert"
        case .convertAgain: "convert again"
        case .skip: "done before"
        case .failedBefore: "failed before"
        case .refuse: "refuse"
        }
    }

    private static func width(_ texts: [String]) -> Int { texts.map(Terminal.width).max() ?? 0 }

    private static func space(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
