internal import Files
internal import Metadata
internal import PDFStructure
internal import PageModel

extension BookWriter {
    /// Stores the documents of a comic archive in a part of the PDF that viewers ignore, in place of a source's. To be called
    /// last.
    ///
    /// - Parameter documents: the documents by their names; none to remove the existing ones.
    /// - Throws: `.damaged`, `PDFFile.outOfMemory`.
    func carry(_ documents: [(name: String, bytes: [UInt8])]) throws(AdapterError) {
        for name in CarriedDocuments.fileNames {
            try put(documents.first { $0.name == name }?.bytes, as: name)
        }
        try put(
            documents.isEmpty ? nil : CarriedDocuments.statement(of: ownMetadata), as: CarriedDocuments.statementKey)
    }

    /// The document's metadata as they will be read.
    private var ownMetadata: BookMetadata {
        let catalog = document.catalog
        let packet = try? document.data(of: catalog["Metadata"], limit: BookDocument.maximumBytes)
        let information = document.trailer["Info"]
        var book = XMPMetadata(xmp: packet ?? []).book(
            information: { information[$0].text }, language: catalog["Lang"].text)
        book.direction = document.direction
        return book
    }

    private func put(_ bytes: [UInt8]?, as key: String) throws(AdapterError) {
        guard let bytes else { return try document.setPrivate(key, to: .null) }
        let spool = try SpoolFile()
        let start = try spool.append(bytes)
        let stream = try document.addStream([:], spool, at: start..<start + bytes.count)
        try document.setPrivate(key, to: .reference(stream))
    }
}
