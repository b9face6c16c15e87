package import PageModel

/// A JPEG that is read in portions. Only the bytes that are not coded data are kept in memory.
package struct StoredJPEG {
    /// The bytes up to the data of the first scan: all segments that describe the image.
    package let head: [UInt8]
    let portions: FilePortions

    /// The number of bytes that are read at once.
    private static let portion = 1 << 16

    /// - Throws: errors of the source.
    package init(_ portions: FilePortions) throws(AdapterError) {
        self.portions = portions
        var (head, count) = ([UInt8](), StoredJPEG.portion)
        repeat {
            head += try portions.read(head.count, min(count, portions.count) - head.count)
            if let scan = JPEGCodec.firstScan(in: ByteReader(head)) {
                self.head = Array(head[..<scan])
                return
            }
            count *= 2
        } while head.count < portions.count
        self.head = head
    }

    /// Returns the problem of bytes that are still usable, and throws if the file has changed since it was opened.
    package func findDefect() throws(AdapterError) -> Message? { try portions.findDefect() }

    /// Returns the file without its coded data: the head, the end marker and the bytes after it. It has the same properties,
    /// tables and other data.
    ///
    /// A video after the image can be larger than all memory for a page. So at most `maximumTail` of these bytes are returned,
    /// with the number of those that are omitted.
    ///
    /// - Throws: errors of the source.
    package func withoutScans(maximumTail: Int = 1 << 23) throws(AdapterError) -> (file: [UInt8], omitted: Int) {
        var offset = head.count
        while offset < portions.count {
            let bytes = try portions.read(offset, min(StoredJPEG.portion, portions.count - offset))
            var place = 0
            if let end = JPEGCodec.end(of: ByteReader(bytes), from: &place) {
                let tail = portions.count - offset - end
                let kept = min(tail, maximumTail)
                return (head + JPEGCodec.end + (try portions.read(offset + end, kept)), tail - kept)
            }
            // A marker at the end of the portion is read again with the bytes after it.
            guard place > 0 else { break }
            offset += place
        }
        return (head, 0)
    }
}
