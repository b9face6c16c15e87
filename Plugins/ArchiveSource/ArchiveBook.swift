internal import AdapterKit
internal import Metadata
internal import PageModel

/// Makes a book of what is in an archive.
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

    /// Says that there is no page, and what there is instead.
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
