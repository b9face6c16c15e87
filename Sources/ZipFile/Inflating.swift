internal import CZlib
package import Files
package import PageModel

/// The part of damaged data that zlib can decompress piece by piece. libdeflate refuses such data, and libarchive does
/// not check them.
enum DamagedDeflate {
    /// Returns the beginning of inflated data, up to the damage: at most `maximumBytes` bytes.
    static func beginning(of data: [UInt8], maximumBytes: Int) -> [UInt8] {
        guard let inflating = Inflating(windowBits: -MAX_WBITS) else { return [] }
        return data.withUnsafeBytes { data in
            [UInt8](unsafeUninitializedCapacity: max(1, maximumBytes)) { buffer, filled in
                let room = UnsafeMutableBufferPointer(rebasing: buffer.prefix(maximumBytes))
                filled = inflating.run(data, into: UnsafeMutableRawBufferPointer(room)).written
            }
        }
    }
}

/// Files in gzip format (RFC 1952).
package enum Gzip {
    /// The version of zlib.
    package static var libraryVersion: String { String(cString: zlibVersion()) }

    /// Whether a file's data are damaged: a wrong checksum or length, or an incomplete stream.
    ///
    /// - Parameter maximumBytes: the maximum number of inflated bytes. Later ones are not checked.
    /// - Throws: `.unreadable`; a `CancellationError` as `.cancelled`.
    package static func isDamaged(_ file: any RandomAccess, maximumBytes: Int) throws(AdapterError) -> Bool {
        let pieceCount = 1 << 18
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceCount, alignment: 16)
        defer { output.deallocate() }
        guard let inflating = Inflating(windowBits: MAX_WBITS + 16) else { return false }
        var (offset, total, isAtEnd) = (0, 0, false)
        while offset < file.size, total < maximumBytes {
            if Task.isCancelled { throw .cancelled }
            let piece = try file.read(at: offset, upTo: pieceCount)
            if piece.isEmpty { return true }
            var used = 0
            while used < piece.count {
                let step = piece.withUnsafeBytes { piece in
                    inflating.run(UnsafeRawBufferPointer(rebasing: piece[used...]), into: output)
                }
                used += step.read
                total += step.written
                switch step.status {
                case Z_STREAM_END:
                    isAtEnd = true
                    // Another member may follow; other data are ignored.
                    let next = try file.read(at: offset + used, upTo: 2)
                    guard next == [0x1F, 0x8B] else { return false }
                    inflating.reset()
                case Z_OK: isAtEnd = false
                // More input is needed.
                case Z_BUF_ERROR: used = piece.count
                default: return true
                }
                if total >= maximumBytes { return false }
            }
            offset += used
        }
        return !isAtEnd && total < maximumBytes
    }
}

/// A stream that zlib inflates.
private final class Inflating {
    // zlib keeps the stream's address, so the stream needs its own memory.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter windowBits: the value that selects the kind of data in zlib. Nil when memory is insufficient.
    init?(windowBits: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func reset() { inflateReset(stream) }

    /// Inflates until the input ends, the buffer is full, or the data are damaged.
    func run(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (read: Int, written: Int, status: Int32) {
        let (room, available) = (UInt32(clamping: output.count), UInt32(clamping: input.count))
        // zlib only reads from it.
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?.assumingMemoryBound(
            to: UInt8.self)
        stream.pointee.avail_in = available
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = room
        let status = inflate(stream, Z_NO_FLUSH)
        return (Int(available - stream.pointee.avail_in), Int(room - stream.pointee.avail_out), status)
    }
}
