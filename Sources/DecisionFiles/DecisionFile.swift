package import AdapterKit
package import Files
package import OrderedJSON
package import PageModel

/// A file of decisions that a dry run writes, a person may change, and later runs follow.
package enum DecisionFile {
    /// The file exists, and the run follows it.
    case follow(ReadableFile)
    /// The run makes the decisions itself and writes them.
    case write(OutputFile)

    /// The maximum size; a book of ten thousand pages has 3 MB.
    package static let maximumBytes = 64 << 20

    /// - Parameters:
    ///   - contents: a description for messages: "boxes".
    /// - Throws: `.tooLarge`; `.unreadable` for an unreadable or missing file. A dry run writes a missing file instead.
    package init(path: String, of contents: String, _ request: TransformRequest) throws(AdapterError) {
        // It is never replaced, even with --force: a person may have edited it.
        if FileStatus(of: path) != nil {
            let file = try ReadableFile(path: path)
            guard file.size <= DecisionFile.maximumBytes else {
                throw AdapterError(.tooLarge, "is too large for a file of \(contents)", file: path)
            }
            self = .follow(file)
            return
        }
        guard request.isDryRun else {
            throw AdapterError(
                .unreadable, "no such file of \(contents)", hint: "use --dry-run to create it", file: path)
        }
        self = .write(try OutputFile(at: Destination(path: path, temporaryFiles: request.temporaryFiles)))
    }

    /// Refuses a file that was made with options other than the given ones. Its decisions may differ.
    ///
    /// - Parameters:
    ///   - made: the options of the file, by name.
    /// - Throws: `.usage`.
    package static func compare(
        made: [String: String], given: [String: String], path: String
    ) throws(AdapterError) {
        guard made != given else { return }
        let options = made.sorted { $0.key < $1.key }.map {
            $0.value == "true" ? "--\($0.key)" : "--\($0.key) \($0.value)"
        }
        throw AdapterError(
            .usage, "was made with \(options.isEmpty ? "no options" : options.joined(separator: " "))",
            hint: "give the same options, or remove it to create a new one with --dry-run", file: path)
    }
}

/// The contents of such a file: `{"jisui-trim": 1, "options": {…}, "pages": […], "book": {…}}`, one line for each decision.
///
/// Foundation's coders are not used. They silently accept two equal keys, which must be reported to a person who edited
/// the file. They also do not keep the order of keys.
package struct DecisionDocument: Sendable {
    /// The names that a transform uses for its file and the parts of it.
    package struct Kind: Sendable {
        /// The description of the contents for messages: "boxes".
        package let contents: String
        /// The key that marks files of this kind; its value is the version.
        package let key: String
        package let version: Int
        /// The key of the list of decisions.
        package let list: String
        /// The word for one decision in messages: "page".
        package let entry: String
        /// The option that names the file.
        package let option: String

        package init(contents: String, key: String, version: Int, list: String, entry: String, option: String) {
            self.contents = contents
            self.key = key
            self.version = version
            self.list = list
            self.entry = entry
            self.option = option
        }

        /// Returns the error for a file that cannot be followed.
        package func damage(_ message: Message, path: String) -> AdapterError {
            AdapterError(
                .damaged, message, hint: "remove it, then create a new one with --dry-run --\(option)", file: path)
        }
    }

    /// The options with which the decisions were made, by name.
    package var options: [String: String]
    /// The decisions, in the order of the file.
    package var entries: [JSON]
    /// The reading direction for which they were made; nil if they do not depend on it.
    package var direction: Direction?
    /// The book for which they were made; nil in files of earlier versions, and if it is unknown.
    package var book: DecisionBook?

    package init(options: [String: String], entries: [JSON], direction: Direction? = nil, book: DecisionBook?) {
        self.options = options
        self.entries = entries
        self.direction = direction
        self.book = book
    }

    /// Reads a file. Unknown members are ignored; a duplicate key is an error.
    ///
    /// - Throws: `.damaged`, with the invalid part; `.unreadable`.
    package init(_ file: ReadableFile, as kind: Kind) throws(AdapterError) {
        let bytes = try file.read(at: 0, exactly: file.size)
        guard let json = JSON(parsing: bytes), let entries = json[kind.list]?.elements else {
            throw kind.damage("not a file of \(kind.contents), or invalid JSON", path: file.path)
        }
        guard json[kind.key]?.asInteger == kind.version else {
            throw kind.damage("is of another version than \(kind.version)", path: file.path)
        }
        guard let options = json["options"]?.members else {
            throw kind.damage("lacks 'options'", path: file.path)
        }
        self.options = [:]
        for (name, value) in options { self.options[name] = value.asString }
        direction = json["direction"]?.asString.flatMap(Direction.init)
        if let book = json["book"] {
            self.book = DecisionBook(book)
            guard self.book != nil else { throw kind.damage("has an invalid 'book'", path: file.path) }
        }
        self.entries = entries
    }

    /// Returns each decision as a value.
    ///
    /// - Parameter decode: returns nil for an invalid decision.
    /// - Throws: `.damaged`, with the place of the first one.
    package func decoded<Entry>(
        _ kind: Kind, path: String, _ decode: (JSON) -> Entry?
    ) throws(AdapterError) -> [Entry] {
        var decoded: [Entry] = []
        for (index, entry) in entries.enumerated() {
            guard let value = decode(entry) else {
                throw kind.damage("\(kind.entry) \(index + 1) of the list is invalid", path: path)
            }
            decoded.append(value)
        }
        return decoded
    }

    /// Returns each decision about a page as a value.
    ///
    /// - Parameter page: the page of a decision, as `Page.id`.
    /// - Throws: `.damaged`, with the place of the first invalid decision, or a page that has two.
    package func decodedPages<Entry>(
        _ kind: Kind, path: String, _ page: KeyPath<Entry, Int>, _ decode: (JSON) -> Entry?
    ) throws(AdapterError) -> [Entry] {
        let entries = try decoded(kind, path: path, decode)
        var pages: Set<Int> = []
        for entry in entries where !pages.insert(entry[keyPath: page]).inserted {
            throw kind.damage("has page \(entry[keyPath: page]) twice", path: path)
        }
        return entries
    }

    /// Returns the whole file as text.
    package func text(as kind: Kind) -> String {
        let options = JSON.object(options.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        let direction = direction.map { "\"direction\": \"\($0.rawValue)\", " } ?? ""
        let head = "{\(JSON.string(kind.key).text): \(kind.version), \(direction)\"options\": \(options.text), "
        let list = entries.map(\.text).joined(separator: ",\n")
        // The decisions come first, because a person looks for them.
        let book = book.map { ", \"book\": \($0.text)" } ?? ""
        return "\(head)\(JSON.string(kind.list).text): [\n\(list)\n]\(book)}\n"
    }

    /// Writes the file and publishes it at its destination.
    package func write(to file: OutputFile, as kind: Kind) throws(AdapterError) {
        try file.write(Array(text(as: kind).utf8))
        try file.publish()
    }
}
