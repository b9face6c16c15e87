package import PageModel

extension PDFFile {
    /// Returns the active features and attachments of the document. Each action is counted once.
    ///
    /// - Parameters:
    ///   - catalog: whether the document itself counts. This means its actions as a whole and its attached files.
    ///   - fields: whether other fields count. These are fields on none of the pages, and files attached to tags.
    ///   - removes: whether they are removed. Visible content stays, and so do links in the document and to addresses.
    /// - Throws: `outOfMemory`.
    package func activeContent(
        ofCatalog catalog: Bool = true, fields: Bool = true, on pages: [PDFObject], removes: Bool = false
    ) throws(AdapterError) -> ActiveContent {
        let actions = Actions(self, removes: removes)
        if catalog { try actions.examineCatalog() }
        if catalog && fields { try actions.examineFields() }
        for page in pages { try actions.examinePage(page) }
        try actions.examineFiles(ofCatalog: catalog, ofTags: fields, on: pages)
        // Last, so that it counts only parts outside of the usual places.
        let parts = removes ? try dropActiveParts() : try activeParts(on: pages)
        for kind in parts { actions.found[kind] += 1 }
        return actions.found
    }

    /// The active features of the document as a whole, independent of the pages. Its attached files do not count.
    ///
    /// - Throws: `outOfMemory`.
    package var activeContentOfCatalog: ActiveContent {
        get throws(AdapterError) {
            let actions = Actions(self, removes: false)
            try actions.examineCatalog()
            actions.found[.attachment] = 0
            return actions.found
        }
    }
}

extension Actions {
    /// The maximum number of fields or of outline items, more than any document has.
    private static let maximumNodes = 100_000

    fileprivate func examineCatalog() throws(AdapterError) {
        let catalog = file.catalog
        try examine("OpenAction", of: catalog)
        try examineTriggers(of: catalog)
        // Viewers put it before addresses that have no scheme.
        if !catalog["URI"].isNull {
            found[.remote] += 1
            if removes { try file.set("URI", of: catalog, to: .null) }
        }
        let names = catalog["Names"]
        PDFTree.walk(names["JavaScript"], key: "Names") { _, action in if isNew(action) { found[.javaScript] += 1 } }
        PDFTree.walk(names["EmbeddedFiles"], key: "Names") { _, file in if isNew(file) { found[.attachment] += 1 } }
        let form = catalog["AcroForm"]
        if !form["XFA"].isNull { found[.xfa] += 1 }
        if removes {
            for key in ["JavaScript", "EmbeddedFiles", "Renditions", "AlternatePresentations"]
            where !names[key].isNull { try file.set(key, of: names, to: .null) }
            // A list of attached files without any files.
            if !catalog["Collection"].isNull { try file.set("Collection", of: catalog, to: .null) }
            for key in ["XFA", "CO"] where !form[key].isNull { try file.set(key, of: form, to: .null) }
        }
        var lines = [catalog["Outlines"]["First"]]
        var count = 0
        while let line = lines.popLast(), count < Actions.maximumNodes {
            count += 1
            guard line.kind == .dictionary, isNew(line) else { continue }
            try examine("A", of: line)
            lines += [line["Next"], line["First"]]
        }
    }

    fileprivate func examineFields() throws(AdapterError) {
        var pending = file.catalog["AcroForm"]["Fields"].items
        var count = 0
        while let field = pending.popLast(), count < Actions.maximumNodes {
            count += 1
            guard field.kind == .dictionary, isNew(field) else { continue }
            try examineActions(of: field)
            pending += field["Kids"].items
        }
    }

    fileprivate func examinePage(_ page: PDFObject) throws(AdapterError) {
        try examineTriggers(of: page)
        var gone: Set<PDFReference> = []
        let annotations = if removes { try file.ownItems(of: "Annots", in: page) } else { page["Annots"].items }
        for annotation in annotations where annotation.kind == .dictionary {
            switch annotation["Subtype"].name {
            case "FileAttachment":
                if isNew(annotation["FS"]) { found[.attachment] += 1 }
                if let reference = annotation.reference { gone.insert(reference) }
                if let reference = annotation["Popup"].reference { gone.insert(reference) }
                if removes { try file.set("FS", of: annotation, to: .null) }
            case "RichMedia", "Movie", "Sound", "Screen", "3D":
                if isNew(annotation) { found[.media] += 1 }
                if removes, try !becomePicture(annotation), let reference = annotation.reference {
                    gone.insert(reference)
                }
                continue
            default: break
            }
            guard isNew(annotation) else { continue }
            try examineActions(of: annotation)
            var field = annotation["Parent"]
            while annotation["Subtype"].name == "Widget", field.kind == .dictionary, isNew(field) {
                try examineActions(of: field)
                field = field["Parent"]
            }
        }
        guard removes, !gone.isEmpty else { return }
        let left = page["Annots"].items.compactMap(\.reference).filter { !gone.contains($0) }
        try file.set("Annots", of: page, to: left.isEmpty ? .null : .array(left.map { .reference($0) }))
    }

    private func examineActions(of holder: PDFObject) throws(AdapterError) {
        try examine("A", of: holder)
        try examine("PA", of: holder)
        try examineTriggers(of: holder)
    }

    /// Examines files that belong to parts of the document (ISO 32000-2, 14.13). Their removal includes all other
    /// references to embedded files, because a tag may refer to an annotation that is no longer on a page.
    fileprivate func examineFiles(ofCatalog catalog: Bool, ofTags tags: Bool, on pages: [PDFObject])
        throws(AdapterError)
    {
        for number in removes
            ? try file.dropFiles() : try file.filesAttached(toCatalog: catalog, toTags: tags, on: pages)
        {
            let reference = number > 0 ? PDFReference(number: number, generation: 0) : nil
            if isNew(reference) { found[.attachment] += 1 }
        }
    }

    /// Converts a video or a similar annotation to its visible image.
    ///
    /// - Returns: false when it has no visible image.
    private func becomePicture(_ annotation: PDFObject) throws(AdapterError) -> Bool {
        for key in annotation.keys where !Actions.looks.contains(key) { try file.set(key, of: annotation, to: .null) }
        guard !annotation["AP"]["N"].isNull else { return false }
        try file.set("Subtype", of: annotation, to: .name("Stamp"))
        return true
    }

    /// The keys of an annotation that are needed to show it.
    private static let looks: Set = [
        "Type", "Subtype", "Rect", "Contents", "P", "NM", "M", "F", "AP", "AS", "OC", "StructParent", "Lang",
    ]
}
