public import OrderedJSON
internal import PageModel

/// A line of a journal: the outcome of a book.
public struct JournalEntry: Hashable, Sendable {
    public enum Outcome: String, Sendable, CaseIterable {
        case done
        /// The output is complete, but something is damaged or missing.
        case warnings
        case failed
        /// The output was complete before the book's turn: a run that was killed had written it.
        case found
    }

    /// The error of a failed book.
    public struct Failure: Hashable, Sendable {
        public let code: String
        public let message: String
        /// Whether another try may succeed.
        public let isTemporary: Bool
    }

    /// The seconds since 1970.
    public var finished: Int
    public var outcome: Outcome
    public var inputs: [BookFile]
    /// The output. If the book became volumes, only their bytes together are known.
    public var output: BookFile
    /// The volumes of the book, which are then the outputs; empty for one output.
    public var volumes: [BookFile] = []
    /// The digest of the recipe; nil if it is unknown.
    public var recipe: String?
    public var version: String
    public var pages = 0
    /// The numbers of pages by their treatment.
    public var treatments: [String: Int] = [:]
    public var warningCount = 0
    /// The first warnings.
    public var warnings: [String] = []
    public var failure: Failure?
    /// The seconds of processor time. Books side by side share it equally.
    public var processorSeconds = 0.0
    public var seconds = 0.0

    /// The identity of the book in its journal.
    public struct Key: Hashable, Sendable {
        let inputs: [String]
        let output: String
    }

    public var key: Key { Key(inputs: inputs.map(\.path), output: output.path) }

    /// Whether the output is there with the same contents, or all volumes are.
    var isOutputUnchanged: Bool { volumes.isEmpty ? output.isUnchanged : volumes.allSatisfy(\.isUnchanged) }

    /// The path of the first input.
    public var name: String { inputs.first?.path ?? "" }

    /// The number of warnings that a line contains. A book of a thousand damaged pages needs no line of a megabyte.
    static let maximumWarnings = 20
}

extension JournalEntry {
    /// The version of the format.
    static let version = 1

    public var json: JSON {
        let beginning: [(key: String, value: JSON)] = [
            ("jisui", .string(version)), ("journal", .integer(JournalEntry.version)), ("finished", .integer(finished)),
            ("outcome", .string(outcome.rawValue)), ("inputs", JSON(inputs.map(\.json))), ("output", output.json),
        ]
        let members: [(key: String, value: JSON)] = [
            ("recipeDigest", JSON(recipe)), ("pages", .integer(pages)),
            ("treatments", .object(treatments.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })),
            ("warningCount", .integer(warningCount)), ("warnings", JSON(warnings.map(JSON.string))),
            ("error", failure?.json ?? .null), ("processorSeconds", .number(rounded(processorSeconds))),
            ("seconds", .number(rounded(seconds))),
        ]
        return .object(beginning + (volumes.isEmpty ? [] : [("volumes", JSON(volumes.map(\.json)))]) + members)
    }

    /// Returns a time to the microsecond, so that a line has no digits without meaning.
    private func rounded(_ seconds: Double) -> Double { (seconds * 1_000_000).rounded() / 1_000_000 }

    /// - Returns: nil for another line, such as the first one of a run.
    public init?(_ json: JSON) {
        guard let finished = json["finished"]?.asInteger,
            let inputs = json["inputs"]?.elements?.compactMap(BookFile.init),
            let outcome = json["outcome"]?.asString.flatMap(Outcome.init),
            let output = json["output"].flatMap(BookFile.init),
            !inputs.isEmpty
        else { return nil }
        (self.finished, self.outcome, self.inputs, self.output) = (finished, outcome, inputs, output)
        volumes = json["volumes"]?.elements?.compactMap(BookFile.init) ?? []
        recipe = json["recipeDigest"]?.asString
        version = json["jisui"]?.asString ?? ""
        pages = json["pages"]?.asInteger ?? 0
        for (name, count) in json["treatments"]?.members ?? [] { treatments[name] = count.asInteger }
        warningCount = json["warningCount"]?.asInteger ?? 0
        warnings = json["warnings"]?.elements?.compactMap(\.asString) ?? []
        failure = json["error"].flatMap(Failure.init)
        processorSeconds = json["processorSeconds"]?.asNumber ?? 0
        seconds = json["seconds"]?.asNumber ?? 0
    }
}

extension JournalEntry.Failure {
    init(_ error: AdapterError) {
        code = error.code.rawValue
        message = error.description
        isTemporary = error.isTemporary
    }

    fileprivate var json: JSON {
        ["code": .string(code), "message": .string(message), "temporary": .boolean(isTemporary)]
    }

    fileprivate init?(_ json: JSON) {
        guard let code = json["code"]?.asString else { return nil }
        self.code = code
        message = json["message"]?.asString ?? ""
        isTemporary = json["temporary"]?.asBoolean == true
    }
}
