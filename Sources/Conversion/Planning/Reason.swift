public import AdapterKit

/// Why a page gets its treatment and not a less lossy one, as data: notes, and how they hang together.
public struct Reason: Hashable, Codable, Sendable {
    /// How a note continues those before it.
    public enum Role: String, Hashable, Codable, Sendable {
        /// What the page is made of. Comes first.
        case basis
        /// Something that is done to its pixels.
        case operation
        /// What happens next to the basis.
        case result
        /// One thing more about it.
        case addition
        /// A detail.
        case detail
        /// Something beside the point that should be known.
        case aside
        /// Why nothing less lossy is done.
        case cause
    }

    public struct Part: Hashable, Codable, Sendable {
        public var role: Role
        public var note: Note
    }

    public private(set) var parts: [Part]

    public init(_ basis: Note) {
        parts = [Part(role: .basis, note: basis)]
    }

    /// The reason with one more note; the same without one.
    public func with(_ role: Role, _ note: Note?) -> Reason {
        guard let note else { return self }
        var copy = self
        copy.parts.append(Part(role: role, note: note))
        return copy
    }

    /// The reason without the pixels that are kept beside a cut, which differ from page to page.
    public var withoutPixelsKept: Reason {
        var reason = self
        reason.parts.removeAll { $0.note.code == .moreKept }
        return reason
    }

    /// One reason for pages whose reasons differ in the pixels kept beside a cut only: it tells the least and the most.
    ///
    /// - Parameter reasons: not empty.
    public static func shared(by reasons: [Reason]) -> Reason {
        let kept = reasons.map { $0.parts.first { $0.note.code == .moreKept }?.note.values ?? [:] }
        guard var shared = zip(reasons, kept).first(where: { !$0.1.isEmpty })?.0 else { return reasons[0] }
        var values: [String: String] = [:]
        for side in Set(kept.flatMap(\.keys)) {
            let pixels = kept.map { $0[side].flatMap(Int.init) ?? 0 }
            guard let least = pixels.min(), let most = pixels.max() else { continue }
            values[side] = least == most ? "\(least)" : "\(least)-\(most)"
        }
        for index in shared.parts.indices where shared.parts[index].note.code == .moreKept {
            shared.parts[index].note = Note(.moreKept, values)
        }
        return shared
    }

    /// The reason without the notes in a role.
    func without(_ role: Role) -> Reason {
        var reason = self
        reason.parts.removeAll { $0.role == role }
        return reason
    }

    func with(_ operations: PixelOperations) -> Reason {
        operations.notes.reduce(self) { $0.with(.operation, $1) }
    }

    /// The notes as JSON, each with its role, its code and its values.
    public var json: JSON {
        JSON(
            parts.map { part in
                .object([(key: "role", value: .string(part.role.rawValue))] + (part.note.json.members ?? []))
            })
    }
}
