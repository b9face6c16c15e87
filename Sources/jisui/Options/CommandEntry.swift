internal import AdapterKit
internal import Processes

/// A command, as data. Parsing, help, the manual page and the completions are made of it.
struct CommandEntry: Sendable {
    /// The words that call it: "info", "plugin add".
    let name: String
    /// A phrase that begins with an imperative verb and has no final period.
    let summary: String
    /// Further sentences; nil for none.
    var details: String?
    var operands: [Operand] = []
    /// Its own options, without those that every command has. They are made late, because listing adapters takes time.
    var own: @Sendable () -> [Setting] = { [] }
    /// The options that it shares with conversions, whose help lists them.
    var shared: @Sendable () -> [Setting] = { [] }
    var subcommands: [CommandEntry] = []
    /// Whether words that begin with a hyphen are operands.
    var takesAnyWord = false
    /// Makes the command; throws a `UsageError`, or an `AdapterError` of a file that its options name.
    let make: @Sendable (GivenOptions) throws -> any Command

    /// All commands.
    static let all: [CommandEntry] = [
        Convert.entry, Info.entry, Verify.entry, Diff.entry, Formats.entry, Devices.entry, PresetCommand.entry,
        Catalog.entry, Watch.entry, JournalCommand.entry, Plugins.entry, HelpCommand.entry, Completions.entry,
        Manual.entry,
    ]

    /// The options, those that every command has last.
    var options: [Setting] { own() + shared() + [.showHelp, .showVersion] }

    /// This command, or its subcommands if it only has these.
    var leaves: [CommandEntry] { subcommands.isEmpty ? [self] : subcommands.flatMap(\.leaves) }

    /// The way to call it: "jisui info [options] INPUT...".
    var usage: String {
        if name == Convert.entry.name { return "jisui [options] INPUT... -o OUTPUT" }
        let options = own().isEmpty ? [] : ["[options]"]
        let words = subcommands.isEmpty ? operands.map(\.usage) : ["COMMAND"]
        return (["jisui \(name)"] + options + words).joined(separator: " ")
    }

    /// The way to call it with nothing that can be omitted: "jisui info INPUT".
    var shortestCall: String {
        if name == Convert.entry.name { return "jisui INPUT -o OUTPUT" }
        return (["jisui \(name)"] + operands.filter(\.isRequired).map { $0.name.uppercased() }).joined(separator: " ")
    }

    /// Returns the command that words call, and the words after its name. Without a name, it is that of conversions.
    static func called(by words: [String]) -> (entry: CommandEntry, rest: ArraySlice<String>) {
        guard let entry = all.first(where: { $0.name == words.first }) else { return (Convert.entry, words[...]) }
        if words.count > 1, let inner = entry.subcommands.first(where: { $0.name == "\(entry.name) \(words[1])" }) {
            return (inner, words.dropFirst(2))
        }
        return (entry, words.dropFirst())
    }
}

/// A command with its options and operands, ready to run.
protocol Command: Sendable {
    /// The files that it will access; nil if the process is not to be restricted to files.
    var reach: FileAccess? { get }

    func run() async throws
}

extension Command {
    var reach: FileAccess? { nil }
}
