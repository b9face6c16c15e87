internal import AdapterKit
internal import DecisionFiles
internal import Files
internal import PageModel

/// The decisions of a person for the pages of a run, and the files that the run writes for that person.
struct CleanDecisions {
    private let options: CleanOptions
    /// The decisions that the run follows, by `Page.id`; nil if the run makes them itself.
    private let followed: [Int: CleanFile.Entry]?
    private let newFile: OutputFile?
    private let newSheet: OutputFile?

    /// - Throws: `.usage` if the file was made with other options or for another book; the error of opening a file.
    init(_ options: CleanOptions, _ pages: [Page], _ request: TransformRequest) async throws {
        self.options = options
        newSheet = try options.sheet.map { path throws(AdapterError) in
            try OutputFile(at: request.destination(path))
        }
        switch try options.file.map({ path throws(AdapterError) in
            try DecisionFile(path: path, of: CleanFile.contents, request)
        }) {
        case .follow(let readable)?:
            let file = try CleanFile(readable)
            try DecisionFile.compare(made: file.options, given: options.given, path: readable.path)
            followed = try await file.decisions(for: pages, path: readable.path, request)
            newFile = nil
        case .write(let file)?: (followed, newFile) = (nil, file)
        case nil: (followed, newFile) = (nil, nil)
        }
    }

    /// Returns the decision of the file about whitening a page, or the proposed one without a file.
    ///
    /// - Parameters:
    ///   - proposed: the finding of this run.
    ///   - canWhiten: whether the page has paper by which it can be whitened.
    func whitening(of page: Page, _ proposed: PaperFinding, canWhiten: Bool) -> PaperFinding {
        guard let followed else { return proposed }
        switch followed[page.id]?.whitens {
        case proposed.isWhitened?: return proposed
        case true? where canWhiten:
            return proposed.becoming("whitened, as --clean-file says", isWhitened: true)
        case true?: return proposed
        case false?: return proposed.becoming("not whitened, as --clean-file says", isWhitened: false)
        case nil: return proposed.becoming("not whitened: it is not in --clean-file", isWhitened: false)
        }
    }

    /// Returns whether the file asks for no whitening of a page.
    func leavesAlone(_ page: Page) -> Bool { followed.map { $0[page.id]?.whitens != true } ?? false }

    /// Returns whether the specks of a page are removed.
    func despeckles(_ page: Page) -> Bool {
        guard let followed else { return true }
        return followed[page.id]?.despeckles ?? false
    }

    /// Returns whether the borders of a page are filled.
    func fillsBorders(_ page: Page) -> Bool {
        guard let followed else { return true }
        return followed[page.id]?.fillsBorders ?? false
    }

    /// Writes the file and the sheet, if they were asked for.
    ///
    /// - Parameters:
    ///   - before: the pages before they were cleaned.
    ///   - after: the cleaned pages with their findings, in the same order.
    func write(of book: BookMetadata, before: [Page], after: [Page], _ request: TransformRequest) async throws {
        guard newFile != nil || newSheet != nil else { return }
        let file = CleanFile(
            options: options.given, after.map(CleanDecisions.entry), of: try await DecisionBook(after, request))
        if let newFile { try file.write(to: newFile) }
        guard let newSheet, let path = options.sheet else { return }
        let entries = try await CleanSheet.entries(before: before, after: after, request)
        let sheet = CleanSheet(title: book.title ?? "", entries, file, path: options.file, in: request.language)
        try newSheet.write(Array(sheet.html.utf8))
        try newSheet.publish()
        request.report(
            Warning(code: "clean-sheet", message: "wrote the sheet of cleaned pages to \(path)", isNote: true))
    }

    /// Returns the decisions that a page got in this run. A page without paper, or one that cannot be read, has none.
    private static func entry(_ page: Page) -> CleanFile.Entry {
        let (paper, specks) = (page.findings[PaperFinding.self], page.findings[SpeckFinding.self])
        let borders = page.findings[BorderFinding.self]
        return CleanFile.Entry(
            id: page.id, name: page.name, whitens: paper?.paper == nil ? nil : paper?.isWhitened,
            despeckles: specks.flatMap { $0.isKept ? false : $0.count.map { _ in true } },
            fillsBorders: borders.flatMap { $0 == .kept ? false : $0.borders.map { _ in true } })
    }
}
