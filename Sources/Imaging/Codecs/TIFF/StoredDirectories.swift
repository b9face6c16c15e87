/// The directories of a TIFF, read one at a time from any offset.
struct StoredDirectories: Sendable {
    let layout: TIFFDirectory.Layout
    /// The size of the file.
    let byteCount: Int

    /// One directory, as it is stored.
    struct Directory {
        /// The entries in the order of the file, each tag once.
        var entries: [Entry]
        /// The offset of the next directory; 0 if it is the last, nil if the file ends before it.
        let next: Int?
        /// The bytes of the directory, without values that do not fit into it.
        let byteCount: Int
    }

    struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        /// The value, or the offset to it: 4 bytes, or 8 of a BigTIFF.
        let field: [UInt8]
    }

    /// The number of bytes of the entry count, of an entry, and of an offset.
    var countWidth: Int { layout.isBig ? 8 : 2 }
    var entryWidth: Int { layout.isBig ? 20 : 12 }
    var offsetWidth: Int { layout.isBig ? 8 : 4 }

    /// The bytes of one value of each type (TIFF 6.0 §2; 13 is IFD, 16 to 18 are BigTIFF's).
    static let widths = [
        1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8,
    ]

    /// The usual number of entries of a directory; a longer one needs a second read.
    private static let usualEntries = 40

    /// - Returns: nil if the directory is not within the file.
    func directory<Failure: Error>(
        at start: Int, read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Directory? {
        guard start > 0, start < byteCount else { return nil }
        let usual = countWidth + StoredDirectories.usualEntries * entryWidth + offsetWidth
        var bytes = ByteReader(try read(start, usual))
        guard let count = layout.isBig ? bytes.uint64(at: 0, layout.order) : bytes.uint16(at: 0, layout.order),
            count <= (byteCount - start) / entryWidth
        else { return nil }
        let total = countWidth + count * entryWidth + offsetWidth
        if total > usual { bytes = ByteReader(try read(start, total)) }
        var entries: [Entry] = []
        var known: Set<Int> = []
        for place in stride(from: countWidth, to: countWidth + count * entryWidth, by: entryWidth) {
            guard let tag = bytes.uint16(at: place, layout.order), let type = bytes.uint16(at: place + 2, layout.order),
                let count = number(bytes, at: place + 4),
                let field = bytes.part(at: place + entryWidth - offsetWidth, count: offsetWidth)
            else { return nil }
            // The first of two entries with one tag counts, as in libtiff.
            if known.insert(tag).inserted {
                entries.append(Entry(tag: tag, type: type, count: count, field: field.array))
            }
        }
        return Directory(entries: entries, next: number(bytes, at: total - offsetWidth), byteCount: total)
    }

    /// Reads a number as wide as an offset.
    func number(_ bytes: ByteReader, at offset: Int) -> Int? {
        layout.isBig ? bytes.uint64(at: offset, layout.order) : bytes.uint32(at: offset, layout.order)
    }

    /// Returns an entry's value, wherever it is stored.
    ///
    /// - Returns: nil if the type is unknown, or the value is not within the file.
    func value<Failure: Error>(
        of entry: Entry, read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8]? {
        guard let width = StoredDirectories.widths[entry.type], entry.count <= byteCount / width else { return nil }
        let total = entry.count * width
        if total <= offsetWidth { return Array(entry.field.prefix(total)) }
        guard let offset = number(ByteReader(entry.field), at: 0), offset <= byteCount - total else { return nil }
        let value = try read(offset, total)
        return value.count == total ? value : nil
    }

    /// Returns the whole numbers in a value; nil if it holds another type.
    func integers(_ value: [UInt8], _ type: Int) -> [Int]? {
        let bytes = ByteReader(value)
        return switch type {
        case 1: value.map(Int.init)
        case 3: stride(from: 0, to: value.count, by: 2).compactMap { bytes.uint16(at: $0, layout.order) }
        case 4, 13: stride(from: 0, to: value.count, by: 4).compactMap { bytes.uint32(at: $0, layout.order) }
        case 16, 18: stride(from: 0, to: value.count, by: 8).compactMap { bytes.uint64(at: $0, layout.order) }
        default: nil
        }
    }
}

extension StoredDirectories {
    /// Whether a directory describes an image at all.
    func isPicture(_ directory: Directory) -> Bool {
        directory.entries.contains { $0.tag == TIFFDirectory.Tag.imageWidth.number }
    }

    /// Whether a directory's image is a page.
    func isPage(_ directory: Directory) -> Bool {
        isPicture(directory)
            && !directory.entries.contains { entry in
                guard entry.count == 1, let flags = integers(entry.field, entry.type)?.first else { return false }
                switch entry.tag {
                // NewSubfileType: bit 0, a smaller version; bit 2, a mask.
                case 254: return flags & 0b101 != 0
                // SubfileType, in use until TIFF 5: 2 is a smaller version.
                case 255: return flags == 2
                default: return false
                }
            }
    }
}
