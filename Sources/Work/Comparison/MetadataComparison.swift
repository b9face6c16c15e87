internal import AdapterKit
internal import Conversion
internal import Files
internal import Metadata
internal import OrderedJSON
internal import PageModel

/// A comparison of the metadata that the formats of both books can have.
///
/// The abilities of a format are those of the sink that writes it. Of a format that jisui does not write, only the stated fields
/// are compared.
struct MetadataComparison {
    private typealias Book = (metadata: BookMetadata, pages: [Page], abilities: SinkCapabilities?)

    private let one: Book
    private let other: Book
    /// The places of the first book's pages in the other book.
    private let partners: [Int: Int]

    /// - Parameter partners: the places of the first book's pages in the other book, from 0.
    init(_ registry: Registry, _ one: ComparedBook, _ other: ComparedBook, _ partners: [Int: Int]) {
        func book(_ book: ComparedBook) -> Book {
            var metadata = book.book.sequence.book
            // Outputs without another title have such a title.
            if let title = metadata.title, [one, other].contains(where: { registry.stem(of: $0.input) == title }) {
                metadata.title = nil
            }
            return (metadata, book.book.sequence.pages, registry.abilities(of: book))
        }
        (self.one, self.other, self.partners) = (book(one), book(other), partners)
    }

    var differences: [MetadataDifference] { fields + outline + labels }

    /// Whether both formats can express a feature.
    private func canHave(_ feature: SinkCapabilities.Feature) -> Bool {
        [one, other].allSatisfy { $0.abilities?.features.contains(feature) ?? true }
    }

    /// Returns whether a format has metadata of one of these forms.
    private func isOneOf(_ formats: [String]) -> Bool {
        [one, other].contains { book in formats.contains { book.abilities?.metadata.contains($0) ?? false } }
    }

    // MARK: Fields

    private var fields: [MetadataDifference] {
        if [one, other].contains(where: { $0.abilities?.metadata.isEmpty ?? false }) { return [] }
        let lost = lostFields(one, other).union(lostFields(other, one))
        let pairs = zip(MetadataJSON.members(of: comparable(one)), MetadataJSON.members(of: comparable(other)))
        let names = Dictionary(MetadataField.all.map { ($0.key, $0.warningName) }) { first, _ in first }
        let isPartial = one.abilities == nil || other.abilities == nil
        return pairs.compactMap { one, other in
            guard one.value.text != other.value.text, !lost.contains(names[one.key] ?? one.key) else { return nil }
            let values = (MetadataComparison.text(one.value), MetadataComparison.text(other.value))
            if isPartial, values.0 == nil || values.1 == nil { return nil }
            return MetadataDifference(field: one.key, one: values.0, other: values.1)
        }
    }

    /// Returns the fields of a book that the format of another cannot store.
    private func lostFields(_ book: Book, _ other: Book) -> Set<String> {
        guard let abilities = other.abilities else { return [] }
        var names = Set(MetadataLoss.fields(of: book.metadata, in: abilities))
        if names.contains("ISBN") { names.insert("GTIN") }
        return names
    }

    /// Returns the metadata in a form that is equal for all formats that store them.
    private func comparable(_ book: Book) -> BookMetadata {
        var metadata = book.metadata
        // A book without a direction is read like this.
        if metadata.direction == .leftToRight { metadata.direction = nil }
        metadata.language = metadata.language.map { LanguageTag.normalized($0) ?? $0 }
        if isOneOf([ComicInfo.format]) {
            // ComicInfo.xml has no elements for them.
            metadata.credits.removeAll { [.adapter, .photographer, .other].contains($0.role) }
            metadata.rights = nil
        }
        metadata.credits = Array(Set(metadata.credits)).sorted {
            ($0.role.rawValue, $0.name) < ($1.role.rawValue, $1.name)
        }
        if isOneOf([OPFMetadata.format, XMPMetadata.format]) {
            // These have one list of subjects, and one place in a series.
            (metadata.genres, metadata.tags) = (metadata.subjects, [])
            (metadata.volume, metadata.number) = (nil, metadata.number ?? metadata.volume)
        }
        (metadata.genres, metadata.tags) = (metadata.genres.sorted(), metadata.tags.sorted())
        return metadata
    }

    /// Returns a value as text; nil for none.
    private static func text(_ value: JSON) -> String? {
        if let text = value.asString { return text }
        guard let elements = value.elements else { return nil }
        let texts = elements.compactMap { element in
            element.asString
                ?? element["name"]?.asString.map { name in element["role"]?.asString.map { "\(name) (\($0))" } ?? name }
        }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    // MARK: Pages

    /// The entries of the table of contents that only one book has.
    private var outline: [MetadataDifference] {
        guard canHave(.outline) else { return [] }
        // Bookmarks have neither levels nor headings without a page.
        let isFlat = isOneOf([ComicInfo.format])
        func entries(_ book: Book, _ place: (Int) -> Int?) -> [String] {
            let places = Dictionary(book.pages.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
            func text(_ title: String, _ page: Int?) -> String {
                "\(title) (\(page.flatMap { place($0) }.map { String($0 + 1) } ?? "-"))"
            }
            let items = book.metadata.outline.map { ($0, $0.page.flatMap { places[$0] }) }
            guard isFlat else {
                return items.map { text(String(repeating: "  ", count: $0.level) + $0.title, $1) }
            }
            // A page has one bookmark.
            let titles = items.compactMap { item, page in page.map { ($0, item.title) } }.filter { !$1.isEmpty }
            return Dictionary(titles) { "\($0) / \($1)" }.sorted { $0.key < $1.key }.map { text($1, $0) }
        }
        let (ones, others) = (entries(one) { partners[$0] }, entries(other) { $0 })
        let (missing, added) = (ones.without(others), others.without(ones))
        return (0..<max(missing.count, added.count)).map { place in
            MetadataDifference(
                field: "outline", one: missing.indices.contains(place) ? missing[place] : nil,
                other: added.indices.contains(place) ? added[place] : nil)
        }
    }

    /// The first differing label. A page without one among others is not compared: an EPUB gives it that of the page before.
    private var labels: [MetadataDifference] {
        guard canHave(.labels) else { return [] }
        /// Nil if the labels only count the pages.
        func labels(_ book: Book) -> [String?]? {
            let labels = book.pages.map(\.label)
            return labels.enumerated().contains { $0.element != nil && $0.element != String($0.offset + 1) }
                ? labels : nil
        }
        let (ones, others) = (labels(one), labels(other))
        // Without labels, pages have other numbers after a missing one.
        if ones == nil, others == nil { return [] }
        let pairs = partners.sorted { $0.key < $1.key }.lazy.map { own, other in
            (ones.map { $0[own] } ?? String(own + 1), others.map { $0[other] } ?? String(other + 1))
        }
        guard let (own, label) = pairs.first(where: { $0 != nil && $1 != nil && $0 != $1 }) else { return [] }
        return [MetadataDifference(field: "pageLabels", one: own, other: label)]
    }
}

extension [String] {
    /// Returns the elements that another list lacks, each as often as it lacks it.
    fileprivate func without(_ other: [String]) -> [String] {
        var counts = Dictionary(other.map { ($0, 1) }, uniquingKeysWith: +)
        return filter { element in
            guard let count = counts[element], count > 0 else { return true }
            counts[element] = count - 1
            return false
        }
    }
}

extension Registry {
    /// Returns the abilities of a book's format; nil if no sink writes it.
    fileprivate func abilities(of book: ComparedBook) -> SinkCapabilities? {
        let metadata = book.book.sequence.book
        let request = SinkRequest(
            book: metadata, pageCount: book.book.sequence.pages.count, destination: Destination(path: book.input.path))
        func abilities(_ sink: any SinkAdapter) -> SinkCapabilities? { try? sink.capabilities(request, given: [:]) }
        let extensions = Set((try? source(book.source))?.descriptor.extensions ?? [])
        let sink =
            sinks.first { $0.descriptor.id == book.source }
            ?? sinks.first { !extensions.isDisjoint(with: $0.descriptor.extensions) }
        guard let found = sink.flatMap(abilities) else { return nil }
        // A folder with the documents of an archive can have the same metadata.
        guard found.metadata.isEmpty, let format = metadata.documents.first?.format else { return found }
        return sinks.lazy.compactMap(abilities).first { $0.metadata.contains(format) } ?? found
    }
}
