internal import AdapterKit
internal import Files
internal import Metadata
internal import PDFStructure
internal import PageModel

extension BookWriter {
    /// Removes the claim to be a PDF/A if the document may no longer be one. To be called after all other writing.
    ///
    /// - Parameter hasNewText: whether text was recognized on pages.
    /// - Returns: warnings about it.
    /// - Throws: `.damaged`, `PDFFile.outOfMemory`.
    func updateClaim(_ pages: [PDFPage], hasNewText: Bool) throws(AdapterError) -> [Warning] {
        let lost = ClaimCheck(
            sources: sources, isCopied: pages.allSatisfy(\.isCopied), isOriginal: isOriginal(pages),
            hasNewText: hasNewText, overridesSource: overridesSource, book: book
        ).warnings
        if lost.isEmpty { return [] }
        let packet = try? document.data(of: document.catalog["Metadata"], limit: BookDocument.maximumBytes)
        if let packet, ArchivalClaim(xmp: packet) != nil, let left = ArchivalClaim.removed(from: packet) {
            let spool = try SpoolFile()
            let start = try spool.append(left)
            let stream = try document.addStream(
                ["Type": .name("Metadata"), "Subtype": .name("XML")], spool, at: start..<start + left.count)
            try document.set("Metadata", of: document.catalog, to: .reference(stream))
        }
        return lost
    }
}
