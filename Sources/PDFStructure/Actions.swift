internal import CQPDFShims
internal import PageModel

/// The actions of a document (ISO 32000-1, 12.6), counted and removed on request.
final class Actions {
    /// The maximum number of chained actions.
    private static let longest = 1000
    /// The schemes of addresses that are scripts.
    private static let scripts = ["javascript:", "vbscript:", "data:"]
    /// The named actions that turn a page. Others are items of a viewer's menu.
    private static let pageNames: Set = ["NextPage", "PrevPage", "FirstPage", "LastPage"]
    /// The other actions that navigate in the document.
    private static let plain: Set = ["GoTo", "Hide", "SetOCGState", "ResetForm", "Trans", "GoToDp"]

    let file: PDFFile
    let removes: Bool
    var found = ActiveContent()
    /// The objects already examined: several may share one.
    private var seen: Set<PDFReference> = []

    init(_ file: PDFFile, removes: Bool) {
        self.file = file
        self.removes = removes
    }

    /// Whether an object occurs for the first time.
    func isNew(_ object: PDFObject) -> Bool { isNew(object.reference) }

    func isNew(_ reference: PDFReference?) -> Bool { reference.map { seen.insert($0).inserted } ?? true }

    /// Examines the action that is a dictionary's value.
    func examine(_ key: String, of holder: PDFObject) throws(AdapterError) {
        let action = holder[key]
        guard action.kind == .dictionary, !action["S"].isNull || !action["JS"].isNull else { return }
        if try !isActive(action, depth: 0) || !removes { return }
        guard let rest = firstPlain(action, depth: 0) else { return try file.set(key, of: holder, to: .null) }
        try file.set(key, of: holder, to: rest)
    }

    /// Examines the actions that run by themselves: when a page opens, a field loses focus and so on.
    func examineTriggers(of holder: PDFObject) throws(AdapterError) {
        let triggers = holder["AA"]
        guard triggers.kind == .dictionary else { return }
        if isNew(triggers) {
            for key in triggers.keys where triggers[key].kind == .dictionary {
                if try !isActive(triggers[key], depth: 0) { found[.other] += 1 }
            }
        }
        if removes { try file.set("AA", of: holder, to: .null) }
    }

    /// Counts the actions of a chain, and removes those that follow a plain one.
    ///
    /// - Returns: whether one of them does more than navigate.
    private func isActive(_ action: PDFObject, depth: Int) throws(AdapterError) -> Bool {
        guard action.kind == .dictionary, depth < Actions.longest else { return false }
        let isNew = isNew(action)
        var isActive = false
        if let kind = Actions.kind(of: action) {
            if isNew { found[kind] += 1 }
            isActive = true
        }
        guard isNew else { return isActive }
        let next = action["Next"]
        if next.kind == .array {
            var plain: [PDFObject] = []
            var areActive = false
            for item in next.items {
                if try self.isActive(item, depth: depth + 1) { areActive = true } else { plain.append(item) }
            }
            if areActive, removes {
                let rest = plain.compactMap { item in item.reference.map { PDFValue.reference($0) } }
                try file.set("Next", of: action, to: rest.isEmpty ? .null : .array(rest))
            }
            isActive = isActive || areActive
        } else if try self.isActive(next, depth: depth + 1) {
            if removes {
                if let rest = firstPlain(next, depth: depth + 1) {
                    try file.set("Next", of: action, to: rest)
                } else {
                    try file.set("Next", of: action, to: .null)
                }
            }
            isActive = true
        }
        return isActive
    }

    /// Returns the first action of a chain that only navigates.
    private func firstPlain(_ action: PDFObject, depth: Int) -> PDFObject? {
        guard action.kind == .dictionary, depth < Actions.longest else { return nil }
        if Actions.kind(of: action) == nil { return action }
        let next = action["Next"]
        return firstPlain(next.kind == .array ? next.item(0) : next, depth: depth + 1)
    }

    /// Returns the kind of an action; nil when it only navigates.
    private static func kind(of action: PDFObject) -> ActiveContent.Kind? {
        switch action["S"].name {
        case "JavaScript": return .javaScript
        case "Launch": return .launch
        case "SubmitForm": return .submitForm
        case "ImportData": return .importData
        case "GoToR", "GoToE": return .remote
        case "Named": return pageNames.contains(action["N"].name ?? "") ? nil : .other
        case "Thread": return action["F"].isNull ? .other : .remote
        case "Rendition", "Movie", "Sound", "GoTo3DView", "RichMediaExecute": return .media
        case "URI":
            let bytes = action["URI"].string ?? []
            if bytes.withUnsafeBytes({
                jqpdf_allows_address($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
            }) {
                return nil
            }
            let address = String(decoding: bytes.filter { $0 > 32 }.prefix(16), as: UTF8.self).lowercased()
            if scripts.contains(where: { address.hasPrefix($0) }) { return .javaScript }
            // An address without a scheme is a file near this one; in Windows, "\\\\" begins the name of another computer.
            return address.contains(":") || address.hasPrefix("\\\\") ? .launch : .remote
        case let name?: return plain.contains(name) ? nil : .other
        case nil: return action["JS"].isNull ? .other : .javaScript
        }
    }
}
