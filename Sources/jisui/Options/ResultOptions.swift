internal import ArgumentParser
internal import Files
internal import PageModel

/// The options on the output that are not part of a recipe.
struct ResultOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: .option("output"), completion: .file())
    var output: String?

    @Flag(name: .shortAndLong, help: .option("force"))
    var force = false

    @Flag(help: .option("skip-existing"))
    var skipExisting = false

    @Flag(name: [.customLong("dry-run"), .customShort("n")], help: .option("dry-run"))
    var isDryRun = false

    @Option(help: .option("report"), completion: .file())
    var report: String?

    @Option(help: .option("recipe"), completion: .file())
    var recipe: String?

    @Option(help: .option("recipe-without"))
    var recipeWithout: String?

    func validate() throws {
        if recipeWithout != nil, recipe == nil { throw ValidationError(message: "--recipe-without needs --recipe") }
        if force && skipExisting { throw ValidationError(message: "--force and --skip-existing exclude each other") }
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
