internal import AdapterKit
internal import PageModel
internal import Work

/// The help as text of at most 80 columns.
enum HelpPage {
    private static let width = 80
    /// The column of an option's text, from 0.
    private static let column = 28

    static let examples: [(command: String, meaning: Message)] = [
        (command: "jisui book.pdf -o book.cbz", meaning: "Extract the page images unchanged"),
        (command: "jisui book.cbz -o pages/", meaning: "Unpack into a folder"),
        (command: "jisui *.cbr -o out/ --to cbz --trim", meaning: "Convert many books, crop margins"),
        (command: "jisui manga.cbz --device kobo-sage", meaning: "Fit a comic to an e-reader"),
    ]

    /// The output of a call without any arguments.
    static var shortest: String {
        let about = "jisui converts scanned books and comics between formats, losslessly by default."
        let end = Language.translated("See jisui --help, and jisui help topics.")
        let lines = examples.map { line("  \($0.command)", $0.meaning.localized, column: 40) }
        return ([Language.translated(about), ""] + lines + ["", end]).joined(separator: "\n")
    }

    /// The output of `jisui --help`: the options that most conversions need.
    static var short: String {
        let common: [(title: String, names: [String])] = [
            ("Output", ["output", "to", "force", "combine", "pages", "direction"]),
            ("Pages", ["trim", "deskew", "spreads", "crop", "rotate", "fit", "gray"]),
            ("Running", ["dry-run", "verbose", "quiet", "jobs"]),
        ]
        let settings = Setting.ofConversion
        var lines = translated(
            """
            Convert scanned books and comics between formats, losslessly by default.

            Usage: jisui [options] INPUT... -o OUTPUT
                   jisui COMMAND ...

            The name of OUTPUT selects the format: .cbz .cb7 .cbt .pdf .epub .azw3, .png
            .jpg .webp (one long image), or DIR/ for a folder of numbered images.

            Presets (--preset NAME) and devices (--device NAME; see jisui devices):
            """)
        lines += Preset.shipped.map { line("  \($0.name)", Language.translated($0.summary ?? ""), column: 16) }
        lines += ["", Language.translated("Examples:")]
        lines += examples.map { line("  \($0.command)", $0.meaning.localized, column: 40) } + [""]
        for group in common {
            lines.append(Language.translated(group.title) + ":")
            lines += group.names.compactMap { name in
                settings.first { $0.name == name }.map { line(label($0), Language.translated($0.help)) }
            }
        }
        let commands = wrapped(CommandEntry.all.map(\.name).joined(separator: " "), indent: 10).trimmed
        let topics = wrapped(HelpTopic.all.map(\.id).joined(separator: " "), indent: 31).trimmed
        lines += [
            "", Language.translated("Commands: ") + commands,
            Language.translated("Help:     jisui help TOPIC    ") + topics,
            Language.translated("          jisui help all      list every option"),
        ]
        return lines.joined(separator: "\n")
    }

    /// Returns the lines of a text in the user's language.
    private static func translated(_ text: String) -> [String] {
        Language.translated(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the output of `jisui help TOPIC`.
    static func text(of topic: HelpTopic) -> String {
        var lines = [heading(topic.title, of: topic.id)]
        for paragraph in topic.introduction { lines += ["", wrapped(Language.translated(paragraph), indent: 0)] }
        lines.append("")
        lines += topic.settings.map(option)
        if let example = topic.example { lines += ["", Language.translated("Example:") + " " + example] }
        return lines.joined(separator: "\n")
    }

    /// Returns the output of `jisui help COMMAND`.
    static func text(of entry: CommandEntry) -> String {
        var lines = [heading(entry.summary, of: entry.name), "", Language.translated("Usage:") + " " + entry.usage]
        if let details = entry.details { lines += ["", wrapped(Language.translated(details), indent: 0)] }
        lines.append("")
        lines += entry.operands.map { line("      \($0.usage)", Language.translated($0.help)) }
        lines += entry.subcommands.map { line("      \($0.name)", Language.translated($0.summary)) }
        lines += (entry.own() + [.showHelp, .showVersion]).map(option)
        return lines.joined(separator: "\n")
    }

    /// Returns a title with the command that shows its page.
    private static func heading(_ title: String, of id: String) -> String {
        let (title, command) = (Language.translated(title), "jisui help \(id)")
        let gap = width - Terminal.width(of: title) - command.count
        return gap < 2 ? title : title + String(repeating: " ", count: gap) + command
    }

    /// The output of `jisui help all`.
    static var all: String { HelpTopic.all.map(text).joined(separator: "\n\n\n") }

    /// The output of `jisui help topics`.
    static var topics: String {
        let list = HelpTopic.all.map { line("  \($0.id)", Language.translated($0.title), column: 14) }
        let (title, end) = ("Topics of jisui help:", "jisui help all lists every option.")
        return ([Language.translated(title), ""] + list + ["", Language.translated(end)]).joined(separator: "\n")
    }

    /// Returns an option with its complete description.
    private static func option(_ setting: Setting) -> String {
        // The default is in the brief text of some options.
        let notes = setting.notes.isEmpty ? "" : " (\(setting.notes.localized))"
        let details = setting.details.map { Language.translated(". ") + Language.translated($0) } ?? ""
        return line(label(setting), Language.translated(setting.help) + details + notes)
    }

    /// Returns the names of an option, and the placeholder of its value.
    static func label(_ setting: Setting) -> String {
        let letter = setting.letter.map { "  -\($0), " } ?? "      "
        let value = setting.valueName.uppercased()
        let shown = setting.kind == .flag ? "" : setting.impliedValue == nil ? " \(value)" : " [\(value)]"
        return "\(letter)--\(setting.name)\(shown)"
    }

    /// Returns a label and its text, on one line if the label is short.
    private static func line(_ label: String, _ text: String, column: Int = column) -> String {
        let body = wrapped(text, indent: column)
        if label.count + 2 > column { return label + "\n" + body }
        return label + String(repeating: " ", count: column - label.count) + body.dropFirst(column)
    }

    /// Returns text in lines of at most `width` columns, each indented.
    ///
    /// A line ends at a space, after a "|" of a list of words, or next to a character that is two columns wide.
    private static func wrapped(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var (line, word) = ("", "")
        var isSpaced = false
        func take(spaceAfter: Bool) {
            guard !word.isEmpty else {
                isSpaced = isSpaced || spaceAfter
                return
            }
            let candidate = line + (isSpaced && !line.isEmpty ? " " : "") + word
            if line.isEmpty || Terminal.width(of: candidate) + indent <= width {
                line = candidate
            } else {
                lines.append(margin + line)
                line = word
            }
            (word, isSpaced) = ("", spaceAfter)
        }
        for character in text {
            if character == " " {
                take(spaceAfter: true)
            } else if Terminal.width(of: String(character)) > 1 {
                // A line does not begin with a punctuation mark.
                if !"、。，．）」』！？：；".contains(character) { take(spaceAfter: false) }
                word.append(character)
            } else {
                if let last = word.last, last == "|" || Terminal.width(of: String(last)) > 1 { take(spaceAfter: false) }
                word.append(character)
            }
        }
        take(spaceAfter: false)
        return (lines + [margin + line]).joined(separator: "\n")
    }
}

extension String {
    /// The text without leading spaces.
    fileprivate var trimmed: Substring { drop { $0 == " " } }
}
