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
        /// Data in other files that a page shows.
        case external
        /// Programs in PostScript for printers.
        case postScript
        /// Data that programs stored for themselves.
        case privateData
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
    public var message: Message {
        Kind.allCases.filter { self[$0] > 0 }.map { kind -> Message in
            let count = self[kind]
            let isOne = count == 1
            return switch kind {
            case .javaScript: isOne ? "JavaScript (1 action)" : "JavaScript (\(count) actions)"
            case .launch: isOne ? "1 launch action" : "\(count) launch actions"
            case .submitForm: isOne ? "1 submit action" : "\(count) submit actions"
            case .importData: isOne ? "1 import action" : "\(count) import actions"
            case .remote: isOne ? "1 link to other documents" : "\(count) links to other documents"
            case .other: isOne ? "1 other action" : "\(count) other actions"
            case .media: isOne ? "1 media object" : "\(count) media objects"
            case .xfa: "an XFA form"
            case .attachment: isOne ? "1 attachment" : "\(count) attachments"
            case .external: isOne ? "1 reference to data in another file" : "\(count) references to data in other files"
            case .postScript: isOne ? "1 PostScript program" : "\(count) PostScript programs"
            case .privateData:
                isOne ? "private data of programs in 1 place" : "private data of programs in \(count) places"
            }
        }.joined(separator: ", ")
    }
}
