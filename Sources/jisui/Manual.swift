internal import ArgumentParser

/// Prints the manual page, made from the help texts; `make install` puts it where `man` finds it.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the manual page in roff.", shouldDisplay: false)

    static let output = """
        OUTPUT tells what is made: x.cbz (or x.zip), x.cb7 (x.7z) and x.cbt (x.tar) are comic archives, x.pdf a PDF, \
        x.epub an EPUB, x.png, x.jpg and x.webp one long picture of all pages, and a path that ends in a slash or is \
        a folder becomes a folder of numbered pages. --to overrules it.
        """
    static let pages = """
        --pages takes a list of page numbers and ranges, separated by commas: 7, 2-5, 5-2, 7.. (to the end), ..5, \
        odd, even, all; a negative number counts from the end: -1 is the last page, -3.. the last three. Pages \
        come in the order they are named in, each once.
        """
    static let statuses: [(status: ExitStatus, meaning: String)] = [
        (.done, "done"), (.warnings, "done with warnings (damaged pages are named)"), (.failed, "failed"),
        (.usage, "wrong usage"), (.interrupted, "interrupted"),
    ]

    func run() {
        var page = [
            ".TH JISUI 1 \"\" \"jisui \(Jisui.version)\" \"User Commands\"", ".SH NAME",
            "jisui \\- convert scanned books and comics without losing what the scanner saw", ".SH SYNOPSIS",
        ]
        for line in Jisui.configuration.usage?.split(separator: "\n") ?? [] {
            page += [".B jisui", Manual.escaped(String(line.dropFirst("jisui ".count))), ".br"]
        }
        page +=
            [".SH DESCRIPTION"]
            + Manual.paragraphs(
                [Jisui.configuration.abstract, Jisui.configuration.discussion, Manual.output, Manual.pages])
        page += [".SH OPTIONS"] + Manual.options(of: Convert.self)
        page += [".SH SUBCOMMANDS"]
        for command in [Info.self, Catalog.self, Formats.self] + Plugins.configuration.subcommands {
            page += [Manual.synopsis(of: command)] + Manual.paragraphs([command.configuration.abstract])
            page += Manual.options(of: command, title: nil)
        }
        page.append(".SH EXAMPLES")
        for example in Usage.examples { page += Manual.item(example.command, example.meaning) }
        page += Manual.item("jisui info book.pdf", "Show what each page of a book is.")
        page += Manual.item("jisui book.cbz -o strip.png --dry-run", "Show what would become of each page.")
        page.append(".SH EXIT STATUS")
        for (status, meaning) in Manual.statuses { page += Manual.item(String(status.rawValue), "\(meaning).") }
        page.append(".SH ENVIRONMENT")
        page += Manual.item("JISUI_PASSWORD", "The password of inputs that need one.")
        page += Manual.item("JISUI_PLUGIN_PATH", "Folders of plug-ins: absolute paths, with colons between them.")
        page += Manual.item(
            "TMPDIR", "The folder for what is kept in files for a while; /var/tmp if it names none.")
        page += Manual.item("NO_COLOR", "When it is set, messages have no colours.")
        page += Manual.item("JISUI_DEBUG", "When it is set, messages of C libraries are shown.")
        print(page.joined(separator: "\n"))
    }

    /// A heading that tells how a subcommand is called.
    private static func synopsis(of command: any ParsableCommand.Type) -> String {
        ".SS \(escaped(Jisui.usageString(for: command).replacing("Usage: ", with: "")))"
    }

    /// Where argument-parser puts what an option does, after its name.
    private static let helpColumn = 26

    /// The options of a command as argument-parser's help lists them, each group under its title.
    private static func options(of command: any ParsableCommand.Type, title: String? = "") -> [String] {
        var page: [String] = []
        var waiting: String?
        var isListed = false
        // So wide that nothing is wrapped.
        for line in Jisui.helpMessage(for: command, columns: 10_000).split(separator: "\n") {
            if !line.hasPrefix(" ") {
                isListed = line.hasSuffix(":") && line == line.uppercased()[...]
                if isListed, title != nil {
                    let words = line.dropLast().lowercased()
                    page.append(".SS \(words.prefix(1).uppercased())\(words.dropFirst())")
                }
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

    /// Text in which roff sees no requests and no escapes.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            // Lists of words may be broken.
            .replacing("|", with: "|\\:").split(
                separator: "\n", omittingEmptySubsequences: false
            )
            .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : String($0) }.joined(separator: "\n")
    }
}
