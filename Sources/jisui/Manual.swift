internal import AdapterKit
internal import ArgumentParser
internal import PageModel

/// The command that prints the manual page, made from the same data as the help. `make install` puts it in the folder where `man`
/// looks for it.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Print the manual page in roff.", shouldDisplay: false)

    @Flag(help: "Print docs/reference/options.md instead.")
    var markdown = false

    static let statuses: [(status: ExitStatus, meaning: String)] = [
        (.done, "done"), (.warnings, "done with warnings"), (.failed, "failed"),
        (.usage, "wrong usage"), (.interrupted, "interrupted"),
    ]

    private static let variables = [
        ("JISUI_PASSWORD", "The password of inputs that need one."),
        ("JISUI_PLUGIN_PATH", "Folders with plug-ins: absolute paths, separated by colons."),
        ("TMPDIR", "The folder for temporary files; without it, /var/tmp."),
        ("NO_COLOR", "If it is set, messages have no colors."),
        ("JISUI_DEBUG", "If it is set, jisui shows the messages of C libraries."),
    ]

    func run() {
        print(markdown ? Manual.markdown : Manual.roff)
    }

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
            lines += ["", "| Option | Effect |", "|---|---|"]
            for setting in topic.settings {
                let label = HelpPage.label(setting).drop { $0 == " " }
                // In a table, every bar ends a cell.
                lines.append("| `\(label)` | \(setting.fullHelp.english.replacing("|", with: "\\|")) |")
            }
            if let example = topic.example { lines += ["", "```sh", example, "```"] }
        }
        return lines.joined(separator: "\n")
    }

    private static var roff: String {
        var page = [
            ".TH JISUI 1 \"\" \"jisui \(Jisui.version)\" \"User Commands\"", ".SH NAME",
            "jisui \\- convert scanned books and comics between formats", ".SH SYNOPSIS",
        ]
        for line in Jisui.configuration.usage?.split(separator: "\n") ?? [] {
            page += [".B jisui", escaped(String(line.dropFirst("jisui ".count))), ".br"]
        }
        page += [".SH DESCRIPTION"] + paragraphs([Jisui.configuration.abstract, Jisui.configuration.discussion])
        page.append(".SH OPTIONS")
        for topic in HelpTopic.all {
            page += [".SS \(escaped(topic.title))"] + paragraphs(topic.introduction)
            for setting in topic.settings {
                page += item(String(HelpPage.label(setting).drop { $0 == " " }), setting.fullHelp.english)
            }
        }
        page += [".SH SUBCOMMANDS"]
        for command in [Info.self, Catalog.self, Formats.self] + Plugins.configuration.subcommands {
            page += [synopsis(of: command)] + paragraphs([command.configuration.abstract])
            page += options(of: command)
        }
        page.append(".SH EXAMPLES")
        for example in Usage.examples { page += item(example.command, "\(example.meaning).") }
        page += item("jisui info book.pdf", "Show what each page of a book is.")
        page += item("jisui book.cbz -o strip.png --dry-run", "Show the plan for each page.")
        page.append(".SH EXIT STATUS")
        for (status, meaning) in statuses { page += item(String(status.rawValue), "\(meaning).") }
        page.append(".SH ENVIRONMENT")
        for (name, meaning) in variables { page += item(name, meaning) }
        return page.joined(separator: "\n")
    }

    /// Returns a heading that shows the usage of a subcommand.
    private static func synopsis(of command: any ParsableCommand.Type) -> String {
        ".SS \(escaped(Jisui.usageString(for: command).replacing("Usage: ", with: "")))"
    }

    /// The column where argument-parser's help begins the text of an option.
    private static let helpColumn = 26

    /// Returns the options of a subcommand as argument-parser's help lists them.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
        var page: [String] = []
        var waiting: String?
        var isListed = false
        // A width that prevents wrapping.
        for line in Jisui.helpMessage(for: command, columns: 10_000).split(separator: "\n") {
            if !line.hasPrefix(" ") {
                isListed = line.hasSuffix(":") && line == line.uppercased()[...]
            } else if isListed, let label = waiting {
                page += item(label, String(line.drop { $0 == " " }))
                waiting = nil
            } else if isListed {
                let (name, text) = (line.prefix(helpColumn), line.dropFirst(helpColumn))
                let label = name.drop { $0 == " " }
                // A long name has a line of its own.
                if name.hasSuffix(" "), !text.isEmpty, !text.hasPrefix("<") {
                    page += item(
                        String(label.prefix(label.count - label.reversed().prefix { $0 == " " }.count)), String(text))
                } else {
                    waiting = String(line.drop { $0 == " " })
                }
            }
        }
        return page
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
