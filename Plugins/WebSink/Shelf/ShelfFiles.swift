internal import Files
internal import OrderedJSON
internal import PageModel

/// The files of a shelf that are regenerated when books are added or removed.
struct ShelfFiles {
    /// The path of the shelf.
    let shelf: String

    func writeReader() throws(AdapterError) {
        for (name, bytes) in ReaderFiles.beside(isShelf: true, hasText: true) { try write(name, bytes) }
    }

    /// - Parameter hasCatalog: whether it links to catalogs; nil to keep the current state.
    func writeDocument(title: String, hasCatalog: Bool? = nil) throws(AdapterError) {
        let hasCatalog = hasCatalog ?? (FileStatus(of: "\(shelf)/\(Catalog.atom)") != nil)
        let document = ReaderDocument.shelf(
            title: title, list: ShelfList.file, catalogs: hasCatalog ? Catalog.links : [])
        try write(ReaderFiles.document, document)
    }

    /// Writes the address of a book to its manifest; removes the manifest without an address.
    func writeDivina(_ entry: ShelfEntry, at address: CatalogAddress?) throws(AdapterError) {
        let path = "\(shelf)/\(WebLayout.inShelf(entry.slug))"
        guard let address, let file = try? ReadableFile(path: "\(path)/\(WebLayout.book)"),
            let bytes = try? file.read(at: 0, exactly: file.size), let book = JSON(parsing: bytes)
        else { return try Folder.removeFile("\(path)/\(Divina.name)") }
        try write(WebLayout.inShelf(entry.slug, Divina.name), Divina.file(of: book, entry, at: address))
    }

    /// Writes a file of the shelf's own, unless it is already correct.
    func write(_ name: String, _ bytes: [UInt8]) throws(AdapterError) {
        let path = "\(shelf)/\(name)"
        if let file = try? ReadableFile(path: path), file.size == bytes.count,
            (try? file.read(at: 0, exactly: file.size)) == bytes
        {
            return
        }
        // It is not a separate output that the program would report.
        let place = Destination(path: path, mayReplace: true)
        let file = try OutputFile(at: place)
        try file.write(bytes)
        try file.publish()
    }
}
