internal import AdapterKit
internal import Glibc

/// Bytes that can be read at any offset, by any number of tasks at once: a file, or what stands for one in a test.
protocol ByteSource: Sendable {
    /// What names the bytes in messages.
    var path: String { get }
    /// The number of bytes there were when the source was opened.
    var size: Int { get }

    /// Fills a buffer with the bytes from `offset`, and returns how many there were: fewer only at the end.
    ///
    /// - Throws: `.unreadable`, naming the file, also when it has become shorter.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AdapterError) -> Int
}

extension ByteSource {
    /// Up to `count` bytes from `offset`: fewer at the end, none past it.
    ///
    /// - Throws: `.unreadable`.
    func read(at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8] {
        guard offset >= 0, offset < size, count > 0 else { return [] }
        let count = min(count, size - offset)
        var failure: AdapterError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(AdapterError) {
                filled = try read(
                    at: offset,
                    into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

extension ReadableFile: ByteSource {
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AdapterError) -> Int {
        let count = min(buffer.count, max(0, size - offset))
        var filled = 0
        while filled < count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<count])
            let got = withDescriptor { pread($0, rest.baseAddress, rest.count, off_t(offset + filled)) }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw .system(.unreadable, "the file cannot be read", file: path) }
            guard got > 0 else {
                throw AdapterError(.unreadable, "the file has become shorter while it was read", file: path)
            }
            filled += got
        }
        return filled
    }
}
