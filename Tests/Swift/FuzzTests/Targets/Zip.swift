internal import AdapterKit
internal import Files

@testable import ZipFile

extension FuzzTarget {
    /// The directory and the entries of a zip; what could be read is written and read once more.
    static let zip = FuzzTarget(
        name: "zip", endings: ["zip", "cbz"],
        words: ["PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "PK\u{6}\u{6}", "PK\u{6}\u{7}", "up"]
    ) { input in
        let limits = Limits(entries: 100, entryBytes: 1 << 20)
        withFile(input) { file in
            guard let zip = try? ZipReader(file, limits: limits) else { return }
            var read: [(name: [UInt8], bytes: [UInt8])] = []
            for entry in zip.entries {
                require(
                    0 <= entry.offset && entry.offset < entry.end && entry.end <= file.size, "entries lie in the file")
                use(try? ZipContent(entry, in: zip).head(count: 16))
                guard let bytes = try? zip.bytes(of: entry) else { continue }
                require(bytes.count == entry.size, "an entry has the size that was said")
                read.append((entry.name.bytes, bytes))
            }
            let ends = zip.entries.map { $0.offset..<$0.end }.sorted { $0.lowerBound < $1.lowerBound }
            for (one, next) in Swift.zip(ends, ends.dropFirst()) {
                require(one.upperBound <= next.lowerBound, "entries share no byte")
            }
            withFile(written(read)) { copy in
                guard let again = try? ZipReader(copy, limits: limits) else {
                    fatalError("what was written cannot be read")
                }
                let bytes = again.entries.map { ($0.name.bytes, try? again.bytes(of: $0)) }
                require(bytes.elementsEqual(read) { $0.0 == $1.name && $0.1 == $1.bytes }, "what was written is read")
            }
        }
    }

    /// The archive that `ZipWriter` would make, in memory.
    private static func written(_ files: [(name: [UInt8], bytes: [UInt8])]) -> [UInt8] {
        let limits = ZipLimits()
        var archive: [UInt8] = []
        var entries: [ZipEntry] = []
        for file in files {
            let packed = Deflate.compressed(file.bytes)
            let entry = ZipEntry(
                name: RawName(bytes: file.name), form: .file, method: packed == nil ? .stored : .deflated,
                isEncrypted: false, checksum: CRC32.of(file.bytes), compressedSize: packed?.count ?? file.bytes.count,
                size: file.bytes.count, offset: archive.count, end: archive.count)
            archive += entry.localHeader(limits) + (packed ?? file.bytes)
            entries.append(entry)
        }
        let start = archive.count
        for entry in entries { archive += entry.directoryHeader(limits) }
        return archive + ZipEnd(directory: start..<archive.count, entryCount: entries.count, shift: 0).records(limits)
    }
}
