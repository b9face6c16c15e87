public import AdapterKit
internal import CQPDFShims

extension PDFFile {
    /// What is known of a document's tags: the structure that tells screen readers what is a heading, a list, a table
    /// (ISO 32000-1, 14.7).
    public enum StructureState: Sendable {
        case none
        case sound
        /// Elements lie within themselves, in two places, or are of no kind.
        case broken
        /// Elements lie deeper within each other than viewers go.
        case tooDeep
    }

    /// Goes through all tags.
    public var structureState: StructureState {
        switch jqpdf_structure_state_of(handle) {
        case jqpdf_structure_none: .none
        case jqpdf_structure_sound: .sound
        case jqpdf_structure_too_deep: .tooDeep
        default: .broken
        }
    }

    /// Whether it says that it is tagged, or has tags.
    public var mentionsStructure: Bool {
        !catalog["StructTreeRoot"].isNull || !catalog["MarkInfo"].isNull
    }

    /// Whether it says that all its content is tagged.
    public var isMarked: Bool { catalog["MarkInfo"]["Marked"].boolean == true }

    /// Takes layers out of its list that none of these pages uses.
    ///
    /// - Throws: `.damaged`.
    public func pruneLayers(keeping pages: [PDFObject]) throws(AdapterError) {
        let handles = pages.map { Optional($0.handle) }
        let isDone = withExtendedLifetime(pages) { jqpdf_prune_layers(handle, handles, CInt(clamping: handles.count)) }
        if !isDone { throw fault ?? AdapterError(.damaged, "its layers cannot be changed: the PDF is damaged") }
    }
}

/// Puts the tags of documents together in one of them.
public final class StructureMerge {
    private let handle: OpaquePointer
    private let target: PDFFile
    /// Documents are asked for what belongs to their tags until the end.
    private var sources: [PDFFile] = []

    /// - Throws: `outOfMemory`.
    public init(into target: PDFFile) throws(AdapterError) {
        guard let handle = jqpdf_structure_new(target.handle) else { throw PDFFile.outOfMemory }
        self.handle = handle
        self.target = target
    }

    deinit { jqpdf_structure_free(handle) }

    /// Numbers what the tags of pages refer to. To be called for each document, the target as well, before its pages are
    /// copied.
    ///
    /// - Parameter keepsTags: otherwise the pages lose theirs.
    /// - Throws: `.damaged`.
    public func number(_ pages: [PDFObject], of source: PDFFile, keepsTags: Bool) throws(AdapterError) {
        sources.append(source)
        let handles = pages.map { Optional($0.handle) }
        let isDone = withExtendedLifetime(pages) {
            jqpdf_structure_number(handle, source.handle, handles, CInt(clamping: handles.count), keepsTags)
        }
        if !isDone { throw source.fault ?? StructureMerge.broken }
    }

    /// Makes the tags of the target, whose pages these are.
    ///
    /// - Parameter isAll: whether each of them shows nothing but pages that were numbered.
    /// - Throws: `.damaged`.
    public func finish(_ pages: [PDFObject], isAll: Bool) throws(AdapterError) {
        let handles = pages.map { Optional($0.handle) }
        let isDone = withExtendedLifetime(pages) {
            jqpdf_structure_finish(handle, isAll, handles, CInt(clamping: handles.count))
        }
        if !isDone { throw target.fault ?? sources.lazy.compactMap(\.fault).first ?? StructureMerge.broken }
    }

    private static let broken = AdapterError(
        .damaged, "its tags cannot be copied: the PDF is damaged; use --rebuild to make a PDF of pictures of its pages")
}
