internal import CArchive
internal import Files
internal import PageModel

/// A tar archive, written by libarchive straight into the output.
///
/// The same files give the same bytes: times, owners and modes are the same for every entry.
final class TarArchive: ComicArchive {
    /// The time 1980-01-01 00:00:00 UTC, which `ZipWriter` gives its entries.
    private static let time = 315_532_800

    private let file: OutputFile
    /// The destination, for messages.
    private let path: String
    private let archive: OpaquePointer
    /// The type of a regular file (`S_IFREG`, inode(7)).
    private static let regularFile: UInt32 = 0o100000
    /// The first write error of the output.
    private var writeFailure: AdapterError?
    /// Whether the archive is finished or abandoned, so that further bytes are dropped.
    private var isReleased = false

    /// - Throws: `.exists`, `.unwritable`.
    init(_ destination: Destination) throws(AdapterError) {
        file = try OutputFile(at: destination)
        guard let archive = archive_write_new() else {
            throw AdapterError(.unwritable, "cannot be written: out of memory", file: destination.path)
        }
        self.archive = archive
        path = destination.path
        // Plain ustar; pax headers only for values that it cannot express.
        try check(archive_write_set_format_pax_restricted(archive))
        // libarchive would lose the buffers after a failed write or an abort, so it never sees either.
        let me = Unmanaged.passUnretained(self).toOpaque()
        try check(
            archive_write_open2(
                archive, me, nil,
                { _, me, bytes, count in
                    guard let me else { return -1 }
                    let buffer = UnsafeRawBufferPointer(start: bytes, count: count)
                    Unmanaged<TarArchive>.fromOpaque(me).takeUnretainedValue().take(buffer)
                    return la_ssize_t(count)
                }, nil, nil))
    }

    deinit {
        isReleased = true
        archive_write_free(archive)
    }

    /// Writes bytes from libarchive, unless writing has failed or is over.
    private func take(_ bytes: UnsafeRawBufferPointer) {
        guard !isReleased, writeFailure == nil else { return }
        do throws(AdapterError) {
            try file.write(Array(bytes))
        } catch {
            writeFailure = error
        }
    }

    func add(_ name: String, _ bytes: [UInt8], isText: Bool) throws(AdapterError) {
        guard let entry = archive_entry_new() else {
            throw AdapterError(.unwritable, "cannot be written: out of memory", file: path)
        }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname(entry, name)
        archive_entry_set_size(entry, la_int64_t(bytes.count))
        archive_entry_set_filetype(entry, TarArchive.regularFile)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_mtime(entry, TarArchive.time, 0)
        try check(archive_write_header(archive, entry))
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                archive_write_data(archive, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            guard count > 0 else { throw failure }
            written += count
        }
        try check(archive_write_finish_entry(archive))
    }

    func finish() throws(AdapterError) {
        try check(archive_write_close(archive))
        isReleased = true
        try file.publish()
    }

    /// Throws for a warning as well: a mere warning of libarchive during writing would mean a loss.
    private func check(_ status: CInt) throws(AdapterError) {
        guard status == ARCHIVE_OK else { throw failure }
        if let writeFailure { throw writeFailure }
    }

    private var failure: AdapterError {
        let number = archive_errno(archive)
        if number > 0 { return .system(number, .unwritable, "cannot be written", file: path) }
        let cause = archive_error_string(archive).map { Message(verbatim: String(cString: $0)) }
        return AdapterError(.unwritable, "cannot be written", file: path, cause: cause)
    }
}
