internal import CQPDFShims
package import PageModel

/// Pages from which objects are removed.
extension PDFFile {
    /// Removes objects from a page. Objects that it shares with other pages stay as they are there.
    ///
    /// - Parameter limit: the maximum number of bytes of the page's content, and of each form's.
    /// - Throws: `.damaged`; `.tooLarge`; `outOfMemory`.
    package func omit(_ omission: PageOmission, from node: PageNode, limit: Int) throws(AdapterError) {
        try copyInheritedValues(into: node)
        let page = node.page
        if !omission.content.isEmpty {
            let content = try contents(of: page, limit: limit)
            let edited = try edited(content, by: omission.content, in: page, limit: limit)
            try set("Contents", of: page, to: .reference(try addContent(edited, like: nil)))
        }
        guard !omission.annotations.isEmpty else { return }
        let annotations = try ownItems(of: "Annots", in: page)
        let removed = omission.annotations.filter(annotations.indices.contains).map { annotations[$0] }
        let gone = Set(removed.flatMap { [$0.reference, $0["Popup"].reference] }.compactMap(\.self))
        let left = annotations.compactMap(\.reference).filter { !gone.contains($0) }
        try set("Annots", of: page, to: left.isEmpty ? .null : .array(left.map { .reference($0) }))
    }

    /// Returns the content of a page or a form after an edit.
    ///
    /// - Parameter holder: the object with the resources of the content.
    private func edited(
        _ content: [UInt8], by edit: ContentEdit, in holder: PDFObject, limit: Int
    ) throws(AdapterError) -> [UInt8] {
        let objects = try ownDictionary("XObject", of: try ownDictionary("Resources", of: holder))
        var cuts = edit.cuts
        for form in edit.forms {
            let model = objects[form.name]
            let copy = object(try addContent([], like: model))
            let own = copy["Resources"].isNull ? holder : copy
            let inner = try edited(try data(of: model, limit: limit), by: form.edit, in: own, limit: limit)
            let filled = try addContent(inner, like: copy)
            let name = "JisuiForm\(filled.number)"
            try set(name, of: objects, to: .reference(filled))
            cuts.append(ContentEdit.Cut(form.range, replacement: "/\(name) Do", object: form.name))
        }
        let left = content.applying(cuts)
        // Forms without resources use those of the content around them.
        let isShared = objects.keys.contains { key in
            objects[key]["Subtype"].name == "Form" && objects[key]["Resources"].isNull
        }
        if isShared || left.contains(UInt8(ascii: "#")) { return left }
        for name in Set(cuts.compactMap(\.object)) where !left.paints(name) { try set(name, of: objects, to: .null) }
        return left
    }

    /// Adds a stream with new data.
    ///
    /// - Parameter stream: the stream whose dictionary it gets; nil for none.
    func addContent(_ data: [UInt8], like stream: PDFObject?) throws(AdapterError) -> PDFReference {
        let number = withExtendedLifetime(stream) {
            data.withUnsafeBufferPointer { jqpdf_add_content(handle, stream?.handle, $0.baseAddress, $0.count) }
        }
        guard number > 0 else { throw fault ?? PDFFile.outOfMemory }
        return PDFReference(number: number, generation: 0)
    }

    /// Returns a dictionary that is the value of a key, as one that belongs only to its holder.
    private func ownDictionary(_ key: String, of holder: PDFObject) throws(AdapterError) -> PDFObject {
        let own = withExtendedLifetime(holder) { jqpdf_own_dictionary(holder.handle, key) }
        guard let own else { throw PDFFile.outOfMemory }
        return PDFObject(own, of: self)
    }
}

extension [UInt8] {
    /// Returns content whose operators are replaced. An edit of other content changes nothing.
    fileprivate func applying(_ cuts: [ContentEdit.Cut]) -> [UInt8] {
        var left: [UInt8] = []
        left.reserveCapacity(count)
        var place = 0
        for cut in cuts.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where cut.range.lowerBound >= place && cut.range.upperBound <= count {
            left += self[place..<cut.range.lowerBound]
            left += " \(cut.replacement) ".utf8
            place = cut.range.upperBound
        }
        return left + self[place...]
    }

    /// Whether content has the name of an object.
    fileprivate func paints(_ name: String) -> Bool {
        let text = Array("/\(name)".utf8)
        var rest = self[...]
        while let found = rest.firstRange(of: text) {
            rest = rest[found.upperBound...]
            if rest.first.map(" \t\r\n\u{C}\0()<>[]{}/%".utf8.contains) ?? true { return true }
        }
        return false
    }
}
