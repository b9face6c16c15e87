internal import CQPDFShims
package import PageModel

extension PDFFile {
    /// The state of a document's tags: the structure that describes headings, lists and tables to screen readers (ISO
    /// 32000-1, 14.7).
    package enum StructureState: Sendable {
        case none
        case sound
        /// Elements contain themselves, occur in two places, or have an unknown type.
        case broken
        /// Elements are nested deeper than viewers support.
        case tooDeep
    }

    /// The state of all tags, from a complete traversal.
    package var structureState: StructureState {
        switch jqpdf_structure_state_of(handle) {
        case jqpdf_structure_none: .none
        case jqpdf_structure_sound: .sound
        case jqpdf_structure_too_deep: .tooDeep
        default: .broken
        }
    }

    /// Whether it is marked as tagged, or has tags.
    package var mentionsStructure: Bool {
        !catalog["StructTreeRoot"].isNull || !catalog["MarkInfo"].isNull
    }

    /// Whether it states that all its content is tagged.
    package var isMarked: Bool { catalog["MarkInfo"]["Marked"].boolean == true }

    /// Removes the layers from its list that none of these pages uses.
    ///
    /// - Throws: `.damaged`.
    package func pruneLayers(keeping pages: [PDFObject]) throws(AdapterError) {
        let handles = pages.map { Optional($0.handle) }
        let isDone = withExtendedLifetime(pages) { jqpdf_prune_layers(handle, handles, CInt(clamping: handles.count)) }
        if !isDone { throw fault ?? AdapterError(.damaged, "its layers cannot be changed: the PDF is damaged") }
    }
}

/// The merging of several documents' tags into one document.
package final class StructureMerge {
    private let handle: OpaquePointer
    private let target: PDFFile
    /// The documents, whose tag data are needed until the end.
    private var sources: [PDFFile] = []

    /// - Throws: `outOfMemory`.
    package init(into target: PDFFile) throws(AdapterError) {
        guard let handle = jqpdf_structure_new(target.handle) else { throw PDFFile.outOfMemory }
        self.handle = handle
        self.target = target
    }

    deinit { jqpdf_structure_free(handle) }

    /// Numbers the objects to which the tags of pages refer. Call it for each document, including the target. It must
    /// come before its pages are copied.
    ///
    /// - Parameter keepsTags: whether the pages keep their tags.
    /// - Throws: `.damaged`.
    package func number(_ pages: [PDFObject], of source: PDFFile, keepsTags: Bool) throws(AdapterError) {
        sources.append(source)
        let handles = pages.map { Optional($0.handle) }
        let isDone = withExtendedLifetime(pages) {
            jqpdf_structure_number(handle, source.handle, handles, CInt(clamping: handles.count), keepsTags)
        }
        if !isDone { throw source.fault ?? StructureMerge.broken }
    }

    /// Makes the tags of the target. These are its pages.
    ///
    /// - Parameter isAll: whether each of them shows only numbered pages.
    /// - Throws: `.damaged`.
    package func finish(_ pages: [PDFObject], isAll: Bool) throws(AdapterError) {
        let handles = pages.map { Optional($0.handle) }
        let isDone = withExtendedLifetime(pages) {
            jqpdf_structure_finish(handle, isAll, handles, CInt(clamping: handles.count))
        }
        if !isDone { throw target.fault ?? sources.lazy.compactMap(\.fault).first ?? StructureMerge.broken }
    }

    private static let broken = AdapterError(
        .damaged,
        "its tags cannot be copied: the PDF is damaged; use --rebuild to make a PDF from images of its pages")
}
