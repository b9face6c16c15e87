internal import AdapterKit
internal import PageModel
internal import Planning

/// The notes on choices that jisui made for some pages, which only `--verbose` reports page by page.
enum ChoiceNotes {
    /// - Parameter copiesPages: whether the output copies pages of documents, so that options for images need `--rebuild`.
    static func notes(on pages: [PageReport], copiesPages: Bool = false) -> [Warning] {
        let hint: Message =
            copiesPages ? "use --rebuild --pages-as page to keep it" : "use --pages-as page to keep it"
        return [
            marginsLeftOut(pages, hint), slants(pages, .slantDropped, hint), slants(pages, .slantRendered, hint),
            hiddenMargins(pages), grid(pages), seams(pages), conversions(pages), RecognitionNote.note(on: pages),
        ].compactMap(\.self)
    }

    /// - Parameter hint: how to keep the paper.
    private static func marginsLeftOut(_ pages: [PageReport], _ hint: Message) -> Warning? {
        let margins = pages.filter { $0.has([.marginsDropped]) }
        guard !margins.isEmpty else { return nil }
        return Warning(
            code: "margins-dropped",
            message: "left out the blank paper around the scan on \(pages.ranges(of: margins).text)",
            hint: hint, isNote: true
        ).shared("left out the blank paper around scans")
    }

    /// Returns a note on the pages whose scan is slanted on the page, and came out with or without the slant.
    ///
    /// - Parameter hint: how to keep the slant.
    private static func slants(_ pages: [PageReport], _ code: Note.Code, _ hint: Message) -> Warning? {
        let slanted = pages.filter { $0.has([code]) }
        guard !slanted.isEmpty else { return nil }
        let ranges = pages.ranges(of: slanted)
        let (isOne, numbers) = (ranges.count == 1, ranges.text)
        return code == .slantDropped
            ? Warning(
                code: "slant-dropped",
                message: isOne
                    ? "left out the slant that the PDF gives the scan on \(numbers)"
                    : "left out the slant that the PDF gives the scans on \(numbers)",
                hint: hint, isNote: true
            ).shared("left out the slant that the PDF gives scans")
            : Warning(
                code: "slant-rendered",
                message: isOne
                    ? "rendered \(numbers), because the PDF shows its scan slanted"
                    : "rendered \(numbers), because the PDF shows their scans slanted",
                hint: isOne
                    ? "use --pages-as scan to extract the scan without its slant, if nothing hides it"
                    : "use --pages-as scan to extract scans without their slant, if nothing hides them", isNote: true
            ).shared("rendered pages, because the PDF shows their scans slanted")
    }

    /// Sinks that copy document pages report this themselves, because they know how to remove the margins.
    private static func hiddenMargins(_ pages: [PageReport]) -> Warning? {
        let framed = pages.filter { $0.framing != nil && !$0.has([.documentPage]) }
        let images = Dictionary(grouping: framed) { [$0.book, $0.sourceID ?? -$0.number] }
        let hidden = images.values.filter { !showsAll($0.compactMap(\.framing)) }
            .joined().count { !($0.framing?.isWhole ?? true) }
        guard hidden > 0 else { return nil }
        return .hiddenMargins(code: "hidden-margins", onPages: hidden)
    }

    /// Returns whether parts of an image show all of it together, such as the halves of a split page.
    private static func showsAll(_ parts: [Framing]) -> Bool {
        guard let full = parts.first?.full else { return true }
        let rects = parts.map(\.rect)
        return parts.allSatisfy { $0.full == full } && rects.reduce(0) { $0 + $1.size.area } >= full.area
            && rects.map(\.x).min() == 0 && rects.map(\.y).min() == 0
            && rects.map { $0.x + $0.width }.max() == full.width
            && rects.map { $0.y + $0.height }.max() == full.height
    }

    /// Trimming leaves a margin anyway, and does not promise exact edges.
    private static func grid(_ pages: [PageReport]) -> Warning? {
        let cropped = pages.filter { !$0.isCropFound && $0.parts.isEmpty }
        let more = cropped.notes.filter { $0.code == .moreKept }
            .flatMap { [$0.values["left"], $0.values["top"]] }.compactMap { $0.flatMap { Int($0) } }.max()
        guard let more else { return nil }
        return Warning(
            code: "crop-grid",
            message: "kept up to \(more) px more at the left and the top, so that JPEGs were cropped without loss",
            isNote: true
        ).shared("kept a few px more at the left and the top, so that JPEGs were cropped without loss")
    }

    /// Returns a note on samples that the output's format or a change made into others, such as CMYK into RGB.
    private static func conversions(_ pages: [PageReport]) -> Warning? {
        let lists = pages.texts { $0.code.isLoss ? $0.message : nil }.map { "\($0.pages.text): \($0.text)" as Message }
        guard !lists.isEmpty else { return nil }
        return Warning(code: "samples-converted", message: lists.joined(separator: "; "), isNote: true)
    }

    private static func seams(_ pages: [PageReport]) -> Warning? {
        let notes = pages.notes
        func largest(_ codes: Set<Note.Code>) -> Int? {
            notes.filter { codes.contains($0.code) }.compactMap { $0.values["pixels"].flatMap(Int.init) }.max()
        }
        let deviations: [Message?] = [
            largest([.wider]).map { "up to \($0) px of padding" },
            largest([.narrower, .cutWherePagesEnd]).map { "up to \($0) px missing" },
            largest([.movedVertically]).map { "up to \($0) px of vertical shift" },
        ]
        let parts = deviations.compactMap(\.self)
        guard !parts.isEmpty else { return nil }
        return Warning(
            code: "seam", message: "merged pages without loss, with \(parts.listed()) at the seam",
            hint: "use --seam exact to re-encode such pages", isNote: true
        ).shared("merged pages without loss, with a few px of difference at the seam")
    }
}

extension [PageReport] {
    /// Whether all pages are of the same source.
    var areOfOneBook: Bool { allSatisfy { $0.book == 0 && $0.parts.allSatisfy { $0.book == 0 } } }

    /// The notes on the treatment of the pages.
    var notes: [Note] { flatMap { $0.reason.parts.map(\.note) } }

    /// Returns the numbers of some of the pages, as `PageReport.numbersInSource`.
    func ranges(of some: [PageReport]) -> PageRanges {
        let isOneBook = areOfOneBook
        return PageRanges(some.flatMap { $0.numbersInSource(isOneBook) })
    }

    /// Returns texts of notes in the order of the report, each with its pages.
    ///
    /// - Parameter text: returns the text of a note; nil for a note to leave out.
    func texts(_ text: (Note) -> Message?) -> [(text: Message, pages: PageRanges)] {
        var (numbers, order): ([Message: [Int]], [Message]) = ([:], [])
        let isOneBook = areOfOneBook
        for page in self {
            let notes = page.reason.parts.map(\.note) + (page.composition?.notes ?? [])
            for text in notes.compactMap(text) {
                if numbers[text] == nil { order.append(text) }
                numbers[text, default: []] += page.numbersInSource(isOneBook)
            }
        }
        return order.map { ($0, PageRanges(numbers[$0] ?? [])) }
    }
}

extension PageReport {
    /// Returns the numbers of the page, or of its parts, in its source, by which people know them. With several books it is the
    /// number in the output.
    ///
    /// - Parameter areOfOneBook: the value of `[PageReport].areOfOneBook`, computed once.
    func numbersInSource(_ areOfOneBook: Bool) -> [Int] {
        guard areOfOneBook else { return [number] }
        return parts.isEmpty ? [sourceID ?? number] : parts.map { $0.sourceID ?? number }
    }

    /// Whether one of the notes on its treatment has one of the codes.
    func has(_ codes: Set<Note.Code>) -> Bool { reason.parts.contains { codes.contains($0.note.code) } }
}
