internal import AdapterKit
internal import CQPDFShims

/// Files that are attached to parts of a document.
extension PDFFile {
    /// The numbers of the file specifications that belong to parts of the document; 0 for one that is no object of its own.
    ///
    /// - Parameter pages: those that count, with all that they lead to.
    /// - Throws: `outOfMemory`.
    func filesAttached(
        toCatalog catalog: Bool, toTags tags: Bool, on pages: [PDFObject]
    ) throws(AdapterError) -> [CInt] {
        let handles = pages.map { Optional($0.handle) }
        return try numbers { take, context in
            withExtendedLifetime(pages) {
                jqpdf_find_files(handle, catalog, tags, handles, CInt(clamping: handles.count), take, context)
            }
        }
    }

    /// Takes away what leads to files in the document, wherever that is.
    ///
    /// - Returns: as `filesAttached`.
    /// - Throws: `.damaged` where something may be left.
    func dropFiles() throws(AdapterError) -> [CInt] {
        try numbers { take, context in jqpdf_drop_files(handle, take, context) }
    }

    private func numbers(
        _ call: (jqpdf_take_number, UnsafeMutableRawPointer) -> Bool
    ) throws(AdapterError) -> [CInt] {
        var numbers: [CInt] = []
        let isDone = withUnsafeMutablePointer(to: &numbers) { numbers in
            call({ context, number in context?.assumingMemoryBound(to: [CInt].self).pointee.append(number) }, numbers)
        }
        if !isDone { throw fault ?? AdapterError(.damaged, "its attached files cannot be found: the PDF is damaged") }
        return numbers
    }
}
