internal import AdapterKit
internal import Conversion
internal import OrderedJSON
internal import PageModel
internal import Work

/// The command that compares two books.
struct Diff: Command {
    static let entry = CommandEntry(
        name: "diff", summary: "Compare two books page by page",
        details: "Prints a line for each differing page: '-' only in BOOK, '+' only in OTHER, '*' different, "
            + "'!' unreadable. With --verbose jisui also lists equal pages ('='). Exit status: 0 equal, 3 different, 1 unreadable.",
        operands: [.comparedBook, .otherBook], own: { ComparisonOptions.settings }
    ) { try Diff($0) }

    let options: ComparisonOptions

    init(_ given: GivenOptions) throws(UsageError) {
        options = try ComparisonOptions(given)
    }

    func run() async throws {
        options.begin()
        let typed = try TypedInputs(options.input.inputs, password: try options.input.password())
        defer { withExtendedLifetime(typed) {} }
        do {
            let result = try await options.input.withWorkers(options.recipe) { try await compare(typed.inputs) }
            if result.sign == .unreadable { throw ExitStatus.failed }
            if result.sign != .equal { throw ExitStatus.warnings }
        } catch let error as AdapterError {
            if options.json { print(ComparisonJSON.failure(of: typed.inputs.map(\.name), error).text) }
            throw error
        }
    }

    private func compare(_ inputs: [Input]) async throws -> BookComparison {
        let names = inputs.map(\.name)
        let page = try options.page(title: "\(names[0]) – \(names[1])", readFiles: options.input.inputs)
        var books: [ComparedBook] = []
        for input in inputs {
            let opened = try await Library(.jisui).open(
                input, source: nil, settings: options.sourceSettings, limits: options.recipe.limits)
            for warning in opened.book.warnings { Messages.warning(warning, file: input.name) }
            books.append(ComparedBook(input, opened))
        }
        let comparer = BookComparer(.jisui, limits: options.recipe.limits, width: options.input.width)
        let result = try await comparer.comparison(
            books[0], books[1], sample: options.sample, images: options.images
        ) { comparison, images in
            try page?.add(comparison.line, captions: names, images)
        }
        var lines: [Message] = []
        for comparison in result.pages where comparison.sign != .equal || options.input.verbose {
            lines.append(comparison.line)
        }
        lines += result.metadata.map(\.line)
        lines.append(result.summary)
        if options.json { print(ComparisonJSON.json(result, of: names).text) }
        for line in lines { options.answer(line) }
        try page?.finish(lines)
        return result
    }
}
