internal import AdapterKit
internal import PageModel

/// The limits of a note on growth.
private enum GrowthLimits {
    /// Minimum growth, as a multiple of the input's bytes. A fax as PNG has up to 2.2 times its bytes.
    static let minimumGrowth = 2.5
    /// Minimum size of the output in bytes. A smaller one does not matter.
    static let minimumBytes = 1 << 20
}

/// The notes on a book's scans as a whole.
enum ScanNotes {
    /// Returns a note that lists the overlays omitted on request; nil if all overlays were kept.
    static func leftOut(_ pages: [PageReport]) -> Warning? {
        let texts = pages.texts { $0.code == .overlayDropped ? $0.text : nil }
        guard !texts.isEmpty else { return nil }
        let list = texts.map { "\($0.text) (\($0.pages.text))" as Message }.joined(separator: "; ")
        return Warning(
            code: "overlay-dropped", message: "left out objects over scans: \(list)",
            hint: "use --pages-as auto to keep it", isNote: true
        ).shared("left out objects over scans")
    }

    /// Returns a note on the overlays that became part of scans; nil without any.
    static func patched(_ pages: [PageReport]) -> Warning? {
        let patched = pages.filter { $0.overallTreatment == .patched || $0.showsMergedOverlay }
        guard !patched.isEmpty else { return nil }
        let isOneBook = pages.areOfOneBook
        let numbers = PageRanges(patched.flatMap { $0.numbersInSource(isOneBook) }).text
        return Warning(
            code: "overlay-merged", message: "merged the content over the scan into the image on \(numbers)",
            hint: "use --pages-as scan to leave it out", isNote: true
        ).shared("merged the content over scans into the images")
    }

    /// Returns a note on the growth that rendered pages caused. The result is nil if few pages were rendered, or the book did not
    /// grow enough.
    static func growth(_ report: Report) -> Warning? {
        let drawn = report.pages.filter {
            $0.treatment == .drawn || $0.reason.parts.contains { $0.note.code == .combinedLayers }
        }
        guard 2 * drawn.count > report.pages.count, let input = report.inputBytes, let output = report.outputBytes,
            output >= GrowthLimits.minimumBytes
        else { return nil }
        let times = Double(output) / Double(max(1, input))
        guard times >= GrowthLimits.minimumGrowth else { return nil }
        return Warning(
            code: "rendered-pages-grew",
            message: "pages that were rendered, or combined from layers, made the output "
                + "\(Int(checked: times) ?? 0) times as large as the input",
            hint: hint(toShrink: drawn), isNote: true
        ).shared("pages that were rendered, or combined from layers, made the output much larger than the input")
    }

    /// Returns the option that makes rendered pages smaller; nil if none certainly does.
    ///
    /// As JPEG, a page of few levels of gray or few colors would be larger.
    private static func hint(toShrink pages: [PageReport]) -> Message? {
        func has(_ codes: Set<Note.Code>, _ page: PageReport) -> Bool {
            page.reason.parts.contains { codes.contains($0.note.code) }
        }
        if pages.contains(where: { $0.encoding != .jpeg && !has([.sixteenLevels, .fewColors], $0) }) {
            return "use --image-format jpeg to make them smaller, with losses"
        }
        return pages.contains { has([.encodedAtQuality], $0) }
            ? "use --quality 60 to make them smaller, with more losses" : nil
    }
}

extension PageReport {
    /// Whether an overlay is in its pixels, which were changed or encoded as well.
    fileprivate var showsMergedOverlay: Bool {
        reason.parts.contains { $0.note.code == .patchedShare }
    }
}
