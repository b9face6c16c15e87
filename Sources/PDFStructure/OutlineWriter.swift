public import AdapterKit
public import PageModel

extension PDFFile {
    /// Adds an outline (ISO 32000-1, 12.3.3), closed below its first level.
    ///
    /// - Parameters:
    ///   - items: from top to bottom; each stands below the nearest one before it whose level is lower.
    ///   - destination: where a line leads (ISO 32000-1, 12.3.2); nil for nowhere.
    /// - Returns: the outline's root; nil when there are no items.
    /// - Throws: `outOfMemory`.
    public func addOutline(
        _ items: [OutlineItem], leading destination: (OutlineItem) throws(AdapterError) -> PDFValue?
    ) throws(AdapterError) -> PDFReference? {
        guard !items.isEmpty else { return nil }
        // Children by their parents' places; the root's place is the number of items.
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
        // They refer to each other, so that all of them get a number first.
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
                // Less than 0: its children are not shown at first.
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

    /// Gives a dictionary several keys.
    private func set(_ entries: [String: PDFValue], of reference: PDFReference) throws(AdapterError) {
        let target = object(reference)
        for (key, value) in entries { try set(key, of: target, to: value) }
    }
}
