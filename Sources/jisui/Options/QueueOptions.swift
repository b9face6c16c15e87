internal import AdapterKit
internal import Conversion
internal import Files
internal import PageModel
internal import Work

/// The options for many books: where they are found, and how a run continues an earlier one.
struct QueueOptions {
    let isRecursive: Bool
    /// Whether the inputs come from a list.
    let isListed: Bool
    let journal: String?
    let updates: Bool
    let retriesFailed: Bool
    let progress: String?
    let metrics: String?
    let patterns: PathPatterns
    private let shard: String?

    /// - Throws: `UsageError` for an option without the one that it needs.
    init(_ given: GivenOptions) throws(UsageError) {
        let recipe = given.values[.commandLine]
        (isRecursive, isListed) = (given.has(.recursive), given[.fromList] != nil)
        (journal, updates, retriesFailed) = (given[.journal], given.has(.update), given.has(.retryFailed))
        (shard, progress, metrics) = (given[.shard], given[.progress], given[.metrics])
        patterns = PathPatterns(including: recipe.list(.include), excluding: recipe.list(.exclude))
        for setting in [Setting.include, .exclude] where !isRecursive && given[setting] != nil {
            throw UsageError("--\(setting.name) needs --recursive", hint: nil)
        }
        for setting in [Setting.update, .retryFailed] where journal == nil && given.has(setting) {
            throw UsageError("--\(setting.name) needs --journal FILE", hint: nil)
        }
        if given.has(.null), !isListed { throw UsageError("--null needs --from-list", hint: nil) }
    }

    /// The files of these options that the run writes.
    var files: [String] { [journal, progress.flatMap(ProgressStream.path), metrics].compactMap { $0 } }

    /// The same files, for the check that none replaces another file.
    var sideFiles: [SideFile] {
        let files = [
            (Setting.journal, journal), (.progress, progress.flatMap(ProgressStream.path)), (.metrics, metrics),
        ]
        return files.compactMap { setting, path in
            path.map { SideFile(option: setting.name, path: $0, keepsWhatIsThere: true) }
        }
    }

    /// Returns the outputs for programs and people that follow a batch.
    ///
    /// - Throws: `.exists`, `.unwritable`.
    func watch(isQuiet: Bool, bookCount: Int) throws(AdapterError) -> BatchWatch {
        BatchWatch(
            isQueue: bookCount > 1 && (isQueue || journal != nil), isQuiet: isQuiet,
            try progress.map(ProgressStream.init),
            try metrics.map(MetricsFile.init))
    }

    /// Whether each input has an output of its own in a folder, even if there is only one.
    var isQueue: Bool { isRecursive || isListed || shard != nil }

    /// - Throws: `UsageError` for options that cannot be combined.
    func check(_ inputs: [String], _ output: String?, isCombined: Bool) throws(UsageError) {
        if isQueue, isCombined {
            throw UsageError(
                "--combine makes one book, but --recursive, --from-list and --shard are for many", hint: nil)
        }
        if isRecursive, inputs.contains("-") {
            throw UsageError(
                "--recursive cannot search standard input; --from-list - reads the names of inputs", hint: nil)
        }
        if progress == "json", output == "-" {
            throw UsageError(
                "-o - and --progress json would mix in standard output; use --progress json:FILE", hint: nil)
        }
        guard journal != nil else { return }
        if output == "-" || inputs.contains("-") {
            throw UsageError("--journal is for files: it cannot recognize standard input or output again", hint: nil)
        }
        if journal == "-" { throw UsageError("--journal needs a file, which the next run reads", hint: nil) }
    }

    /// The inputs of a run.
    struct Inputs {
        var paths: [String]
        /// The folders of outputs below the output folder, by inputs.
        var folders: [String: String] = [:]
        var errors: [AdapterError] = []
        /// The paths of files that are not books.
        var others: [String] = []
        /// The note on the order, for the reports.
        var order: InputOrder.Arrangement?
        /// The note on the shard.
        var shard: Message?
    }

    /// Finds the inputs.
    ///
    /// - Parameters:
    ///   - written: the paths that the run writes, to be left out.
    ///   - known: the files that are books without being opened.
    /// - Throws: `.empty` without a book; `UsageError`.
    func inputs(
        _ typed: [String], _ order: InputOrder?, written: [String], _ known: KnownBooks
    ) throws -> Inputs {
        var inputs = Inputs(paths: typed)
        if isRecursive {
            let finder = BookFinder(.jisui, patterns, excluding: written) { known.contains($0) ? true : nil }
            let found = finder.books(at: typed)
            inputs.paths = found.books.map(\.path)
            (inputs.errors, inputs.others) = (found.errors, found.others)
            inputs.folders = Dictionary(found.books.filter { !$0.folder.isEmpty }.map { ($0.path, $0.folder) }) {
                first, _ in
                first
            }
            if found.books.isEmpty, found.errors.isEmpty {
                throw AdapterError(.empty, "no book was found", file: typed.first)
            }
        } else {
            let arranged = InputOrder.arrange(
                Registry.jisui.withoutOpenedParts(typed), order ?? (isListed ? .given : nil))
            (inputs.paths, inputs.order) = (arranged.inputs, arranged)
        }
        guard let shard else { return inputs }
        let chosen: Shard
        if let given = Shard(shard) {
            chosen = given
        } else {
            (chosen, inputs.shard) = try Engine.shard(of: QueueOptions.count(afterAuto: shard))
        }
        inputs.paths = chosen.part(of: inputs.paths)
        return inputs
    }

    /// Whether books are searched, and a journal may contain some of them.
    var continuesJournal: Bool { isRecursive && journal.map { !FileStatus.isMissing($0) } ?? false }

    /// Opens the journal; nil if none was asked for.
    ///
    /// - Throws: the errors of the journal.
    func openJournal(_ recipe: Recipe, isReadOnly: Bool) throws(AdapterError) -> JournalUse? {
        guard let path = journal else { return nil }
        let journal = try Journal(path, recipe: recipe, version: Jisui.version, isReadOnly: isReadOnly)
        switch journal.unreadableLines {
        case 0: break
        case 1: Messages.note("\(path): ignored 1 line that cannot be read")
        case let count: Messages.note("\(path): ignored \(count) lines that cannot be read")
        }
        return JournalUse(journal, updates: updates, retriesFailed: retriesFailed)
    }

    /// Returns the objection to a value of --shard; nil for a valid one.
    static func objection(toShard text: String) -> Message? {
        if text == "auto" || count(afterAuto: text) != nil || Shard(text) != nil { return nil }
        return "--shard takes a number and a count, as in 2/16, or auto, or auto with a count, as in auto/16"
    }

    /// Returns the count in "auto/16"; nil for another text.
    private static func count(afterAuto text: String) -> Int? {
        guard text.hasPrefix("auto/"), let count = Int(text.dropFirst(5)), count > 0 else { return nil }
        return count
    }
}

extension GivenOptions {
    /// Adds the inputs of the list that an option names.
    ///
    /// - Throws: `UsageError`; an `AdapterError` about the list.
    mutating func readList() throws {
        guard let path = self[.fromList] else { return }
        if path == "-", operands.contains("-") {
            throw UsageError("--from-list - already reads standard input", hint: nil)
        }
        let bytes =
            if path == "-" {
                try StandardStreams.spooledInput(maximumBytes: GivenOptions.maximumListBytes).contents()
            } else {
                try ReadableFile(path: path).contents()
            }
        let end = has(.null) ? 0 : UInt8(ascii: "\n")
        let names = bytes.split(separator: end).map { FileName.text(of: $0) }
        if names.isEmpty { throw UsageError("\(path): the list names no input", hint: nil) }
        operands += names
    }

    /// A million paths of a thousand bytes.
    private static let maximumListBytes = 1 << 30
}

extension ReadableFile {
    fileprivate func contents() throws(AdapterError) -> [UInt8] { try read(at: 0, upTo: size) }
}

extension SpoolFile {
    fileprivate func contents() throws(AdapterError) -> [UInt8] { try ReadableFile(path: path()).contents() }
}
