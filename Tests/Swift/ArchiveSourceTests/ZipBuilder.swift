import CDeflate

/// Makes zips with whatever is right or wrong with them.
struct ZipBuilder {
    struct Item {
        var name: [UInt8]
        var data: [UInt8]
        var deflates = false
        var flags = 0
        var method: Int?
        var extra: [UInt8] = []
        var host = 3
        var mode = 0o100644
        var statedSize: Int?
        var statedChecksum: UInt32?
        var zip64 = false
        /// Take the offset of the item at this place instead of the item's own.
        var sharesOffsetOf: Int?

        init(_ name: String, _ data: [UInt8] = picture()) {
            self.name = Array(name.utf8)
            self.data = data
        }

        init(bytes name: [UInt8], _ data: [UInt8] = picture()) {
            self.name = name
            self.data = data
        }

        func with(_ change: (inout Item) -> Void) -> Item {
            var copy = self
            change(&copy)
            return copy
        }
    }

    var items: [Item]
    var prefix: [UInt8] = []
    var comment: [UInt8] = []
    /// Whether the end has a zip64 record and nothing in the classic one.
    var zip64 = false

    init(_ items: [Item]) {
        self.items = items
    }

    init(names: [String]) {
        items = names.map { Item($0) }
    }

    /// Something that begins like a JPEG and differs from others by its end.
    static func picture(_ tail: [UInt8] = []) -> [UInt8] { ArchiveSourceTests.picture(tail) }

    var bytes: [UInt8] {
        var file = prefix
        var table: [UInt8] = []
        var offsets: [Int] = []
        for item in items {
            let data = item.deflates ? deflated(item.data) : item.data
            let sum = item.statedChecksum ?? libdeflate_crc32(0, item.data, item.data.count)
            let size = item.statedSize ?? item.data.count
            let method = item.method ?? (item.deflates ? 8 : 0)
            let offset = file.count - prefix.count
            offsets.append(offset)
            let common =
                number(item.flags, 2) + number(method, 2) + number(0, 4) + number(Int(sum), 4)
            file += [0x50, 0x4B, 3, 4] + number(20, 2) + common + number(data.count, 4) + number(size, 4)
            file += number(item.name.count, 2) + number(0, 2) + item.name + data
            let stated = item.sharesOffsetOf.map { offsets[$0] } ?? offset
            let wide =
                item.zip64
                ? number(1, 2) + number(24, 2) + number(size, 8) + number(data.count, 8)
                    + number(stated, 8) : []
            table += [0x50, 0x4B, 1, 2, 20, UInt8(item.host)] + number(20, 2) + common
            table += number(item.zip64 ? 0xFFFF_FFFF : data.count, 4) + number(item.zip64 ? 0xFFFF_FFFF : size, 4)
            table += number(item.name.count, 2) + number(wide.count + item.extra.count, 2) + number(0, 6)
            table += number(item.mode << 16, 4) + number(item.zip64 ? 0xFFFF_FFFF : stated, 4)
            table += item.name + wide + item.extra
        }
        let start = file.count - prefix.count
        file += table
        if zip64 {
            let record = file.count - prefix.count
            file += [0x50, 0x4B, 6, 6] + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8)
            file += number(items.count, 8) + number(items.count, 8) + number(table.count, 8) + number(start, 8)
            file += [0x50, 0x4B, 6, 7] + number(0, 4) + number(record, 8) + number(1, 4)
        }
        file += [0x50, 0x4B, 5, 6] + number(0, 4)
        file += number(zip64 ? 0xFFFF : items.count, 2) + number(zip64 ? 0xFFFF : items.count, 2)
        file += number(zip64 ? 0xFFFF_FFFF : table.count, 4) + number(zip64 ? 0xFFFF_FFFF : start, 4)
        return file + number(comment.count, 2) + comment
    }

    private func deflated(_ data: [UInt8]) -> [UInt8] {
        guard let compressor = libdeflate_alloc_compressor(6) else { return [] }
        defer { libdeflate_free_compressor(compressor) }
        let room = libdeflate_deflate_compress_bound(compressor, data.count)
        return [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
            filled = libdeflate_deflate_compress(compressor, data, data.count, buffer.baseAddress, room)
        }
    }
}

/// A number in `count` bytes, least significant first.
func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
}

/// Something that begins like a JPEG.
func picture(_ tail: [UInt8] = []) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0] + tail
}
