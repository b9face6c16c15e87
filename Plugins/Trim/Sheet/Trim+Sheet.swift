internal import AdapterKit
internal import Files
internal import LayoutAnalysis
internal import OrderedWork
internal import PageModel

/// The writing of the contact sheet.
extension Trim {
    /// Writes the sheet of a book.
    ///
    /// - Parameters:
    ///   - sequence: the book before it is trimmed.
    ///   - pages: the pages with the results of their analysis.
    static func write(
        _ sheet: OutputFile, of sequence: PageSequence, trimmed pages: [Page], _ findings: [Int: PrintFinding],
        _ decisions: [Int: TrimDecision], _ boxes: TrimFile, _ options: TrimOptions, _ request: TransformRequest
    ) async throws {
        var entries = pages.indices.map { index in
            ContactSheet.Entry(
                number: index + 1, id: pages[index].id, name: pages[index].name,
                remark: pages[index].findings.ofImage.map { $0.remark }.joined(separator: "; "),
                finding: findings[index], decision: decisions[index])
        }
        try await addLargePictures(to: &entries, of: sequence.pages, request)
        let html = ContactSheet(
            title: sequence.book.title ?? "", entries, boxes, file: options.file, in: request.language
        ).html
        try sheet.write(Array(html.utf8))
        try sheet.publish()
        if let path = options.sheet {
            request.report(
                Warning(code: "trim-sheet", message: "wrote the sheet of trimmed pages to \(path)", isNote: true))
        }
    }

    /// Adds images with all pixels to the doubtful pages, in the order of the sheet, up to a limit for the file.
    private static func addLargePictures(
        to entries: inout [ContactSheet.Entry], of pages: [Page], _ request: TransformRequest
    ) async throws {
        let order = SheetOrder(entries)
        var freePixels = ContactSheetLimits.largePixels
        let doubtful = order.parts.flatMap(\.entries).filter(order.isDoubtful)
        let chosen = doubtful.compactMap { entry -> (Int, PageReading)? in
            guard let finding = entry.finding, finding.page.size.area <= freePixels else { return nil }
            freePixels -= finding.page.size.area
            return (entry.number - 1, finding.page)
        }
        try await forEachInOrder(chosen, width: request.width) { index, reading -> (Int, [UInt8]?) in
            let seen = try await request.previews.look(at: pages[index], pixels: .max, as: .brightness)
            guard let raster = seen.preview?.raster else { return (index, nil) }
            let degrees = reading.isDeskewed ? reading.skew : nil
            return (index, Thumbnail.large(of: degrees.map { raster.deskewed(by: $0) } ?? raster))
        } body: { index, picture in
            entries[index].largePicture = picture
        }
    }

    /// Writes the sheet of a book that follows a file of boxes. Its pages are analyzed only for their images and marks.
    ///
    /// - Parameters:
    ///   - sequence: the book before it is trimmed.
    ///   - pages: the trimmed pages.
    static func write(
        _ sheet: OutputFile, of sequence: PageSequence, trimmed pages: [Page], by file: TrimFile,
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
        try await write(sheet, of: sequence, trimmed: pages, findings, decisions, file, options, request)
    }
}
