internal import AdapterKit
internal import CArchive
internal import Glibc
internal import ZipFile

/// An archive that libarchive reads from its beginning to its end; closes itself.
struct ArchiveStream: ~Copyable {
    /// Which formats an archive may turn out to be.
    enum Formats: String {
        case tar
        case zip
        /// A zip without its table of contents, by what stands in front of each entry.
        case zipRemains = "zip-remains"
        /// Everything jisui reads in sequence.
        case sequential
    }

    /// The result of `next`.
    enum Step {
        case entry(StreamEntry)
        /// Something was passed over that is no header, although one should be there.
        case gap(AdapterError)
        case end
        /// The archive cannot be read any further.
        case broken(AdapterError)
    }

    /// The result of `read`.
    struct Chunk {
        /// The number of bytes read; 0 at the end of the entry.
        var count = 0
        /// Why the entry's data cannot be read any further.
        var fault: AdapterError?
        /// Whether the archive does not even go on with the next entry.
        var isOver = false
    }

    /// What libarchive has unpacked of the present entry, and nobody has taken yet.
    private final class Rest {
        var block = UnsafeRawBufferPointer(start: nil, count: 0)
        /// Where the block begins in the entry: behind what was taken, where the entry has holes.
        var offset = 0
        /// The bytes that were taken.
        var taken = 0
        var fault: AdapterError?
    }

    private let handle: OpaquePointer
    private let rest = Rest()
    private let input: ArchiveInput

    /// - Parameter paths: the archive's parts in order; most have one.
    /// - Throws: `.damaged` when libarchive does not know what it is, `.unreadable`.
    init(paths: [String], formats: Formats, password: String? = nil) throws(AdapterError) {
        ArchiveStream.prepareLocale()
        guard let handle = archive_read_new() else { throw AdapterError(.unreadable, "there is not enough memory") }
        switch formats {
        case .zip:
            archive_read_support_format_zip_seekable(handle)
        case .zipRemains:
            archive_read_support_format_zip_streamable(handle)
        case .sequential:
            archive_read_support_format_rar(handle)
            archive_read_support_format_rar5(handle)
            archive_read_support_format_7zip(handle)
            fallthrough
        case .tar:
            archive_read_support_format_tar(handle)
            // Each of these unpacks in this process; the filters left out would start another program.
            archive_read_support_filter_gzip(handle)
            archive_read_support_filter_bzip2(handle)
            archive_read_support_filter_xz(handle)
            archive_read_support_filter_lzma(handle)
            archive_read_support_filter_lzip(handle)
            archive_read_support_filter_zstd(handle)
            archive_read_support_filter_lz4(handle)
            archive_read_support_filter_compress(handle)
        }
        if let password { archive_read_add_passphrase(handle, password) }
        let input = ArchiveInput(paths: paths)
        guard input.open(handle) == ARCHIVE_OK else {
            let cause = ArchiveStream.diagnostic(of: handle)
            archive_read_free(handle)
            throw input.fault ?? AdapterError(.damaged, "is damaged from its beginning", cause: cause)
        }
        self.handle = handle
        self.input = input
    }

    deinit {
        archive_read_free(handle)
    }

    /// Goes on to the next entry, whether or not the present one was read.
    func next() -> Step {
        (rest.block, rest.offset, rest.taken, rest.fault) = (UnsafeRawBufferPointer(start: nil, count: 0), 0, 0, nil)
        var entry: OpaquePointer?
        let status = archive_read_next_header(handle, &entry)
        if status == ARCHIVE_EOF { return .end }
        if status == ARCHIVE_RETRY { return .gap(fault) }
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { return .broken(fault) }
        return .entry(StreamEntry(entry, namesAreUTF8: namesAreUTF8))
    }

    /// Reads the present entry's next bytes; fewer than there is room for only at its end, or where a fault is.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Chunk {
        var chunk = Chunk()
        while chunk.count < buffer.count {
            if rest.block.isEmpty {
                var (block, count, offset): (UnsafeRawPointer?, Int, Int64) = (nil, 0, 0)
                let status = archive_read_data_block(handle, &block, &count, &offset)
                if status == ARCHIVE_EOF { break }
                // A warning, of a wrong checksum for one, comes with the data.
                if status != ARCHIVE_OK { rest.fault = fault }
                guard status == ARCHIVE_OK || status == ARCHIVE_WARN && count > 0 else {
                    chunk.isOver = status == ARCHIVE_FATAL
                    break
                }
                rest.block = UnsafeRawBufferPointer(start: block, count: count)
                rest.offset = max(rest.taken, Int(offset))
                continue
            }
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[chunk.count...])
            let count: Int
            if rest.offset > rest.taken {
                count = min(room.count, rest.offset - rest.taken)
                room.prefix(count).initializeMemory(as: UInt8.self, repeating: 0)
            } else {
                count = min(room.count, rest.block.count)
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.block.prefix(count)))
                rest.block = UnsafeRawBufferPointer(rebasing: rest.block.dropFirst(count))
                rest.offset += count
            }
            rest.taken += count
            chunk.count += count
        }
        if chunk.count < buffer.count { chunk.fault = rest.fault }
        return chunk
    }

    /// Whether getting past an entry may cost as much as reading it. Only RAR 5 among the RARs: libarchive reads no
    /// solid archives of the older versions.
    var decompressesWhatItSkips: Bool {
        switch archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK {
        case ARCHIVE_FORMAT_ZIP, ARCHIVE_FORMAT_RAR: false
        case ARCHIVE_FORMAT_TAR: archive_filter_count(handle) > 1
        default: true
        }
    }

    /// Whether it is a tar that is not compressed: it has no checksums of data, and so what came before a fault is right.
    var isPlainTar: Bool { formatName == "tar" && archive_filter_count(handle) == 1 }

    /// The archive's kind for messages: "RAR", "7z".
    var formatName: String {
        switch archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK {
        case ARCHIVE_FORMAT_7ZIP: "7z"
        case ARCHIVE_FORMAT_RAR, ARCHIVE_FORMAT_RAR_V5: "RAR"
        case ARCHIVE_FORMAT_TAR: "tar"
        case ARCHIVE_FORMAT_ZIP: "zip"
        default: "archive"
        }
    }

    /// Whether it is a RAR of the kind before version 5.
    var isRAR4: Bool { archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_RAR }

    /// These formats hold names in Unicode, which libarchive hands over as UTF-8.
    private var namesAreUTF8: Bool {
        let format = archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK
        return format == ARCHIVE_FORMAT_7ZIP || format == ARCHIVE_FORMAT_RAR_V5
    }

    /// What is wrong: the disk, or what libarchive last complained of.
    private var fault: AdapterError {
        input.fault ?? StreamFault.error(ArchiveStream.diagnostic(of: handle), format: formatName, isRAR4: isRAR4)
    }

    private static func diagnostic(of handle: OpaquePointer) -> String {
        archive_error_string(handle).map { String(cString: $0) } ?? "no reason given"
    }

    /// libarchive hands over names in the encoding of the process's locale; in the locale "C" it loses them.
    private static let localeIsReady = setlocale(LC_CTYPE, "C.UTF-8") != nil

    private static func prepareLocale() {
        _ = localeIsReady
    }
}

/// An entry as libarchive reads it from an archive's headers.
struct StreamEntry: Sendable {
    /// The name; nil when libarchive cannot give it in any encoding.
    let name: RawName?
    let form: EntryForm
    /// Bytes when decompressed, as the archive claims; nil when it does not.
    let size: Int?
    let isEncrypted: Bool
    /// The name of the entry before it whose content it shares; nil for what is no hard link.
    let linkTarget: [UInt8]?

    /// Its name at a place in the archive; those that libarchive could not make out still get one.
    func name(at index: Int) -> RawName {
        if let name, !name.bytes.isEmpty { return name }
        return RawName(bytes: Array("entry \(index + 1)".utf8))
    }
}

extension StreamEntry {
    /// - Parameter entry: libarchive's, which is good only until it goes on to the next.
    init(_ entry: OpaquePointer, namesAreUTF8: Bool) {
        let text = archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry)
        name = text.map { text in
            // One byte more than is allowed shows that it is too long.
            let count = strnlen(text, EntryNames.mostBytes + 1)
            return RawName(bytes: Array(UnsafeRawBufferPointer(start: text, count: count)), isFlaggedUTF8: namesAreUTF8)
        }
        linkTarget = archive_entry_hardlink(entry).map { target in
            Array(UnsafeRawBufferPointer(start: target, count: strnlen(target, EntryNames.mostBytes)))
        }
        let isLink = linkTarget != nil || archive_entry_symlink(entry) != nil
        form = isLink ? .other : EntryForm(mode: archive_entry_filetype(entry))
        size = archive_entry_size_is_set(entry) == 0 ? nil : Int(archive_entry_size(entry))
        isEncrypted = archive_entry_is_data_encrypted(entry) != 0
    }
}

/// Translates libarchive's diagnostics into errors that a user understands.
enum StreamFault {
    private static let elsewhereAdvice =
        "unpack it with another program, such as 7z or unrar, and give jisui the folder"
    private static let unpackAdvice = "try --from unar where that plug-in is, or \(elsewhereAdvice)"

    /// The error for a diagnostic about an entry or a whole archive of a format, such as "RAR".
    static func error(_ diagnostic: String, format: String, isRAR4: Bool = false) -> AdapterError {
        if diagnostic.contains("Passphrase required") { return .passwordMissing }
        if diagnostic.contains("ncorrect passphrase") { return .passwordWrong }
        let words = diagnostic.lowercased()
        if words.contains("encrypt") || words.contains("crypto") || words.contains("decryption") {
            return unreadableEncryption(format: format, isRAR4: isRAR4, cause: diagnostic)
        }
        if ["unsupported", "not supported", "unavailable", "unknown codec"].contains(where: words.contains) {
            return AdapterError(
                .unsupported, "uses a kind of \(format) compression that cannot be read", advice: unpackAdvice,
                cause: diagnostic)
        }
        return AdapterError(.damaged, "the archive is damaged", cause: diagnostic)
    }

    /// libarchive decrypts nothing but zip.
    ///
    /// - Parameter isRAR4: whether it is of a kind that unar does not decrypt, either.
    static func unreadableEncryption(format: String, isRAR4: Bool, cause: String? = nil) -> AdapterError {
        AdapterError(
            .unsupported, "its \(format) encryption cannot be read",
            advice: isRAR4 ? elsewhereAdvice : unpackAdvice, cause: cause)
    }
}

extension AdapterError {
    static let passwordMissing = AdapterError(
        .encrypted, "is encrypted", advice: "give the password with --password-file or in JISUI_PASSWORD")

    static let passwordWrong = AdapterError(
        .encrypted, "the password is wrong", advice: "give another with --password-file or in JISUI_PASSWORD")
}

/// A buffer of uninitialised memory that frees itself.
struct Block: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) {
        bytes = .allocate(byteCount: count, alignment: 16)
    }

    deinit {
        bytes.deallocate()
    }
}
