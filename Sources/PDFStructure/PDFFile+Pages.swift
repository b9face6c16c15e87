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

    /// Copies a page of another document, with what it needs but other pages. Links to pages that are copied as well lead
    /// to the copies.
    ///
    /// - Parameter source: must stay open until this document is written.
    /// - Throws: `.damaged`; `outOfMemory`.
    public func copy(_ page: PageNode, of source: PDFFile) throws(AdapterError) -> PDFObject {
        try source.settle(page)
        return try made { jqpdf_copy_page(handle, source.handle, page.page.handle) }
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

    /// Takes pages out, and the form fields that are on no other page. What refers to them refers to nothing then.
    ///
    /// - Throws: `.damaged`.
    public func remove(_ pages: [PDFObject]) throws(AdapterError) {
        let handles = pages.map { Optional($0.handle) }
        let isDone = withExtendedLifetime(pages) { jqpdf_remove_pages(handle, handles, CInt(clamping: handles.count)) }
        if !isDone { throw fault ?? PDFFile.broken }
    }

    /// Gives a page another one's annotations, moved by a matrix.
    ///
    /// - Parameter matrix: a, b, c, d, e, f of PDF's matrices.
    /// - Throws: `.damaged`.
    public func moveAnnotations(
        of page: PDFObject, to target: PDFObject, by matrix: [Double]
    ) throws(AdapterError) {
        precondition(matrix.count == 6)
        let isDone = withExtendedLifetime((page, target)) {
            jqpdf_move_annotations(handle, target.handle, page.handle, matrix)
        }
        if !isDone { throw fault ?? PDFFile.broken }
    }

    /// Makes everything that refers to one object refer to another.
    ///
    /// - Throws: `.damaged`.
    public func redirect(_ pairs: [(from: PDFObject, to: PDFObject)]) throws(AdapterError) {
        let (from, to) = (pairs.map { Optional($0.from.handle) }, pairs.map { Optional($0.to.handle) })
        let isDone = withExtendedLifetime(pairs) { jqpdf_redirect(handle, from, to, CInt(clamping: pairs.count)) }
        if !isDone { throw fault ?? PDFFile.broken }
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

    public var isEncrypted: Bool { !trailer["Encrypt"].isNull }
}
