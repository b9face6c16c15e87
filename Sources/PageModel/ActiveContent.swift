/// What a document can do, or brings along, besides showing pages: how often, by kinds.
public struct ActiveContent: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Actions that are programs in JavaScript, and links to such.
        case javaScript
        /// Actions that start programs, or open files of the system.
        case launch
        /// Actions that send a form's contents somewhere.
        case submitForm
        /// Actions that fill a form from a file.
        case importData
        /// Links to other documents.
        case remote
        /// Actions of no known kind, and harmless ones that happen by themselves.
        case other
        /// Films, sounds and three-dimensional objects, and actions on them.
        case media
        /// Forms in XML, which may hold scripts.
        case xfa
        /// Files that are attached.
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

    /// "JavaScript (2 actions), 1 attachment".
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
