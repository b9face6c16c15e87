internal import Conversion
internal import PageModel

/// What a run came to, in one line: "book.cbz: 200 pages, 198 verbatim, 2 drawn".
struct Summary {
    let text: String

    init(_ report: Report, isDryRun: Bool) {
        let counts = Treatment.allCases.compactMap { treatment in
            let count = report.count(treatment)
            return count > 0 ? "\(count) \(treatment.rawValue)" : nil
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
