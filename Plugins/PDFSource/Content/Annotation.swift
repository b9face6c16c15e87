/// Annotations (ISO 32000-1, 12.5), as far as they are seen.
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
