package import PageModel

/// One page of a TIFF file, which can be extracted as a file of its own.
package struct TIFFPage: Sendable {
    let stored: StoredDirectories
    /// The offset of its directory.
    let start: Int
    /// Whether its directory is the first, which every program shows.
    package let isFirst: Bool
    /// The number of the page among those of the file, from 1.
    package internal(set) var number = 1
    /// The number of pages in the file.
    var siblings = 1

    /// The copy limit for files whose pages cannot be extracted: the whole file is copied for each page.
    private static let maximumCopiedBytes = 4 << 30

    package static let tooLong = AdapterError(
        .damaged, "the TIFF states more bytes for the page than it has or than are allowed")

    /// The origin of its own file, for the report.
    package static let origin: Message = "its data untouched, in a TIFF of its own"

    /// Returns the beginning of `file(maximumBytes:read:)`, without the image's data: enough for `PictureHeader`.
    ///
    /// - Returns: nil if the directory contradicts itself.
    package func head<Failure: Error>(
        read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8]? {
        try parts(maximumBytes: .max, read: read)?.head
    }

    /// Returns a TIFF file that holds this page alone: its directory with all values, and its coded data as they are. The result
    /// is nil if it would need more than `maximumBytes`, or more than the file has.
    ///
    /// Its Exif and GPS directories are included; smaller versions of the page (SubIFDs) are not. A directory may not state which
    /// data are the page's (old-style JPEG, missing byte counts). The result is then the whole file, changed to begin and end
    /// with the page.
    ///
    /// - Throws: any error of `read`.
    package func file<Failure: Error>(
        maximumBytes: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8]? {
        guard let parts = try parts(maximumBytes: maximumBytes, read: read) else { return nil }
        guard let data = parts.data else {
            return stored.byteCount <= maximumBytes ? try wholeFile(read: read) : nil
        }
        var file = parts.head
        for range in data { file += try read(range.lowerBound, range.count) }
        return file
    }

    /// Returns the whole file, with this directory as the only one of its chain.
    private func wholeFile<Failure: Error>(
        read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8]? {
        guard stored.byteCount <= TIFFPage.maximumCopiedBytes / siblings,
            let directory = try stored.directory(at: start, read: read)
        else { return nil }
        var file = try read(0, stored.byteCount)
        let width = stored.offsetWidth
        let next = start + directory.byteCount - width
        guard file.count >= next + width else { return nil }
        let first = stored.layout.isBig ? 8 : 4
        file.replaceSubrange(first..<first + width, with: stored.bytes(of: start, width: width))
        file.replaceSubrange(next..<next + width, with: [UInt8](repeating: 0, count: width))
        return file
    }

    /// The parts of the page's own file.
    private struct Parts {
        /// The header, the directories and their values.
        var head: [UInt8]
        /// The ranges of the data that follow, in the page's original file; nil if the directory does not state them.
        var data: [Range<Int>]?
    }

    private func parts<Failure: Error>(
        maximumBytes: Int, read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Parts? {
        guard let directory = try stored.directory(at: start, read: read) else { return nil }
        var room = min(stored.byteCount, maximumBytes)
        guard var main = try block(of: directory, &room, read: read) else { return nil }
        var children: [(tag: Int, block: TIFFBlock)] = []
        for tag in [Tag.exif, Tag.gps] {
            guard let pointer = main.integers(tag, stored)?.first else { continue }
            if let child = try stored.directory(at: pointer, read: read),
                let block = try block(of: child, &room, read: read)
            {
                children.append((tag, block))
            } else {
                main.remove(tag)
            }
        }
        let extents = extents(of: main, &room)
        // Set to their final length, so that the offsets after them are right.
        if let extents { main.set(extents.offsets, to: extents.data.map { _ in 0 }, stored) }
        // The new file consists of the header, the directory, its children, the data.
        let base = stored.layout.isBig ? 16 : 8
        var end = base + main.size(stored)
        var blocks: [TIFFBlock] = []
        for (tag, block) in children {
            main.set(tag, to: [end], stored)
            var copy = block
            copy.base = end
            blocks.append(copy)
            end += block.size(stored)
        }
        if let extents {
            var places: [Int] = []
            for range in extents.data {
                // A sparse file has no data for empty parts: offset and length are 0.
                places.append(range.isEmpty && range.lowerBound == 0 ? 0 : end)
                end += range.count
            }
            main.set(extents.offsets, to: places, stored)
        }
        main.base = base
        let head = stored.header(firstDirectory: base) + ([main] + blocks).flatMap { $0.bytes(stored) }
        return Parts(head: head, data: extents?.data)
    }

    private enum Tag {
        static let exif = 34665
        static let gps = 34853
        static let compression = 259
        static let oldStyleJPEG = 6
        /// The tags that point to data and directories other than the page itself.
        ///
        /// They are FreeOffsets, FreeByteCounts and SubIFDs, and in an Exif directory the one of interoperability.
        static let leftBehind: Set = [288, 289, 330, 40965]
    }

    /// Returns the directory with its values; nil if they are longer than the file.
    private func block<Failure: Error>(
        of directory: StoredDirectories.Directory, _ room: inout Int, read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> TIFFBlock? {
        var block = TIFFBlock()
        for entry in directory.entries where !Tag.leftBehind.contains(entry.tag) {
            // A value that no decoder can interpret is omitted.
            guard let value = try stored.value(of: entry, read: read) else { continue }
            room -= value.count
            guard room >= 0 else { return nil }
            block.items.append(TIFFBlock.Item(tag: entry.tag, type: entry.type, count: entry.count, value: value))
        }
        // TIFF 6.0 §2 requires it, and some decoders rely on it.
        block.items.sort { $0.tag < $1.tag }
        return block
    }

    /// Returns the tag of the offsets of strips or tiles, and the ranges of the data. The result is nil if the directory does not
    /// contain them, or they are impossible.
    private func extents(of block: TIFFBlock, _ room: inout Int) -> (offsets: Int, data: [Range<Int>])? {
        let compression = block.integers(Tag.compression, stored)?.first ?? 1
        guard compression != Tag.oldStyleJPEG else { return nil }
        for (offsetTag, countTag) in [(273, 279), (324, 325)] {
            guard let offsets = block.integers(offsetTag, stored) else { continue }
            guard let counts = block.integers(countTag, stored), counts.count == offsets.count else { return nil }
            var ranges: [Range<Int>] = []
            for (offset, count) in zip(offsets, counts) {
                if count == 0 && offset != 0 { return nil }
                // A truncated file has only a part of the data; decoding reports that.
                let start = min(offset, stored.byteCount)
                ranges.append(start..<start + min(count, stored.byteCount - start))
            }
            let total = ranges.reduce(0) { $0 + $1.count }
            guard total <= room else { return nil }
            // Decoders do not believe a length that is less than the pixels need.
            if compression == 1, ranges.count == 1, total < plainBytes(of: block) { return nil }
            return (offsetTag, ranges)
        }
        return nil
    }

    /// Returns the minimum number of bytes of the page's pixels without compression.
    private func plainBytes(of block: TIFFBlock) -> Int {
        let number = { (tag: Int) in block.integers(tag, stored)?.first ?? 1 }
        let (pixels, isHuge) = number(256).multipliedReportingOverflow(by: number(257))
        let (bits, isTooMuch) = pixels.multipliedReportingOverflow(by: number(258))
        return isHuge || isTooMuch ? .max : bits / 8
    }
}

/// A directory on its way into another file, with its values.
private struct TIFFBlock {
    struct Item {
        let tag: Int
        var type: Int
        var count: Int
        var value: [UInt8]
    }

    var items: [Item] = []
    /// The offset of the directory in the new file.
    var base = 0

    func integers(_ tag: Int, _ stored: StoredDirectories) -> [Int]? {
        items.first { $0.tag == tag }.flatMap { stored.integers($0.value, $0.type) }
    }

    /// Replaces the numbers of an existing tag by others as wide as an offset.
    mutating func set(_ tag: Int, to numbers: [Int], _ stored: StoredDirectories) {
        guard let index = items.firstIndex(where: { $0.tag == tag }) else { return }
        items[index].count = numbers.count
        items[index].type = stored.layout.isBig ? 16 : 4
        items[index].value = numbers.flatMap { stored.bytes(of: $0, width: stored.offsetWidth) }
    }

    mutating func remove(_ tag: Int) {
        items.removeAll { $0.tag == tag }
    }

    private func directoryBytes(_ stored: StoredDirectories) -> Int {
        stored.countWidth + items.count * stored.entryWidth + stored.offsetWidth
    }

    /// Returns the size in bytes of the directory and its values.
    func size(_ stored: StoredDirectories) -> Int {
        items.reduce(directoryBytes(stored)) { $0 + (outside($1, stored) ? even($1.value.count) : 0) }
    }

    private func outside(_ item: Item, _ stored: StoredDirectories) -> Bool { item.value.count > stored.offsetWidth }

    /// Rounds up to an even number, because values begin at even offsets (TIFF 6.0 §2).
    private func even(_ count: Int) -> Int { count + count % 2 }

    func bytes(_ stored: StoredDirectories) -> [UInt8] {
        var directory = stored.bytes(of: items.count, width: stored.countWidth)
        var values: [UInt8] = []
        let start = base + directoryBytes(stored)
        for item in items {
            directory += stored.bytes(of: item.tag, width: 2) + stored.bytes(of: item.type, width: 2)
            directory += stored.bytes(of: item.count, width: stored.offsetWidth)
            if outside(item, stored) {
                directory += stored.bytes(of: start + values.count, width: stored.offsetWidth)
                values += item.value
                if item.value.count % 2 != 0 { values.append(0) }
            } else {
                directory += item.value
                directory += [UInt8](repeating: 0, count: stored.offsetWidth - item.value.count)
            }
        }
        return directory + [UInt8](repeating: 0, count: stored.offsetWidth) + values
    }
}

extension StoredDirectories {
    /// Returns a number in the byte order of the file.
    fileprivate func bytes(of number: Int, width: Int) -> [UInt8] {
        let bytes = (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return layout.order == .little ? bytes : bytes.reversed()
    }

    fileprivate func header(firstDirectory: Int) -> [UInt8] {
        var header = Array((layout.order == .little ? "II" : "MM").utf8)
        header += bytes(of: layout.isBig ? 43 : 42, width: 2)
        if layout.isBig { header += bytes(of: 8, width: 2) + bytes(of: 0, width: 2) }
        return header + bytes(of: firstDirectory, width: offsetWidth)
    }
}
