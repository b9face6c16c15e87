package import AdapterKit
package import PageModel

extension Reason {
    /// The reason as a sentence fragment like "the JPEG's pixels, cropped and scaled, stored as PNG".
    package var message: Message {
        var text: Message = ""
        var index = 0
        let isPlanned = parts.contains { $0.note.code == .ifVisible } && parts.contains { $0.note.planned != nil }
        while index < parts.count {
            let part = parts[index]
            if part.role == .operation {
                let operations = parts[index...].prefix { $0.role == .operation }
                text = "\(text), \(operations.map(\.note.message).listed())"
                index = operations.endIndex
                continue
            }
            if isPlanned, part.note.code != .ifVisible {
                text = part.role.joined(text, part.note.planned ?? part.note.message)
            } else if !isPlanned {
                text = part.role.joined(text, part.note.message)
            }
            index += 1
        }
        return text
    }
}

extension Reason.Role {
    /// Returns a text with a note in this role after it.
    fileprivate func joined(_ text: Message, _ note: Message) -> Message {
        switch self {
        case .basis: text.isEmpty ? note : "\(text)\(note)"
        case .operation, .detail: "\(text), \(note)"
        case .result: [text, note].joined(separator: " ")
        case .addition: "\(text) and \(note)"
        case .aside: "\(text); \(note)"
        case .cause: "\(text): \(note)"
        }
    }
}

extension Composition {
    /// The treatment of the page.
    package var message: Message { notes.map(\.message).joined(separator: ", ") }
}
