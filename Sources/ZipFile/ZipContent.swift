package import PageModel
private import Synchronization

/// One entry's data for callers that can use them even with a wrong checksum, and report it.
///
/// An image with a flipped bit is still an image. Any number of tasks may read at once.
package final class ZipContent: Sendable {
    package let entry: ZipEntry

    private let zip: ZipReader
    private let found = Mutex<Message?>(nil)
    /// The place of a stored entry's data, so that its local header is read only once.
    private let place = Mutex<Int?>(nil)

    package init(_ entry: ZipEntry, in zip: ZipReader) {
        self.entry = entry
        self.zip = zip
    }

    /// The number of bytes that the archive states.
    package var byteCount: Int { entry.size }

    /// The problem found in the data; nil before all bytes were read.
    package var defect: Message? { found.withLock { $0 } }

    /// Returns the beginning of the data: at least `count` bytes, or all.
    ///
    /// For a stored entry that costs one short read. A deflated one has to be decompressed as a whole, because
    /// libdeflate works on whole buffers. It is several times faster than any library that does not.
    ///
    /// - Throws: as `bytes()`.
    package func head(count: Int) throws(AdapterError) -> [UInt8] {
        if let head = try part(at: 0, upTo: count) { return head }
        return try bytes()
    }

    /// Returns bytes of a stored entry from `offset`, at most `count`; nil for other entries.
    ///
    /// - Throws: as `bytes()`.
    package func part(at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8]? {
        guard let place = try storedPlace() else { return nil }
        return try zip.part(of: entry, in: place, at: offset, upTo: count)
    }

    /// Returns the problem of the data. A stored entry is compared with its checksum, in portions.
    ///
    /// - Throws: as `bytes()`.
    package func findDefect() throws(AdapterError) -> Message? {
        if let place = try storedPlace(), let defect = try zip.defect(ofStored: entry, in: place) {
            found.withLock { $0 = defect }
        }
        return defect
    }

    /// Returns all bytes, decompressed, or as many as possible. In that case `defect` states the problem.
    ///
    /// - Throws: as `ZipReader.bytes(of:)`, except for a wrong checksum; `.damaged` without any data.
    package func bytes() throws(AdapterError) -> [UInt8] {
        let (bytes, defect) = try zip.recoverableBytes(of: entry)
        if let defect { found.withLock { $0 = defect } }
        return bytes
    }

    /// Returns the place of a stored entry's data; nil for other entries.
    private func storedPlace() throws(AdapterError) -> Int? {
        if let known = place.withLock({ $0 }) { return known }
        let found = try zip.place(ofStored: entry)
        place.withLock { $0 = found }
        return found
    }
}
