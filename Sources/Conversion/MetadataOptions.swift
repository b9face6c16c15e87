package import Metadata
public import PageModel

/// The metadata that the user gives for a book. Nil and empty properties keep the value of the source.
public struct MetadataOptions: Hashable, Sendable {
    /// The fields that options give. The authors replace the book's authors; those who drew it, and all others, are kept.
    public var book = BookMetadata()
    /// The contents of a metadata file; the fields above override it.
    package var file: MetadataFile?

    public init() {}

    /// Whether no metadata is given.
    var isEmpty: Bool { self == MetadataOptions() }

    /// The options that give metadata, by their names. A file that also describes pages, or that only states the reading
    /// direction, is not included.
    var names: [String] {
        guard !isEmpty else { return [] }
        let describes = file.map { $0.info == nil && !$0.statesDirectionOnly } ?? false
        let stated = MetadataField.all.filter { $0.isStated(in: book) }
        return (describes ? ["metadata"] : []) + stated.compactMap(\.option?.name)
    }

    /// Replaces the book's metadata with the given metadata.
    ///
    /// The page data of a ComicInfo.xml is applied too, but only to a book that was opened from a single input.
    func apply(to sequence: inout PageSequence) {
        var before = sequence.book
        if let file {
            MetadataOptions.apply(file, to: &sequence)
            for index in before.documents.indices { sequence.book.documents[index].isCurrent = false }
            before = sequence.book
        }
        var book = sequence.book
        var given = self.book
        given.credits = []
        book.replace(with: given)
        if !self.book.authors.isEmpty { book.replaceAuthors(with: self.book.authors) }
        // A field that is given now is not lost.
        let stated = MetadataField.all.filter { field in
            field.isStated(in: self.book) || file.map { field.isStated(in: $0.book) } ?? false
        }.map(\.warningName)
        book.conflictingFields.removeAll(where: stated.contains)
        if book != before {
            for index in book.documents.indices { book.documents[index].isCurrent = false }
        }
        sequence.book = book
    }

    private static func apply(_ file: MetadataFile, to sequence: inout PageSequence) {
        var (stated, known) = (file.book, sequence.book)
        if file.namesOnlyAuthors {
            stated.credits = known.credits.filter { $0.role != .author }
            stated.replaceAuthors(with: file.book.authors)
        }
        if let info = file.info, Set(sequence.pages.map(\.book)).count == 1 {
            let pages = info.metadata(for: &sequence.pages, at: Array(sequence.pages.indices))
            if !pages.outline.isEmpty { known.outline = pages.outline }
            for index in stated.documents.indices { stated.documents[index].pages = sequence.pages.map(\.id) }
        }
        known.replace(with: stated)
        known.documents += stated.documents
        known.unsupportedFields = (known.unsupportedFields + stated.unsupportedFields).unique
        sequence.book = known
    }
}
