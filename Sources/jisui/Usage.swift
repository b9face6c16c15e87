internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import Files
internal import PageModel
internal import Work

/// Answers to calls without arguments, with misspelled subcommands or without the values of options.
enum Usage {
    static let examples: [(command: String, meaning: Message)] = [
        (command: "jisui book.pdf -o book.cbz", meaning: "Extract the page images unchanged"),
        (command: "jisui book.cbz -o pages/", meaning: "Unpack into a folder"),
        (command: "jisui *.cbr -o out/ --to cbz --trim", meaning: "Convert many books, crop margins"),
    ]

    /// The output of a call without any arguments.
    static var shortHelp: String {
        let width = examples.map(\.command.count).max() ?? 0
        let lines = examples.map { example in
            "  \(example.command)\(String(repeating: " ", count: width - example.command.count))   \(example.meaning.localized)"
        }
        return
            ([
                Language.translated("jisui converts scanned books and comics between formats, losslessly by default."),
                "",
            ] + lines + ["", Language.translated("See jisui --help, and jisui help topics.")])
            .joined(separator: "\n")
    }

    /// Returns the likely subcommand for a first argument that is neither a subcommand nor a file.
    static func meantSubcommand(_ arguments: [String]) -> String? {
        guard let word = arguments.first, !word.isEmpty, word.allSatisfy(\.isLetter), FileStatus(of: word) == nil else {
            return nil
        }
        if word == "help" || Jisui.subcommandNames.contains(word) { return nil }
        return Jisui.listedCommands.first { Spelling.areAlike(word.lowercased(), $0) }
    }

    /// Returns the message if argument-parser misses an argument. The more likely reason is an unknown option.
    static func missing(_ message: String, in arguments: [String]) -> String {
        if let unknown = unknownOption(arguments) { return unknown }
        return message.contains("'<input>")
            ? Language.translated("no input is given; use jisui INPUT -o OUTPUT") : message
    }

    /// Returns the message about an unknown option with a suggestion; nil for other messages.
    static func meantOption(_ message: String) -> String? {
        guard let match = message.firstMatch(of: /^Unknown option '([^']+)'(\. Did you mean '([^']+)'\?)?/) else {
            return nil
        }
        let option: Message = "unknown option \(match.1)"
        if let meant = FirstWords.meant(byUnknown: String(match.1)) {
            return ("\(option); \(meant)" as Message).localized
        }
        // argument-parser may suggest any word of similar length.
        guard let guess = match.3, Spelling.areAlike(String(match.1), String(guess)) else { return option.localized }
        return ("\(option); did you mean \(guess)?" as Message).localized
    }

    /// Returns the message if argument-parser misses the value of an option, because it interprets a value with a leading hyphen
    /// as an option. For a negative number, this is its own error, or else a hint on the syntax.
    static func missingValue(_ message: String, in arguments: [String]) -> String {
        for (index, (option, value)) in zip(arguments, arguments.dropFirst()).enumerated() {
            guard option.hasPrefix("--"), message.contains("'\(option) "), value.hasPrefix("-"),
                let first = value.dropFirst().first, first.isNumber || first == "."
            else { continue }
            var joined = arguments
            joined.replaceSubrange(index...(index + 1), with: ["\(option)=\(value)"])
            do {
                _ = try Jisui.parseAsRoot(joined)
            } catch {
                let fault = Jisui.message(for: error)
                if fault.hasPrefix("\(option) ") { return fault }
            }
            return ("a value that begins with a hyphen is given as \(option)=\(value)" as Message).localized
        }
        guard let option = message.firstMatch(of: /'(-[a-z]|--[a-z-]+)/)?.1, let setting = setting(String(option))
        else { return message }
        switch setting.kind {
        case .choice(let words): return needsValue(option, words.commaSeparated)
        case .form(let form) where !form.words.isEmpty:
            return needsValue(option, form.words.commaSeparated)
        default:
            let value = example(of: setting) ?? setting.valueName.uppercased()
            if setting.valueName != "text" { return needsValue(option, "\(option) \(value)") }
            return ("\(option) needs a text: \(option) \(value)" as Message).localized
        }
    }

    private static func needsValue(_ option: Substring, _ values: Message) -> String {
        ("\(option) needs a value: \(values)" as Message).localized
    }

    /// Returns the setting of an option by its name or letter.
    private static func setting(_ option: String) -> Setting? {
        let name = String(option.drop { $0 == "-" })
        // The settings of recipes know the formats.
        return (Convert.settings + HelpTopic.all.flatMap(\.settings)).first {
            option.hasPrefix("--") ? $0.name == name : BuiltInSettings.letters[$0.name] == name
        }
    }

    /// Returns a value of a setting from the example of its topic, as it is typed.
    private static func example(of setting: Setting) -> String? {
        let names = ["--\(setting.name) "] + (BuiltInSettings.letters[setting.name].map { ["-\($0) "] } ?? [])
        for example in HelpTopic.all.compactMap(\.example) {
            guard let range = names.lazy.compactMap({ example.firstRange(of: $0) }).first else { continue }
            let rest = example[range.upperBound...]
            let value = rest.hasPrefix("'") ? rest.dropFirst().prefix { $0 != "'" } : rest.prefix { $0 != " " }
            return rest.hasPrefix("'") ? "'\(value)'" : String(value)
        }
        return nil
    }

    static func unknownOption(_ arguments: [String]) -> String? {
        for missing in [["--", "input"], ["-o", "output.cbz", "--", "input"]] {
            do {
                _ = try Jisui.parseAsRoot(arguments + missing)
            } catch {
                let message = Jisui.message(for: error)
                if message.hasPrefix("Unknown option"), !message.hasPrefix("Unknown option '-o'") { return message }
            }
        }
        return nil
    }
}
