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
