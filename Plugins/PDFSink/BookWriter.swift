internal import AdapterKit
internal import Metadata
internal import PDFStructure
internal import PageModel

/// Makes the pages of a document, and all that is said of the book.
struct BookWriter {
    private let document: PDFFile
    private let book: BookMetadata

    init(_ document: PDFFile, _ book: BookMetadata) {
        self.document = document
        self.book = book
    }

    /// - Throws: `.empty` without pages.
    func write(_ pages: [PicturePage], _ pictures: PictureSpool) throws(AdapterError) {
        guard !pages.isEmpty else { throw AdapterError(.empty, "there is no page to make a PDF of") }
        let tree = document.catalog["Pages"]
        guard let parent = tree.reference else { throw PDFFile.outOfMemory }
        let references = try add(pages, pictures, below: parent)
        try document.set("Kids", of: tree, to: .array(references.map { .reference($0) }))
        try document.set("Count", of: tree, to: .integer(references.count))
        try describe(pages.map(\.page), references)
    }

    private func add(
        _ pages: [PicturePage], _ pictures: PictureSpool, below parent: PDFReference
    ) throws(AdapterError) -> [PDFReference] {
        let images = try pictures.write(to: document)
        let spool = try SpoolFile()
        // Pages of one size are painted alike.
        var contents: [[UInt8]: PDFReference] = [:]
        var references: [PDFReference] = []
        for page in pages {
            let text = page.layout.content
            var content = contents[text]
            if content == nil {
                let start = try spool.append(text)
                content = try document.addStream([:], spool, at: start..<start + text.count)
                contents[text] = content
            }
            guard let content else { throw PDFFile.outOfMemory }
            var dictionary: [String: PDFValue] = [
                "Type": .name("Page"), "Parent": .reference(parent), "MediaBox": PDFValue(page.layout.media),
                "Contents": .reference(content),
                "Resources": .dictionary(["XObject": .dictionary(["I": .reference(images[page.picture])])]),
            ]
            if let crop = page.layout.crop { dictionary["CropBox"] = PDFValue(crop) }
            references.append(try document.add(.dictionary(dictionary)))
        }
        return references
    }

    // MARK: The book

    private func describe(_ pages: [Page], _ references: [PDFReference]) throws(AdapterError) {
        let catalog = document.catalog
        var preferences: [String: PDFValue] = [:]
        switch book.direction {
        case .rightToLeft: preferences["Direction"] = .name("R2L")
        case .leftToRight: preferences["Direction"] = .name("L2R")
        case nil: break
        }
        if book.title != nil { preferences["DisplayDocTitle"] = .boolean(true) }
        if !preferences.isEmpty { try document.set("ViewerPreferences", of: catalog, to: .dictionary(preferences)) }
        if let layout = BookWriter.layout(of: pages) {
            try document.set("PageLayout", of: catalog, to: .name(layout))
        }
        if let language = book.language { try document.set("Lang", of: catalog, to: .text(language)) }
        if let labels = PageLabels.tree(of: pages.map(\.label)) {
            try document.set("PageLabels", of: catalog, to: .reference(try document.add(labels)))
        }
        let places = Dictionary(zip(pages.map(\.id), references)) { first, _ in first }
        if let outline = try document.addOutline(book.outline, pages: places) {
            try document.set("Outlines", of: catalog, to: .reference(outline))
            try document.set("PageMode", of: catalog, to: .name("UseOutlines"))
        }
        try describeBook(in: catalog)
    }

    private func describeBook(in catalog: PDFObject) throws(AdapterError) {
        var information: [String: PDFValue] = ["Producer": .text("jisui")]
        if let title = book.title { information["Title"] = .text(title) }
        if !book.authors.isEmpty { information["Author"] = .text(book.authors.joined(separator: ", ")) }
        try document.set(
            "Info", of: document.trailer, to: .reference(try document.add(.dictionary(information))))
        if let packet = XMPPacket.bytes(of: book) {
            let spool = try SpoolFile()
            let start = try spool.append(packet)
            let stream = try document.addStream(
                ["Type": .name("Metadata"), "Subtype": .name("XML")], spool, at: start..<start + packet.count)
            try document.set("Metadata", of: catalog, to: .reference(stream))
        }
    }

    /// The layout in which pages that face each other stand side by side; nil where none do.
    ///
    /// Viewers pair pages by counting alone, so that what suits most of them is chosen. TwoPageRight has the first page
    /// stand alone, whichever way the book is read: it is the one that viewers call "with cover".
    private static func layout(of pages: [Page]) -> String? {
        var counts = [0, 0]
        for (index, page) in pages.dropLast().enumerated() where page.facesNext { counts[index % 2] += 1 }
        if counts == [0, 0] { return nil }
        return counts[1] >= counts[0] ? "TwoPageRight" : "TwoPageLeft"
    }
}
