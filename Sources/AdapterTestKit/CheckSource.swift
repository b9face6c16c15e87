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
///   - input: a file or folder. The source reads it without a warning.
///   - expectedPages: the number of its pages; nil for an unknown number.
///   - settings: the settings to open it with. Nil selects the source's defaults.
///   - truncations: the number of lengths at which the input is truncated. Nil selects every length of a file up to
///     4096 bytes, and 150 lengths of a larger one.
///   - changedBytes: the number of copies of the input with one changed byte.
///   - watch: the observer of a source that works in other processes.
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
/// - Parameter mayPass: whether the source may read the input without a warning. Some faults are harmless.
public func checkBadInput(
    _ source: any SourceAdapter, _ input: Input, settings: Settings? = nil, mayPass: Bool = false
) async -> [ConformanceFailure] {
    let check = SourceCheck(source, input, settings)
    let hasDiagnostic = await check.survives(input, drawing: true, "it")
    check.findings.expect(hasDiagnostic || mayPass, "is bad, and is read without a word")
    return check.findings.failures
}

/// The state of a check: one source and one input.
struct SourceCheck {
    let source: any SourceAdapter
    let input: Input
    let settings: Settings
    let findings: Findings

    init(_ source: any SourceAdapter, _ input: Input, _ settings: Settings?, _ watch: (any AdapterWatch)? = nil) {
        (self.source, self.input) = (source, input)
        self.settings = settings ?? Settings(defaultsOf: source.descriptor)
        findings = Findings(source.descriptor, subject: input.path, watch)
    }

    func open(_ limits: Limits = Limits()) async throws(AdapterError) -> OpenedBook {
        try await source.open(input, settings: settings, limits: limits)
    }

    /// Returns the bytes of the input; nil when it is a folder.
    func bytes() throws -> [UInt8]? {
        FileStatus.isFolder(input.path) ? nil : try WorkFolder.contents(of: input.path)[""]
    }

    /// Checks that the source recognizes the input by its content, regardless of its name.
    func recognition() async {
        await findings.attempt("recognizing it") {
            func expect(_ path: String, _ certainties: ClosedRange<Int>, _ fault: String) throws {
                let recognition = source.recognize(try Probe(path: path))
                let certainty = if case .maybe(let certainty) = recognition { certainty } else { 0 }
                findings.expect(certainties.contains(certainty), "\(fault): \(recognition)")
            }
            try expect(input.path, 1...100, "is not recognized")
            let (folder, bytes) = (try WorkFolder(), try bytes())
            // Names without an extension, with an unknown one, and with that of another format.
            for name in bytes == nil ? [] : ["input", "input.dat", "input.txt"] {
                try expect(folder.write(name, bytes ?? []), 1...100, "is not recognized by its content as '\(name)'")
            }
            let empty = try folder.write("empty.\(source.descriptor.extensions.first ?? "dat")")
            try expect(empty, 0...50, "is certain of an empty file because of its name")
        }
    }

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
        if let again = await findings.attempt("opening it again", { try await open() }) {
            let isSame =
                again.pageList == book.pageList && again.sequence.book == book.sequence.book
                && again.warnings == book.warnings && again.skipped == book.skipped
            findings.expect(isSame, "opened twice it gives two different lists")
        }
        return pages.isEmpty ? nil : pages
    }

    /// Checks copies of the input that are truncated, or have a changed byte.
    ///
    /// Such a copy is refused with an `AdapterError`, yields its remaining pages, or is still valid.
    func damage(_ truncations: Int?, changedBytes: Int) async {
        // A large file would take long to copy many times.
        guard let whole = (try? bytes()) ?? nil, whole.count < 64 << 20,
            let folder = await findings.attempt("making a folder", { try WorkFolder() })
        else { return }
        let count = min(truncations ?? (whole.count <= 4096 ? whole.count : 150), whole.count)
        for index in 0..<count + changedBytes {
            var (bytes, what) = (whole, "a copy with a changed byte")
            if index < count {
                bytes = Array(whole.prefix(index * whole.count / count))
                what = "its first \(bytes.count) of \(whole.count) bytes"
            } else if let place = whole.indices.randomElement() {
                what += " at \(place)"
                bytes[place] ^= 0xFF
            }
            let name = FileName.last(of: input.path)
            guard let path = await findings.attempt("copying it", { try folder.write(name, bytes) }) else { return }
            // Not every time: rendering takes longer than all other steps together.
            let copy = Input(path: path, password: input.password)
            await survives(copy, drawing: index % 16 == 0, isEmpty: bytes.isEmpty, what)
            // A crash would repeat.
            if findings.mayStop { return }
        }
    }

    /// The errors that no damage of an input causes.
    private static let foreign: [AdapterError.Code] = [.usage, .exists, .unwritable]

    /// Reads everything in an input. Errors other than an `AdapterError` with a message are failures.
    ///
    /// - Returns: whether the source reported a problem.
    @discardableResult
    fileprivate func survives(_ input: Input, drawing: Bool, isEmpty: Bool = false, _ what: String) async -> Bool {
        await findings.attempt("opening \(what)", isDamaged: true) {
            do {
                _ = try source.recognize(Probe(path: input.path))
                let book = try await source.open(input, settings: settings, limits: Limits())
                // Sources of single images have one page before they read it.
                let mayHavePages = !isEmpty || findings.watch == nil
                findings.expect(mayHavePages || book.sequence.pages.isEmpty, "finds pages in an empty file")
                var hasDiagnostic = !book.warnings.isEmpty
                for page in book.sequence.pages.prefix(8) {
                    do {
                        let contents = try await PageContents(page, drawing: drawing)
                        hasDiagnostic = hasDiagnostic || contents.hasDiagnostic
                    } catch let error as AdapterError where !error.message.isEmpty {
                        hasDiagnostic = true
                    }
                }
                return hasDiagnostic
            } catch let error as AdapterError where !error.message.isEmpty {
                findings.expect(!Self.foreign.contains(error.code), "opening \(what) threw \(error.failureText)")
                return true
            }
        } ?? false
    }
}

extension OpenedBook {
    /// The properties of the pages that are known without reading any image.
    var pageList: [String] {
        sequence.pages.map { "\($0.id) \($0.name) \($0.label ?? "") \($0.side) \($0.edits)" }
    }
}
