package import AdapterKit
package import OrderedJSON
package import PageModel

/// The reason for a page's treatment, as data: notes and the roles that connect them.
package struct Reason: Hashable, Sendable {
    /// The role in which a note continues the preceding ones.
    package enum Role: String, Hashable, Sendable {
        /// The data from which the page is made. Comes first.
        case basis
        /// An operation on its pixels. Several are listed together.
        case operation
        /// The result, which follows the basis directly.
        case result
        /// A fact about the result, which follows after "and".
        case addition
        /// A fact that follows after a comma.
        case detail
        /// A fact that follows after a semicolon.
        case aside
        /// The reason that a less lossy treatment is not possible. It follows after a colon.
        case cause
    }

    package struct Statement: Hashable, Sendable {
        package var role: Role
        package var note: Note
    }

    package private(set) var parts: [Statement]

    package init(_ basis: Note) {
        parts = [Statement(role: .basis, note: basis)]
    }

    /// Returns the reason with one more note; unchanged if the note is nil.
    package func with(_ role: Role, _ note: Note?) -> Reason {
        guard let note else { return self }
        var copy = self
        copy.parts.append(Statement(role: role, note: note))
        return copy
    }

    /// The reason without the numbers of pixels kept next to a cut, which differ from page to page.
    package var withoutPixelsKept: Reason { without(.moreKept) }

    /// Returns the reason without the notes of a code.
    package func without(_ code: Note.Code) -> Reason {
        var reason = self
        reason.parts.removeAll { $0.note.code == code }
        return reason
    }

    /// Returns one reason for pages whose reasons differ only in the pixels kept next to a cut. It contains the minimum and the
    /// maximum.
    ///
    /// - Parameter reasons: a non-empty list.
    package static func shared(by reasons: [Reason]) -> Reason {
        let kept = reasons.map { $0.parts.first { $0.note.code == .moreKept }?.note.values ?? [:] }
        guard var shared = zip(reasons, kept).first(where: { !$0.1.isEmpty })?.0 else { return reasons[0] }
        var values: [String: String] = [:]
        for side in Set(kept.flatMap(\.keys)) {
            let pixels = kept.map { $0[side].flatMap(Int.init) ?? 0 }
            guard let minimum = pixels.min(), let maximum = pixels.max() else { continue }
            values[side] = minimum == maximum ? "\(minimum)" : "\(minimum)-\(maximum)"
        }
        for index in shared.parts.indices where shared.parts[index].note.code == .moreKept {
            shared.parts[index].note = Note(.moreKept, values)
        }
        return shared
    }

    /// Returns the reason without the notes in a role.
    func without(_ role: Role) -> Reason {
        var reason = self
        reason.parts.removeAll { $0.role == role }
        return reason
    }

    func with(_ operations: PixelOperations) -> Reason {
        operations.notes.reduce(self) { $0.with(.operation, $1) }
    }

    /// The notes as JSON, each with its role, its code and its values.
    package var json: JSON {
        JSON(
            parts.map { part in
                .object([(key: "role", value: .string(part.role.rawValue))] + (part.note.json.members ?? []))
            })
    }
}

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
