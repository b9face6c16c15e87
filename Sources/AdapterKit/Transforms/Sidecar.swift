internal import Glibc

/// A file of decisions that a dry run writes, a person may change, and later runs follow.
public enum Sidecar {
    /// The file is there, and the run does as it says.
    case follow(ReadableFile)
    /// The run takes the decisions itself and writes them.
    case write(OutputFile)

    /// Larger files are refused; a book of ten thousand pages has 3 MB.
    public static let mostBytes = 64 << 20

    /// - Parameters:
    ///   - contents: what it holds, for messages: "boxes".
    /// - Throws: `.unreadable` when it cannot be read, or when there is none and this is no dry run, which would write it;
    ///   `.tooLarge`.
    public init(path: String, of contents: String, _ request: TransformRequest) throws(AdapterError) {
        // It is never replaced, whatever is forced: a person may have worked on it.
        var status = stat()
        if stat(path, &status) == 0 {
            let file = try ReadableFile(path: path)
            guard file.size <= Sidecar.mostBytes else {
                throw AdapterError(.tooLarge, "is too large for a file of \(contents)", file: path)
            }
            self = .follow(file)
            return
        }
        guard request.isDryRun else {
            throw AdapterError(
                .unreadable, "there is no such file of \(contents)", advice: "--dry-run writes it", file: path)
        }
        self = .write(try OutputFile(at: Destination(path: path, temporaryFiles: request.temporaryFiles)))
    }

    /// Refuses a file that was made with other options than those that are given now: its decisions may be others.
    ///
    /// - Parameters:
    ///   - made: the options it was made with, by name.
    /// - Throws: `.usage`.
    public static func compare(
        made: [String: String], given: [String: String], path: String
    ) throws(AdapterError) {
        guard made != given else { return }
        let options = made.sorted { $0.key < $1.key }.map {
            $0.value == "true" ? "--\($0.key)" : "--\($0.key) \($0.value)"
        }
        throw AdapterError(
            .usage, "was made with \(options.isEmpty ? "no options" : options.joined(separator: " "))",
            advice: "give the same options, or remove it, and --dry-run makes it anew", file: path)
    }
}

/// The contents of such a file: `{"jisui-trim": 1, "options": {…}, "pages": […]}`, one line for each decision.
///
/// Foundation's coders are not used: they take one of two equal keys without a word, where a person who edited the
/// file had better be told, and they do not keep the order in which keys are written.
public struct SidecarDocument: Sendable {
    /// What a transform calls its file and the parts of it.
    public struct Kind: Sendable {
        /// What it holds, for messages: "boxes".
        public let contents: String
        /// The key that marks files of this kind, whose value is the version.
        public let key: String
        public let version: Int
        /// The key of the list of decisions.
        public let list: String
        /// One decision, for messages: "page".
        public let entry: String
        /// The option that names the file.
        public let option: String

        public init(contents: String, key: String, version: Int, list: String, entry: String, option: String) {
            self.contents = contents
            self.key = key
            self.version = version
            self.list = list
            self.entry = entry
            self.option = option
        }

        /// Why a file is not followed.
        public func damage(_ message: String, path: String) -> AdapterError {
            AdapterError(
                .damaged, message, advice: "remove it, and --dry-run with --\(option) makes it anew", file: path)
        }
    }

    /// The options that the decisions were made with, by name.
    public var options: [String: String]
    /// The decisions, in the order of the file.
    public var entries: [JSON]

    public init(options: [String: String], entries: [JSON]) {
        self.options = options
        self.entries = entries
    }

    /// Reads a file. Members that are not known are passed over; two with one key make it broken.
    ///
    /// - Throws: `.damaged`, with what cannot be understood; `.unreadable`.
    public init(_ file: ReadableFile, as kind: Kind) throws(AdapterError) {
        let bytes = try file.read(at: 0, exactly: file.size)
        guard let json = JSON(parsing: bytes), let entries = json[kind.list]?.elements else {
            throw kind.damage("is no file of \(kind.contents), or broken JSON", path: file.path)
        }
        guard json[kind.key]?.asInteger == kind.version else {
            throw kind.damage("is of another version than \(kind.version)", path: file.path)
        }
        guard let options = json["options"]?.members else {
            throw kind.damage("lacks 'options'", path: file.path)
        }
        self.options = [:]
        for (name, value) in options { self.options[name] = value.asString }
        self.entries = entries
    }

    /// Each decision as a value.
    ///
    /// - Parameter decode: gives nil for what it does not understand.
    /// - Throws: `.damaged`, with the place of the first decision that was not understood.
    public func decoded<Entry>(
        _ kind: Kind, path: String, _ decode: (JSON) -> Entry?
    ) throws(AdapterError) -> [Entry] {
        var decoded: [Entry] = []
        for (index, entry) in entries.enumerated() {
            guard let value = decode(entry) else {
                throw kind.damage("\(kind.entry) \(index + 1) of the list cannot be understood", path: path)
            }
            decoded.append(value)
        }
        return decoded
    }

    /// The whole file.
    public func text(as kind: Kind) -> String {
        let options = JSON.object(options.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        let head = "{\(JSON.string(kind.key).text): \(kind.version), \"options\": \(options.text), "
        let list = entries.map(\.text).joined(separator: ",\n")
        return "\(head)\(JSON.string(kind.list).text): [\n\(list)\n]}\n"
    }

    /// Writes the file and puts it in its place.
    public func write(to file: OutputFile, as kind: Kind) throws(AdapterError) {
        try file.write(Array(text(as: kind).utf8))
        try file.publish()
    }
}
