internal import AdapterKit
internal import Imaging
internal import Metadata
internal import PageModel

/// The book that an archive's entries make: its pages in order, and what its ComicInfo.xml says.
struct ArchiveBook {
    let opened: OpenedBook

    /// - Parameter encoding: the value of `--filename-encoding`.
    /// - Throws: `.empty` when nothing is a page, `.tooLarge` when too much is.
    init(_ contents: ArchiveContents, encoding: String?, limits: Limits) throws(AdapterError) {
        let decoder = EntryNameDecoder(for: contents.entries.map(\.name) + contents.oddities, word: encoding)
        var found: [(name: String, content: any MemberContent)] = []
        var infos: [(name: String, content: any MemberContent)] = []
        var skipped: [String] = contents.oddities.map(decoder.decode)
        for entry in contents.entries {
            if Task.isCancelled { throw .cancelled }
            let name = decoder.decode(entry.name)
            if let content = entry.content, entry.isPage {
                found.append((name, content))
            } else if let content = entry.content, entry.role == .comicInfo {
                infos.append((name, content))
            } else {
                skipped.append(name)
            }
        }
        guard found.count <= limits.pages else {
            throw AdapterError(.tooLarge, "has more than the \(limits.pages) pages allowed")
        }
        guard !found.isEmpty else { throw ArchiveBook.emptiness(skipped) }
        var pages = PageOrder.sorted(found, by: \.name).enumerated().map { index, page in
            PageMaker.page(id: index + 1, name: page.name, content: page.content)
        }
        var warnings = contents.warnings
        let facts = ArchiveBook.facts(infos, &pages, &warnings)
        opened = OpenedBook(sequence: PageSequence(book: facts, pages: pages), warnings: warnings, skipped: skipped)
    }

    /// What the ComicInfo says of the book and of its pages: that at the root if there is one, else the first.
    private static func facts(
        _ infos: [(name: String, content: any MemberContent)], _ pages: inout [Page], _ warnings: inout [Warning]
    ) -> BookMetadata {
        guard let place = ComicInfo.place(in: infos.map(\.name)) else { return BookMetadata() }
        let info = infos[place]
        return ComicInfo.metadata(from: info.name, for: &pages, warnings: &warnings) { () throws(AdapterError) in
            try ComicInfo.checkSize(info.content.byteCount)
            return try info.content.bytes()
        }
    }

    /// The error for an archive without a page; it says what is in there instead.
    private static func emptiness(_ names: [String]) -> AdapterError {
        let endings = Set(names.filter { !JunkName.matches($0) }.map(FileName.extension))
        if !endings.isDisjoint(with: EntryRole.archiveExtensions) {
            return AdapterError(
                .empty, "holds no pictures, only other archives", advice: "unpack it and give jisui what was in it")
        }
        if endings.contains("pdf") || endings.contains("epub") {
            return AdapterError(
                .empty, "holds no pictures, but a book of another kind",
                advice: "unpack it and give jisui what was in it")
        }
        return AdapterError(.empty, "holds no pictures")
    }
}

/// Makes pages of an archive's entries.
enum PageMaker {
    /// Makes a page whose picture is examined only when asked for.
    static func page(id: Int, name: String, content: any MemberContent) -> Page {
        Page(id: id, name: name) {
            let header = try named(name) { () throws(AdapterError) in try examine(content) }
            let encoded = header.picture(byteCount: content.byteCount) {
                try named(name) { () throws(AdapterError) in try content.bytes() }
            }
            return Picture(size: header.uprightSize, representations: [.encoded(encoded)])
        }
    }

    private static func examine(_ content: any MemberContent) throws(AdapterError) -> PictureHeader {
        let head = try content.head()
        guard !head.isEmpty else { throw AdapterError(.damaged, "the file is empty") }
        guard let header = PictureHeader(head) else { throw AdapterError(.damaged, "is no picture jisui knows") }
        if header.size == nil && head.count < content.byteCount {
            return PictureHeader(try content.bytes()) ?? header
        }
        return header
    }

    /// Runs `body`, and adds the page's name to the error it throws.
    private static func named<Result>(
        _ page: String, _ body: () throws(AdapterError) -> Result
    ) throws(AdapterError) -> Result {
        do {
            return try body()
        } catch {
            var error = error
            error.page = page
            throw error
        }
    }
}
