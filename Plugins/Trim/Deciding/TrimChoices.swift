internal import AdapterKit
internal import PageModel

/// The messages about the chosen boxes and the omitted parts.
struct TrimChoices {
    let lines: [Warning]

    /// - Parameter chosen: the mode chosen automatically; nil if the user chose one, or none suits.
    init(
        _ options: TrimOptions, chosen: TrimOptions.Mode?, _ findings: [Int: PageFinding],
        _ decisions: [Int: TrimDecision], _ pages: [Page]
    ) {
        let trimmed = decisions.filter { $0.value.box != nil }
        guard findings.count > 1, !trimmed.isEmpty else {
            lines = []
            return
        }
        var lines: [Warning] = []
        func add(_ code: String, _ message: String, _ advice: String? = nil) {
            lines.append(Warning(code: code, message: message, advice: advice, isNote: true))
        }
        let alike = trimmed.values.count { !$0.isOutlier }
        let which = alike == trimmed.count ? "pages" : "\(alike) of \(trimmed.count) pages"
        let facing = pages.contains(where: \.facesNext) ? ", and facing pages to the same rows" : ""
        let margin = options.given["trim-margin"] == nil ? ", leaving \(TrimOptions.margin)% around it" : ""
        switch chosen {
        case .page:
            add(
                "trim-choice", "trimmed each page to its own content\(margin)\(facing)",
                "use --trim book to give all pages one box")
        case .book:
            add(
                "trim-choice", "trimmed \(which) to one box\(margin)",
                "use --trim page to trim each page to its own content")
        case .sides:
            add(
                "trim-choice", "trimmed \(which) to one box for left pages and one for right pages\(margin)",
                "use --trim page to trim each page to its own content")
        case .auto, nil:
            if let mode = options.mode, [.book, .sides].contains(mode),
                decisions.values.allSatisfy(\.isOutlier)
            {
                add(
                    "trim-choice",
                    "trimmed each page to its own content\(facing), because too few pages are alike for "
                        + (mode == .book ? "one box" : "one box a side"))
            }
        }
        func count(_ leavesOut: Bool, _ part: KeyPath<PageFinding, PixelRect?>) -> Int {
            guard leavesOut else { return 0 }
            return trimmed.count { index, decision in
                guard let box = decision.box, let rect = findings[index]?[keyPath: part] else { return false }
                return !Bounds(box).contains(Bounds(rect))
            }
        }
        func counted(_ count: Int, _ noun: String) -> String? {
            count == 0 ? nil : "\(count) \(noun)\(count == 1 ? "" : "s")"
        }
        let parts = [
            counted(count(options.leavesOutNumbers, \.pageNumber), "page number"),
            counted(count(options.leavesOutHeads, \.head), "running head"),
        ].compactMap(\.self)
        if !parts.isEmpty { add("trim-left-out", "left out \(parts.joined(separator: " and "))") }
        self.lines = lines
    }
}
