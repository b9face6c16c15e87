internal import ArgumentParser

struct Jisui: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "jisui",
        abstract:
            "Converts scanned books and comics from any container to any other, without losing what the scanner saw.",
        usage: """
            jisui <input> ... -o <output> [<options>]
            jisui info <input> ... [--json]
            jisui formats [--json]
            """,
        discussion: """
            Every page arrives untouched unless a change was asked for; a change takes the least lossy way there is; \
            and jisui says, page by page, which way it took.
            """,
        version: version,
        subcommands: [Convert.self, Info.self, Formats.self, Manual.self],
        defaultSubcommand: Convert.self)
}
