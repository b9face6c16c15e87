internal import AdapterKit
internal import PageModel

/// The lines about what was chosen for the user on some pages, which only `--verbose` tells page by page.
enum ChoiceNotes {
    static func notes(on pages: [PageReport]) -> [Warning] {
        [marginsLeftOut(pages), hiddenMargins(pages), seams(pages)].compactMap(\.self)
    }

    private static func marginsLeftOut(_ pages: [PageReport]) -> Warning? {
        let margins = pages.filter { $0.has([.marginsLeftOut]) }
        guard !margins.isEmpty else { return nil }
        let isOneBook = pages.areOfOneBook
        return Warning(
            code: "margins-left-out",
            message: "left out the blank paper around the scan on "
                + PageRanges(margins.map { $0.numberInSource(isOneBook) }).text,
            advice: "use --pages-as page to keep it", isNote: true)
    }

    /// Sinks that copy pages of documents tell of these themselves: they know how to remove the rest.
    private static func hiddenMargins(_ pages: [PageReport]) -> Warning? {
        let hidden = pages.filter { !($0.framing?.isWhole ?? true) && !$0.has([.documentPage]) }.count
        guard hidden > 0 else { return nil }
        return Warning(
            code: "hidden-margins",
            message: "hid what was cut off \(hidden == 1 ? "1 page" : "\(hidden) pages") rather than removing it: "
                + "the output shows a part of each picture", isNote: true)
    }

    private static func seams(_ pages: [PageReport]) -> Warning? {
        let most = pages.flatMap { $0.reason.parts.map(\.note) }.filter { PageReport.offSize.contains($0.code) }
            .compactMap { $0.values["pixels"].flatMap(Int.init) }.max()
        guard let most else { return nil }
        return Warning(
            code: "seam",
            message: "merged pages without loss, so that edges are off by up to \(most) px",
            advice: "use --seam exact to encode such pages anew", isNote: true)
    }
}

extension [PageReport] {
    /// Whether each page is one page of the same source.
    var areOfOneBook: Bool { allSatisfy { $0.book == 0 && $0.parts.isEmpty } }
}

extension PageReport {
    /// The page's number in its source, by which people know it; that in the output where several books or merged pages are.
    ///
    /// - Parameter areOfOneBook: as in `[PageReport].areOfOneBook`, asked for once.
    func numberInSource(_ areOfOneBook: Bool) -> Int { areOfOneBook ? sourceID ?? number : number }

    fileprivate static let offSize: Set<Note.Code> = [.wider, .narrower, .cutWherePagesEnd, .movedVertically]

    fileprivate func has(_ codes: Set<Note.Code>) -> Bool { reason.parts.contains { codes.contains($0.note.code) } }
}
