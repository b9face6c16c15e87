internal import CLinux
internal import Dispatch
internal import Glibc
internal import PageModel
internal import Synchronization

/// An open file descriptor that closes itself, with reads and writes that are never partial.
package struct Descriptor: ~Copyable {
    package let number: CInt

    /// Makes a system call that returns a descriptor. A call that a signal interrupted, as happens on slow file
    /// systems, is repeated.
    ///
    /// - Returns: nil with `errno` set on failure.
    init?(_ call: @autoclosure () -> CInt) {
        let number = Descriptor.uninterrupted(call)
        guard number >= 0 else { return nil }
        self.number = number
    }

    /// Takes over an open descriptor.
    package init(adopting number: CInt) {
        self.number = number
    }

    deinit {
        close(number)
    }

    private static func uninterrupted(_ call: () -> CInt) -> CInt {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Reads up to `count` bytes from `offset`: fewer only at the end of the file; nil with `errno` set on failure.
    package func read(at offset: Int, upTo count: Int) -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Descriptor.roundedCapacity(count)) { buffer, filled in
            let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
            let got = read(at: offset, into: room)
            failed = got == nil
            filled = got ?? 0
        }
        return failed ? nil : bytes
    }

    /// Fills a buffer with the bytes from `offset`.
    ///
    /// A disk error may be temporary, as with a loose cable or an unstable network. A failed read is therefore tried
    /// again.
    ///
    /// - Returns: the number of bytes read; nil with `errno` set on failure. Only the end of the file leaves the buffer
    ///   unfilled.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var filled = 0
        var hasFailed = false
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let got = pread(number, rest.baseAddress, rest.count, off_t(offset + filled))
            if got < 0 && errno == EINTR { continue }
            if got < 0 && !hasFailed {
                hasFailed = true
                continue
            }
            if got < 0 { return nil }
            if got == 0 { break }
            filled += got
        }
        return filled
    }

    /// Returns the capacity for `count` bytes. Large capacities are powers of two, so that pages of similar sizes can
    /// reuse the memory. Bytes that are never written occupy no memory.
    private static func roundedCapacity(_ count: Int) -> Int {
        let small = 1 << 14
        guard count > small else { return count }
        return 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    }

    /// Writes all of `bytes` at the file's own position; false with `errno` set on failure.
    package func write(_ bytes: [UInt8]) -> Bool {
        Descriptor.write(bytes, to: number)
    }

    /// Writes all of `bytes` at the own position of an open file; false with `errno` set on failure.
    static func write(_ bytes: [UInt8], to number: CInt) -> Bool {
        bytes.withUnsafeBytes { write($0, to: number, at: nil) }
    }

    /// Writes all of `chunks` in order at the own position of an open file; false with `errno` set on failure.
    static func write(_ chunks: ArraySlice<[UInt8]>, to number: CInt) -> Bool {
        let total = chunks.reduce(0) { $0 + $1.count }
        let written = withVectors(chunks) { writev(number, $0.baseAddress, CInt($0.count)) }
        if written == total { return true }
        // Rare: a signal interrupted the write, or the disk is full. Each remaining chunk is then written separately.
        var done = max(0, written)
        for chunk in chunks {
            let skipped = min(done, chunk.count)
            done -= skipped
            let isWritten = chunk.withUnsafeBytes { bytes in
                write(UnsafeRawBufferPointer(rebasing: bytes[skipped...]), to: number, at: nil)
            }
            guard isWritten else { return false }
        }
        return true
    }

    private static func withVectors<Result>(
        _ chunks: ArraySlice<[UInt8]>, _ vectors: [iovec] = [], _ body: (UnsafeBufferPointer<iovec>) -> Result
    ) -> Result {
        guard let first = chunks.first else { return vectors.withUnsafeBufferPointer(body) }
        return first.withUnsafeBytes { bytes in
            let vector = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
            return withVectors(chunks.dropFirst(), vectors + [vector], body)
        }
    }

    /// Writes all of `bytes` at `offset`; false with `errno` set on failure.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        Descriptor.write(bytes, to: number, at: offset)
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to number: CInt, at offset: Int?) -> Bool {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count =
                if let offset {
                    pwrite(number, rest.baseAddress, rest.count, off_t(offset + written))
                } else {
                    Glibc.write(number, rest.baseAddress, rest.count)
                }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN && waitForRoom(in: number) { continue }
            if count <= 0 { return false }
            written += count
        }
        return true
    }

    /// Waits until a pipe accepts more data. Other users of the pipe may have made it non-blocking.
    private static func waitForRoom(in number: CInt) -> Bool {
        var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&waiting, 1, -1) > 0 || errno == EINTR
    }

    /// Returns another number for the same open file, which the caller closes; nil with `errno` set on failure.
    func copy() -> CInt? {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    /// Flushes the file's data and size to the disk; false with `errno` set on failure.
    func synchronize() -> Bool {
        Descriptor.uninterrupted { fsync(number) } == 0
    }

    /// Flushes all pending data of this file's file system to the disk; false with `errno` set on failure.
    func synchronizeAll() -> Bool {
        Descriptor.uninterrupted { linux_syncfs(number) } == 0
    }
}

/// Writes in the background, in parallel with the work that produces the data.
///
/// Copying an untouched page's bytes to the kernel takes longer than any other step of its conversion.
final class BackgroundWriter: Sendable {
    private let queue: DispatchQueue
    /// The limit on pending writes, which are kept in memory: only a few pages may wait.
    private let room: DispatchSemaphore
    private let group = DispatchGroup()
    private let failure = Mutex<AdapterError?>(nil)

    /// - Parameter inOrder: whether the writes run in sequence; otherwise two run at once.
    init(inOrder: Bool) {
        queue = DispatchQueue(label: "jisui.writer", attributes: inOrder ? [] : .concurrent)
        room = DispatchSemaphore(value: 2)
    }

    /// Begins a write; waits while too many are pending.
    ///
    /// - Parameter body: writes, and returns its error.
    /// - Throws: the error of an earlier write.
    func perform(_ body: @escaping @Sendable () -> AdapterError?) throws(AdapterError) {
        try check()
        room.wait()
        queue.async(group: group) {
            // After a failure, further writes are useless.
            if self.failure.withLock({ $0 }) == nil, let error = body() {
                self.failure.withLock { $0 = $0 ?? error }
            }
            self.room.signal()
        }
    }

    /// Waits until everything is written.
    ///
    /// - Throws: the error of a write.
    func finish() throws(AdapterError) {
        group.wait()
        try check()
    }

    private func check() throws(AdapterError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
