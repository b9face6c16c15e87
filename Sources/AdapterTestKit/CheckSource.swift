public import AdapterKit
internal import PageModel

/// Checks what every source promises, on one good input.
///
/// The source has to recognise the input by its content, list the same pages each time without reading their pictures,
/// give every page the same way however often and in whatever order it is read, keep to the limits it is given, stop
/// when it is cancelled, and fail with an `AdapterError` where the input breaks off.
///
/// - Parameters:
///   - source: the source to check.
///   - input: a file or folder that the source reads without a warning.
///   - expectedPages: the number of pages the input has.
///   - settings: the settings to open it with; nil for the defaults of the source's card.
///   - prefixes: at how many lengths the input is cut off.
/// - Returns: the promises that were not kept; empty for a source that keeps them all.
public func checkSource(
    _ source: any SourceAdapter, _ input: Input, expectedPages: Int, settings: Settings? = nil,
    prefixes: PrefixSweep = .standard
) async -> [ConformanceFailure] {
    let check = SourceCheck(source, input, settings)
    await check.recognition()
    guard let pages = await check.listing(count: expectedPages) else { return check.findings.failures }
    await check.reading(pages)
    await check.limits(pages)
    await check.cancellation()
    await check.prefixes(prefixes)
    return check.findings.failures
}

/// Checks that a source fails cleanly on one bad input: with an `AdapterError`, or with a warning.
///
/// - Parameters:
///   - source: the source to check.
///   - input: a file or folder with a fault that belongs to the source.
///   - settings: the settings to open it with; nil for the defaults of the source's card.
///   - mayPass: whether the source may also read the input without a word, for faults that do no harm.
/// - Returns: the promises that were not kept; empty for a source that keeps them all.
public func checkBadInput(
    _ source: any SourceAdapter, _ input: Input, settings: Settings? = nil, mayPass: Bool = false
) async -> [ConformanceFailure] {
    let check = SourceCheck(source, input, settings)
    await check.badInput(mayPass: mayPass)
    return check.findings.failures
}

/// One source and one input under examination.
struct SourceCheck {
    let source: any SourceAdapter
    let input: Input
    let settings: Settings
    let findings: Findings

    init(_ source: any SourceAdapter, _ input: Input, _ settings: Settings?) {
        self.source = source
        self.input = input
        // A card whose own defaults are not allowed is a fault of the card, and for a check of cards to find.
        self.settings = settings ?? (try? Settings(source.card.settings, given: [:])) ?? Settings()
        findings = Findings(source.card, subject: input.path)
    }

    func open(_ limits: Limits = Limits()) async throws(AdapterError) -> OpenedBook {
        try await source.open(input, settings: settings, limits: limits)
    }

    /// A copy of the input under another name; nil when the input is a folder.
    func copy(named name: String, in folder: TemporaryFolder) throws -> Input? {
        guard try !Probe(path: input.path).isFolder else { return nil }
        let file = try ReadableFile(path: input.path)
        let path = try folder.write(name, try file.read(at: 0, exactly: file.size))
        return Input(path: path, password: input.password)
    }
}

// MARK: - Recognition

extension SourceCheck {
    /// The source recognises the input by its content, whatever its name is.
    func recognition() async {
        await findings.attempt("recognising it") { try Probe(path: input.path) }.map { probe in
            findings.expect(source.recognise(probe).isYes, "is not recognised: \(source.recognise(probe))")
        }
        // Names without an extension, with an unknown one, and with that of another format.
        for name in ["input", "input.dat", "input.txt"] {
            await findings.attempt("recognising a copy called '\(name)'") {
                let folder = try TemporaryFolder()
                return try copy(named: name, in: folder).map { source.recognise(try Probe(path: $0.path)) }
            }?.map { findings.expect($0.isYes, "is not recognised by its content as '\(name)': \($0)") }
        }
        await findings.attempt("recognising an empty file") {
            let folder = try TemporaryFolder()
            let name = "empty.\(source.card.extensions.first ?? "dat")"
            return source.recognise(try Probe(path: try folder.write(name)))
        }.map { findings.expect(!$0.isCertain, "is certain of an empty file because of its name: \($0)") }
    }
}

extension Recognition {
    fileprivate var isYes: Bool {
        if case .maybe(let certainty) = self { (1...100).contains(certainty) } else { false }
    }

    fileprivate var isCertain: Bool {
        if case .maybe(let certainty) = self { certainty > 50 } else { false }
    }
}

// MARK: - The list of pages

extension SourceCheck {
    /// The list of pages is right, and the same every time.
    ///
    /// - Returns: the pages; nil when the input cannot be opened or has none, so that the other checks make no sense.
    func listing(count: Int) async -> [Page]? {
        guard let book = await findings.attempt("opening it", { try await open() }) else { return nil }
        let pages = book.sequence.pages
        findings.expect(pages.count == count, "lists \(pages.count) pages, and has \(count)")
        let ids = pages.map(\.id)
        findings.expect(zip(ids, ids.dropFirst()).allSatisfy(<), "the pages' ids do not ascend: \(ids)")
        findings.expect(ids.first ?? 1 >= 1, "the first page's id is less than 1: \(ids)")
        findings.expect(pages.allSatisfy { !$0.name.isEmpty }, "a page has no name")
        let strays = book.sequence.book.outline.compactMap(\.page).filter { !ids.contains($0) }
        findings.expect(strays.isEmpty, "the outline leads to pages that do not exist: \(strays)")
        await findings.attempt("opening it again") { try await open() }.map { again in
            findings.expect(BookListing(again) == BookListing(book), "opened twice it gives two different lists")
        }
        return pages.isEmpty ? nil : pages
    }
}

/// What can be compared of a book without reading any picture.
struct BookListing: Equatable {
    struct Line: Equatable {
        let id: Int
        let name: String
        let label: String?
        let side: Side
        let edits: [Edit]
    }

    let pages: [Line]
    let metadata: BookMetadata
    let warnings: [Warning]
    let skipped: [String]

    init(_ book: OpenedBook) {
        pages = book.sequence.pages.map {
            Line(id: $0.id, name: $0.name, label: $0.label, side: $0.side, edits: $0.edits)
        }
        metadata = book.sequence.book
        warnings = book.warnings
        skipped = book.skipped
    }
}
