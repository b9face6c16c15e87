public import CEmbedded

extension EmbeddedFile {
    /// A copy of the bytes.
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }
}
