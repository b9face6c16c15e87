public import AdapterKit
public import PageModel

/// The documents beside a book's pages that tell of it: ComicInfo.xml, MetronInfo.xml, ACBF, CoMet.xml and a ComicBookInfo.
///
/// Where several say something, ComicInfo.xml comes first, since most readers follow it; then the others, in this order.
public enum BookDocument {
    /// The most bytes that a document may have.
    public static let mostBytes = 4 << 20
    static let limits = XMLReader.Limits(bytes: mostBytes)

    enum Kind: Hashable, CaseIterable {
        case comicInfo, metronInfo, acbf, coMet, comicBookInfo

        /// By a file's name, in small letters or large.
        init?(path: String) {
            let name = FileName.last(of: path).lowercased()
            switch name {
            case ComicInfo.fileName.lowercased(): self = .comicInfo
            case MetronInfo.fileName.lowercased(): self = .metronInfo
            case CoMet.fileName.lowercased(): self = .coMet
            default:
                guard FileName.extension(of: name) == "acbf" else { return nil }
                self = .acbf
            }
        }
    }

    /// Whether a file, going by its name, tells of a book.
    public static func matches(_ path: String) -> Bool { Kind(path: path) != nil }

    /// Which of some files, given by their paths, tell of the book: of each kind that at the root if there is one, else the
    /// first.
    ///
    /// - Returns: places in `paths`, in the order in which what they say counts.
    public static func places(in paths: [String]) -> [Int] {
        let found = Dictionary(grouping: paths.indices.filter { matches(paths[$0]) }) { Kind(path: paths[$0]) }
        return Kind.allCases.compactMap { kind in
            let places = found[kind] ?? []
            return places.first { !paths[$0].utf8.contains(UInt8(ascii: "/")) } ?? places.first
        }
    }

    /// A document that a source has.
    public struct File {
        /// In the source, for warnings.
        let path: String
        let kind: Kind?
        let read: () throws(AdapterError) -> [UInt8]

        /// - Parameter read: checks the size (`checkSize`) before it reads.
        public init(path: String, read: @escaping () throws(AdapterError) -> [UInt8]) {
            (self.path, kind, self.read) = (path, Kind(path: path), read)
        }

        /// - Parameter comment: an archive's.
        /// - Returns: nil when it is no ComicBookInfo, or larger than documents are.
        public init?(comment: [UInt8]) {
            guard comment.count <= mostBytes, ComicBookInfo(comment) != nil else { return nil }
            path = "the comment of the archive"
            kind = .comicBookInfo
            read = { () throws(AdapterError) in comment }
        }
    }

    /// - Throws: `.tooLarge` for a document of more bytes than are read.
    public static func checkSize(_ byteCount: Int) throws(AdapterError) {
        guard byteCount <= mostBytes else { throw tooLarge }
    }

    /// The fault of a document of more bytes than are read.
    public static var tooLarge: AdapterError { AdapterError(.tooLarge, "is larger than \(mostBytes) bytes") }

    /// What a source's documents say of a book, with the documents themselves; marks what pages are for, and which are
    /// double.
    ///
    /// - Parameters:
    ///   - files: in the order of `places(in:)`.
    ///   - pages: the pages of the book in the order of their names; a ComicInfo.xml may put them into another.
    ///   - warnings: of the pages, which are numbered anew with them. Gets one of each document that cannot be read, which
    ///     then says nothing, and one of pages that come in another order.
    public static func metadata(
        from files: [File], for pages: inout [Page], warnings: inout [Warning]
    ) -> BookMetadata {
        var book = BookMetadata()
        for file in files {
            do throws(AdapterError) {
                if file.kind == .comicBookInfo {
                    if let info = ComicBookInfo(try file.read()) { book.fill(from: info.metadata) }
                    continue
                }
                let sound = try XMLRepair.sound(try file.read())
                let bytes = sound.bytes
                if !sound.mended.isEmpty { warnings.append(mended(file.path, sound.mended)) }
                switch file.kind {
                case .comicInfo:
                    let info = try ComicInfo(bytes)
                    if let order = info.newOrder(of: pages.count) {
                        warnings = renumbered(warnings, order) + [reordered(file.path)]
                    }
                    book = info.metadata(reordering: &pages)
                case .metronInfo: book.fill(from: try MetronInfo(bytes).metadata)
                case .acbf: book.fill(from: try ACBF(bytes).metadata(for: &pages, path: file.path))
                case .coMet:
                    let comet = try CoMet(bytes)
                    comet.markCover(among: &pages, path: file.path)
                    book.fill(from: comet.metadata)
                case .comicBookInfo, nil: break
                }
            } catch {
                warnings.append(
                    Warning(
                        code: "bad-metadata",
                        message: "\(file.path): \(error.message): what it says of the book is lost"))
            }
        }
        return book
    }

    private static func renumbered(_ warnings: [Warning], _ order: [Int]) -> [Warning] {
        var numbers = order
        for (place, image) in order.enumerated() { numbers[image] = place + 1 }
        return warnings.map { warning in
            var copy = warning
            copy.page = warning.page.map { numbers.indices.contains($0 - 1) ? numbers[$0 - 1] : $0 }
            return copy
        }
    }

    private static func mended(_ path: String, _ what: [String]) -> Warning {
        Warning(
            code: "mended-metadata",
            message: "\(path) was not well-formed XML, and jisui mended \(what.joined(separator: ", ")): "
                + "an output that carries it has it mended",
            advice: "see with 'jisui info' whether it says what it should")
    }

    private static func reordered(_ path: String) -> Warning {
        Warning(
            code: "page-order",
            message: "\(path) lists the pages in another order than that of their names, and they come in it: "
                + "ComicRack shows them so, other readers do not")
    }
}

extension BookMetadata {
    /// Takes over what another document says where nothing is known yet.
    mutating func fill(from other: BookMetadata) {
        title = title ?? other.title
        if credits.isEmpty { credits = other.credits }
        series = series ?? other.series
        // A volume means nothing without the number that counts in it.
        if volume == nil && number == nil { (volume, number) = (other.volume, other.number) }
        publisher = publisher ?? other.publisher
        date = date ?? other.date
        summary = summary ?? other.summary
        if genres.isEmpty { genres = other.genres }
        if tags.isEmpty { tags = other.tags }
        isbn = isbn ?? other.isbn
        rights = rights ?? other.rights
        language = language ?? other.language
        direction = direction ?? other.direction
        if outline.isEmpty { outline = other.outline }
        documents += other.documents
        otherFacts = (otherFacts + other.otherFacts).unique
    }
}
