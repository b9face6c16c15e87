internal import Files
internal import OrderedJSON
public import PageModel
internal import Synchronization

/// A file with a line for each finished book, by which a later run continues.
///
/// One run at a time uses it. It is complete except for a moment: a run that is killed may leave a book whose output is
/// complete and has no line yet.
public final class Journal: Sendable {
    private struct State {
        private(set) var entries: [JournalEntry.Key: JournalEntry]
        /// The books of the outputs that were written, by path.
        private(set) var owners: [String: JournalEntry.Key] = [:]
        var synchronized = ContinuousClock.now
        /// Whether a line could not be written.
        var lacksLines = false

        init(_ entries: [JournalEntry.Key: JournalEntry]) {
            self.entries = entries
            for entry in entries.values where entry.failure == nil { owners[entry.output.path] = entry.key }
        }

        mutating func add(_ entry: JournalEntry) {
            entries[entry.key] = entry
            if entry.failure == nil { owners[entry.output.path] = entry.key }
        }
    }

    public let path: String
    /// The digest of this run's recipe.
    let recipe: String
    let version: String
    /// Whether an earlier run began the journal.
    public let isContinued: Bool
    /// The number of lines that cannot be read.
    public let unreadableLines: Int
    /// Nil for a journal that is only read.
    private let file: LogFile?
    private let state: Mutex<State>

    /// The time after which lines are flushed to the disk together.
    private static let interval = Duration.milliseconds(200)

    /// Opens a journal, or begins one.
    ///
    /// - Parameters:
    ///   - recipe: the recipe of the run, without secret values.
    ///   - version: the version of jisui.
    ///   - isReadOnly: whether nothing is written, and a file that does not exist is not created.
    /// - Throws: `.exists` for another file; `.unwritable`, also if another run uses the journal; `.unreadable`.
    public init(_ path: String, recipe: Recipe, version: String, isReadOnly: Bool = false) throws(AdapterError) {
        (self.path, self.recipe, self.version) = (path, recipe.digest, version)
        var lines = JournalLines()
        if isReadOnly {
            if !FileStatus.isMissing(path) { lines = try JournalLines(file: path) }
            (isContinued, unreadableLines, file) = (lines.hasBegun, lines.unreadable, nil)
            state = Mutex(State(lines.entries))
            return
        }
        let file = try LogFile(path: path, of: "the journal")
        let rest = try file.readLines { line throws(AdapterError) in try lines.add(line, of: path) }
        if !rest.isEmpty {
            // A file of someone else loses nothing.
            guard lines.hasBegun || JournalLines.mayBegin(with: rest) else { throw JournalLines.notAJournal(path) }
            try file.removeIncompleteLine()
        }
        (isContinued, unreadableLines, self.file) = (lines.hasBegun, lines.unreadable, file)
        state = Mutex(State(lines.entries))
        let beginning: JSON = [
            "jisui": .string(version), "journal": .integer(JournalEntry.version),
            "began": .integer(SystemClock.secondsSince1970), "recipeDigest": .string(self.recipe),
            "recipe": recipe.json,
        ]
        try file.append(Array((beginning.text + "\n").utf8))
        try file.synchronize()
    }

    /// Whether an output may be complete without a line: that of a run that was killed, or could not write the line.
    var mayLackLines: Bool { isContinued || state.withLock { $0.lacksLines } }

    /// Returns the last line about a book.
    func entry(for key: JournalEntry.Key) -> JournalEntry? { state.withLock { $0.entries[key] } }

    /// The inputs of all books by their absolute paths, as they were last.
    var inputs: [String: BookFile] {
        let entries = state.withLock { $0.entries.values.sorted { $0.finished < $1.finished } }
        return Dictionary(entries.flatMap(\.inputs).map { ($0.path, $0) }) { $1 }
    }

    /// Returns the book whose output is at an absolute path; nil if it is not one of the journal.
    func owner(ofOutput path: String) -> JournalEntry.Key? { state.withLock { $0.owners[path] } }

    /// Adds a line. Several lines are flushed to the disk together.
    ///
    /// - Throws: `.unwritable`.
    func append(_ entry: JournalEntry) throws(AdapterError) {
        do {
            try file?.append(Array((entry.json.text + "\n").utf8))
        } catch {
            state.withLock { $0.lacksLines = true }
            throw error
        }
        let isDue = state.withLock { state in
            state.add(entry)
            guard ContinuousClock.now - state.synchronized > Journal.interval else { return false }
            state.synchronized = .now
            return true
        }
        if isDue { try file?.synchronize() }
    }

    /// Flushes all lines to the disk.
    ///
    /// - Throws: `.unwritable`.
    func synchronize() throws(AdapterError) { try file?.synchronize() }
}

/// The lines of journals, with the last one for each book.
public struct JournalLines: Sendable {
    public private(set) var entries: [JournalEntry.Key: JournalEntry] = [:]
    /// Whether there is a line of a journal.
    private(set) var hasBegun = false
    public private(set) var unreadable = 0

    public init() {}

    /// Reads all complete lines of a file that another run may be writing.
    ///
    /// - Throws: `.exists` for another file; `.unreadable`.
    public init(file path: String) throws(AdapterError) {
        try add(file: path)
    }

    /// Adds the lines of another journal. Of two lines about one book, the later one counts.
    ///
    /// - Throws: likewise.
    public mutating func add(file path: String) throws(AdapterError) {
        var own = JournalLines()
        try LogFile.readLines(of: path) { line throws(AdapterError) in try own.add(line, of: path) }
        guard own.hasBegun else { throw JournalLines.notAJournal(path) }
        hasBegun = true
        unreadable += own.unreadable
        entries.merge(own.entries) { $0.finished > $1.finished ? $0 : $1 }
    }

    /// Adds a line. Within one file the order counts and not the time, because a clock may be set back.
    ///
    /// - Throws: `.exists` if the first line is not that of a journal.
    mutating func add(_ line: [UInt8], of path: String) throws(AdapterError) {
        guard let json = JSON(parsing: line), let format = json["journal"]?.asInteger else {
            guard hasBegun else { throw JournalLines.notAJournal(path) }
            unreadable += 1
            return
        }
        guard format <= JournalEntry.version else {
            throw AdapterError(
                .unsupported, "the journal was made by a newer version of jisui", hint: "use that version", file: path)
        }
        hasBegun = true
        if let entry = JournalEntry(json) {
            entries[entry.key] = entry
        } else if json["began"] == nil {
            unreadable += 1
        }
    }

    /// Returns whether the first line of a journal may begin with these bytes.
    fileprivate static func mayBegin(with bytes: [UInt8]) -> Bool {
        let beginning = #"{"jisui": ""#.utf8
        return bytes.prefix(beginning.count).elementsEqual(beginning.prefix(bytes.count))
    }

    fileprivate static func notAJournal(_ path: String) -> AdapterError {
        AdapterError(.exists, "already exists and is not a journal", hint: "give another name", file: path)
    }
}
