internal import AdapterKit
internal import Files
internal import Metadata
internal import PageModel
private import Synchronization
internal import ZipFile

/// The zip of an EPUB, and its files by the addresses in its documents (OCF 3.3, §4).
struct EPUBContainer: Sendable {
    static let containerPath = "META-INF/container.xml"
    /// The maximum size of a document.
    static let maximumBytes = 16 << 20

    let zip: ZipReader
    private let state = State()
    private let styleSheets = StyleSheets()
    /// The names of the files by the same names in lower case and with slashes. `String` ignores the normalization of letters.
    private let similarNames: [String: ZipEntry]

    /// The findings from reading the documents so far.
    private final class State: Sendable {
        /// The documents whose checksums are wrong.
        let paths = Mutex<Set<String>>([])
        /// The files whose names differ from those in the documents, by the latter.
        let renamed = Mutex<[String: String]>([:])
        private let file = Mutex<SpoolFile?>(nil)

        /// Returns the temporary file for images that documents contain.
        func spool() throws(AdapterError) -> SpoolFile {
            if let known = file.withLock({ $0 }) { return known }
            let new = try SpoolFile()
            file.withLock { $0 = new }
            return new
        }
    }

    /// - Throws: `.unsupported` for books that are encrypted.
    init(_ zip: ZipReader) throws(AdapterError) {
        self.zip = zip
        similarNames = Dictionary(zip.entries.map { (EPUBContainer.folded($0.name.approximation), $0) }) { first, _ in
            first
        }
        // Fonts may be encrypted without affecting the pages; an encrypted page does not open.
        if zip.entry(named: "META-INF/rights.xml") != nil {
            throw AdapterError(.encrypted, "is a book with copy protection, which cannot be read")
        }
    }

    /// Whether the file declares by its first entry that it is an EPUB.
    static func statesItsType(_ zip: ZipReader) -> Bool {
        guard let entry = zip.entry(named: "mimetype"), entry.isPlain, entry.size < 64,
            let bytes = try? zip.bytes(of: entry)
        else { return false }
        return bytes.starts(with: Array("application/epub+zip".utf8))
    }

    /// Returns the path of the package document.
    func packagePath() throws(AdapterError) -> String {
        let root = try document(EPUBContainer.containerPath)
        let files = root.elements.filter { $0.name.local == "rootfiles" }.flatMap(\.elements)
        guard let path = files.lazy.compactMap({ $0["full-path"] }).first else {
            throw AdapterError(.damaged, "does not say where its package document is")
        }
        return path
    }

    /// Returns the file at a path. On Windows and macOS, where many books are made, "A.jpg" and "a.jpg" are the same.
    func entry(_ path: String) -> ZipEntry? {
        if let entry = zip.entry(named: path) { return entry }
        guard let entry = similarNames[EPUBContainer.folded(path)] else { return nil }
        state.renamed.withLock { $0[path] = entry.name.approximation }
        return entry
    }

    private static func folded(_ path: String) -> String { path.replacing("\\", with: "/").lowercased() }

    /// Returns the path of the file that a link in a document targets, as the zip has it; nil if it is outside the book.
    ///
    /// - Parameter base: the document's path.
    func path(of link: String, in base: String) -> String? {
        guard let path = EPUBContainer.resolved(link, in: base) else { return nil }
        return entry(path)?.name.approximation ?? path
    }

    /// Returns a style sheet; nil if it is missing or unreadable.
    func styleSheet(_ path: String) -> StyleSheet? {
        styleSheets.sheet(path) {
            guard let entry = entry(path), entry.size <= EPUBContainer.maximumStyleBytes,
                let bytes = try? ZipContent(entry, in: zip).bytes()
            else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The maximum size of a style sheet.
    private static let maximumStyleBytes = 4 << 20

    /// The documents of a comic archive that jisui attached.
    var documents: [BookDocument.File] {
        CarriedDocuments.fileNames.compactMap { name in
            entry("META-INF/\(name)").map { entry in
                BookDocument.File(path: "META-INF/\(name)") { () throws(AdapterError) in
                    try BookDocument.checkSize(entry.size)
                    return try zip.bytes(of: entry)
                }
            }
        }
    }

    /// The statement of the package document when those were written.
    var statement: [UInt8]? {
        guard let entry = entry("META-INF/jisui.json"), entry.size <= EPUBContainer.maximumBytes else { return nil }
        return try? zip.bytes(of: entry)
    }

    /// - Throws: `.damaged` with its name if it is missing or not well-formed.
    func document(_ path: String) throws(AdapterError) -> XMLElement {
        do throws(AdapterError) {
            return try read(path)
        } catch {
            throw AdapterError(error.code, "\(path) \(error.message)", cause: error.cause)
        }
    }

    /// Returns the document at a path. One with a wrong checksum is read all the same, and reported in `warnings`.
    ///
    /// - Throws: `.damaged` if it is missing or not well-formed, `.tooLarge`.
    func read(_ path: String) throws(AdapterError) -> XMLElement {
        guard let entry = entry(path) else { throw AdapterError(.damaged, "is missing from it") }
        guard entry.size <= EPUBContainer.maximumBytes else {
            throw AdapterError(.tooLarge, "is larger than \(EPUBContainer.maximumBytes) bytes")
        }
        let content = ZipContent(entry, in: zip)
        let root = try read(try content.bytes())
        if content.defect != nil { state.paths.withLock { _ = $0.insert(path) } }
        return root
    }

    /// Returns the document of some bytes.
    ///
    /// - Throws: `.damaged`, `.tooLarge`.
    func read(_ bytes: [UInt8]) throws(AdapterError) -> XMLElement {
        try XMLReader.read(
            Doctype.removed(from: bytes), limits: XMLReader.Limits(bytes: EPUBContainer.maximumBytes))
    }

    /// Stores an image that a document contains.
    ///
    /// - Throws: `.unwritable`.
    func stored(_ bytes: [UInt8]) throws(AdapterError) -> StoredImage {
        let spool = try state.spool()
        return StoredImage(spool: spool, offset: try spool.append(bytes), byteCount: bytes.count)
    }

    /// The defects of documents that were read.
    var warnings: [Warning] {
        let renamed = state.renamed.withLock { $0 }.sorted { $0.key < $1.key }
        let names = renamed.first.map { stated, own -> Warning in
            let more: Message = renamed.count > 1 ? " and \(renamed.count - 1) more" : ""
            return Warning(
                code: "file-names",
                message: "found \(own)\(more) by a similar name: the book's documents call it \(stated)", isNote: true)
        }
        return [names].compactMap { $0 } + damageWarnings
    }

    private var damageWarnings: [Warning] {
        state.paths.withLock { $0 }.sorted().map { path in
            Warning(
                code: "damaged-archive", message: "\(path): its checksum is wrong, and its contents may be too",
                hint: "copy or download the book again if you can")
        }
    }

    /// Returns the path that a link in a document targets; nil if it is outside the book.
    ///
    /// - Parameter base: the document's path.
    static func resolved(_ link: String, in base: String) -> String? {
        let path = link.prefix { $0 != "#" && $0 != "?" }
        // "https:", "data:"; a colon later on belongs to a name.
        guard !path.isEmpty, path.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:.*/) == nil,
            let text = percentDecoded(path)
        else { return nil }
        // A slash stands for the root of the zip (EPUB 3.3, §4.2.5).
        var parts = path.first == "/" ? [] : FileName.components(of: base).dropLast().map { $0 }
        for part in FileName.components(of: text) {
            switch part {
            case ".": break
            case "..":
                guard !parts.isEmpty else { return nil }
                parts.removeLast()
            default: parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    /// Returns the text with "%41" replaced by "A"; nil if that is not UTF-8.
    private static func percentDecoded(_ text: Substring) -> String? {
        String(validating: DataAddress.percentDecoded(text.utf8), as: UTF8.self)
    }
}

/// The declaration at the beginning of XHTML documents.
enum Doctype {
    /// Returns the document without a declaration that contains only a document type.
    ///
    /// That is `<!DOCTYPE html>`, or one with the public identifiers of XHTML or NCX. XHTML's declares names of characters, which
    /// become numbers. A document type with declarations of its own stays, and `XMLReader` refuses it.
    static func removed(from bytes: [UInt8]) -> [UInt8] {
        let start = Array("<!DOCTYPE".utf8)
        // It precedes the first element, after at most a declaration and comments.
        let head = bytes.prefix(4096)
        guard let place = head.firstRange(of: start) ?? head.firstRange(of: Array("<!doctype".utf8)),
            let end = bytes[place.upperBound...].prefix(1024).firstIndex(of: UInt8(ascii: ">")),
            !bytes[place.upperBound..<end].contains(UInt8(ascii: "["))
        else { return bytes }
        let isXHTML = bytes[place.upperBound..<end].contains(Array("XHTML".utf8))
        let rest = Array(bytes[..<place.lowerBound] + bytes[(end + 1)...])
        return isXHTML ? HTMLEntity.numbered(in: rest) : rest
    }
}
