internal import AdapterKit
internal import Metadata
internal import PageModel

/// The book in an AZW3 or a MOBI: the images of its pages in reading order.
struct MobiBook {
    let opened: OpenedBook

    /// - Throws: `.encrypted`, `.unsupported`, `.empty`, `.damaged`, `.tooLarge`, `.unreadable`.
    init(_ database: PalmDatabase, limits: Limits) throws(AdapterError) {
        let oldest = try MobiHeader(database, at: 0)
        var header = oldest
        // A file for all Kindles contains the book in two formats.
        if oldest.version < 8, let start = oldest.newer, try database.record(start - 1, beginsWith: "BOUNDARY") {
            header = try MobiHeader(database, at: start)
        }
        guard let firstImage = oldest.images, firstImage < database.count else {
            throw AdapterError(.empty, "has no page with an image")
        }
        let text = try MobiText.bytes(of: header, in: database)
        let parts = try MobiBook.parts(of: text, header, in: database)
        var pages = MobiPages(try BookResources(database, first: firstImage), limits)
        let spine = try MobiSpine.find(in: database, from: firstImage, except: parts)
        try pages.add(
            parts, spine, isFixed: header.isFixed, cover: (header.value(201) ?? oldest.value(201)).map { $0 + 1 })
        var (book, warnings) = (header.metadata, pages.warnings)
        if database.isTruncated {
            warnings.append(
                Warning(
                    code: "damaged-archive", message: "the end of the book is missing, perhaps with the sides of pages",
                    hint: "copy or download it again"))
        }
        if let stated = spine?.metadata { MobiBook.complete(&book, with: stated) }
        do throws(AdapterError) {
            book.outline = try MobiBook.outline(header, in: database, pages, title: book.title)
        } catch {
            warnings.append(
                Warning(code: "bad-metadata", message: "\(error.message): the table of contents is lost"))
        }
        opened = OpenedBook(
            sequence: PageSequence(book: book, pages: pages.pages), warnings: warnings, skipped: pages.skipped)
    }

    /// Returns the parts of the text that are pages or chapters.
    ///
    /// In KF8 a part is a skeleton with the fragments after it. In older formats it ends with an image.
    private static func parts(
        of text: [UInt8], _ header: MobiHeader, in database: PalmDatabase
    ) throws(AdapterError) -> [PartContent] {
        guard let skeletons = header.skeletons else { return PartContent(text, 0..<text.count).partedAtPictures }
        var starts: [Int] = []
        for entry in try MobiIndex(database, at: skeletons).entries {
            guard let start = entry[6]?.first, start >= starts.last ?? 0, start <= text.count else {
                throw .tornBook
            }
            starts.append(start)
        }
        // The styles follow.
        var end = text.count
        if let flows = header.flows, try database.record(flows, beginsWith: "FDST") {
            let table = try database.record(flows)
            let stated = table.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
            if stated >= starts.last ?? 0, stated <= end { end = stated }
        }
        return zip(starts, starts.dropFirst() + [end]).map { PartContent(text, $0..<$1) }
    }

    /// Adds the fields of the package document. Programs that change metadata change only the header, so the header has priority.
    private static func complete(_ book: inout BookMetadata, with stated: BookMetadata) {
        if stated.authors == book.authors { book.credits = stated.credits }
        book.complete(with: stated)
    }

    private static func outline(
        _ header: MobiHeader, in database: PalmDatabase, _ pages: MobiPages, title: String?
    ) throws(AdapterError) -> [OutlineItem] {
        guard let contents = header.contents else { return [] }
        let index = try MobiIndex(database, at: contents)
        var lines: [(place: Int, level: Int, title: String)] = []
        for entry in index.entries {
            guard let place = entry[1]?.first, let text = entry[3]?.first.flatMap(index.text) else { continue }
            let title = XMLText.clean(text)
            if !title.isEmpty { lines.append((place, entry[4]?.first ?? 0, title)) }
        }
        // They are stored level by level.
        let order = lines.indices.sorted {
            (lines[$0].place, lines[$0].level, $0) < (lines[$1].place, lines[$1].level, $1)
        }
        let items = order.map {
            OutlineItem(title: lines[$0].title, page: pages.page(at: lines[$0].place), level: lines[$0].level)
        }
        // Every book has a table of contents; one with only the title counts as empty.
        return items.count == 1 && items[0].page == 1 && items[0].title == title ? [] : items
    }
}
