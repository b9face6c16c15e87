internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import Files
internal import OrderedJSON
internal import PageModel

/// The command for a folder of several books. It lists and removes books, and changes shared settings.
struct Catalog: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "List or change the books of a shelf that --to web wrote.",
        discussion: "To add books to a shelf, use 'jisui <input> -o <shelf> --to web --add'.")

    @Argument(help: ArgumentHelp("The folder of the shelf.", valueName: "shelf"), completion: .directory)
    var shelf: String

    @Option(
        help: ArgumentHelp(
            "Remove a book, given by its title, folder or id, and delete its folder. Repeat for several books.",
            valueName: "book"))
    var remove: [String] = []

    @Option(
        name: .customLong("base-url"),
        help: ArgumentHelp(
            "Write OPDS catalogs for this address, at which the shelf is served; none removes them.",
            valueName: "url"))
    var baseURL: String?

    @Option(
        name: .customLong("shelf-title"), help: ArgumentHelp("Set the title of the shelf.", valueName: "text"))
    var shelfTitle: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Do not list the removed books.")
    var quiet = false

    func run() throws {
        Messages.configure(quiet: quiet, noColor: false)
        let collection = try collection()
        let removed = remove.isEmpty ? [] : try collection.remove(remove)
        try collection.finish()
        for book in removed { Messages.note("\(shelf): removed '\(book.title)'") }
        guard json || remove.isEmpty && baseURL == nil && shelfTitle == nil else { return }
        let books = try collection.books()
        if json {
            let list = books.map { book -> JSON in
                [
                    "title": .string(book.title), "pages": .integer(book.pageCount), "folder": .string(book.folder),
                    "id": .string(book.id),
                ]
            }
            let catalog: JSON = ["jisui": .string(Jisui.version), "catalog": 1, "books": JSON(list)]
            print(catalog.text)
        } else {
            for book in books {
                let pages: Message = book.pageCount == 1 ? "1 page" : "\(book.pageCount) pages"
                Messages.answer("\(book.title)  (\(pages), \(book.folder))")
            }
        }
    }

    /// - Throws: `.exists` if the path is not a shelf.
    private func collection() throws(AdapterError) -> any BookCollection {
        guard let sink = Registry.jisui.sinks.lazy.compactMap({ $0 as? any CollectingSink }).first else {
            throw AdapterError(.usage, "no format combines several books in one output")
        }
        var given = [sink.collectionFlag.name: "true"]
        given["base-url"] = baseURL
        given["shelf-title"] = shelfTitle
        let settings = try Settings(sink.descriptor.settings, given: given)
        let destination = Destination(path: shelf, mayReplace: true, temporaryFiles: Run.temporaryFiles)
        guard let collection = try sink.collection(at: destination, settings) else {
            throw AdapterError(.usage, "no format combines several books in one output")
        }
        // Reports a path that is not a shelf before any change.
        _ = try collection.books()
        return collection
    }
}
