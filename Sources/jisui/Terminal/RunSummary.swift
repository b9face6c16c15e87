internal import Conversion
internal import PageModel

/// The pages that a book-wide change treats by themselves, for a person to look at first.
struct Outliers {
    let text: String

    /// More would not be read.
    private static let most = 20

    /// Nil when there are none.
    init?(_ report: Report) {
        let pages = report.pages.filter(\.isOutlier)
        guard !pages.isEmpty else { return nil }
        let numbers = pages.prefix(Outliers.most).map { String($0.number) }.joined(separator: ", ")
        let more = pages.count > Outliers.most ? " and \(pages.count - Outliers.most) more" : ""
        text = "treated by themselves: page\(pages.count == 1 ? "" : "s") \(numbers)\(more)"
    }
}

/// What a run came to, in one line: "book.cbz: 200 pages, 198 verbatim, 2 drawn".
struct Summary {
    let text: String

    init(_ report: Report, isDryRun: Bool) {
        let counts = Treatment.allCases.compactMap { treatment in
            let count = report.count(treatment)
            let isMost = isDryRun && report.pages.contains { $0.overallTreatment == treatment && $0.mayLoseLess }
            return count > 0 ? "\(isMost ? "at most " : "")\(count) \(treatment.rawValue)" : nil
        }
        let pages = report.pages.count == 1 ? "1 page" : "\(report.pages.count) pages"
        var parts = ["\(report.output): \(isDryRun ? "would get " : "")\(pages)"] + counts
        switch report.skipped.count {
        case 0: break
        case 1: parts.append("1 file that is no page left out")
        case let count: parts.append("\(count) files that are no pages left out")
        }
        text = parts.joined(separator: ", ")
    }
}

/// One page of a report as a line of text.
struct PageLine {
    let text: String

    init(_ page: PageReport) {
        let number = String(page.number)
        let padding = String(repeating: " ", count: max(0, 5 - number.count))
        let size = page.size.map { "\($0)" } ?? "?"
        let remarks = [page.flatness?.remark, page.layout?.remark, page.spread?.remark]
        let remark = remarks.compactMap { $0.map { "; \($0)" } }.joined()
        let treatment = page.overallTreatment.rawValue
        text = [
            padding + number, treatment + String(repeating: " ", count: max(0, 8 - treatment.count)),
            size + String(repeating: " ", count: max(0, 10 - size.count)),
            "\(page.source): \(page.explanation)\(remark)",
        ].joined(separator: "  ")
    }
}
