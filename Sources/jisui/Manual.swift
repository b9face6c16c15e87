internal import AdapterKit
internal import PageModel

/// The command that prints the manual page, made from the same data as the help. `make install` puts it in the folder where `man`
/// looks for it.
struct Manual: Command {
    static let entry = CommandEntry(
        name: "manual", summary: "Print the manual page in roff",
        own: { [.markdown] }
    ) { Manual(isMarkdown: $0.has(.markdown)) }

    let isMarkdown: Bool

    static let statuses: [(status: ExitStatus, meaning: String)] = [
        (.done, "done"), (.warnings, "done with warnings"), (.failed, "failed"),
        (.usage, "wrong usage"), (.temporary, "failed, but another try may succeed"), (.interrupted, "interrupted"),
    ]

    private static let variables = [
        ("JISUI_PASSWORD", "The password of inputs that need one."),
        ("JISUI_PLUGIN_PATH", "Folders with plug-ins: absolute paths, separated by colons."),
        ("TMPDIR", "The folder for temporary files; without it, /var/tmp."),
        ("NO_COLOR", "If it is set, messages have no colors."),
        ("JISUI_DEBUG", "If it is set, jisui shows the messages of C libraries."),
    ]

    func run() {
        print(isMarkdown ? Manual.markdown : Manual.roff)
    }

    /// The commands that the page lists below the options of conversions.
    private static let commands = CommandEntry.all.filter { $0.name != Convert.entry.name }.flatMap(\.leaves)

    /// The reference of all options, in Markdown.
    static var markdown: String {
        var lines = [
            "# Options", "",
            "<!-- Made by `jisui manual --markdown`; a test compares the two. -->", "",
            "Every option of a conversion is in exactly one group. `jisui help GROUP` prints a group in the terminal,",
            "and `jisui help all` prints all of them.",
        ]
        for topic in HelpTopic.all {
            lines += ["", "## \(topic.title)", "", "`jisui help \(topic.id)`"]
            for paragraph in topic.introduction { lines += ["", paragraph] }
            lines += [""] + table(topic.settings)
            if let example = topic.example { lines += ["", "```sh", example, "```"] }
        }
        lines += ["", "## Other commands", "", "Every command takes `--help` and `--version`."]
        for command in commands {
            lines += ["", "### jisui \(command.name)", "", "`\(command.usage)`", ""]
            lines.append(([command.summary + "."] + [command.details].compactMap { $0 }).joined(separator: " "))
            let rows = command.operands.map { row($0.usage, "\($0.help).") }
            if !(rows + command.own().map(\.name)).isEmpty { lines += [""] + table(command.own(), after: rows) }
        }
        return lines.joined(separator: "\n")
    }

    private static func table(_ settings: [Setting], after rows: [String] = []) -> [String] {
        ["| Option | Effect |", "|---|---|"] + rows
            + settings.map { row(String(HelpPage.label($0).drop { $0 == " " }), $0.fullHelp.english) }
    }

    /// Returns a row of a table, in which every bar ends a cell.
    private static func row(_ label: String, _ text: String) -> String {
        "| `\(label)` | \(text.replacing("|", with: "\\|")) |"
    }

    private static var roff: String {
        var page = [
            ".TH JISUI 1 \"\" \"jisui \(Jisui.version)\" \"User Commands\"", ".SH NAME",
            "jisui \\- convert scanned books and comics between formats", ".SH SYNOPSIS",
        ]
        for command in [Convert.entry] + commands {
            page += [".B jisui", escaped(String(command.usage.dropFirst("jisui ".count))), ".br"]
        }
        page += [".SH DESCRIPTION"] + paragraphs(Jisui.about)
        page.append(".SH OPTIONS")
        for topic in HelpTopic.all {
            page += [".SS \(escaped(topic.title))"] + paragraphs(topic.introduction)
            page += topic.settings.flatMap(option)
        }
        page += [".SH SUBCOMMANDS"] + paragraphs(["Every command takes --help and --version."])
        for command in commands {
            page += [".SS \(escaped(command.usage))"]
            page += paragraphs(["\(command.summary)."] + [command.details].compactMap { $0 })
            page += command.operands.flatMap { item($0.usage, "\($0.help).") } + command.own().flatMap(option)
        }
        page.append(".SH EXAMPLES")
        for example in HelpPage.examples { page += item(example.command, "\(example.meaning).") }
        page += item("jisui info book.pdf", "Show what each page of a book is.")
        page += item("jisui book.cbz -o strip.png --dry-run", "Show the plan for each page.")
        page.append(".SH EXIT STATUS")
        for (status, meaning) in statuses { page += item(String(status.rawValue), "\(meaning).") }
        page.append(".SH ENVIRONMENT")
        for (name, meaning) in variables { page += item(name, meaning) }
        return page.joined(separator: "\n")
    }

    private static func option(_ setting: Setting) -> [String] {
        item(String(HelpPage.label(setting).drop { $0 == " " }), setting.fullHelp.english)
    }

    private static func paragraphs(_ texts: [String]) -> [String] {
        texts.flatMap { [".PP", escaped($0)] }
    }

    private static func item(_ label: String, _ text: String) -> [String] {
        [".TP", ".B \(escaped(label))", escaped(text)]
    }

    /// Returns text without any roff requests or escapes.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            // Lists of words may be broken.
            .replacing("|", with: "|\\:").split(
                separator: "\n", omittingEmptySubsequences: false
            )
            .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : String($0) }.joined(separator: "\n")
    }
}
