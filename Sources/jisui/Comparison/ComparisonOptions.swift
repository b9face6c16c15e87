internal import AdapterKit
internal import Conversion
internal import Files
internal import PageModel
internal import Processes
internal import Work

/// The options of the commands that compare books.
struct ComparisonOptions {
    /// The settings that these options are made of.
    static let own: [Setting] = [.sample, .html, .replacedOutput, .comparisonJSON]
    /// The settings of a recipe that also say how to read.
    private static let reading = [Setting.maxMemory] + Registry.jisui.sourceSettings
    static var settings: [Setting] { own + reading + InputOptions.settings }

    let input: InputOptions
    let recipe: Recipe
    let json: Bool
    let sample: PageSample?
    let html: String?
    private let force: Bool

    /// - Parameter own: the further settings of the command.
    init(_ given: GivenOptions, own: [Setting] = []) throws(UsageError) {
        input = try InputOptions(given)
        recipe = given.recipe.without((ComparisonOptions.own + own).map(\.name))
        (json, html, force) = (given.has(.comparisonJSON), given[.html], given.has(.replacedOutput))
        sample = given[.sample].flatMap(PageSample.init)
        try UsageError.check(recipe, ComparisonOptions.reading)
        if force, html == nil { throw UsageError("--force needs --html FILE", hint: nil) }
    }

    static func objection(toSample text: String) -> Message? {
        PageSample(text) == nil ? "--sample takes a share of more than 0% and at most 100%, as in 5%" : nil
    }

    /// The values of the settings of sources.
    var sourceSettings: [String: String] { recipe.settings(of: Registry.jisui.sourceSettings) }

    /// The images of differing pages to make; nil for none.
    var images: PageImages.Request? { html == nil ? nil : PageImages.Request() }

    /// Prepares the process: its messages, and secret values in its memory.
    func begin() {
        input.configureMessages()
        if recipe.withoutSecrets(ComparisonOptions.reading) != recipe { CurrentProcess.forbidCoreDump() }
    }

    /// Begins the web page; nil if none was asked for.
    ///
    /// - Parameter readFiles: the paths that the command reads.
    /// - Throws: `.usage` if it would replace one of them; `.exists`, `.unwritable`.
    func page(title: String, readFiles: [String]) throws(AdapterError) -> ComparisonHTML? {
        guard let html else { return nil }
        let inputs = InputFolders(readFiles.map { Input(path: $0) })
        try SideFiles(
            [SideFile(option: Setting.html.name, path: html)], readFiles: readFiles, inputFolders: inputs
        ).validate()
        let destination = Destination(path: html, mayReplace: force, temporaryFiles: Run.temporaryFiles)
        return try ComparisonHTML(at: destination, title: title) { Terminal.safe($0.localized) }
    }

    /// Prints a line of the answer, unless JSON or nothing is to be printed.
    func answer(_ line: Message) {
        if !json, !input.quiet { ProgressBar.withBarHidden { Messages.answer(line) } }
    }
}
