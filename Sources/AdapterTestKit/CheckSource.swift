public import AdapterKit
internal import Files
internal import PageModel

/// Checks the promises of every source with one valid input.
///
/// The source must recognize the input by its content. It must list the same pages each time, without reading their
/// images. It must return every page unchanged, any number of times and in any order. It must enforce its limits and
/// stop when it is canceled. It must fail with an `AdapterError` if the input is truncated.
///
/// - Parameters:
///   - source: the source to check.
///   - input: a file or folder. The source reads it without a warning.
///   - expectedPages: the number of its pages; nil for an unknown number.
///   - settings: the settings to open it with. Nil selects the source's defaults.
///   - truncations: the number of lengths at which the input is truncated. Nil selects every length of a file up to
///     4096 bytes, and 150 lengths of a larger one.
///   - changedBytes: the number of copies of the input with one changed byte.
///   - watch: the observer of a source that works in other processes.
/// - Returns: the broken promises. The list is empty for a conforming source.
public func checkSource(
    _ source: any SourceAdapter, _ input: Input, expectedPages: Int?, settings: Settings? = nil,
    truncations: Int? = nil, changedBytes: Int = 0, watch: (any AdapterWatch)? = nil
) async -> [ConformanceFailure] {
    let check = SourceCheck(source, input, settings, watch)
    let before = try? check.bytes()
    await check.recognition()
    guard let pages = await check.listing(count: expectedPages) else { return check.findings.failures }
    await check.reading(pages)
    if check.findings.mayStop { return check.findings.failures }
    await check.limits(pages)
    await check.endurance()
    await check.cancellation()
    // Problems with the intact input would be found again in each damaged copy.
    if check.findings.failures.isEmpty { await check.damage(truncations, changedBytes: changedBytes) }
    check.findings.expect(before == (try? check.bytes()), "the source changes its input")
    return check.findings.failures
}

/// Checks that a source fails cleanly on one invalid input. It must throw an `AdapterError` or return a warning.
///
/// - Parameters:
///   - source: the source to check.
///   - input: a file or folder. Its fault concerns the source.
///   - settings: the settings to open it with. Nil selects the source's defaults.
///   - mayPass: whether the source may read the input without a warning. Some faults are harmless.
/// - Returns: the broken promises; empty for a conforming source.
public func checkBadInput(
    _ source: any SourceAdapter, _ input: Input, settings: Settings? = nil, mayPass: Bool = false
) async -> [ConformanceFailure] {
    let check = SourceCheck(source, input, settings)
    await check.badInput(mayPass: mayPass)
    return check.findings.failures
}

/// The state of a check: one source and one input.
struct SourceCheck {
    let source: any SourceAdapter
    let input: Input
    let settings: Settings
    let findings: Findings

    init(_ source: any SourceAdapter, _ input: Input, _ settings: Settings?, _ watch: (any AdapterWatch)? = nil) {
        self.source = source
        self.input = input
        self.settings = settings ?? Settings(defaultsOf: source.descriptor)
        findings = Findings(source.descriptor, subject: input.path, watch)
    }

    func open(_ limits: Limits = Limits()) async throws(AdapterError) -> OpenedBook {
        try await source.open(input, settings: settings, limits: limits)
    }

    /// Returns the bytes of the input; nil when it is a folder.
    func bytes() throws -> [UInt8]? {
        FileStatus.isFolder(input.path) ? nil : try TemporaryFolder.contents(of: input.path)[""]
    }
}

extension Settings {
    /// A descriptor with invalid defaults is a fault that a check of descriptors has to find.
    init(defaultsOf descriptor: AdapterDescriptor) {
        self = (try? Settings(descriptor.settings, given: [:])) ?? Settings()
    }
}

// MARK: - Recognition

extension SourceCheck {
    /// Checks that the source recognizes the input by its content, regardless of its name.
    func recognition() async {
        await findings.attempt("recognizing it") { try Probe(path: input.path) }.map { probe in
            findings.expect(source.recognize(probe).isYes, "is not recognized: \(source.recognize(probe))")
        }
        // Names without an extension, with an unknown one, and with that of another format.
        for name in ["input", "input.dat", "input.txt"] {
            await recognition(called: name, bytes).map {
                findings.expect($0.isYes, "is not recognized by its content as '\(name)': \($0)")
            }
        }
        await recognition(called: "empty.\(source.descriptor.extensions.first ?? "dat")", { [] }).map {
            findings.expect(!$0.isCertain, "is certain of an empty file because of its name: \($0)")
        }
    }

    private func recognition(called name: String, _ bytes: () throws -> [UInt8]?) async -> Recognition? {
        await findings.attempt("recognizing a copy called '\(name)'") { () -> Recognition? in
            let folder = try TemporaryFolder()
            return try bytes().map { source.recognize(try Probe(path: folder.write(name, $0))) }
        } ?? nil
    }
}

extension Recognition {
    private var percent: Int { if case .maybe(let certainty) = self { certainty } else { 0 } }
    fileprivate var isYes: Bool { (1...100).contains(percent) }
    fileprivate var isCertain: Bool { percent > 50 }
}

// MARK: - The list of pages

extension SourceCheck {
    /// Checks that the list of pages is right, and the same every time.
    ///
    /// - Returns: the pages; nil if further checks are useless.
    func listing(count: Int?) async -> [Page]? {
        guard let book = await findings.attempt("opening it", { try await open() }) else { return nil }
        let pages = book.sequence.pages
        if let count { findings.expect(pages.count == count, "lists \(pages.count) pages, and has \(count)") }
        let ids = pages.map(\.id)
        findings.expect(zip(ids, ids.dropFirst()).allSatisfy(<), "the pages' ids do not ascend: \(ids)")
        findings.expect(ids.first ?? 1 >= 1, "the first page's id is less than 1: \(ids)")
        findings.expect(pages.allSatisfy { !$0.name.isEmpty }, "a page has no name")
        let strays = book.sequence.book.outline.compactMap(\.page).filter { !ids.contains($0) }
        findings.expect(strays.isEmpty, "the outline links to pages that do not exist: \(strays)")
        await findings.attempt("opening it again") { try await open() }.map { again in
            findings.expect(BookListing(again) == BookListing(book), "opened twice it gives two different lists")
        }
        return pages.isEmpty ? nil : pages
    }
}

/// The properties of a book that can be compared without reading any image.
struct BookListing: Equatable {
    /// The properties of each page.
    let pages: [String]
    private let metadata: BookMetadata
    private let warnings: [Warning]
    private let skipped: [String]

    init(_ book: OpenedBook) {
        pages = book.sequence.pages.map { "\($0.id) \($0.name) \($0.label ?? "") \($0.side) \($0.edits)" }
        (metadata, warnings, skipped) = (book.sequence.book, book.warnings, book.skipped)
    }
}
