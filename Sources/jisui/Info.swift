internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import PageModel

struct Info: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what is in a book, page by page.")

    @Argument(
        help: ArgumentHelp("A PDF file, a comic archive, a folder of pictures.", valueName: "input"),
        completion: .file())
    var inputs: [String]

    @Flag(help: "Print JSON, one line for each input.")
    var json = false

    @OptionGroup(title: "Options of formats") var adapters: AdapterOptions<ReadingScope>

    @OptionGroup(title: "General options") var options: InputOptions

    func run() async throws {
        Messages.configure(quiet: options.quiet, noColor: options.noColor)
        let password = try options.password()
        var failed = false
        var warned = false
        for path in inputs {
            do {
                let book = try await BookInfo.read(
                    Input(path: path, password: password), source: options.from, settings: adapters.values,
                    width: options.width)
                for warning in book.warnings { Messages.warning(warning, file: path) }
                warned = warned || !book.warnings.isEmpty
                print(json ? book.json.text : book.text)
            } catch let error as AdapterError where inputs.count > 1 && error.code != .usage {
                Messages.error(error)
                failed = true
            }
        }
        if failed { throw ExitStatus.failed }
        if warned { throw ExitStatus.warnings }
    }
}
