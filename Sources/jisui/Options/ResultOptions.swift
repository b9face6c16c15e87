internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import Files
internal import PageModel
internal import Work

/// The options on the output and the selected pages.
struct ResultOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: .option("output"), completion: .file())
    var output: String?

    @Option(help: .option("to"), completion: .list(Registry.jisui.sinks.map(\.descriptor.id)))
    var to: String?

    @Flag(name: .shortAndLong, help: .option("force"))
    var force = false

    @Flag(name: [.customLong("dry-run"), .customShort("n")], help: .option("dry-run"))
    var isDryRun = false

    @Flag(help: .option("combine"))
    var combine = false

    @Option(help: .option("order"), completion: .list(InputOrder.allCases.map(\.rawValue)))
    var order: InputOrder?

    // A list may begin with a minus sign.
    @Option(parsing: .unconditional, help: .option("pages"))
    var pages: String?

    @Option(
        help: .option("direction"), completion: .list(Direction.allCases.map(\.rawValue)),
        transform: { $0.lowercased() })
    var direction: String?

    @Option(help: .option("report"), completion: .file())
    var report: String?

    @Option(help: .option("recipe"), completion: .file())
    var recipe: String?

    @Flag(help: .option("verify"))
    var verify = false

    @Flag(help: .option("strict"))
    var strict = false

    /// The values of these options that belong to a recipe.
    var values: Recipe {
        var values = Recipe()
        values[.to] = to
        values[.combine] = combine ? "true" : nil
        values[.order] = order?.rawValue
        values[.pages] = pages
        values[.direction] = direction
        values[.verify] = verify ? "true" : nil
        values[.strict] = strict ? "true" : nil
        return values
    }

    func validate() throws {
        if verify, isDryRun {
            throw ValidationError(
                message: "--verify reads the output back, but --dry-run writes none; use only one of them")
        }
        if verify, output == "-" {
            throw ValidationError(message: "--verify cannot read standard output back; give -o the name of a file")
        }
        if output == "" { throw ValidationError(message: "-o needs a path") }
        if output == "-", !isDryRun {
            if report == "-" {
                throw ValidationError(
                    message: "-o - and --report - would mix in standard output; give one of them a file")
            }
            if StandardStreams.outputIsTerminal {
                throw ValidationError(
                    message:
                        "standard output is a terminal; redirect -o - to a file or a pipe")
            }
        }
    }
}
