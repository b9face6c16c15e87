internal import PDFStructure

/// The initial visibility of a document's layers (ISO 32000-1, 8.11).
struct OptionalContent {
    private let hidden: Set<PDFReference>
    private let hidesUnlessListed: Bool
    private let shown: Set<PDFReference>

    init(_ catalog: PDFObject) {
        let configuration = catalog["OCProperties"]["D"]
        hidden = Set(configuration["OFF"].items.compactMap(\.reference))
        shown = Set(configuration["ON"].items.compactMap(\.reference))
        hidesUnlessListed = configuration["BaseState"].name == "OFF"
    }

    /// Whether content of a group, or of a membership of groups, is hidden.
    func hides(_ content: PDFObject) -> Bool {
        guard content.kind == .dictionary else { return false }
        guard content["Type"].name == "OCMD" else { return hidesGroup(content) }
        var budget = OptionalContent.maximumTerms
        if let shows = shows(content["VE"], depth: 0, &budget) { return !shows }
        let groups = content["OCGs"].kind == .array ? content["OCGs"].items : [content["OCGs"]]
        // Members are groups: a membership among them, which could name itself, is ignored.
        let states = groups.filter { $0.kind == .dictionary && $0["Type"].name != "OCMD" }.map(hidesGroup)
        if states.isEmpty { return false }
        return switch content["P"].name {
        case "AllOn": states.contains(true)
        case "AnyOff": !states.contains(true)
        case "AllOff": states.contains(false)
        default: !states.contains(false)
        }
    }

    /// The maximum number of terms of an expression, and its maximum depth.
    private static let (maximumTerms, maximumNesting) = (1000, 32)

    /// Returns the result of a visibility expression, which has precedence over the list of groups (ISO 32000-1, table 99).
    ///
    /// Returns nil for an invalid expression.
    private func shows(_ expression: PDFObject, depth: Int, _ budget: inout Int) -> Bool? {
        budget -= 1
        guard budget > 0, depth < OptionalContent.maximumNesting else { return nil }
        if expression.kind == .dictionary { return !hidesGroup(expression) }
        let items = expression.items
        guard let operation = items.first?.name else { return nil }
        var states: [Bool] = []
        for item in items.dropFirst() {
            guard let state = shows(item, depth: depth + 1, &budget) else { return nil }
            states.append(state)
        }
        return switch operation {
        case "Not": states.count == 1 ? !states[0] : nil
        case "And": !states.contains(false)
        case "Or": states.contains(true)
        default: nil
        }
    }

    private func hidesGroup(_ group: PDFObject) -> Bool {
        guard let reference = group.reference else { return false }
        return hidden.contains(reference) || hidesUnlessListed && !shown.contains(reference)
    }
}

/// The visibility of annotations on a page (ISO 32000-1, 12.5).
enum Annotation {
    /// Whether an annotation shows on the page.
    static func isVisible(_ annotation: PDFObject, _ layers: OptionalContent) -> Bool {
        guard annotation.kind == .dictionary else { return false }
        let flags = annotation["F"].integer ?? 0
        let hidden = 1 << 1
        let noView = 1 << 5
        if flags & (hidden | noView) != 0 || layers.hides(annotation["OC"]) { return false }
        switch annotation["Subtype"].name {
        case "Popup": return false
        case "Link": return hasBorder(annotation)
        case "Widget": return hasAppearance(annotation)
        default: return true
        }
    }

    private static func hasAppearance(_ annotation: PDFObject) -> Bool {
        let normal = annotation["AP"]["N"]
        return normal.kind == .stream || normal.kind == .dictionary
    }

    /// Whether a link has a visible border. It is one point wide by default.
    private static func hasBorder(_ link: PDFObject) -> Bool {
        if let width = link["BS"]["W"].number { return width > 0 }
        if let border = link["Border"].numbers, border.count >= 3 { return border[2] > 0 }
        return link["Border"].isNull
    }
}
