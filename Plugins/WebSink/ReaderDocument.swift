internal import Metadata

/// The web reader's document, with the title and the pages of a book or shelf.
enum ReaderDocument {
    /// Returns the document of a single book.
    ///
    /// - Parameter pages: the pages to link for a browser without scripts.
    static func book(title: String, pages: [WebPage]) -> [UInt8] {
        let links = pages.enumerated().map { place, page in
            "<li><a href=\"\(WebLayout.page(page.file))\">\(XMLText.escaped(page.label ?? "\(place + 1)"))</a></li>"
        }
        return document(
            title: title, scripts: [WebLayout.bookScript],
            otherwise: "These are the pages:</p>\n<ol>\n\(links.joined(separator: "\n"))\n</ol>")
    }

    /// Returns a shelf's document.
    ///
    /// - Parameters:
    ///   - list: the name of the script that lists its books.
    ///   - catalogs: the catalogs, with their media types. Reading apps find them at the document's address.
    static func shelf(title: String, list: String, catalogs: [(address: String, type: String)]) -> [UInt8] {
        let folder = "<a href=\"\(WebLayout.books)/\">\(WebLayout.books)</a>"
        return document(
            title: title, scripts: [ReaderFiles.library, list], catalogs: catalogs,
            otherwise: "The pages of the books are in the folder \(folder).</p>")
    }

    /// Returns the document, with these texts in place of its template's placeholders.
    private static func document(
        title: String, scripts: [String], catalogs: [(address: String, type: String)] = [], otherwise: String
    ) -> [UInt8] {
        let feeds = catalogs.map { "<link rel=\"alternate\" href=\"\($0.address)\" type=\"\($0.type)\">" }
        let tags = (scripts.map { "<script defer src=\"\($0)\"></script>" } + feeds).joined(separator: "\n")
        let values = [XMLText.escaped(title), tags, otherwise]
        var text = ""
        for (index, part) in ReaderFiles.documentParts.enumerated() {
            text += part + (index < values.count ? values[index] : "")
        }
        return Array(text.utf8)
    }
}
