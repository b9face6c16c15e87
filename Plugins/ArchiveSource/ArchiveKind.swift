internal import AdapterKit
internal import ZipFile

/// The kinds of archives, told apart by content.
enum ArchiveKind: Hashable, Sendable {
    case zip
    /// A zip with something else in front of it.
    case zipBehindJunk
    case rar
    case sevenZip
    case tar
    case compressedTar
    /// A program that unpacks the archive it carries.
    case selfExtracting

    /// - Throws: `.unreadable`.
    init?(_ probe: Probe) throws(AdapterError) {
        let head = probe.head
        if probe.isFolder { return nil }
        if head.starts(with: Signature.rar) {
            self = .rar
        } else if head.starts(with: Signature.sevenZip) {
            self = .sevenZip
        } else if Signature.zip.contains(where: { head.starts(with: $0) }) {
            self = .zip
        } else if TarHeader.begins(head) {
            self = .tar
        } else if Signature.compressed.contains(where: { head.starts(with: $0) }) {
            guard try ArchiveKind.isCompressedTar(probe.path) else { return nil }
            self = .compressedTar
        } else {
            let file = try ReadableFile(path: probe.path)
            if try ZipReader.isZip(file) {
                self = .zipBehindJunk
            } else if try ArchiveKind.isSelfExtracting(head, file) {
                self = .selfExtracting
            } else {
                return nil
            }
        }
    }

    /// Whether what is compressed is a tar: only unpacking its beginning tells.
    private static func isCompressedTar(_ path: String) throws(AdapterError) -> Bool {
        do throws(AdapterError) {
            switch try ArchiveStream(paths: [path], formats: .tar).next() {
            case .entry, .gap: return true
            case .end: return false
            case .broken(let error): throw error
            }
        } catch {
            if error.code == .unreadable { throw error }
            if error.cause == "Unrecognized archive format" { return false }
            // Of one that is damaged from its beginning, only the name tells.
            return FileName.last(of: path).lowercased().contains(/\.(?:cbt|tgz|tbz2?|txz|tzst|tar\.[a-z0-9]+)$/)
        }
    }

    /// Whether a program for Windows or Linux carries a RAR or 7z archive behind an unpacker of usual size.
    private static func isSelfExtracting(_ head: [UInt8], _ file: ReadableFile) throws(AdapterError) -> Bool {
        guard Signature.programs.contains(where: { head.starts(with: $0) }) else { return false }
        let beginning = try file.read(at: 0, upTo: 1 << 20)
        let marks = [Signature.rar, Signature.sevenZip]
        return beginning.indices.contains { index in
            marks.contains { $0[0] == beginning[index] && beginning[index...].starts(with: $0) }
        }
    }
}

/// The bytes that files begin with.
private enum Signature {
    /// RAR 1.5 and later; version 5 differs in the byte behind.
    static let rar: [UInt8] = [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07]
    static let sevenZip: [UInt8] = [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
    /// A local header, the end record of an empty zip, the mark of a zip in parts.
    static let zip: [[UInt8]] = [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6], [0x50, 0x4B, 7, 8]]
    /// gzip, bzip2, xz, zstd and its skippable frame, lz4, lzip, LZMA alone, compress.
    static let compressed: [[UInt8]] = [
        [0x1F, 0x8B], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], [0x28, 0xB5, 0x2F, 0xFD],
        [0x50, 0x2A, 0x4D, 0x18], [0x04, 0x22, 0x4D, 0x18], [0x4C, 0x5A, 0x49, 0x50], [0x5D, 0, 0], [0x1F, 0x9D],
    ]
    /// DOS and Windows, Linux.
    static let programs: [[UInt8]] = [[0x4D, 0x5A], [0x7F, 0x45, 0x4C, 0x46]]
}

/// The header block in front of every member of a tar (POSIX.1-1988 "ustar", and what came before it).
enum TarHeader {
    private static let count = 512
    private static let checksumField = 148..<156

    /// Whether a file that begins with these bytes is a tar: by its magic, or, in tars older than that, by the
    /// checksum of the header.
    static func begins(_ head: [UInt8]) -> Bool {
        guard head.count >= count, head[0] != 0 else { return false }
        if head[257...].starts(with: Array("ustar".utf8)) { return true }
        let digits = head[checksumField].drop { $0 == UInt8(ascii: " ") }
            .prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
        guard !digits.isEmpty else { return false }
        let stated = digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
        // The field itself counts as blanks. Some old programs summed the bytes as signed numbers.
        let blanks = checksumField.count * Int(UInt8(ascii: " "))
        let others = head[..<checksumField.lowerBound] + head[checksumField.upperBound..<count]
        let unsigned = others.reduce(blanks) { $0 + Int($1) }
        let signed = others.reduce(blanks) { $0 + Int(Int8(bitPattern: $1)) }
        return stated == unsigned || stated == signed
    }
}

/// Recognises the many kinds of files that are zips underneath, and are no archives of pictures.
enum ForeignZip {
    /// What a zip is, in words that finish the sentence "it is …"; nil for an ordinary archive.
    static func name(of zip: ZipReader) -> String? {
        name(type: mediaType(zip)) { zip.entry(named: $0) != nil }
    }

    /// - Parameters:
    ///   - type: what the entry `mimetype` says, which EPUB and OpenDocument put first.
    ///   - has: whether there is an entry of a name.
    static func name(type: String?, has: (String) -> Bool) -> String? {
        if let type {
            if type.hasPrefix("application/epub") { return "an EPUB book" }
            if type.hasPrefix("application/vnd.oasis.opendocument") { return "an OpenDocument file" }
            if type.hasPrefix("image/openraster") || type.hasPrefix("application/x-krita") {
                return "a layered painting"
            }
        }
        if has("META-INF/container.xml") { return "an EPUB book" }
        if has("[Content_Types].xml") {
            return has("FixedDocSeq.fdseq") || has("FixedDocumentSequence.fdseq")
                ? "an XPS document" : "an Office document"
        }
        if has("AndroidManifest.xml") { return "an Android program" }
        return has("META-INF/MANIFEST.MF") ? "a Java program" : nil
    }

    /// The content of an entry `mimetype`.
    private static func mediaType(_ zip: ZipReader) -> String? {
        guard let entry = zip.entry(named: "mimetype"), entry.isPlain, entry.size < 1024,
            let bytes = try? zip.bytes(of: entry)
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
