public import AdapterKit
private import Synchronization

/// One entry's data for somebody who can use them even if their checksum is wrong, and wants to know that it is.
///
/// A picture of which a bit has flipped is still a picture. Any number of tasks may read at once.
public final class ZipContent: Sendable {
    public let entry: ZipEntry

    private let zip: ZipReader
    private let found = Mutex<String?>(nil)

    public init(_ entry: ZipEntry, in zip: ZipReader) {
        self.entry = entry
        self.zip = zip
    }

    /// The number of bytes that the archive says there are.
    public var byteCount: Int { entry.size }

    /// What all bytes showed to be wrong with them; nil as long as they were not read.
    public var defect: String? { found.withLock { $0 } }

    /// The beginning of the data: at least `count` bytes of it, or all.
    ///
    /// For a stored entry that costs one short read. A deflated one has to be decompressed whole, because libdeflate
    /// works on whole buffers, several times faster than any library that does not.
    ///
    /// - Throws: as `bytes()`.
    public func head(count: Int) throws(AdapterError) -> [UInt8] {
        if let head = try part(at: 0, upTo: count) { return head }
        return try bytes()
    }

    /// Bytes of a stored entry from `offset`, as many as there are up to `count`; nil when it is not stored.
    ///
    /// - Throws: as `bytes()`.
    public func part(at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8]? {
        try zip.part(of: entry, at: offset, upTo: count)
    }

    /// All bytes, decompressed, or as many as there are; `defect` then tells what is wrong with them.
    ///
    /// - Throws: as `ZipReader.bytes(of:)`, but for a wrong checksum; `.damaged` where nothing is left.
    public func bytes() throws(AdapterError) -> [UInt8] {
        let (bytes, defect) = try zip.whatIsLeft(of: entry)
        if let defect { found.withLock { $0 = defect } }
        return bytes
    }
}
