internal import CQPDFShims
package import PageModel

/// Operations that copy, repeat, combine and remove pages.
extension PDFFile {
    /// Sets a dictionary's key to an object of this document.
    ///
    /// - Throws: `outOfMemory`.
    package func set(_ key: String, of object: PDFObject, to value: PDFObject) throws(AdapterError) {
        let isSet = withExtendedLifetime((object, value)) {
            jqpdf_set_key_object(object.handle, key, value.handle)
        }
        if !isSet { throw PDFFile.outOfMemory }
    }

    /// Copies inherited values into a page, so that it can be moved elsewhere.
    ///
    /// - Throws: `outOfMemory`.
    package func copyInheritedValues(into page: PageNode) throws(AdapterError) {
        for key in PageNode.inheritable where page.page[key].isNull {
            let value = page[key]
            if !value.isNull { try set(key, of: page.page, to: value) }
        }
    }

    /// Copies pages of another document with their resources, but without other pages. Links between them point to the
    /// copies. Separate calls do not know each other's pages.
    ///
    /// - Parameters:
    ///   - pages: the pages, each only once.
    ///   - source: the other document. It must stay open until this document is written.
    /// - Throws: `.damaged`; `outOfMemory`.
    package func copy(_ pages: [PageNode], of source: PDFFile) throws(AdapterError) -> [PDFObject] {
        for page in pages { try source.copyInheritedValues(into: page) }
        var numbers = [CInt](repeating: 0, count: pages.count)
        let handles = pages.map { Optional($0.page.handle) }
        let isDone = withExtendedLifetime(pages) {
            jqpdf_copy_pages(handle, source.handle, handles, CInt(clamping: handles.count), &numbers)
        }
        if !isDone { throw fault ?? source.fault ?? PDFFile.broken }
        return numbers.map { object(PDFReference(number: $0, generation: 0)) }
    }

    /// Adds the layers of another document with their visibility, after its pages have been copied.
    ///
    /// - Parameters:
    ///   - source: the other document. It must stay open until this document is written.
    ///   - pages: the copied pages.
    ///   - isWhole: whether to add unused layers.
    /// - Throws: `.damaged`.
    package func mergeLayers(of source: PDFFile, on pages: [PageNode], isWhole: Bool) throws(AdapterError) {
        let handles = pages.map { Optional($0.page.handle) }
        let isDone = withExtendedLifetime(pages) {
            jqpdf_merge_layers(handle, source.handle, handles, CInt(clamping: handles.count), isWhole)
        }
        if !isDone { throw fault ?? source.fault ?? PDFFile.broken }
    }

    /// Adds a page that shows the same content as another one.
    ///
    /// - Throws: `outOfMemory`.
    package func repeated(_ page: PDFObject) throws(AdapterError) -> PDFObject {
        try withExtendedLifetime(page) { () throws(AdapterError) in
            try made { jqpdf_repeat_page(handle, page.handle) }
        }
    }

    /// Returns a form XObject that paints a page's content in its own coordinates. The page must not change until the
    /// document is written.
    ///
    /// - Throws: `.damaged`.
    package func form(of page: PDFObject) throws(AdapterError) -> PDFObject {
        try withExtendedLifetime(page) { () throws(AdapterError) in
            try made { jqpdf_form_of_page(handle, page.handle) }
        }
    }

    /// Makes a page paint a form XObject before its own content, which therefore cannot affect the form's appearance.
    ///
    /// - Throws: `outOfMemory`.
    package func lay(_ form: PDFReference, below page: PDFObject) throws(AdapterError) {
        let isDone = withExtendedLifetime(page) { jqpdf_lay_below(handle, page.handle, CInt(clamping: form.number)) }
        if !isDone { throw fault ?? PDFFile.outOfMemory }
    }

    /// Removes pages, and the form fields that are on no other page. References to them become null.
    ///
    /// - Parameter replaced: pages to be removed as well, to which `redirect` gives references another target.
    /// - Throws: `.damaged`.
    package func remove(_ pages: [PDFObject], replaced: [PDFObject]) throws(AdapterError) {
        let all = pages + replaced
        let handles = all.map { Optional($0.handle) }
        let isDone = withExtendedLifetime(all) {
            jqpdf_remove_pages(handle, handles, CInt(clamping: handles.count), CInt(clamping: pages.count))
        }
        if !isDone { throw fault ?? PDFFile.broken }
    }

    /// Moves an annotation with the matrix of its page. References to it, such as those of form fields, stay valid. The
    /// lists of annotations do not change.
    ///
    /// - Parameters:
    ///   - page: its new page.
    ///   - matrix: a, b, c, d, e, f of PDF's matrices. Only quarter turns and scales are allowed.
    ///   - copies: whether a copy is moved.
    /// - Throws: `.damaged`.
    package func move(
        _ annotation: PDFObject, to page: PDFObject, by matrix: [Double], copies: Bool
    ) throws(AdapterError) -> PDFReference {
        precondition(matrix.count == 6)
        let number = withExtendedLifetime((annotation, page)) {
            jqpdf_move_annotation(handle, annotation.handle, page.handle, matrix, copies)
        }
        guard number > 0 else { throw fault ?? PDFFile.broken }
        return PDFReference(number: number, generation: 0)
    }

    /// Returns the items of an array that is a dictionary's value. Each item becomes an indirect object of its own, so
    /// that several users can get one. The result is empty for other values.
    ///
    /// - Throws: `outOfMemory`.
    package func ownItems(of key: String, in object: PDFObject) throws(AdapterError) -> [PDFObject] {
        let isDone = withExtendedLifetime(object) { jqpdf_own_items(handle, object.handle, key) }
        if !isDone { throw PDFFile.outOfMemory }
        return object[key].items
    }

    /// A page that shows another one, or a part of it.
    package struct Appearance {
        let source: PDFObject
        let page: PDFObject
        let box: PDFBox
        let matrix: [Double]

        /// - Parameters:
        ///   - source: the page that destinations name.
        ///   - page: the page that shows it.
        ///   - box: the visible part of the source. It is in the source's coordinates.
        ///   - matrix: maps them to those of `page`. Its values are a, b, c, d, e, f of PDF's matrices.
        package init(of source: PDFObject, on page: PDFObject, showing box: PDFBox, by matrix: [Double]) {
            precondition(matrix.count == 6)
            (self.source, self.page, self.box, self.matrix) = (source, page, box, matrix)
        }
    }

    /// Redirects every destination to the page that shows its position. All other references to a page that is shown
    /// elsewhere are redirected to the first page that shows it.
    ///
    /// - Throws: `.damaged`.
    package func redirect(_ appearances: [Appearance]) throws(AdapterError) {
        let all = appearances.map { shown in
            let (box, matrix) = (shown.box, shown.matrix)
            return jqpdf_appearance(
                source: shown.source.handle, page: shown.page.handle, box: (box.left, box.bottom, box.right, box.top),
                matrix: (matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5]))
        }
        let isDone = withExtendedLifetime(appearances) { jqpdf_redirect(handle, all, CInt(clamping: all.count)) }
        if !isDone { throw fault ?? PDFFile.broken }
    }

    /// Removes the named destinations of removed pages.
    ///
    /// - Throws: `.damaged`.
    package func pruneNames() throws(AdapterError) {
        if !jqpdf_prune_names(handle) { throw fault ?? PDFFile.broken }
    }

    private func made(_ call: () -> CInt) throws(AdapterError) -> PDFObject {
        let number = call()
        guard number > 0 else { throw fault ?? PDFFile.broken }
        return object(PDFReference(number: number, generation: 0))
    }

    private static let broken = AdapterError(.damaged, "a page cannot be copied: the PDF is damaged")
}

extension PDFFile {
    /// Whether it is signed: a signature field has a value (ISO 32000-1, 12.8).
    package var isSigned: Bool {
        var pending = catalog["AcroForm"]["Fields"].items.map { ($0, false) }
        var seen: Set<PDFReference> = []
        while let (field, isInherited) = pending.popLast(), seen.count < 100_000 {
            if let reference = field.reference, !seen.insert(reference).inserted { continue }
            let isSignature = field["FT"].name == "Sig" || isInherited && field["FT"].isNull
            if isSignature, !field["V"].isNull { return true }
            pending += field["Kids"].items.map { ($0, isSignature) }
        }
        return false
    }

    /// The files attached to the document as a whole (ISO 32000-2, 7.11.4 and 14.13.3), each once and at most a
    /// thousand. A name longer than file systems allow is truncated.
    package var attachments: [(name: String, reference: PDFReference?)] {
        var files: [(name: String, reference: PDFReference?)] = []
        var seen: Set<PDFReference> = []
        func add(_ file: PDFObject, key: PDFObject?) {
            guard files.count < 1000, file.kind == .dictionary else { return }
            let reference = file.reference
            if let reference, !seen.insert(reference).inserted { return }
            let name = file["UF"].text ?? file["F"].text ?? key?.text ?? ""
            files.append((String(name.prefix(255)), reference))
        }
        PDFTree.walk(catalog["Names"]["EmbeddedFiles"], key: "Names") { key, file in add(file, key: key) }
        let associated = catalog["AF"]
        for file in associated.kind == .array ? associated.items : [associated] where file["EF"].kind == .dictionary {
            add(file, key: nil)
        }
        return files
    }

    package var isEncrypted: Bool { !trailer["Encrypt"].isNull }
}
