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

    /// Returns the data in other files, and the PostScript, that pages have.
    ///
    /// - Throws: `.damaged`, `outOfMemory`.
    func activeParts(on pages: [PDFObject]) throws(AdapterError) -> [ActiveContent.Kind] {
        let handles = pages.map { Optional($0.handle) }
        return try parts { take, context in
            withExtendedLifetime(pages) {
                jqpdf_find_parts(handle, handles, CInt(clamping: handles.count), take, context)
            }
        }
    }

    /// Removes such parts, private data of programs, and all actions that leave the document, wherever they are.
    ///
    /// - Returns: the removed parts.
    /// - Throws: `.damaged` when some may remain.
    func dropActiveParts() throws(AdapterError) -> [ActiveContent.Kind] {
        try parts { take, context in jqpdf_drop_parts(handle, take, context) }
    }

    private func parts(
        _ call: (jqpdf_take_part, UnsafeMutableRawPointer) -> Bool
    ) throws(AdapterError) -> [ActiveContent.Kind] {
        var parts: [jqpdf_part] = []
        let isDone = withUnsafeMutablePointer(to: &parts) { parts in
            call({ context, part in context?.assumingMemoryBound(to: [jqpdf_part].self).pointee.append(part) }, parts)
        }
        if !isDone { throw fault ?? AdapterError(.damaged, "its active content cannot be found: the PDF is damaged") }
        return parts.map { part in
            switch part {
            case jqpdf_part_external: .external
            case jqpdf_part_postscript: .postScript
            case jqpdf_part_private: .privateData
            case jqpdf_part_script: .javaScript
            default: .other
            }
        }
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
