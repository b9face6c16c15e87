package import PageModel

extension PDFFile {
    /// Adds an outline (ISO 32000-1, 12.3.3), closed below its first level.
    ///
    /// - Parameters:
    ///   - items: the items from top to bottom. Each is below the nearest one before it with a lower level.
    ///   - destination: returns the target of an item (ISO 32000-1, 12.3.2). It returns nil for an item without a
    ///     target.
    /// - Returns: the outline's root; nil without items.
    /// - Throws: `outOfMemory`.
    package func addOutline(
        _ items: [OutlineItem], leading destination: (OutlineItem) throws(AdapterError) -> PDFValue?
    ) throws(AdapterError) -> PDFReference? {
        guard !items.isEmpty else { return nil }
        // The children by their parents' indexes; the root's index is the number of items.
        var children = [[Int]](repeating: [], count: items.count + 1)
        var open: [Int] = []
        var parents: [Int] = []
        for (index, item) in items.enumerated() {
            while let last = open.last, items[last].level >= item.level { open.removeLast() }
            let parent = open.last ?? items.count
            parents.append(parent)
            children[parent].append(index)
            open.append(index)
        }
        // They refer to each other, so all of them get a number first.
        var references: [PDFReference] = []
        for _ in 0...items.count { references.append(try add(.dictionary([:]))) }
        func links(to kids: [Int]) -> [String: PDFValue] {
            guard let first = kids.first, let last = kids.last else { return [:] }
            return ["First": .reference(references[first]), "Last": .reference(references[last])]
        }
        for siblings in children {
            for (place, index) in siblings.enumerated() {
                let (item, kids) = (items[index], children[index])
                var entries = links(to: kids)
                entries["Title"] = .text(item.title)
                entries["Parent"] = .reference(references[parents[index]])
                if place > 0 { entries["Prev"] = .reference(references[siblings[place - 1]]) }
                if place + 1 < siblings.count { entries["Next"] = .reference(references[siblings[place + 1]]) }
                // A negative count: its children are collapsed at first.
                if !kids.isEmpty { entries["Count"] = .integer(-kids.count) }
                entries["Dest"] = try destination(item)
                try set(entries, of: references[index])
            }
        }
        var root = links(to: children[items.count])
        root["Type"] = .name("Outlines")
        root["Count"] = .integer(children[items.count].count)
        try set(root, of: references[items.count])
        return references[items.count]
    }

    /// Sets several keys of a dictionary.
    private func set(_ entries: [String: PDFValue], of reference: PDFReference) throws(AdapterError) {
        let target = object(reference)
        for (key, value) in entries { try set(key, of: target, to: value) }
    }
}
