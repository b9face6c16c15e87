public import AdapterKit
public import PageModel

/// What an output cannot say of the book that its source says.
public enum MetadataLoss {
    /// What jisui itself says of every comic it writes. That a folder of pictures does not say it surprises nobody.
    private static let common: Set<String> = [
        "Title", "PageCount", "Pages", "LanguageISO", "Manga", "Series", "Number", "Writer",
    ]

    /// What outputs say that have a place for Dublin Core's terms.
    private static let dublinCore: Set<String> = ["Publisher", "Year", "Month", "Day"]

    /// The elements of the sources' ComicInfos that are lost, by name, in the order of the documents.
    public static func fields(of book: BookMetadata, in output: SinkCapabilities) -> [String] {
        let infos = ComicInfo.documents(of: book).map(\.info)
        let kept: Set<XMLElement.Node> =
            output.metadata.contains(ComicInfo.format) ? Set(ComicInfo.common(to: infos)?.root.nodes ?? []) : []
        let said = output.metadata.contains(DublinCore.format) ? common.union(dublinCore) : common
        var names: [String] = []
        for node in infos.flatMap(\.root.nodes) where !kept.contains(node) {
            guard case .element(let element) = node, element.text.meaningful != nil else { continue }
            let name = element.name.qualified
            if !said.contains(name) && !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The warning that tells of what is lost; nil when nothing is.
    public static func warning(of book: BookMetadata, in output: SinkCapabilities) -> Warning? {
        let fields = fields(of: book, in: output)
        guard !fields.isEmpty else { return nil }
        let list = fields.prefix(12).joined(separator: ", ") + (fields.count > 12 ? ", …" : "")
        return Warning(
            code: "metadata-dropped",
            message: output.metadata.contains(ComicInfo.format)
                ? "the books' ComicInfo.xml differ, and only what they have in common is kept: lost are \(list)"
                : "the output has no place for all that the book's ComicInfo.xml says: lost are \(list)")
    }
}
