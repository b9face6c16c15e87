public import AdapterKit
public import PageModel

/// What an output cannot say of the book that its source says.
public enum MetadataLoss {
    /// What is known in any case or found out anew, or is of no use without the rest.
    private static let plain: Set<String> = ["Title", "PageCount", "Pages", "LanguageISO", "Manga"]
    /// What `BookMetadata` has fields for, besides.
    private static let facts: Set<String> = ["Series", "Number", "Writer"]

    /// The elements of the sources' ComicInfos that are lost, by name, in the order of the documents.
    public static func fields(of book: BookMetadata, in output: SinkCapabilities.MetadataScope) -> [String] {
        let infos = ComicInfo.documents(of: book).map(\.info)
        let kept: Set<XMLElement.Node> =
            output == .comicInfo ? Set(ComicInfo.common(to: infos)?.root.nodes ?? []) : []
        let known = output == .nothing ? plain : plain.union(facts)
        var names: [String] = []
        for node in infos.flatMap(\.root.nodes) where !kept.contains(node) {
            guard case .element(let element) = node, element.text.meaningful != nil else { continue }
            let name = element.name.qualified
            if !known.contains(name) && !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The warning that tells of what is lost; nil when nothing is.
    public static func warning(of book: BookMetadata, in output: SinkCapabilities.MetadataScope) -> Warning? {
        let fields = fields(of: book, in: output)
        guard !fields.isEmpty else { return nil }
        let list = fields.prefix(12).joined(separator: ", ") + (fields.count > 12 ? ", …" : "")
        return Warning(
            code: "metadata-dropped",
            message: output == .comicInfo
                ? "the books' ComicInfo.xml differ, and only what they have in common is kept: lost are \(list)"
                : "the output has no place for all that the book's ComicInfo.xml says: lost are \(list)")
    }
}
