package import CEmbedded

extension EmbeddedFile {
    /// A copy of the bytes.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }
}
