internal import CArchive
internal import PageModel
internal import Processes
internal import ZipFile

internal import func Glibc.strnlen

/// An archive that libarchive reads from its beginning to its end; it closes itself.
struct ArchiveStream: ~Copyable {
    /// The formats that an archive may have.
    enum Formats: String {
        case tar
        case zip
        /// A zip without its central directory, read by the local headers.
        case zipRemains = "zip-remains"
        /// Every format that jisui reads in sequence.
        case sequential
    }

    /// The result of `next`.
    enum Step {
        case entry(StreamEntry)
        /// Data other than the expected header were skipped.
        case gap(AdapterError)
        case end
        /// The archive cannot be read any further.
        case broken(AdapterError)
    }

    /// The result of `read`.
    struct Chunk {
        /// The number of bytes read; 0 at the end of the entry.
        var count = 0
        /// The reason that the entry's data cannot be read any further.
        var fault: AdapterError?
        /// Whether even the next entry is unreachable.
        var isOver = false
    }

    /// The unpacked bytes of the current entry that have not been consumed yet.
    private final class Rest {
        var block = UnsafeRawBufferPointer(start: nil, count: 0)
        /// The offset of the block in the entry: it exceeds the consumed bytes if the entry has holes.
        var offset = 0
        /// The number of consumed bytes.
        var taken = 0
        var fault: AdapterError?
    }

    private let handle: OpaquePointer
    private let rest = Rest()
    private let input: ArchiveInput

    /// - Parameter paths: the archive's parts in order; most have one.
    /// - Throws: `.damaged` if libarchive does not recognize it, `.unreadable`.
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
            // Each of these unpacks in this process; the omitted filters would start another program.
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
            throw input.fault
                ?? AdapterError(
                    .damaged, "is damaged from its beginning", hint: .copyAgain,
                    cause: cause.isEmpty ? nil : Message(verbatim: cause))
        }
        self.handle = handle
        self.input = input
    }

    deinit {
        archive_read_free(handle)
    }

    /// Advances to the next entry, whether or not the current one was read.
    func next() -> Step {
        (rest.block, rest.offset, rest.taken, rest.fault) = (UnsafeRawBufferPointer(start: nil, count: 0), 0, 0, nil)
        var entry: OpaquePointer?
        let status = archive_read_next_header(handle, &entry)
        if status == ARCHIVE_EOF { return .end }
        if status == ARCHIVE_RETRY { return .gap(fault) }
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { return .broken(fault) }
        return .entry(StreamEntry(entry, namesAreUTF8: namesAreUTF8))
    }

    /// Reads the current entry's next bytes; fewer than fit only at its end, or at a fault.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Chunk {
        var chunk = Chunk()
        while chunk.count < buffer.count {
            if rest.block.isEmpty {
                var (block, count, offset): (UnsafeRawPointer?, Int, Int64) = (nil, 0, 0)
                let status = archive_read_data_block(handle, &block, &count, &offset)
                if status == ARCHIVE_EOF { break }
                // A warning, for example about a wrong checksum, comes with the data.
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

    /// Whether skipping an entry may cost as much as reading it. Among the RARs only RAR 5: libarchive reads no solid archives of
    /// the older versions.
    var decompressesWhatItSkips: Bool {
        switch archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK {
        case ARCHIVE_FORMAT_ZIP, ARCHIVE_FORMAT_RAR: false
        case ARCHIVE_FORMAT_TAR: archive_filter_count(handle) > 1
        default: true
        }
    }

    /// Whether it is an uncompressed tar: it has no checksums of data, and so the data before a fault are right.
    var isPlainTar: Bool { formatName == "tar" && archive_filter_count(handle) == 1 }

    /// The archive's format for messages: "RAR", "7z".
    var formatName: String {
        switch archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK {
        case ARCHIVE_FORMAT_7ZIP: "7z"
        case ARCHIVE_FORMAT_RAR, ARCHIVE_FORMAT_RAR_V5: "RAR"
        case ARCHIVE_FORMAT_TAR: "tar"
        case ARCHIVE_FORMAT_ZIP: "zip"
        default: "archive"
        }
    }

    /// Whether it is a RAR in a format before version 5.
    var isRAR4: Bool { archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_RAR }

    /// Whether the format stores names in Unicode, which libarchive returns as UTF-8.
    private var namesAreUTF8: Bool {
        let format = archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK
        return format == ARCHIVE_FORMAT_7ZIP || format == ARCHIVE_FORMAT_RAR_V5
    }

    /// The current error: that of the disk, or the last one of libarchive.
    private var fault: AdapterError {
        input.fault ?? StreamFault.error(ArchiveStream.diagnostic(of: handle), format: formatName, isRAR4: isRAR4)
    }

    /// Returns the diagnostic of libarchive; an empty text if it gives none.
    private static func diagnostic(of handle: OpaquePointer) -> String {
        archive_error_string(handle).map { String(cString: $0) } ?? ""
    }

    /// Whether the locale is set. libarchive returns names in the encoding of the process's locale; in the locale "C" it loses
    /// them.
    private static let localeIsReady: Void = CurrentProcess.readNamesAsUTF8()

    private static func prepareLocale() {
        _ = localeIsReady
    }
}

/// An entry as libarchive reads it from an archive's headers.
struct StreamEntry: Sendable {
    /// The name; nil if libarchive cannot return it in any encoding.
    let name: RawName?
    let form: EntryForm
    /// The decompressed size in bytes, as the archive claims; nil if it does not.
    let size: Int?
    let isEncrypted: Bool
    /// The name of the earlier entry whose content it shares; nil if it is not a hard link.
    let linkTarget: [UInt8]?

    /// Returns its name at a place in the archive; a name that libarchive could not decode is replaced by another.
    func name(at index: Int) -> RawName {
        if let name, !name.bytes.isEmpty { return name }
        return RawName(bytes: Array("entry \(index + 1)".utf8))
    }
}

extension StreamEntry {
    /// - Parameter entry: libarchive's entry, which is valid only until it advances to the next.
    init(_ entry: OpaquePointer, namesAreUTF8: Bool) {
        let text = archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry)
        name = text.map { text in
            // One byte more than is allowed shows that it is too long.
            let count = strnlen(text, EntryNames.maximumBytes + 1)
            return RawName(bytes: Array(UnsafeRawBufferPointer(start: text, count: count)), isFlaggedUTF8: namesAreUTF8)
        }
        linkTarget = archive_entry_hardlink(entry).map { target in
            Array(UnsafeRawBufferPointer(start: target, count: strnlen(target, EntryNames.maximumBytes)))
        }
        let isLink = linkTarget != nil || archive_entry_symlink(entry) != nil
        form = isLink ? .other : EntryForm(mode: archive_entry_filetype(entry))
        size = archive_entry_size_is_set(entry) == 0 ? nil : Int(archive_entry_size(entry))
        isEncrypted = archive_entry_is_data_encrypted(entry) != 0
    }
}

/// The translation of libarchive's diagnostics into errors that a user understands.
enum StreamFault {
    private static let otherToolHint: Message =
        "unpack it with another program, such as 7z or unrar, and give jisui the folder"
    private static let unpackHint: Message = "try --from unar where that plug-in is, or \(otherToolHint)"

    /// Returns the error for a diagnostic about an entry or a whole archive of a format, such as "RAR".
    static func error(_ diagnostic: String, format: String, isRAR4: Bool = false) -> AdapterError {
        if diagnostic.contains("Passphrase required") { return .passwordMissing }
        if diagnostic.contains("ncorrect passphrase") { return .passwordWrong }
        let words = diagnostic.lowercased()
        if words.contains("encrypt") || words.contains("crypto") || words.contains("decryption") {
            return unreadableEncryption(format: format, isRAR4: isRAR4, cause: Message(verbatim: diagnostic))
        }
        if ["unsupported", "not supported", "unavailable", "unknown codec"].contains(where: words.contains) {
            return AdapterError(
                .unsupported, "uses a kind of \(format) compression that cannot be read", hint: unpackHint,
                cause: Message(verbatim: diagnostic))
        }
        return AdapterError(
            .damaged, "the archive is damaged", cause: diagnostic.isEmpty ? nil : Message(verbatim: diagnostic))
    }

    /// Returns the error for encryption, because libarchive decrypts only zip.
    ///
    /// - Parameter isRAR4: whether it is of a kind that unar does not decrypt, either.
    static func unreadableEncryption(format: String, isRAR4: Bool, cause: Message? = nil) -> AdapterError {
        AdapterError(
            .unsupported, "its \(format) encryption cannot be read",
            hint: isRAR4 ? otherToolHint : unpackHint, cause: cause)
    }
}

extension AdapterError {
    static let passwordMissing = AdapterError(
        .encrypted, "is encrypted", hint: "use --password-file or JISUI_PASSWORD to give the password")

    static let passwordWrong = AdapterError(
        .encrypted, "the password is wrong", hint: "use --password-file or JISUI_PASSWORD to give another password")
}

/// A buffer of uninitialized memory that frees itself.
struct Block: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) {
        bytes = .allocate(byteCount: count, alignment: 16)
    }

    deinit {
        bytes.deallocate()
    }
}
