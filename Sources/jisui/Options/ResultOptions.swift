internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import PageModel

/// What is made of which pages, and where it goes.
struct ResultOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where the result goes; '-' for standard output.", valueName: "path"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp("Make this format, where the output's name tells none.", valueName: "format"),
        completion: .list(Registry.jisui.sinks.map(\.card.id)))
    var to: String?

    @Flag(name: .shortAndLong, help: "Replace what is there.")
    var force = false

    @Flag(
        name: [.customLong("dry-run"), .customShort("n")], help: "Show what would become of each page; write nothing.")
    var isDryRun = false

    @Flag(help: "Make one book of all inputs.")
    var combine = false

    @Option(
        help: ArgumentHelp(
            "The order of several inputs; natural is 2 before 10. "
                + "(default: natural if they stand as a shell sorts them, otherwise given)",
            valueName: "order"),
        completion: .list(InputOrder.allCases.map(\.rawValue)))
    var order: InputOrder?

    // A list may begin with a minus.
    @Option(
        parsing: .unconditional, help: ArgumentHelp("The pages to take: 1-10,15,odd,-3..", valueName: "list"))
    var pages: String?

    @Option(
        help: ArgumentHelp("The reading direction: ltr or rtl. (default: what the input says)", valueName: "direction"),
        completion: .list(Direction.allCases.map(\.rawValue)), transform: { $0.lowercased() })
    var direction: String?

    @Option(
        help: ArgumentHelp(
            "Write what became of each page to this file as JSON; '-' for standard output.", valueName: "file"),
        completion: .file())
    var report: String?

    @Flag(help: "Read the finished output back and compare it with its source before it appears.")
    var verify = false

    @Flag(help: "Fail at the first thing that would be warned of.")
    var strict = false

    func validate() throws {
        if let direction, Direction(rawValue: direction) == nil {
            throw ValidationError("--direction takes ltr or rtl, not '\(direction)'")
        }
        if verify, isDryRun {
            throw ValidationError("--verify reads the output back, and --dry-run writes none; leave out one of them")
        }
        if verify, output == "-" {
            throw ValidationError("--verify cannot read standard output back; give -o the name of a file")
        }
        if output.isEmpty { throw ValidationError("-o needs a path") }
        if output == "-", !isDryRun {
            if report == "-" {
                throw ValidationError("-o - and --report - would mix in standard output; give one of them a file")
            }
            if StandardStreams.outputIsTerminal {
                throw ValidationError(
                    "-o - is standard output, and that is a terminal; put > and a file behind, or a pipe")
            }
        }
    }
}
