internal import AdapterKit
internal import Conversion
internal import Files
internal import OrderedJSON
internal import PageModel
internal import Work

/// The command for a folder of several books. It lists and removes books, and changes shared settings.
struct Catalog: Command {
    static let entry = CommandEntry(
        name: "catalog", summary: "List or change the books of a shelf that --to web wrote",
        details: "To add books to a shelf, use 'jisui INPUT -o SHELF --to web --add'.",
        operands: [.shelf],
        own: { [.remove] + shared + [.json, .removed] }
    ) { Catalog($0) }

    /// The settings of the shelf, which the sink has too.
    private static var shared: [Setting] {
        Registry.jisui.settings.filter { ["base-url", "shelf-title"].contains($0.name) }
    }

    let shelf: String
    private let remove: [String]
    private let settings: [String: String]
    private let (json, quiet): (Bool, Bool)

    init(_ given: GivenOptions) {
        shelf = given.operands.first ?? ""
        remove = given.recipe.list(.remove)
        settings = given.recipe.settings(of: Catalog.shared)
        (json, quiet) = (given.has(.json), given.has(.removed))
    }

    func run() throws {
        Messages.configure(quiet: quiet, noColor: false)
        let collection = try collection()
        let removed = remove.isEmpty ? [] : try collection.remove(remove)
        try collection.finish()
        for book in removed { Messages.note("\(shelf): removed '\(book.title)'") }
        guard json || remove.isEmpty && settings.isEmpty else { return }
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
        let given = settings.merging([sink.collectionFlag.name: "true"]) { $1 }
        let settings = try sink.descriptor.values(given: given)
        let destination = Destination(path: shelf, mayReplace: true, temporaryFiles: Run.temporaryFiles)
        guard let collection = try sink.collection(at: destination, settings) else {
            throw AdapterError(.usage, "no format combines several books in one output")
        }
        // Reports a path that is not a shelf before any change.
        _ = try collection.books()
        return collection
    }
}
