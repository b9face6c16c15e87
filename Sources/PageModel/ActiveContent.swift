/// The active features and attachments of a document, counted by kind.
public struct ActiveContent: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Actions that are programs in JavaScript, and links to such programs.
        case javaScript
        /// Actions that start programs, or open files of the system.
        case launch
        /// Actions that send a form's contents somewhere.
        case submitForm
        /// Actions that fill a form from a file.
        case importData
        /// Links to other documents.
        case remote
        /// Actions of unknown kinds, and harmless ones that run by themselves.
        case other
        /// Videos, sounds and three-dimensional objects, and actions on them.
        case media
        /// Forms in XML, which may hold scripts.
        case xfa
        /// Attached files.
        case attachment
    }

    private var counts: [Kind: Int] = [:]

    public init() {}

    public subscript(kind: Kind) -> Int {
        get { counts[kind] ?? 0 }
        set { counts[kind] = newValue == 0 ? nil : newValue }
    }

    public var isEmpty: Bool { counts.isEmpty }

    public static func + (one: ActiveContent, other: ActiveContent) -> ActiveContent {
        var sum = one
        for kind in Kind.allCases { sum[kind] += other[kind] }
        return sum
    }

    /// The text "JavaScript (2 actions), 1 attachment".
    public var english: String {
        func text(_ kind: Kind) -> String? {
            let count = self[kind]
            if count == 0 { return nil }
            func counted(_ one: String) -> String { count == 1 ? "1 \(one)" : "\(count) \(one)s" }
            return switch kind {
            case .javaScript: "JavaScript (\(counted("action")))"
            case .launch: counted("launch action")
            case .submitForm: counted("submit action")
            case .importData: counted("import action")
            case .remote: counted("link") + " to other documents"
            case .other: counted("other action")
            case .media: counted("media object")
            case .xfa: "an XFA form"
            case .attachment: counted("attachment")
            }
        }
        return Kind.allCases.compactMap(text).joined(separator: ", ")
    }
}
