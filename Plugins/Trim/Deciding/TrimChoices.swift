internal import AdapterKit
internal import LayoutAnalysis
internal import PageModel

/// The messages about the chosen boxes and the omitted parts.
struct TrimChoices {
    let lines: [Warning]

    /// - Parameter chosen: the mode chosen automatically; nil if the user chose one, or none suits.
    init(
        _ options: TrimOptions, chosen: TrimOptions.Mode?, _ findings: [Int: PrintFinding],
        _ decisions: [Int: TrimDecision], _ pages: [Page]
    ) {
        let trimmed = decisions.filter { $0.value.box != nil }
        guard !trimmed.isEmpty else {
            lines = []
            return
        }
        let marginIsGiven = options.given["trim-margin"] != nil
        let usualMargin = Warning(
            code: "trim-margin", message: "left a margin of \(TrimOptions.margin)% around the content",
            hint: "use --trim-margin to change it", isNote: true)
        guard findings.count > 1 else {
            lines = marginIsGiven ? [] : [usualMargin]
            return
        }
        var lines: [Warning] = []
        func add(_ code: String, _ message: Message, _ hint: Message? = nil, inSeveralBooks shared: Message) {
            lines.append(Warning(code: code, message: message, hint: hint, isNote: true).shared(shared))
        }
        let alike = trimmed.values.count { !$0.isOutlier }
        let which: Message = alike == trimmed.count ? "pages" : "\(alike) of \(trimmed.count) pages"
        let facing: Message = pages.contains(where: \.facesNextPage) ? ", and facing pages to the same rows" : ""
        let margin: Message = marginIsGiven ? "" : ", leaving \(TrimOptions.margin)% around it"
        switch chosen {
        case .page:
            add(
                "trim-choice",
                trimmed.count == findings.count
                    ? "trimmed each page to its own content\(margin)\(facing)"
                    : "trimmed \(trimmed.count) of \(findings.count) pages to their own content\(margin)\(facing)",
                TrimChoices.canShareABox(options, findings) ? "use --trim book to give all pages one box" : nil,
                inSeveralBooks: "trimmed each page to its own content\(margin)")
        case .book:
            add(
                "trim-choice", "trimmed \(which) to one box\(margin)",
                "use --trim page to trim each page to its own content",
                inSeveralBooks: "trimmed pages to one box a book\(margin)")
        case .sides:
            add(
                "trim-choice", "trimmed \(which) to one box for left pages and one for right pages\(margin)",
                "use --trim page to trim each page to its own content",
                inSeveralBooks: "trimmed pages to one box for left pages and one for right pages\(margin)")
        case .auto, .uniform, nil:
            if let message = TrimChoices.failure(of: options.mode, facing), decisions.values.allSatisfy(\.isOutlier) {
                add("trim-choice", message, inSeveralBooks: message)
            }
            if !marginIsGiven { lines.append(usualMargin) }
        }
        let parts = TrimChoices.removedParts(options, findings, trimmed)
        if !parts.isEmpty {
            add(
                "trim-removed", "left out \(parts.listed())",
                inSeveralBooks: "left out page numbers or running heads")
        }
        self.lines = lines
    }

    /// Returns whether `--trim book` gives some pages one box.
    private static func canShareABox(_ options: TrimOptions, _ findings: [Int: PrintFinding]) -> Bool {
        BookBoxes(findings, isLeft: nil, options.margins).decisions.values.contains {
            !$0.applyingThreshold(minimum: options.minimumConfidence).isOutlier
        }
    }

    /// Returns the message that a mode found nothing to share; nil for modes in which pages share nothing.
    private static func failure(of mode: TrimOptions.Mode?, _ facing: Message) -> Message? {
        switch mode {
        case .book: "trimmed pages to their own content\(facing), because too few pages are alike for one box"
        case .sides:
            "trimmed pages to their own content\(facing), because too few pages are alike for one box a side"
        case .uniform: "trimmed pages to their own content\(facing), because too few pages are alike for one size"
        case .auto, .page, nil: nil
        }
    }

    /// Returns the numbers of page numbers and running heads that crop boxes exclude as requested.
    private static func removedParts(
        _ options: TrimOptions, _ findings: [Int: PrintFinding], _ trimmed: [Int: TrimDecision]
    ) -> [Message] {
        func cut(_ leavesOut: Bool, _ part: KeyPath<PrintFinding, PixelRect?>) -> Int {
            guard leavesOut else { return 0 }
            return trimmed.count { index, decision in
                guard let box = decision.box, let rect = findings[index]?[keyPath: part] else { return false }
                return !Bounds(box).contains(Bounds(rect))
            }
        }
        var parts: [Message] = []
        let numbers = cut(options.leavesOutNumbers, \.pageNumber)
        if numbers > 0 { parts.append(numbers == 1 ? "1 page number" : "\(numbers) page numbers") }
        let heads = cut(options.leavesOutHeads, \.head)
        if heads > 0 { parts.append(heads == 1 ? "1 running head" : "\(heads) running heads") }
        return parts
    }
}
