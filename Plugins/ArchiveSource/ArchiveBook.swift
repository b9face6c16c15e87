internal import AdapterKit
internal import Files
internal import Metadata
internal import PageModel
internal import PageNames

/// The book in an archive: its pages in order, and the metadata in the documents next to them.
struct ArchiveBook {
    let opened: OpenedBook

    /// - Parameter encoding: the value of `--filename-encoding`.
    /// - Throws: `.empty` if it has no page, `.tooLarge` if it has too many.
    init(_ contents: ArchiveContents, encoding: String?, limits: Limits) throws(AdapterError) {
        let rawNames = contents.entries.map(\.name) + contents.oddities
        let decoder = EntryNameDecoder(for: rawNames, word: encoding)
        let usual = EntryNameDecoder(for: rawNames, word: nil)
        let effects = OptionEvidence()
        if encoding != nil, rawNames.contains(where: { decoder.decode($0) != usual.decode($0) }) {
            effects.note(option: ArchiveSource.encodingSetting)
        }
        if contents.isEncrypted { effects.note(.decrypted) }
        var found: [(name: String, content: any MemberContent)] = []
        var documents: [(name: String, content: any MemberContent)] = []
        var skipped: [String] = contents.oddities.map(decoder.decode)
        for entry in contents.entries {
            if Task.isCancelled { throw .cancelled }
            let name = decoder.decode(entry.name)
            if let content = entry.content, entry.isPage {
                found.append((name, content))
            } else if let content = entry.content, entry.role == .document {
                documents.append((name, content))
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
        var (pages, warnings) = (maker.pages, contents.warnings + [decoder.note].compactMap { $0 } + maker.warnings)
        let used = BookDocument.places(in: documents.map(\.name))
        skipped += documents.indices.filter { !used.contains($0) }.map { documents[$0].name }
        var files = used.map { place in
            let (name, content) = documents[place]
            return BookDocument.File(path: name) { () throws(AdapterError) in
                try BookDocument.checkSize(content.byteCount)
                return try content.soundBytes()
            }
        }
        if let comment = BookDocument.File(comment: contents.comment) { files.append(comment) }
        var facts = BookDocument.metadata(from: files, for: &pages, warnings: &warnings)
        BookDocument.placeNamedPages(&pages, of: &facts, warnings: &warnings)
        if facts.outline.isEmpty { facts.outline = FolderOutline.items(of: pages) }
        if let loss = Warning.otherBooks(among: skipped) { warnings.append(loss) }
        var book = OpenedBook(sequence: PageSequence(book: facts, pages: pages), warnings: warnings, skipped: skipped)
        book.effects = [effects]
        opened = book
    }

    /// Returns the error for an archive without a page; it lists the contents instead.
    private static func emptiness(_ names: [String]) -> AdapterError {
        let endings = Set(names.filter { !JunkName.matches($0) }.map(FileName.extension))
        if !endings.isDisjoint(with: EntryRole.archiveExtensions) {
            return AdapterError(
                .empty, "holds no images, only other archives", hint: "unpack it and convert its contents")
        }
        if endings.contains("pdf") || endings.contains("epub") {
            return AdapterError(
                .empty, "holds no images, but a book of another kind",
                hint: "unpack it and convert its contents")
        }
        if endings.contains("svg") {
            return AdapterError(
                .empty, "holds no images, only drawings (SVG)", hint: "convert its contents to PNG or PDF first")
        }
        return AdapterError(.empty, "holds no images")
    }
}
