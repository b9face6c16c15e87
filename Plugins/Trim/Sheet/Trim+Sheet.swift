internal import AdapterKit
internal import Files
internal import Marks
internal import PageModel

/// The writing of the contact sheet.
extension Trim {
    /// Writes the sheet of a book.
    ///
    /// - Parameter pages: the pages with the results of their analysis.
    static func write(
        _ sheet: OutputFile, of pages: [Page], title: String?, _ findings: [Int: PrintFinding],
        _ decisions: [Int: TrimDecision], _ boxes: BoxFile, _ options: TrimOptions, _ request: TransformRequest
    ) throws(AdapterError) {
        let entries = pages.indices.map { index in
            ContactSheet.Entry(
                number: index + 1, id: pages[index].id, name: pages[index].name,
                remark: pages[index].findings.ofImage.map { $0.remark }.joined(separator: "; "),
                finding: findings[index], decision: decisions[index])
        }
        try sheet.write(Array(ContactSheet(title: title ?? "", entries, boxes, file: options.file).html.utf8))
        try sheet.publish()
        if let path = options.sheet {
            request.report(
                Warning(code: "trim-sheet", message: "wrote the sheet of trimmed pages to \(path)", isNote: true))
        }
    }

    /// Writes the sheet of a book that follows a file of boxes. Its pages are analyzed only for their images and marks.
    ///
    /// - Parameters:
    ///   - sequence: the book before it is trimmed.
    ///   - pages: the trimmed pages.
    static func write(
        _ sheet: OutputFile, of sequence: PageSequence, trimmed pages: [Page], by file: BoxFile,
        _ options: TrimOptions, _ request: TransformRequest
    ) async throws {
        let entries = Dictionary(file.entries.map { ($0.id, $0) }) { first, _ in first }
        // The pages are shown as the conversion makes them: a person may have changed an angle in the file.
        let analysis = BookAnalysis(request, thumbnails: true, options: nil) { page in
            guard let layout = entries[page.id]?.layout, layout.isDeskewed, let skew = layout.skew else { return .none }
            return .by(skew)
        }
        let seen = try await analysis.inspections(of: sequence.pages).map(\.page)
        var findings: [Int: PrintFinding] = [:]
        var decisions: [Int: TrimDecision] = [:]
        for (index, finding) in try Trim.findings(seen, PageFurniture(seen), sequence.pages, options) {
            // A box cannot be shown on a page that is rendered in another way than for the file.
            guard let entry = entries[sequence.pages[index].id], entry.size == finding.page.size else { continue }
            findings[index] = finding
            decisions[index] = TrimDecision(
                box: entry.box, remark: entry.layout.remark, confidence: entry.layout.confidence,
                doubt: entry.layout.doubt, isOutlier: entry.layout.isOutlier)
        }
        try write(sheet, of: pages, title: sequence.book.title, findings, decisions, file, options, request)
    }
}
