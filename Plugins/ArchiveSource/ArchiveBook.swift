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
        guard !found.isEmpty else { throw ArchiveBook.emptiness(skipped) }
        var maker = PageMaker(limits: limits)
        for page in PageOrder.sorted(found, by: \.name) {
            if Task.isCancelled { throw .cancelled }
            try maker.add(page.name, page.content)
        }
        var (pages, warnings) = (maker.pages, contents.warnings + maker.warnings)
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
