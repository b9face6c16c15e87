internal import CQPDFShims
internal import PageModel

/// Files attached to parts of a document.
extension PDFFile {
    /// Returns the object numbers of file specifications that belong to parts of the document. Direct objects count as
    /// 0.
    ///
    /// - Parameter pages: the pages that count, with everything reachable.
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

    /// Removes all references to embedded files, anywhere in the document.
    ///
    /// - Returns: as `filesAttached`.
    /// - Throws: `.damaged` when some may remain.
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
