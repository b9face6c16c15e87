/// A statement about the treatment of a page and its reason: a code and its values.
///
/// Programs can distinguish notes by their codes. The code makes the text, which can be translated.
public struct Note: Hashable, Sendable {
    /// The kind of statement, with its English text.
    ///
    /// A module defines the codes of its own notes in an extension. `SharedNotes` has those of several modules.
    public struct Code: Hashable, Sendable {
        /// The name of the code, which is stable: reports print it.
        public let rawValue: String
        /// Whether samples became others, such as CMYK RGB: a run prints such notes without `--verbose`.
        public let isLoss: Bool
        private let text: @Sendable (Note) -> Message

        /// - Parameter text: returns the text of a note with the code, a sentence fragment.
        public init(_ rawValue: String, isLoss: Bool = false, _ text: @escaping @Sendable (Note) -> Message) {
            self.rawValue = rawValue
            self.isLoss = isLoss
            self.text = text
        }

        /// Makes a code whose notes have all the same text.
        public init(_ rawValue: String, isLoss: Bool = false, _ text: Message) {
            self.init(rawValue, isLoss: isLoss) { _ in text }
        }

        fileprivate func message(of note: Note) -> Message { text(note) }

        public static func == (one: Code, other: Code) -> Bool { one.rawValue == other.rawValue }

        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }

    public var code: Code
    /// The values by name, as text; numbers in decimal, formats as `ImageEncoding`'s raw values, lists separated by
    /// commas.
    public var values: [String: String]
    /// A reason, or a description, in the words of a source.
    public var text: Message?
    /// The notes that the text contains. Their codes are among the values.
    public var notes: [Note]

    public init(_ code: Code, _ values: [String: String] = [:], text: Message? = nil, notes: [Note] = []) {
        self.code = code
        self.values = values
        self.text = text
        self.notes = notes
    }

    /// Makes a statement about an image format.
    public init(_ code: Code, format: ImageEncoding) {
        self.init(code, ["format": format.rawValue])
    }

    /// Makes a statement with a number in it.
    public init(_ code: Code, _ name: String, _ number: Int) {
        self.init(code, [name: String(number)])
    }

    /// Makes a statement about operations, whose text names them without their values.
    public init(_ code: Code, _ values: [String: String], operations: [Note]) {
        let names = operations.map(\.operationName)
        self.init(
            code, values.merging(["operations": names.joined(separator: ",")]) { $1 },
            notes: operations.map { operation in
                operation.values["name"] == nil ? Note(operation.code) : Note(.operation, text: operation.words)
            })
    }

    /// Makes a reason in the words of a source.
    public init(text: Message) {
        self.init(.text, text: text)
    }

    /// The name of the operation that the note describes.
    public var operationName: String { values["name"] ?? code.rawValue }

    /// The note as a sentence fragment.
    public var message: Message { code.message(of: self) }

    /// The options in its values that would change the result: "--align start --gap 16 or 24".
    public var remedy: Message? {
        let options = ["align", "gap"].compactMap { name in
            values[name].map { "--\(name) \($0.split(separator: ",").map(String.init).listed(.or))" as Message }
        }
        return options.isEmpty ? nil : options.joined(separator: Message(verbatim: " "))
    }

    /// The note without the page that it names, for counting the pages with one reason.
    public var ofAnyPage: Note {
        var copy = self
        copy.values["page"] = nil
        copy.notes = notes.map(\.ofAnyPage)
        return copy
    }
}

/// The values of a note for its text.
extension Note {
    /// Returns a value; "?" if the note lacks it.
    public func value(_ name: String) -> String { values[name] ?? "?" }

    /// The words of its source; "?" without any.
    public var words: Message { text ?? "?" }

    /// The name of the image format.
    public var format: String { values["format"].map { ImageEncoding(rawValue: $0).name } ?? "?" }

    /// The page that the note names.
    public var page: Message { values["page"].map { "\(page: $0)" } ?? "a page" }
}

extension [Note] {
    /// The operations on an image, as a list: "cropped, rotated and scaled".
    public var message: Message { isEmpty ? Note(.kept).message : map(\.message).listed() }
}

extension Note {
    /// Returns the reason why JPEGs with these keys cannot be joined; nil if they can.
    public static func difference(between keys: [JoinKey?]) -> Note? {
        guard let first = keys.first, keys.contains(where: { $0 == nil || $0 != first }) else { return nil }
        let isProfile = keys.allSatisfy { key in
            guard let key, let first else { return false }
            return key == first || key.differsOnlyInProfile(from: first)
        }
        return Note(isProfile ? .profilesDiffer : .encodedDifferently)
    }
}
