internal import PDFStructure

/// Which layers of a document are shown at first (ISO 32000-1, 8.11).
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

    /// Whether what belongs to a group, or to a membership of groups, is hidden.
    func hides(_ group: PDFObject) -> Bool {
        guard group.kind == .dictionary else { return false }
        if group["Type"].name == "OCMD" {
            let groups = group["OCGs"].kind == .array ? group["OCGs"].items : [group["OCGs"]]
            let states = groups.filter { $0.kind == .dictionary }.map(hides)
            if states.isEmpty { return false }
            return switch group["P"].name {
            case "AllOn": states.contains(true)
            case "AnyOff": !states.contains(true)
            case "AllOff": states.contains(false)
            default: !states.contains(false)
            }
        }
        guard let reference = group.reference else { return false }
        return hidden.contains(reference) || hidesUnlessListed && !shown.contains(reference)
    }
}

/// Which annotations can be seen on a page (ISO 32000-1, 12.5).
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

    /// A link is seen by its border, which is one point wide unless it says otherwise.
    private static func hasBorder(_ link: PDFObject) -> Bool {
        if let width = link["BS"]["W"].number { return width > 0 }
        if let border = link["Border"].numbers, border.count >= 3 { return border[2] > 0 }
        return link["Border"].isNull
    }
}
