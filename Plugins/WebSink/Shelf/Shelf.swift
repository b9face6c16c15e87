internal import AdapterKit

/// A folder of books with one reader: `books/SLUG` is a book's folder, `shelf.js` the list of them all.
///
/// The list is what counts: a book that it does not name is not there, and it is written last, in one step. A book whose
/// folder was deleted leaves the list with the next book that is added.
struct Shelf {
    private static let list = "shelf.js"
    private static let head = "jisui.shelf("
    private static let tail = ");\n"
    private static let title = "Books"

    private let destination: Destination
    private let entries: [JSON]
    /// The folders that were made for it, the inner one first.
    private var madeFolders: [String] = []

    /// Opens a shelf, or makes the folder of a new one.
    ///
    /// - Throws: `.exists` for a folder that holds anything but a shelf, `.damaged` for a list that is none, `.unwritable`.
    init(_ destination: Destination) throws(AdapterError) {
        self.destination = destination
        let path = destination.path
        if FileStatus(of: "\(path)/\(Shelf.list)")?.kind == .file {
            entries = try Shelf.read("\(path)/\(Shelf.list)").filter { entry in
                entry["slug"]?.asString.map { FileStatus.isFolder("\(path)/books/\($0)") } ?? false
            }
            return
        }
        entries = []
        if FileStatus(of: path) == nil {
            try Folder.make(path)
            madeFolders = [path]
        }
        guard FileStatus.isFolder(path) else {
            throw AdapterError(.exists, "is a file, and a shelf needs a folder", file: path)
        }
        let names = try FolderListing.names(in: path)
        // What a run that was ended left of the first book is not in the way.
        guard names.allSatisfy({ $0 == "books" || ReaderFiles.names.contains($0) }), !names.contains("index.html")
        else {
            throw AdapterError(
                .exists, "the folder holds something that is no shelf", advice: "give another folder with -o",
                file: path)
        }
        guard !names.contains("books") else { return }
        do throws(AdapterError) {
            try Folder.make("\(path)/books")
        } catch {
            removeEmptyFolders()
            throw error
        }
        madeFolders.insert("\(path)/books", at: 0)
    }

    /// Removes the folders that were made, if nothing came to be in them.
    func removeEmptyFolders() {
        for folder in madeFolders { Folder.removeEmpty(folder) }
    }

    private static func read(_ path: String) throws(AdapterError) -> [JSON] {
        let file = try ReadableFile(path: path)
        let bytes = try file.read(at: 0, exactly: min(file.size, 256 << 20))
        let (head, tail) = (Array(head.utf8), Array(tail.utf8))
        guard bytes.starts(with: head), bytes.suffix(tail.count) == tail[...],
            let json = JSON(parsing: Array(bytes[head.count..<(bytes.count - tail.count)])),
            let books = json["books"]?.elements, books.allSatisfy({ isSlug($0["slug"]?.asString ?? "") })
        else {
            throw AdapterError(.damaged, "is no list of a shelf's books", advice: "make the shelf anew", file: path)
        }
        return books
    }

    /// Where a book is written until its name is known; no book's own is like it.
    var placeForNewBook: String { "\(destination.path)/books/new" }

    /// The name of a book's folder: that which it has on the shelf, or a new one.
    ///
    /// - Throws: `.exists` when the book is there and may not be replaced.
    func slug(for book: WebBook, mayReplace: Bool) throws(AdapterError) -> String {
        guard let known = entries.first(where: { $0["id"]?.asString == book.id }) else { return Shelf.slug(of: book) }
        guard mayReplace else {
            throw AdapterError(
                .exists, "the shelf holds this book already, as '\(known["title"]?.asString ?? "")'",
                advice: "--force replaces it", file: destination.path)
        }
        return known["slug"]?.asString ?? Shelf.slug(of: book)
    }

    /// Lower-case letters and digits of the title, as far as it has any of ASCII's, and the beginning of the id.
    private static func slug(of book: WebBook) -> String {
        let words = book.title.lowercased().unicodeScalars.split { !isPlain($0) }
        let name = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: "-")
        let short = name.prefix(40).split(separator: "-").joined(separator: "-")
        return [short, String(book.id.prefix(12))].filter { !$0.isEmpty }.joined(separator: "-")
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    private static func isSlug(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { isPlain($0) || $0 == "-" }
    }

    /// Names a book in the list, after bringing the reader up to date.
    ///
    /// - Throws: `.unwritable`.
    func enter(_ book: WebBook, slug: String) throws(AdapterError) {
        let scripts = [ReaderFiles.library, Shelf.list]
        for (name, bytes) in ReaderFiles.all(scripts: scripts, title: Shelf.title, pages: []) { try write(name, bytes) }
        let entry = book.shelfEntry(slug: slug)
        var books = entries
        if let place = books.firstIndex(where: { $0["id"]?.asString == book.id }) {
            books[place] = entry
        } else {
            books.append(entry)
        }
        let list: JSON = ["version": 1, "title": .string(Shelf.title), "books": JSON(books)]
        try write(Shelf.list, Array((Shelf.head + ScriptText.ascii(list) + Shelf.tail).utf8))
    }

    /// Writes a file of the shelf's own, unless it is as it should be.
    private func write(_ name: String, _ bytes: [UInt8]) throws(AdapterError) {
        let path = "\(destination.path)/\(name)"
        if let file = try? ReadableFile(path: path), file.size == bytes.count,
            (try? file.read(at: 0, exactly: file.size)) == bytes
        {
            return
        }
        let place = Destination(path: path, mayReplace: true, temporaryFiles: destination.temporaryFiles)
        let file = try OutputFile(at: place)
        try file.write(bytes)
        try file.publish()
    }
}
