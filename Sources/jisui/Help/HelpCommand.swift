internal import AdapterKit
internal import PageModel

/// The command that shows help: on conversions, on a topic, or on a command.
struct HelpCommand: Command {
    static let entry = CommandEntry(
        name: "help", summary: "Show the options of a task or a command",
        operands: [.topic], takesAnyWord: true
    ) { try HelpCommand($0.operands) }

    let text: String

    init(_ entry: CommandEntry) {
        text = entry.name == Convert.entry.name ? HelpPage.short : HelpPage.text(of: entry)
    }

    /// - Throws: an error if no topic, command or option has the name.
    init(_ words: [String]) throws(UsageError) {
        switch words.first {
        case nil: text = HelpPage.short
        case "all", Convert.entry.name: text = HelpPage.all
        case "topics": text = HelpPage.topics
        case let name? where CommandEntry.all.contains { $0.name == name }:
            text = HelpPage.text(of: CommandEntry.called(by: words).entry)
        case let name?:
            // A topic, or that of an option.
            let option = String(name.drop { $0 == "-" })
            let meant = [option, "no-\(option)", CommandSuggestions.option(for: option)]
            let topic =
                HelpTopic.all.first { $0.id == name }
                ?? HelpTopic.all.first { $0.settings.contains { meant.contains($0.name) } }
            guard let topic else { throw UsageError("unknown topic '\(name)'", hint: nil, lines: HelpPage.topics) }
            text = HelpPage.text(of: topic)
        }
    }

    func run() { print(Terminal.safeLines(text)) }
}
