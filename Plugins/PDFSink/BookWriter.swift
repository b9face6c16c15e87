internal import AdapterKit
internal import Files
internal import Metadata
internal import PDFStructure
internal import PageModel

/// A writer for the pages of a document, and all metadata of the book.
struct BookWriter {
    let document: PDFFile
    let book: BookMetadata
    /// Whether the user gave metadata that the sources do not have, as in `SinkRequest`.
    let overridesSource: Bool
    let sources: [SourceDocument]

    /// - Parameters:
    ///   - document: a new one, or the first of the sources.
    ///   - sources: the documents from which pages are copied.
    init(_ document: PDFFile, _ request: SinkRequest, _ sources: [SourceDocument]) {
        self.document = document
        book = request.book
        overridesSource = request.overridesSource
        self.sources = sources
    }

    /// - Throws: `.empty` without pages; `.damaged`.
    func write(_ pages: [PDFPage], _ pictures: PictureSpool, _ layers: TextLayers?) throws(AdapterError) {
        guard !pages.isEmpty else { throw AdapterError(.empty, "no page is left to make a PDF of") }
        let tree = document.catalog["Pages"]
        guard let parent = tree.reference else {
            throw AdapterError(.damaged, "the PDF's list of pages cannot be changed")
        }
        let painter = try PicturePages(document, pictures, layers)
        let copier = try PageCopier(document, sources, movesPages: !isOriginal(pages), pages)
        let spreads = SpreadPages(pictures: painter, copier: copier)
        var objects: [PDFObject] = []
        for page in pages {
            switch page.content {
            case .picture(let index, let layout): objects.append(try painter.page(index, layout, page.text))
            case .copy(let copy): objects.append(try copier.page(copy))
            case .spread(let spread): objects.append(try spreads.page(spread, page.text))
            }
        }
        for (page, object) in zip(pages, objects) { try showPaper(of: page, on: object) }
        // After the last repetition of a page: its halves would both have the text of the first.
        for (page, object) in zip(pages, objects) {
            guard case .copy(let copy) = page.content, let text = page.text else { continue }
            try painter.lay(text, below: object, copier.geometry(of: copy), copy.framing)
        }
        let references = objects.compactMap(\.reference)
        guard references.count == objects.count else { throw PDFFile.outOfMemory }
        try document.setPageRoles(Array(zip(references, pages.map(\.page.roles))))
        if isOriginal(pages) {
            try setDirection()
            try setLayout(of: pages)
            if overridesSource { try describeBook(in: document.catalog) }
            return
        }
        try copier.finish(Array(zip(pages, objects)), isAll: pages.allSatisfy(\.isCopied))
        // The pages now have their inherited attributes by themselves.
        for key in ["Resources", "MediaBox", "CropBox", "Rotate"] { try document.set(key, of: tree, to: .null) }
        for object in objects { try document.set("Parent", of: object, to: .reference(parent)) }
        try document.set("Kids", of: tree, to: .array(references.map { .reference($0) }))
        try document.set("Count", of: tree, to: .integer(references.count))
        try addLinks(pages, references, copier)
        try describe(pages, references, copier)
    }

    /// Whether the pages are those of one document, all of them and in its order: then its page tree is kept.
    func isOriginal(_ pages: [PDFPage]) -> Bool {
        let copies = pages.compactMap { page in
            if case .copy(let copy) = page.content { copy } else { nil as CopiedPage? }
        }
        return copies.count == pages.count && sources.areShown(by: copies)
    }

    /// Whether all pages come from one document, which already contains the book's outline and metadata.
    private func isDescribedBySource(_ pages: [PDFPage]) -> Bool {
        sources.count == 1
            && pages.allSatisfy { page in
                let replaced = page.replaced.map(\.document)
                return page.isCopied || !replaced.isEmpty && replaced.allSatisfy { sources[0].holds($0) }
            }
    }

    /// Makes a page as large as the paper around its image.
    private func showPaper(of page: PDFPage, on object: PDFObject) throws(AdapterError) {
        guard page.shownPart != .page, let paper = page.paper else { return }
        let image = PDFBox(object["MediaBox"].numbers) ?? paper
        let media = PDFBox(
            left: min(image.left, paper.left), bottom: min(image.bottom, paper.bottom),
            right: max(image.right, paper.right), top: max(image.top, paper.top))
        try document.set("MediaBox", of: object, to: PDFValue(media))
        try document.set("CropBox", of: object, to: media == paper ? .null : PDFValue(paper))
    }

    /// Gives pages the links on their images (ISO 32000-1, 12.5.6.5). Links to omitted pages are dropped.
    private func addLinks(
        _ pages: [PDFPage], _ references: [PDFReference], _ copier: PageCopier
    ) throws(AdapterError) {
        let places = Dictionary(
            pages.enumerated().flatMap { place, page in page.page.numbers.map { ($0, place) } }
        ) { first, _ in first }
        for (page, reference) in zip(pages, references) {
            guard let shown = page.shown else { continue }
            var annotations: [PDFValue] = []
            for link in page.links {
                let target: (key: String, value: PDFValue)
                switch link.target {
                case .page(let id, let point):
                    guard let place = places[id] else { continue }
                    target = ("Dest", try destination(pages[place], references[place], at: point, copier))
                case .address(let address):
                    target = ("A", .dictionary(["S": .name("URI"), "URI": .bytes(Array(address.text.utf8))]))
                case .other: continue
                }
                let rect = PDFBox(
                    left: shown.left + link.area.left * shown.width,
                    bottom: shown.top - link.area.bottom * shown.height,
                    right: shown.left + link.area.right * shown.width, top: shown.top - link.area.top * shown.height)
                annotations.append(
                    .dictionary([
                        "Type": .name("Annot"), "Subtype": .name("Link"), "Rect": PDFValue(rect),
                        "Border": .array([.integer(0), .integer(0), .integer(0)]), target.key: target.value,
                    ]))
            }
            if annotations.isEmpty { continue }
            let object = document.object(reference)
            // Copied pages next to the image have brought their own.
            let others = try document.ownItems(of: "Annots", in: object).compactMap(\.reference)
            try document.set("Annots", of: object, to: .array(others.map { .reference($0) } + annotations))
        }
    }

    /// Returns the destination of a link to a point on a page's source, or to the page (ISO 32000-1, 12.3.2.2).
    private func destination(
        _ page: PDFPage, _ reference: PDFReference, at place: PagePoint?, _ copier: PageCopier
    ) throws(AdapterError) -> PDFValue {
        let point = try place.flatMap { place throws(AdapterError) in try page.point(at: place, copier) }
        return .array(
            [.reference(reference)]
                + (point.map { [.name("XYZ"), .real($0.x), .real($0.y), .null] } ?? [.name("Fit")]))
    }

    // MARK: The book

    private func describe(
        _ pages: [PDFPage], _ references: [PDFReference], _ copier: PageCopier
    ) throws(AdapterError) {
        let catalog = document.catalog
        let models = pages.map(\.page)
        try setDirection()
        try setLayout(of: pages)
        let labels = PageLabels.tree(of: models.map(\.label))
        if labels != nil || !catalog["PageLabels"].isNull {
            let tree = try labels.map { tree throws(AdapterError) in PDFValue.reference(try document.add(tree)) }
            try document.set("PageLabels", of: catalog, to: tree ?? .null)
        }
        if isDescribedBySource(pages) {
            if overridesSource { try describeBook(in: catalog) }
            return
        }
        let places = Dictionary(zip(models.map(\.id), pages.indices)) { first, _ in first }
        let outline = try document.addOutline(book.outline) { item throws(AdapterError) in
            guard let place = item.page.flatMap({ places[$0] }) else { return nil }
            return try destination(pages[place], references[place], at: item.place, copier)
        }
        if let outline {
            try document.set("Outlines", of: catalog, to: .reference(outline))
            try document.set("PageMode", of: catalog, to: .name("UseOutlines"))
        }
        try describeBook(in: catalog)
    }

    /// Sets the reading direction, and the display of the title in viewers.
    private func setDirection() throws(AdapterError) {
        let catalog = document.catalog
        let showsTitle = sources.isEmpty && book.title != nil
        if catalog["ViewerPreferences"].kind != .dictionary, book.direction != nil || showsTitle {
            try document.set("ViewerPreferences", of: catalog, to: .dictionary([:]))
        }
        let preferences = catalog["ViewerPreferences"]
        if let direction = book.direction {
            let name = direction == .rightToLeft ? "R2L" : "L2R"
            if preferences["Direction"].name != name {
                document.require(PDFVersion(1, 3))
                try document.set("Direction", of: preferences, to: .name(name))
            }
        }
        if showsTitle {
            try document.set("DisplayDocTitle", of: preferences, to: .boolean(true))
        }
    }

    /// Writes the book's metadata. The other metadata of a source are kept.
    private func describeBook(in catalog: PDFObject) throws(AdapterError) {
        let own = overridesSource && !sources.isEmpty
        if !own || document.trailer["Info"].kind != .dictionary {
            let information = try document.add(.dictionary(["Producer": .text("jisui")]))
            try document.set("Info", of: document.trailer, to: .reference(information))
        }
        let information = document.trailer["Info"]
        let old = own ? try? document.data(of: catalog["Metadata"], limit: BookDocument.maximumBytes) : nil
        let known =
            own
            ? XMPMetadata(xmp: old ?? []).book(information: { information[$0].text }, language: catalog["Lang"].text)
            : BookMetadata()
        func setField<Fact: Equatable>(_ key: String, _ fact: KeyPath<BookMetadata, Fact>, _ text: String?)
            throws(AdapterError)
        {
            if book[keyPath: fact] == known[keyPath: fact] { return }
            try document.set(key, of: information, to: text.map(PDFValue.text) ?? .null)
        }
        func listed(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }
        if let language = book.language { try document.set("Lang", of: catalog, to: .text(language)) }
        try setField("Title", \.title, book.title)
        try setField("Author", \.authors, listed(book.authors))
        try setField("Subject", \.summary, book.summary)
        try setField("Keywords", \.subjects, listed(book.subjects))
        if let packet = XMPPacket.bytes(of: book, changing: old ?? [], in: known) {
            let spool = try SpoolFile()
            let start = try spool.append(packet)
            let stream = try document.addStream(
                ["Type": .name("Metadata"), "Subtype": .name("XML")], spool, at: start..<start + packet.count)
            try document.set("Metadata", of: catalog, to: .reference(stream))
            document.require(PDFVersion(1, 4))
        }
    }

    /// Sets the page layout of facing pages.
    ///
    /// If the book does not state it, the document's own pages face each other as they did before others were omitted. If they
    /// cannot, for example because some were joined, its layout of two pages is removed.
    private func setLayout(of pages: [PDFPage]) throws(AdapterError) {
        let catalog = document.catalog
        if let layout = BookWriter.layout(of: pages.map(\.page)) {
            document.require(PDFVersion(1, 5))
            return try document.set("PageLayout", of: catalog, to: .name(layout))
        }
        guard let layout = catalog["PageLayout"].name, layout.hasPrefix("Two") else { return }
        let places = pages.map { page -> Int? in
            if case .copy(let copy) = page.content { return copy.document == 0 ? copy.index : nil }
            guard page.copies.isEmpty, page.replaced.count == 1, let document = page.replaced.first?.document else {
                return nil
            }
            return sources.first?.holds(document) == true ? document.index : nil
        }
        let first = places.first.flatMap { $0 }
        if let first, places.elementsEqual((first..<first + places.count).map { $0 }) {
            if first.isMultiple(of: 2) { return }
            let isRight = layout.hasSuffix("Right")
            let name = layout.dropLast(isRight ? 5 : 4) + (isRight ? "Left" : "Right")
            try document.set("PageLayout", of: catalog, to: .name(String(name)))
        } else {
            try document.set("PageLayout", of: catalog, to: .null)
        }
    }

    /// Returns the layout in which facing pages are side by side; nil if no pages face each other.
    ///
    /// Viewers pair pages by counting alone, so the layout that suits most of them is chosen. TwoPageRight leaves the first page
    /// unpaired in either reading direction: viewers call it "with cover".
    static func layout(of pages: [Page]) -> String? {
        var counts = [0, 0]
        for (index, page) in pages.dropLast().enumerated() where page.facesNextPage { counts[index % 2] += 1 }
        if counts == [0, 0] { return nil }
        return counts[1] >= counts[0] ? "TwoPageRight" : "TwoPageLeft"
    }
}
