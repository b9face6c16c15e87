internal import Files
internal import PageNames

/// The names of the files in a book's folder, all of them jisui's own: data of a source never become part of a path.
enum WebLayout {
    static let book = "book.json"
    static let bookScript = "book.js"
    static let cover = "cover.jpg"
    /// The name of an empty file that marks a shelf's folder about to enter or leave the list.
    static let unlisted = "unlisted"
    /// The folder of a shelf's books.
    static let books = "books"
    /// The name of the book in another format, without its extension.
    private static let stem = "book"

    /// Returns the name of the book in another format.
    static func file(_ pathExtension: String) -> String { "\(stem).\(pathExtension)" }

    /// Returns the path of a book's folder within its shelf, or of a file in it.
    static func inShelf(_ slug: String, _ name: String? = nil) -> String {
        [books, slug, name].compactMap(\.self).joined(separator: "/")
    }

    static func page(_ file: String) -> String { "pages/\(file)" }

    /// Returns the name of a page's thumbnail, from the name of the page's file.
    static func thumbnail(of file: String) -> String {
        "thumbs/\(FileName.stem(of: file, extensions: [FileName.extension(of: file)])).jpg"
    }

    private static let ours = ReaderFiles.names.union([book, bookScript, cover, Divina.name, unlisted])
        .union(WebOptions.formatsAlongside.map(file))

    /// Whether jisui could have written a file of this path within a book's folder.
    static func isOurs(_ path: String) -> Bool {
        let parts = FileName.components(of: path)
        switch parts.count {
        case 1: return ours.contains(path)
        case 2 where parts[0] == "pages" || parts[0] == "thumbs": return PageFileName.matches(parts[1])
        case 2 where parts[0] == "text": return TextFiles.matches(parts[1])
        // A run was killed while it rewrote this file.
        case 2 where parts[0].hasPrefix(".\(Divina.name).jisui-"): return true
        default: return false
        }
    }
}
