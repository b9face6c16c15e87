internal import PDFStructure
internal import PageModel

/// The contents of a page's annotations, and of its attached files, that its image lacks.
struct AnnotationContents {
    /// Whether one of them is a link with a target; the target is not looked up.
    private(set) var haveLinks = false
    private(set) var parts: Set<DocumentPart> = []
    /// The characters of blank texts that may still be read: thousands of annotations may have one long text.
    private var charactersLeft = 1 << 20

    /// The maximum number of annotations that are examined.
    private static let maximumExaminedAnnotations = 1000

    /// The kinds of annotations whose text viewers show in a window of its own (ISO 32000-2, table 171). A page shows
    /// the text of a FreeText annotation.
    private static let notes: Set = [
        "Text", "Line", "Square", "Circle", "Polygon", "PolyLine", "Highlight", "Underline", "Squiggly", "StrikeOut",
        "Stamp", "Caret", "Ink", "FileAttachment", "Sound", "Redact",
    ]

    /// - Parameters:
    ///   - attachedFiles: the files attached to the document as a whole, which do not count.
    ///   - removed: the places of annotations that do not count.
    init(
        _ page: PageNode, _ layers: OptionalContent, _ attachedFiles: Set<PDFReference>, without removed: Set<Int> = []
    ) {
        /// Whether a specification embeds a file that the document does not list.
        func embeds(_ file: PDFObject) -> Bool {
            file["EF"].kind == .dictionary && file.reference.map(attachedFiles.contains) != true
        }
        let associated = page.page["AF"]
        let files = associated.kind == .array ? associated.items : [associated]
        if files.prefix(AnnotationContents.maximumExaminedAnnotations).contains(where: embeds) { parts.insert(.files) }
        let annotations = page["Annots"].items.prefix(AnnotationContents.maximumExaminedAnnotations)
        for (place, annotation) in annotations.enumerated() where !removed.contains(place) {
            guard let kind = annotation["Subtype"].name else { continue }
            if kind == "FileAttachment", !parts.contains(.files), embeds(annotation["FS"]) { parts.insert(.files) }
            if kind == "Link" {
                haveLinks =
                    haveLinks
                    || Annotation.canBeUsed(annotation, layers)
                        && !(annotation["Dest"].isNull && annotation["A"].isNull)
            } else if kind == "Widget" {
                if !parts.contains(.fields), Annotation.canBeUsed(annotation, layers) { parts.insert(.fields) }
            } else if !parts.contains(.notes), AnnotationContents.notes.contains(kind),
                Annotation.canBeUsed(annotation, layers), hasText(annotation["Contents"])
            {
                parts.insert(.notes)
            }
        }
    }

    /// Whether a string has visible characters.
    private mutating func hasText(_ string: PDFObject) -> Bool {
        guard charactersLeft > 0, let text = string.text else { return false }
        charactersLeft -= text.utf8.count
        return text.contains { !$0.isWhitespace }
    }
}
