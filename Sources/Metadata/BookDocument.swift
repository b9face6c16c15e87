package import AdapterKit
internal import Files
package import PageModel

/// The metadata documents next to a book's pages: ComicInfo.xml, MetronInfo.xml, ACBF, CoMet.xml and a ComicBookInfo.
///
/// ComicInfo.xml has priority, because most reading apps follow it. The others follow in this order.
package enum BookDocument {
    /// The maximum size of a document in bytes.
    package static let maximumBytes = 4 << 20
    static let limits = XMLReader.Limits(bytes: maximumBytes)

    enum Kind: Hashable, CaseIterable {
        case comicInfo, metronInfo, acbf, coMet, comicBookInfo

        /// Determines the kind from a file's name, regardless of case.
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

    /// Whether a file has the name of a metadata document.
    package static func matches(_ path: String) -> Bool { Kind(path: path) != nil }

    /// Returns the places of metadata documents among paths. For each kind it selects the one in the outermost folder, which
    /// is the root in most books. There may be several: one for each chapter. Only the first ACBF counts.
    ///
    /// - Returns: places in `paths`, in order of priority.
    package static func places(in paths: [String]) -> [Int] {
        let found = Dictionary(grouping: paths.indices.filter { matches(paths[$0]) }) { Kind(path: paths[$0]) }
        return Kind.allCases.flatMap { kind in
            let places = (found[kind] ?? []).map { (place: $0, depth: FileName.components(of: paths[$0]).count) }
            let outermost = places.map(\.depth).min()
            let chosen = places.filter { $0.depth == outermost }.map(\.place)
            return kind == .acbf ? Array(chosen.prefix(1)) : chosen
        }
    }

    /// A document in a source.
    package struct File {
        /// The path in the source, for warnings.
        let path: String
        let kind: Kind?
        let read: () throws(AdapterError) -> [UInt8]

        /// - Parameter read: checks the size (`checkSize`) before it reads.
        package init(path: String, read: @escaping () throws(AdapterError) -> [UInt8]) {
            (self.path, kind, self.read) = (path, Kind(path: path), read)
        }

        /// - Parameter comment: the comment of an archive.
        /// - Returns: nil for a comment that is too large or not a ComicBookInfo.
        package init?(comment: [UInt8]) {
            guard comment.count <= maximumBytes, ComicBookInfo(comment) != nil else { return nil }
            path = "the comment of the archive"
            kind = .comicBookInfo
            read = { () throws(AdapterError) in comment }
        }
    }

    /// - Throws: `.tooLarge` for a document that exceeds the limit.
    package static func checkSize(_ byteCount: Int) throws(AdapterError) {
        guard byteCount <= maximumBytes else { throw tooLarge }
    }

    /// The error for a document that exceeds the limit.
    package static var tooLarge: AdapterError { AdapterError(.tooLarge, "is larger than \(maximumBytes) bytes") }

    /// Returns the metadata in a source's documents, with the documents themselves. It also sets page types and double
    /// pages.
    ///
    /// - Parameters:
    ///   - files: the documents. They have the order of `places(in:)`.
    ///   - pages: the pages of the book in the order of their names. A ComicInfo.xml may change the order.
    ///   - warnings: the warnings about the pages, renumbered with them. Each unreadable document adds one and is then
    ///     ignored. A changed page order also adds one.
    package static func metadata(
        from files: [File], for pages: inout [Page], warnings: inout [Warning]
    ) -> BookMetadata {
        var book = BookMetadata()
        let groups = Dictionary(grouping: files, by: \.kind).filter { $0.key != nil && $0.value.count > 1 }
        for kind in Kind.allCases {
            if let several = groups[kind] { book.fill(from: common(several, warnings: &warnings)) }
        }
        for file in files where groups[file.kind] == nil {
            do throws(AdapterError) {
                if file.kind == .comicBookInfo {
                    if let info = ComicBookInfo(try file.read()) { book.fill(from: info.metadata) }
                    continue
                }
                let readable = try XMLRepair.readable(try file.read())
                let bytes = readable.bytes
                switch file.kind {
                case .comicInfo:
                    let info = try ComicInfo(bytes)
                    if let order = info.newOrder(of: pages.count) {
                        warnings = renumbered(warnings, order) + [reordered(file.path)]
                    }
                    let others = book
                    book = info.metadata(reordering: &pages)
                    book.fill(from: others)
                case .metronInfo: book.fill(from: try MetronInfo(bytes).metadata)
                case .acbf: book.fill(from: try ACBF(bytes).metadata(for: &pages, path: file.path))
                case .coMet:
                    let comet = try CoMet(bytes)
                    comet.markCover(among: &pages, path: file.path)
                    book.fill(from: comet.metadata)
                case .comicBookInfo, nil: break
                }
                if !readable.repaired.isEmpty { warnings.append(repaired(file.path, readable.repaired)) }
            } catch {
                warnings.append(unreadable(file.path, error))
            }
        }
        return book
    }

    static func renumbered(_ warnings: [Warning], _ order: [Int]) -> [Warning] {
        var numbers = order
        for (place, image) in order.enumerated() { numbers[image] = place + 1 }
        return warnings.map { warning in
            var copy = warning
            copy.page = warning.page.map { numbers.indices.contains($0 - 1) ? numbers[$0 - 1] : $0 }
            return copy
        }
    }

    /// The code of messages about an order that is not that of the names.
    static let orderCode = "page-order"

    private static let repairedCode = "repaired-metadata"

    private static func repaired(_ path: String, _ repairs: [Message]) -> Warning {
        var warning = Warning(
            code: repairedCode, subject: path,
            message: "was not well-formed XML; jisui repaired \(repairs.joined(separator: ", "))")
        warning.document = path
        return warning
    }

    /// Returns a warning about a repaired document as a conversion prints it: it states whether an output contains the
    /// document. Other warnings are unchanged.
    ///
    /// - Parameter sequence: the pages of the output.
    package static func completed(
        _ warning: Warning, for sequence: PageSequence, in outputs: [SinkCapabilities]
    ) -> Warning {
        guard warning.code == repairedCode else { return warning }
        var copy = warning
        let books = Set(sequence.pages.map(\.book))
        let kind = warning.document.flatMap(Kind.init(path:))
        let isOfOutput = books.isSubset(of: [warning.book])
        if let kind, isOfOutput, outputs.contains(where: { keeps(kind, of: sequence.book, books, $0) }) {
            copy.message = "\(warning.message); the output contains the repaired file"
        }
        copy.hint = "check the metadata with 'jisui info'"
        return copy
    }

    /// Whether an output contains a document of the only book in it.
    private static func keeps(
        _ kind: Kind, of book: BookMetadata, _ books: Set<Int>, _ output: SinkCapabilities
    ) -> Bool {
        let formats = output.metadata.union(output.carriedDocuments)
        return switch kind {
        case .comicInfo: formats.contains(ComicInfo.format)
        case .metronInfo:
            formats.contains(MetronInfo.format) && MetronInfo.carried(by: book, books: books, pageCount: 0) != nil
        case .acbf, .coMet, .comicBookInfo: false
        }
    }

    private static func reordered(_ path: String) -> Warning {
        Warning(
            code: orderCode,
            message: "\(path) lists the pages in another order than that of their names; jisui used it, "
                + "as ComicRack does, although other readers do not")
    }
}

extension BookMetadata {
    /// Fills unknown fields from another document.
    mutating func fill(from other: BookMetadata) {
        complete(with: other)
        if outline.isEmpty { outline = other.outline }
        documents += other.documents
        unsupportedFields = (unsupportedFields + other.unsupportedFields).unique
    }
}
