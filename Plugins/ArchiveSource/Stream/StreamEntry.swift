internal import CArchive
internal import ZipFile

/// An entry as libarchive comes upon it.
struct StreamEntry {
    /// The name; nil when it cannot be had in any encoding.
    let name: RawName?
    let form: EntryForm
    /// Bytes when decompressed, as the archive claims; nil when it does not.
    let size: Int?
    let isEncrypted: Bool

    /// - Parameter entry: libarchive's, which is good only until it goes on to the next.
    init(_ entry: OpaquePointer, namesAreUTF8: Bool) {
        let text = archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry)
        name = text.map { text in
            let bytes = Array(UnsafeRawBufferPointer(start: text, count: StreamEntry.count(of: text)))
            return RawName(bytes: bytes, isFlaggedUTF8: namesAreUTF8)
        }
        let isLink = archive_entry_hardlink(entry) != nil || archive_entry_symlink(entry) != nil
        form = isLink ? .other : EntryForm(mode: archive_entry_filetype(entry))
        size = archive_entry_size_is_set(entry) == 0 ? nil : Int(archive_entry_size(entry))
        isEncrypted = archive_entry_is_data_encrypted(entry) != 0
    }

    private static func count(of text: UnsafePointer<CChar>) -> Int {
        var count = 0
        while text[count] != 0 { count += 1 }
        return count
    }
}
