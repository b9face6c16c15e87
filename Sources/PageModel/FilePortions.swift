/// The bytes of a file that are read in portions, so that a large file is never in memory as a whole.
///
/// A source reads them from the open file. It never maps the file: if another process made it shorter, jisui would crash.
public struct FilePortions: Sendable {
    /// The number of bytes.
    public let count: Int
    /// Returns exactly `count` bytes from an offset; the file has all of them.
    public let read: @Sendable (_ offset: Int, _ count: Int) throws(AdapterError) -> [UInt8]
    /// Returns the problem of bytes that are still usable; nil for sound ones. It may read all bytes. Called after the last
    /// portion, it also throws if the file has changed meanwhile, as far as the source can find out.
    public let findDefect: @Sendable () throws(AdapterError) -> Message?

    public init(
        count: Int, read: @escaping @Sendable (_ offset: Int, _ count: Int) throws(AdapterError) -> [UInt8],
        findDefect: @escaping @Sendable () throws(AdapterError) -> Message? = { () throws(AdapterError) in nil }
    ) {
        (self.count, self.read, self.findDefect) = (count, read, findDefect)
    }

    /// Creates the portions of bytes in memory.
    public init(
        _ bytes: [UInt8],
        findDefect: @escaping @Sendable () throws(AdapterError) -> Message? = { () throws(AdapterError) in nil }
    ) {
        count = bytes.count
        read = { offset, count throws(AdapterError) in Array(bytes[offset..<offset + count]) }
        self.findDefect = findDefect
    }
}
