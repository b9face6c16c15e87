public import AdapterKit
internal import PageModel

extension Trim {
    /// Returns a note that lists the pages which were not trimmed to the shared box, for a person to check first. It is nil if
    /// every page was, or if no page was: then the pages share no box.
    public func note(on pages: [JudgedPage]) -> Warning? {
        func layouts(_ page: JudgedPage) -> [PageLayout] { page.findings.compactMap { $0 as? PageLayout } }
        func isTrimmed(_ page: JudgedPage) -> Bool { page.isCut && layouts(page).contains { $0.crops } }
        func isException(_ page: JudgedPage) -> Bool { layouts(page).contains { $0.isException } }
        let exceptions = pages.filter(isException)
        guard !exceptions.isEmpty, pages.contains(where: { isTrimmed($0) && !isException($0) }) else { return nil }
        let trimmed = PageRanges(exceptions.filter(isTrimmed).map(\.number))
        let whole = PageRanges(exceptions.filter { !isTrimmed($0) }.map(\.number))
        var parts: [Message] = []
        if trimmed.count > 0 {
            parts.append(
                trimmed.count == 1
                    ? "trimmed \(trimmed.text) to its own content" : "trimmed \(trimmed.text) to their own content")
        }
        if whole.count > 0 { parts.append("kept \(whole.text) whole") }
        return Warning(
            code: "outliers", message: "not all pages got the book's box: \(parts.listed())", isNote: true
        ).shared("not all pages got the book's box; --verbose names them")
    }
}
