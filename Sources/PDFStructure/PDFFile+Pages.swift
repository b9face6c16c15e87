public import AdapterKit
internal import CQPDFShims

/// Pages that are copied, repeated, put beside each other and taken out.
extension PDFFile {
    /// Gives a dictionary's key an object of this document as its value.
    ///
    /// - Throws: `outOfMemory`.
    public func set(_ key: String, of object: PDFObject, to value: PDFObject) throws(AdapterError) {
        let isSet = withExtendedLifetime((object, value)) {
            jqpdf_set_key_object(object.handle, key, value.handle)
        }
        if !isSet { throw PDFFile.outOfMemory }
    }

    /// Gives a page the values that it inherits as its own, so that it can be put elsewhere.
    ///
    /// - Throws: `outOfMemory`.
    public func settle(_ page: PageNode) throws(AdapterError) {
        for key in PageNode.inheritable where page.page[key].isNull {
            let value = page[key]
            if !value.isNull { try set(key, of: page.page, to: value) }
        }
    }

    /// Copies pages of another document, with what they need but other pages. Links between them lead to the copies; such a
    /// call knows nothing of pages that are copied by another.
    ///
    /// - Parameters:
    ///   - pages: none of them twice.
    ///   - source: must stay open until this document is written.
    /// - Throws: `.damaged`; `outOfMemory`.
    public func copy(_ pages: [PageNode], of source: PDFFile) throws(AdapterError) -> [PDFObject] {
        for page in pages { try source.settle(page) }
        var numbers = [CInt](repeating: 0, count: pages.count)
        let handles = pages.map { Optional($0.page.handle) }
        let isDone = withExtendedLifetime(pages) {
            jqpdf_copy_pages(handle, source.handle, handles, CInt(clamping: handles.count), &numbers)
        }
        if !isDone { throw fault ?? source.fault ?? PDFFile.broken }
        return numbers.map { object(PDFReference(number: $0, generation: 0)) }
    }

    /// Adds the layers of another document, shown or hidden as they are there, after its pages have been copied.
    ///
    /// - Parameters:
    ///   - source: must stay open until this document is written.
    ///   - pages: those that were copied.
    ///   - isWhole: otherwise layers that none of the pages uses stay out.
    /// - Throws: `.damaged`.
    public func mergeLayers(of source: PDFFile, on pages: [PageNode], isWhole: Bool) throws(AdapterError) {
        let handles = pages.map { Optional($0.page.handle) }
        let isDone = withExtendedLifetime(pages) {
            jqpdf_merge_layers(handle, source.handle, handles, CInt(clamping: handles.count), isWhole)
        }
        if !isDone { throw fault ?? source.fault ?? PDFFile.broken }
    }

    /// Adds a page that shows the same as another one.
    ///
    /// - Throws: `outOfMemory`.
    public func repeated(_ page: PDFObject) throws(AdapterError) -> PDFObject {
        try withExtendedLifetime(page) { () throws(AdapterError) in
            try made { jqpdf_repeat_page(handle, page.handle) }
        }
    }

    /// A form XObject that paints what a page does, in the page's own coordinates. The page must stay as it is until the
    /// document is written.
    ///
    /// - Throws: `.damaged`.
    public func form(of page: PDFObject) throws(AdapterError) -> PDFObject {
        try withExtendedLifetime(page) { () throws(AdapterError) in
            try made { jqpdf_form_of_page(handle, page.handle) }
        }
    }

    /// Has a page paint a form XObject before all else, where nothing that the page does has changed how it comes out.
    ///
    /// - Throws: `outOfMemory`.
    public func lay(_ form: PDFReference, below page: PDFObject) throws(AdapterError) {
        let isDone = withExtendedLifetime(page) { jqpdf_lay_below(handle, page.handle, CInt(clamping: form.number)) }
        if !isDone { throw fault ?? PDFFile.outOfMemory }
    }

    /// Takes pages out, and the form fields that are on no other page. What refers to them refers to nothing then.
    ///
    /// - Throws: `.damaged`.
    public func remove(_ pages: [PDFObject]) throws(AdapterError) {
        let handles = pages.map { Optional($0.handle) }
        let isDone = withExtendedLifetime(pages) { jqpdf_remove_pages(handle, handles, CInt(clamping: handles.count)) }
        if !isDone { throw fault ?? PDFFile.broken }
    }

    /// Brings an annotation to where a matrix brings its page. What refers to it stays with it, as a form field does. The pages'
    /// lists of annotations stay as they are.
    ///
    /// - Parameters:
    ///   - page: the one that it comes to.
    ///   - matrix: a, b, c, d, e, f of PDF's matrices; of quarter turns and scales.
    ///   - copies: whether a copy of it is brought there.
    /// - Throws: `.damaged`.
    public func move(
        _ annotation: PDFObject, to page: PDFObject, by matrix: [Double], copies: Bool
    ) throws(AdapterError) -> PDFReference {
        precondition(matrix.count == 6)
        let number = withExtendedLifetime((annotation, page)) {
            jqpdf_move_annotation(handle, annotation.handle, page.handle, matrix, copies)
        }
        guard number > 0 else { throw fault ?? PDFFile.broken }
        return PDFReference(number: number, generation: 0)
    }

    /// The items of an array that is a dictionary's value, made objects of their own, so that they can be dealt out; none
    /// for anything else.
    ///
    /// - Throws: `outOfMemory`.
    public func ownItems(of key: String, in object: PDFObject) throws(AdapterError) -> [PDFObject] {
        let isDone = withExtendedLifetime(object) { jqpdf_own_items(handle, object.handle, key) }
        if !isDone { throw PDFFile.outOfMemory }
        return object[key].items
    }

    /// A page that shows another one, or a part of it.
    public struct Appearance {
        let source: PDFObject
        let page: PDFObject
        let box: PDFBox
        let matrix: [Double]

        /// - Parameters:
        ///   - source: the page that destinations name.
        ///   - page: the page that shows it.
        ///   - box: what is shown of the source, in its coordinates.
        ///   - matrix: brings them to those of `page`: a, b, c, d, e, f of PDF's matrices.
        public init(of source: PDFObject, on page: PDFObject, showing box: PDFBox, by matrix: [Double]) {
            precondition(matrix.count == 6)
            (self.source, self.page, self.box, self.matrix) = (source, page, box, matrix)
        }
    }

    /// Leads every destination to the page that shows its place, and what else refers to a page that is shown elsewhere to
    /// the first page that shows it.
    ///
    /// - Throws: `.damaged`.
    public func redirect(_ appearances: [Appearance]) throws(AdapterError) {
        let all = appearances.map { shown in
            let (box, matrix) = (shown.box, shown.matrix)
            return jqpdf_appearance(
                source: shown.source.handle, page: shown.page.handle, box: (box.left, box.bottom, box.right, box.top),
                matrix: (matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5]))
        }
        let isDone = withExtendedLifetime(appearances) { jqpdf_redirect(handle, all, CInt(clamping: all.count)) }
        if !isDone { throw fault ?? PDFFile.broken }
    }

    /// Takes the names of destinations away whose pages were taken out.
    ///
    /// - Throws: `.damaged`.
    public func pruneNames() throws(AdapterError) {
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
    /// Whether somebody has signed it: a signature field has a value (ISO 32000-1, 12.8).
    public var isSigned: Bool {
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

    /// The names of the files that are attached to the document (ISO 32000-1, 7.11.4), of a thousand of them at most. Of a name
    /// that is longer than a file system takes, the beginning.
    public var attachments: [String] {
        var names: [String] = []
        PDFTree.walk(catalog["Names"]["EmbeddedFiles"], key: "Names") { key, file in
            guard names.count < 1000, file.kind == .dictionary else { return }
            names.append(String((file["UF"].text ?? file["F"].text ?? key.text ?? "").prefix(255)))
        }
        return names
    }

    public var isEncrypted: Bool { !trailer["Encrypt"].isNull }
}
