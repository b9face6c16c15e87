public import AdapterKit
internal import Files
internal import Imaging
internal import Metadata
public import PageModel
internal import PageNames

/// The source for a folder of images, with its subfolders and the documents about the book.
public struct FolderSource: SourceAdapter {
    public let descriptor = AdapterDescriptor(id: "folder", summary: "a folder of images", extensions: [])

    public init() {}

    public func recognize(_ probe: Probe) -> Recognition { probe.isFolder ? .certain : .no }

    /// Opens the folder. A file with an image's extension is a page without a check; for any other the first bytes decide.
    ///
    /// A TIFF gives all its pages.
    ///
    /// - Throws: `.unreadable`, `.empty`, `.tooLarge` for more than `limits.pages` pages or `limits.entries` names.
    public func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        var walk = FolderWalk(root: input.path, limit: limits.entries)
        try walk.run()
        var names: [String] = []
        var skipped = walk.junk
        let files = PageOrder.sorted(walk.files, by: \.self)
        let documents = BookDocument.places(in: files).map { files[$0] }
        var warnings = walk.warnings
        for name in files where !documents.contains(name) {
            do throws(AdapterError) {
                if try isPage(name, in: input.path) { names.append(name) } else { skipped.append(name) }
            } catch {
                warnings.append(
                    Warning(
                        code: "file-skipped",
                        message: "skipped '\(name)', which may be a page: \(error.message)"))
            }
        }
        guard !names.isEmpty else { throw FolderSource.nothing(in: input.path, files) }
        var pages: [Page] = []
        for name in PageOrder.sorted(names, by: \.self) {
            let file = PictureFile(
                path: "\(input.path)/\(name)", name: name, input: input.path, byteLimit: limits.entryBytes)
            let room = limits.pages - pages.count
            let found =
                file.mayHavePages ? file.pages(maximumPages: room, &warnings) { PageName.page($0, of: name) } : [file]
            guard found.count <= room else { throw .tooManyPages(limits, input) }
            for page in found { pages.append(Page(id: pages.count + 1, page)) }
        }
        var book = BookDocument.metadata(
            from: documents.map { FolderSource.file($0, in: input.path) }, for: &pages, warnings: &warnings)
        BookDocument.placeNamedPages(&pages, of: &book, warnings: &warnings)
        if book.outline.isEmpty { book.outline = FolderOutline.items(of: pages) }
        let books = PageOrder.sorted(skipped.filter(BookName.matches), by: \.self)
        // A single book next to several pages is often made from them.
        if books.count > 1 || pages.count <= books.count, var loss = Warning.otherBooks(among: books) {
            loss.hint = FolderSource.hint(naming: books, in: input.path)
            warnings.append(loss)
        }
        return OpenedBook(
            sequence: PageSequence(book: book, pages: pages), warnings: warnings,
            skipped: PageOrder.sorted(skipped, by: \.self))
    }

    /// Returns the error that a folder holds no images, with the books it holds instead.
    private static func nothing(in folder: String, _ files: [String]) -> AdapterError {
        let found = files.filter(BookName.matches)
        guard let first = found.first else { return AdapterError(.empty, "holds no images", file: folder) }
        let names = found.count == 1 ? "a book (\(first))" : "\(found.count) books (\(first), …)"
        return AdapterError(
            .empty, "holds no images, but \(names)", hint: hint(naming: found, in: folder), file: folder)
    }

    /// Returns the hint to convert books in a folder. It has patterns as words for a shell, one for each extension and depth.
    private static func hint(naming books: [String], in folder: String) -> Message {
        let root = ShellWord.quoted(FileName.endsInSlash(folder) ? folder : folder + "/")
        let patterns = books.map { name in
            let parts = name.split(separator: "/")
            let levels = String(repeating: "*/", count: parts.count - 1)
            return "\(root)\(levels)*.\(name.split(separator: ".").last ?? "*")"
        }.unique
        return "use --recursive to convert each book, or name the books as inputs: \(patterns.joined(separator: " "))"
    }

    /// Returns a document in the folder about the book.
    private static func file(_ name: String, in folder: String) -> BookDocument.File {
        BookDocument.File(path: name) { () throws(AdapterError) in
            let file = try ReadableFile(path: "\(folder)/\(name)")
            try BookDocument.checkSize(file.size)
            return try file.read(at: 0, exactly: file.size)
        }
    }

    /// - Throws: `.unreadable` if only the content can decide.
    private func isPage(_ name: String, in folder: String) throws(AdapterError) -> Bool {
        if PictureName.matches(name) { return true }
        if PictureName.isKnownOther(name) { return false }
        let path = "\(folder)/\(name)"
        // Neither a pipe nor a dangling link is one.
        let kind = FileStatus(of: path)?.kind
        guard kind.map({ $0 == .file }) ?? !FileStatus.isMissing(path) else { return false }
        let head = try ReadableFile(path: path).read(at: 0, upTo: Probe.headCount)
        return PictureHeader(head) != nil
    }
}

extension AdapterError {
    static func tooManyPages(_ limits: Limits, _ input: Input) -> AdapterError {
        AdapterError(.tooLarge, "has more than the \(limits.pages) pages allowed", file: input.name)
    }
}

extension Page {
    init(id: Int, _ file: PictureFile) {
        self.init(id: id, name: file.name) { try file.examine() }
    }
}
