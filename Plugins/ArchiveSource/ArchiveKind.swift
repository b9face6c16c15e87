internal import AdapterKit
internal import Files
internal import PageModel
internal import ZipFile

/// The kinds of archives, distinguished by content.
enum ArchiveKind: Hashable, Sendable {
    case zip
    /// A zip with other data before it.
    case zipBehindJunk
    case rar
    case sevenZip
    case tar
    case compressedTar
    /// A program that unpacks the archive it contains.
    case selfExtracting
    /// A part of an archive that another part opens: a later piece, or an earlier part of a split zip.
    case piece

    /// - Throws: `.unreadable`.
    init?(_ probe: Probe) throws(AdapterError) {
        let head = probe.head
        if probe.isFolder { return nil }
        if VolumeSet.lastPart(of: probe.path) != nil {
            self = .piece
        } else if let first = VolumeSet.firstPiece(of: probe.path), try ArchiveKind.isPiece(probe, after: first) {
            self = .piece
        } else if head.starts(with: Signature.rar) {
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
            if ZipArchive.partsBefore(probe.path) > 0 {
                self = .zip
            } else if try ZipReader.isZip(file) {
                self = .zipBehindJunk
            } else if try ArchiveKind.isSelfExtracting(head, file) {
                self = .selfExtracting
            } else {
                return nil
            }
        }
    }

    /// Whether a file with the name of a later piece is not an archive itself, but its first piece is, or is missing.
    private static func isPiece(_ probe: Probe, after first: String) throws(AdapterError) -> Bool {
        guard !isArchive(probe.head) else { return false }
        if FileStatus.isMissing(first) { return true }
        guard let kind = try? ArchiveKind(Probe(path: first)) else { return false }
        // The last piece of a zip ends like a whole one.
        return kind != .zip || !ZipArchive.isWhole(first)
    }

    /// Whether a file begins like an archive.
    private static func isArchive(_ head: [UInt8]) -> Bool {
        ([Signature.rar, Signature.sevenZip] + Signature.zip + Signature.compressed)
            .contains { head.starts(with: $0) } || TarHeader.begins(head)
    }

    /// Whether the next file after a tar, compressed or not, is another tar with a similar name rather than a piece of it.
    static func isWholeTar(_ path: String, before next: String) -> Bool {
        guard let file = try? ReadableFile(path: path),
            let end = try? file.read(at: max(0, file.size - 512), upTo: 512),
            let head = try? Probe(path: next).head
        else { return false }
        return TarHeader.begins(head) ? end.allSatisfy { $0 == 0 } : isArchive(head)
    }

    /// Whether the compressed data are a tar: only unpacking their beginning shows that.
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
            // If it is damaged from its beginning, only the name shows that.
            return FileName.last(of: path).lowercased().contains(/\.(?:cbt|tgz|tbz2?|txz|tzst|tar\.[a-z0-9]+)$/)
        }
    }

    /// Whether a program for Windows or Linux contains a RAR or 7z archive after an unpacker of usual size.
    private static func isSelfExtracting(_ head: [UInt8], _ file: ReadableFile) throws(AdapterError) -> Bool {
        guard Signature.programs.contains(where: { head.starts(with: $0) }) else { return false }
        let beginning = try file.read(at: 0, upTo: 1 << 20)
        let marks = [Signature.rar, Signature.sevenZip]
        return beginning.indices.contains { index in
            marks.contains { $0[0] == beginning[index] && beginning[index...].starts(with: $0) }
        }
    }
}

/// The bytes with which files begin.
private enum Signature {
    /// RAR 1.5 and later; version 5 differs in the byte after it.
    static let rar: [UInt8] = [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07]
    static let sevenZip: [UInt8] = [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
    /// The signatures of a local header, the end record of an empty zip, and a zip in parts.
    static let zip: [[UInt8]] = [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6], [0x50, 0x4B, 7, 8]]
    /// The signatures of gzip, bzip2, xz, zstd and its skippable frame, lz4, lzip, bare LZMA, compress.
    static let compressed: [[UInt8]] = [
        [0x1F, 0x8B], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], [0x28, 0xB5, 0x2F, 0xFD],
        [0x50, 0x2A, 0x4D, 0x18], [0x04, 0x22, 0x4D, 0x18], [0x4C, 0x5A, 0x49, 0x50], [0x5D, 0, 0], [0x1F, 0x9D],
    ]
    /// The signatures of DOS and Windows, and of Linux.
    static let programs: [[UInt8]] = [[0x4D, 0x5A], [0x7F, 0x45, 0x4C, 0x46]]
}

/// The header block before every member of a tar (POSIX.1-1988 "ustar", and its predecessors).
enum TarHeader {
    private static let count = 512
    private static let checksumField = 148..<156

    /// Whether a file that begins with these bytes is a tar: by its magic, or, in older tars, by the checksum of the header.
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

/// A detector for the many file formats that are based on zip, and are not archives of images.
enum ForeignZip {
    /// Returns the kind of a zip, in words that complete the sentence "it is …"; nil for an ordinary archive.
    static func name(of zip: ZipReader) -> Message? {
        name(type: mediaType(zip)) { zip.entry(named: $0) != nil }
    }

    /// - Parameters:
    ///   - type: the content of the entry `mimetype`. It is the first entry of EPUB and OpenDocument.
    ///   - has: whether an entry of a name exists.
    static func name(type: String?, has: (String) -> Bool) -> Message? {
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

    /// Returns the content of an entry `mimetype`.
    private static func mediaType(_ zip: ZipReader) -> String? {
        guard let entry = zip.entry(named: "mimetype"), entry.isPlain, entry.size < 1024,
            let bytes = try? zip.bytes(of: entry)
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
