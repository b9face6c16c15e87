internal import AdapterKit

/// The names of what a book's folder holds, all of them jisui's own: nothing that a source says becomes a part of a path.
enum WebLayout {
    static let book = "book.json"
    static let bookScript = "book.js"
    static let cover = "cover.jpg"
    /// The book for programs that read comics page by page (Readium's Divina).
    static let divina = "divina.json"
    /// What the book is called in another format, without its extension.
    private static let stem = "book"

    /// The book in another format.
    static func file(_ pathExtension: String) -> String { "\(stem).\(pathExtension)" }

    static func page(_ file: String) -> String { "pages/\(file)" }

    /// The thumbnail of a page, by the name of the page's file.
    static func thumbnail(of file: String) -> String {
        "thumbs/\(FileName.stem(of: file, extensions: [FileName.extension(of: file)])).jpg"
    }

    private static let ours = ReaderFiles.names.union([book, bookScript, cover, divina])
        .union(WebOptions.formatsAlongside.map(file))

    /// Whether jisui could have written a file of this path within a book's folder.
    static func isOurs(_ path: String) -> Bool {
        let parts = FileName.components(of: path)
        switch parts.count {
        case 1: return ours.contains(path)
        case 2 where parts[0] == "pages" || parts[0] == "thumbs": return PageFileName.matches(parts[1])
        case 2 where parts[0] == "text": return TextFiles.matches(parts[1])
        default: return false
        }
    }
}
