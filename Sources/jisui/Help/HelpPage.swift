internal import AdapterKit

/// The help as text of at most 80 columns.
enum HelpPage {
    private static let width = 80
    /// The column of an option's text, from 0.
    private static let column = 28

    /// The output of `jisui --help`: the options that most conversions need.
    static var short: String {
        let common: [(title: String, names: [String])] = [
            ("Output", ["output", "to", "force", "combine", "pages", "direction"]),
            ("Pages", ["trim", "deskew", "spreads", "crop", "rotate", "fit", "gray"]),
            ("Running", ["dry-run", "verbose", "quiet", "jobs"]),
        ]
        let settings = HelpTopic.all.flatMap(\.settings)
        let options = common.flatMap { group in
            ["\(group.title):"]
                + group.names.compactMap { name in
                    settings.first { $0.name == name }.map { line(label($0), $0.help) }
                }
        }
        let topics = wrapped(HelpTopic.all.map(\.id).joined(separator: " "), indent: 31)
        return
            ([
                "Convert scanned books and comics between formats, losslessly by default.", "",
                "Usage: jisui [options] INPUT... -o OUTPUT", "       jisui COMMAND ...", "",
                "The name of OUTPUT selects the format: .cbz .cb7 .cbt .pdf .epub, .png .jpg",
                ".webp (one long image), or DIR/ for a folder of numbered images.", "", "Examples:",
            ] + Usage.examples.map { line("  \($0.command)", $0.meaning, column: 40) } + [""] + options + [
                "", "Commands: convert (default), info, formats, catalog, plugin",
                "Help:     jisui help TOPIC    \(topics.trimmed)", "          jisui help all      list every option",
            ]).joined(separator: "\n")
    }

    /// Returns the output of `jisui help TOPIC`.
    static func text(of topic: HelpTopic) -> String {
        let name = "jisui help \(topic.id)"
        let gap = String(repeating: " ", count: max(2, width - topic.title.count - name.count))
        var lines = [topic.title + gap + name]
        for paragraph in topic.introduction { lines += ["", wrapped(paragraph, indent: 0)] }
        lines.append("")
        lines += topic.settings.map(option)
        if let example = topic.example { lines += ["", "Example: \(example)"] }
        return lines.joined(separator: "\n")
    }

    /// The output of `jisui help all`.
    static var all: String { HelpTopic.all.map(text).joined(separator: "\n\n\n") }

    /// The output of `jisui help topics`.
    static var topics: String {
        let list = HelpTopic.all.map { line("  \($0.id)", $0.title, column: 14) }
        return (["Topics of jisui help:", ""] + list + ["", "jisui help all lists every option."]).joined(
            separator: "\n")
    }

    /// Returns an option with its complete description.
    private static func option(_ setting: Setting) -> String {
        // The default is in the brief text of some options.
        let notes = setting.notes.isEmpty ? "" : " (\(setting.notes))"
        let details = setting.details.map { ". \($0)" } ?? ""
        return line(label(setting), setting.help + details + notes)
    }

    /// Returns the names of an option, and the placeholder of its value.
    static func label(_ setting: Setting) -> String {
        let letter = BuiltInSettings.letters[setting.name].map { "  -\($0), " } ?? "      "
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
    private static func wrapped(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        // A list of words may be broken after each of its separators.
        for word in text.replacing("|", with: "|\u{200B}").split(whereSeparator: { $0 == " " || $0 == "\u{200B}" }) {
            let isJoined = line.hasSuffix("|")
            let candidate = line.isEmpty ? String(word) : line + (isJoined ? "" : " ") + word
            if candidate.count + indent <= width || line.isEmpty {
                line = candidate
            } else {
                lines.append(margin + line)
                line = String(word)
            }
        }
        return (lines + [margin + line]).joined(separator: "\n")
    }
}

extension String {
    /// The text without leading spaces.
    var trimmed: Substring { drop { $0 == " " } }
}
