internal import AdapterKit
internal import PageModel

/// The notes on choices that jisui made for some pages, which only `--verbose` reports page by page.
enum ChoiceNotes {
    static func notes(on pages: [PageReport]) -> [Warning] {
        [marginsLeftOut(pages), hiddenMargins(pages), seams(pages)].compactMap(\.self)
    }

    private static func marginsLeftOut(_ pages: [PageReport]) -> Warning? {
        let margins = pages.filter { $0.has([.marginsDropped]) }
        guard !margins.isEmpty else { return nil }
        let isOneBook = pages.areOfOneBook
        return Warning(
            code: "margins-dropped",
            message: "left out the blank paper around the scan on "
                + "\(PageRanges(margins.map { $0.numberInSource(isOneBook) }).text)",
            hint: "use --pages-as page to keep it", isNote: true)
    }

    /// Sinks that copy document pages report this themselves, because they know how to remove the margins.
    private static func hiddenMargins(_ pages: [PageReport]) -> Warning? {
        let hidden = pages.filter { !($0.framing?.isWhole ?? true) && !$0.has([.documentPage]) }.count
        guard hidden > 0 else { return nil }
        return Warning(
            code: "hidden-margins",
            message:
                hidden == 1
                ? "hid the cropped margins of 1 page, which are still in the file: the output shows a part of the image"
                : "hid the cropped margins of \(hidden) pages, which are still in the file: the output shows a part of "
                    + "each image", isNote: true)
    }

    private static func seams(_ pages: [PageReport]) -> Warning? {
        let largest = pages.flatMap { $0.reason.parts.map(\.note) }.filter { PageReport.offSize.contains($0.code) }
            .compactMap { $0.values["pixels"].flatMap(Int.init) }.max()
        guard let largest else { return nil }
        return Warning(
            code: "seam",
            message: "merged pages without loss, so that edges are off by up to \(largest) px",
            hint: "use --seam exact to re-encode such pages", isNote: true)
    }
}

extension [PageReport] {
    /// Whether each page is one page of the same source.
    var areOfOneBook: Bool { allSatisfy { $0.book == 0 && $0.parts.isEmpty } }
}

extension PageReport {
    /// Returns the page's number in its source, by which people know it. With several books or merged pages, it is the number in
    /// the output.
    ///
    /// - Parameter areOfOneBook: the value of `[PageReport].areOfOneBook`, computed once.
    func numberInSource(_ areOfOneBook: Bool) -> Int { areOfOneBook ? sourceID ?? number : number }

    fileprivate static let offSize: Set<Note.Code> = [.wider, .narrower, .cutWherePagesEnd, .movedVertically]

    fileprivate func has(_ codes: Set<Note.Code>) -> Bool { reason.parts.contains { codes.contains($0.note.code) } }
}
