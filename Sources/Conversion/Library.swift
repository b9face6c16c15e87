public import AdapterKit
internal import Files
public import PageModel

/// A library that opens books with the source that recognizes them.
public struct Library: Sendable {
    private let registry: Registry
    /// The code of the warning that a book has another reading direction than the first.
    static let mixedDirections = "mixed-directions"

    public init(_ registry: Registry) {
        self.registry = registry
    }

    /// Opens one input; returns the book and the id of the source that read it. If `source` is nil, the content determines the
    /// source.
    ///
    /// - Parameter settings: the values given for settings of any adapter.
    public func open(
        _ input: Input, source id: String?, settings: [String: String], limits: Limits
    ) async throws(AdapterError) -> (book: OpenedBook, source: String) {
        do throws(AdapterError) {
            let probe = try Probe(path: input.path)
            let source: any SourceAdapter
            if let id { source = try registry.source(id) } else { source = try registry.recognize(probe) }
            let settings = try source.descriptor.values(given: settings)
            let book = try await source.open(input, settings: settings, limits: limits)
            return (book, source.descriptor.id)
        } catch {
            throw error.about(input)
        }
    }

    /// Opens several inputs as one book, whose pages follow each other and whose outline names each input.
    public func open(
        _ inputs: [Input], source id: String?, settings: [String: String], limits: Limits
    ) async throws(AdapterError) -> (book: OpenedBook, source: String) {
        guard let first = inputs.first else { throw AdapterError(.usage, "there is nothing to read") }
        if inputs.count == 1 { return try await open(first, source: id, settings: settings, limits: limits) }
        var (all, source) = try await open(first, source: id, settings: settings, limits: limits)
        all = all.appended(
            first, registry.title(of: first) ?? first.name, isFirst: true,
            after: OpenedBook(sequence: PageSequence(book: BookMetadata(), pages: [])))
        for input in inputs.dropFirst() {
            let (book, other) = try await open(input, source: id, settings: settings, limits: limits)
            if other != source { source = "mixed" }
            if let direction = book.sequence.book.direction, direction != all.sequence.book.direction {
                all.warnings.append(
                    Warning(
                        code: Library.mixedDirections,
                        message:
                            "\(FileName.last(of: input.name)) is read \(direction.rawValue), and the first book is not",
                        hint: "use --direction to set the reading direction of the whole output"))
            }
            all = book.appended(input, registry.title(of: input) ?? input.name, isFirst: false, after: all)
        }
        guard all.sequence.pages.count <= limits.pages else {
            throw AdapterError(.tooLarge, "together the books have more than \(limits.pages) pages")
        }
        return (all, source)
    }
}

extension OpenedBook {
    /// Returns `earlier` followed by this book. Its pages are numbered on. Its outline is one level deeper, below its own name.
    ///
    /// - Parameter title: the title of a book that has none of its own.
    fileprivate func appended(_ input: Input, _ title: String, isFirst: Bool, after earlier: OpenedBook) -> OpenedBook {
        var joined = earlier
        let offset = earlier.sequence.pages.map(\.id).max() ?? 0
        if isFirst {
            joined.sequence.book = sequence.book
            joined.sequence.book.outline = []
            joined.sequence.book.documents = []
        } else {
            joined.sequence.book.attachments += sequence.book.attachments
            // The first book provides the title, and the contributors of all books are kept. Other fields remain only if all
            // books agree.
            let (own, other) = (joined.sequence.book, sequence.book)
            joined.sequence.book.conflictingFields = (own.conflictingFields + own.fieldsLost(joining: other)).unique
            joined.sequence.book.unsupportedFields = (own.unsupportedFields + other.unsupportedFields).unique
            joined.sequence.book.join(other)
        }
        joined.sequence.book.outline.append(
            OutlineItem(
                title: sequence.book.title ?? title, page: sequence.pages.first.map { $0.id + offset }, level: 0))
        joined.sequence.book.outline += sequence.book.outline.map { item in
            OutlineItem(title: item.title, page: item.page.map { $0 + offset }, at: item.place, level: item.level + 1)
        }
        let place = (earlier.sequence.pages.last?.book ?? -1) + 1
        joined.sequence.book.documents += sequence.book.documents.map { document in
            var copy = document
            copy.book = place
            copy.pages = document.pages.map { $0 + offset }
            return copy
        }
        joined.sequence.pages += sequence.pages.map { page in
            var copy = page.renamed(name(of: page.name, in: input), id: page.id + offset)
            copy.book = place
            return copy
        }
        joined.warnings += warnings.map { warning in
            var copy = warning
            copy.page = warning.page.map { $0 + offset }
            copy.book = place
            copy.subject = warning.subject.map { name(of: $0, in: input) } ?? FileName.last(of: input.name)
            return copy
        }
        joined.skipped += skipped
        joined.effects += effects
        return joined
    }

    /// Returns the name of a page or of another part of an input, with the name of the input.
    private func name(of part: String, in input: Input) -> String {
        let file = FileName.last(of: input.name)
        // A page that is the whole input already has the name of the input.
        return part == file ? file : "\(file): \(part)"
    }
}
