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
    private let damage = Damage()

    /// The documents whose checksums turned out to be wrong.
    private final class Damage: Sendable {
        let paths = Mutex<Set<String>>([])
    }

    /// - Throws: `.unsupported` for books that are encrypted.
    init(_ zip: ZipReader) throws(AdapterError) {
        self.zip = zip
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

    func entry(_ path: String) -> ZipEntry? { zip.entry(named: path) }

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
        let bytes = Doctype.removed(from: try content.bytes())
        if content.defect != nil { damage.paths.withLock { _ = $0.insert(path) } }
        return try XMLReader.read(bytes, limits: XMLReader.Limits(bytes: EPUBContainer.maximumBytes))
    }

    /// The defects of documents that were read.
    var warnings: [Warning] {
        damage.paths.withLock { $0 }.sorted().map { path in
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
        guard !path.isEmpty, path.first != "/", path.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:.*/) == nil,
            let text = percentDecoded(path)
        else { return nil }
        var parts = FileName.components(of: base).dropLast().map { $0 }
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
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
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
