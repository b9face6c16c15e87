internal import AdapterKit
internal import ArgumentParser

/// Calls that ask for help about conversions; argument-parser answers those about other subcommands.
enum HelpCommand {
    /// All subcommands except that of conversions.
    static let subcommands = Set(Jisui.subcommandNames).subtracting([Convert._commandName])

    /// Returns the output of a call, and whether it is an error; nil if the call does not ask for help on conversions.
    static func answer(_ arguments: [String]) -> (text: String, isError: Bool)? {
        let words = arguments.prefix { $0 != "--" }
        guard let first = words.first else { return nil }
        if first == "help" { return page(words.dropFirst().first) }
        if subcommands.contains(first) || !words.contains(where: ["--help", "-h"].contains) { return nil }
        return (HelpPage.short, false)
    }

    private static func page(_ name: String?) -> (text: String, isError: Bool)? {
        switch name {
        case nil: return (HelpPage.short, false)
        case "all", "convert": return (HelpPage.all, false)
        case "topics": return (HelpPage.topics, false)
        case let name?:
            if let topic = HelpTopic.named(name) { return (HelpPage.text(of: topic), false) }
            if subcommands.contains(name) { return nil }
            // The topic of an option.
            let option = String(name.drop { $0 == "-" })
            let meant = [option, "no-\(option)", FirstWords.option(for: option)]
            if let topic = HelpTopic.all.first(where: { $0.settings.contains { meant.contains($0.name) } }) {
                return (HelpPage.text(of: topic), false)
            }
            return ("unknown topic '\(name)'\n" + HelpPage.topics, true)
        }
    }
}
