internal import AdapterKit
internal import PageModel

@testable import AZW3Source

extension FuzzTarget {
    /// The records, the indexes, the text and the package document of a book for Kindles.
    static let kindle = FuzzTarget(
        name: "kindle", endings: ["azw3", "mobi", "prc"],
        words: [
            "INDX", "TAGX", "IDXT", "EXTH", "RESC", "CRES", "BOUNDARY", "CONT", "kindle:embed:0001", "recindex=",
            "<img ",
        ]
    ) { input in
        withFile(input) { file in
            let limits = Limits(pages: 100, entryBytes: 1 << 20)
            guard let database = try? PalmDatabase(file), let book = try? MobiBook(database, limits: limits) else {
                return
            }
            let pages = book.opened.sequence.pages
            require(pages.map(\.id) == pages.indices.map { $0 + 1 }, "pages are numbered in their order")
            for line in book.opened.sequence.book.outline {
                require(line.page.map { pages.indices.contains($0 - 1) } ?? true, "a line leads to a page of the book")
            }
        }
    }
}
