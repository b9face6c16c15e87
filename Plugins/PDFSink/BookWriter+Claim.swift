internal import AdapterKit
internal import Metadata
internal import PDFStructure
internal import PageModel

extension BookWriter {
    /// Takes away the claim to be a PDF/A where the document may be none any more. To be called when all else is written.
    ///
    /// - Parameter hasNewText: whether text was read off pages.
    /// - Returns: what is to be said of it.
    /// - Throws: `.damaged`, `PDFFile.outOfMemory`.
    func settleClaim(_ pages: [PDFPage], hasNewText: Bool) throws(AdapterError) -> [Warning] {
        let claims = sources.compactMap { source in source.claim.map { (name: source.name, claim: $0) } }
        let lost = claims.compactMap { name, claim in
            doubt(claim, pages, hasNewText).map { reason in
                Warning(
                    code: "pdfa-claim-dropped",
                    message: "\(name): its claim to be \(claim.english) was left out: \(reason)",
                    advice: "have a program for PDF/A check the output if it is to be one")
            }
        }
        if lost.isEmpty { return [] }
        let packet = try? document.data(of: document.catalog["Metadata"], limit: BookDocument.mostBytes)
        if let packet, ArchivalClaim(xmp: packet) != nil, let left = ArchivalClaim.removed(from: packet) {
            let spool = try SpoolFile()
            let start = try spool.append(left)
            let stream = try document.addStream(
                ["Type": .name("Metadata"), "Subtype": .name("XML")], spool, at: start..<start + left.count)
            try document.set("Metadata", of: document.catalog, to: .reference(stream))
        }
        return lost
    }

    /// Why the document may not be what its source claims to be; nil where nothing was done to it that could matter.
    private func doubt(_ claim: ArchivalClaim, _ pages: [PDFPage], _ hasNewText: Bool) -> String? {
        if sources.count > 1 { return "several PDFs were put together" }
        if !pages.allSatisfy(\.isCopied) { return "it has pages that were pictures" }
        if hasNewText { return "text was read off its pages" }
        if claim.level == "A", !isOriginal(pages) { return "its tags were made for all of its pages, as they were" }
        // Part 1 wants everything to be said alike in two places, of which one takes only one author, and jisui writes keywords in
        // one of them.
        if claim.part == 1, overrulesSources, book.authors.count > 1 || !book.subjects.isEmpty {
            return "it names several authors, or keywords, which PDF/A-1 has a form of its own for"
        }
        return nil
    }
}
