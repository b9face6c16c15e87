internal import AdapterKit

/// The files of a shelf that are made anew when books come or leave.
struct ShelfFiles {
    /// The path of the shelf.
    let shelf: String

    func writeReader() throws(AdapterError) {
        for (name, bytes) in ReaderFiles.beside(isShelf: true, hasText: true) { try write(name, bytes) }
    }

    /// - Parameter hasCatalog: nil for as it is.
    func writeDocument(hasCatalog: Bool? = nil) throws(AdapterError) {
        let hasCatalog = hasCatalog ?? (FileStatus(of: "\(shelf)/\(Catalog.atom)") != nil)
        let document = ReaderFiles.shelfDocument(
            title: ShelfList.title, list: ShelfList.file, catalogs: hasCatalog ? Catalog.links : [])
        try write(ReaderFiles.document, document)
    }

    /// Has a book say where it is; without an address it does not.
    func writeDivina(_ entry: ShelfEntry, at address: CatalogAddress?) throws(AdapterError) {
        let path = "\(shelf)/\(WebLayout.inShelf(entry.slug))"
        guard let address, let file = try? ReadableFile(path: "\(path)/\(WebLayout.book)"),
            let bytes = try? file.read(at: 0, exactly: file.size), let book = JSON(parsing: bytes)
        else { return try Folder.removeFile("\(path)/\(Divina.name)") }
        try write(WebLayout.inShelf(entry.slug, Divina.name), Divina.file(of: book, entry, at: address))
    }

    /// Writes a file of the shelf's own, unless it is as it should be.
    func write(_ name: String, _ bytes: [UInt8]) throws(AdapterError) {
        let path = "\(shelf)/\(name)"
        if let file = try? ReadableFile(path: path), file.size == bytes.count,
            (try? file.read(at: 0, exactly: file.size)) == bytes
        {
            return
        }
        // It is no output of its own, of which the program would tell.
        let place = Destination(path: path, mayReplace: true)
        let file = try OutputFile(at: place)
        try file.write(bytes)
        try file.publish()
    }
}
