internal import Glibc

/// An open file descriptor that closes itself, with reads and writes that never stop half-way.
struct Descriptor: ~Copyable {
    let number: CInt

    /// - Returns: nil with `errno` set when `number`, fresh from a system call, says it failed.
    init?(_ number: CInt) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Reads up to `count` bytes from `offset`: fewer only at the end of the file; nil with `errno` set on failure.
    func read(at offset: Int, upTo count: Int) -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let got = pread(number, rest.baseAddress, rest.count, off_t(offset + filled))
                if got < 0 && errno == EINTR { continue }
                failed = got < 0
                if got <= 0 { return }
                filled += got
            }
        }
        return failed ? nil : bytes
    }

    /// Writes all of `bytes` at the file's own position; false with `errno` set on failure.
    func write(_ bytes: [UInt8]) -> Bool {
        Descriptor.write(bytes, to: number)
    }

    /// Writes all of `bytes` at the own position of an open file; false with `errno` set on failure.
    static func write(_ bytes: [UInt8], to number: CInt) -> Bool {
        bytes.withUnsafeBytes { write($0, to: number, at: nil) }
    }

    /// Writes all of `bytes` at `offset`; false with `errno` set on failure.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
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
            if count <= 0 { return false }
            written += count
        }
        return true
    }

    /// Has the file's data and size reach the disk; false with `errno` set on failure.
    func synchronise() -> Bool {
        fsync(number) == 0
    }
}
