public import AdapterKit
internal import CZlib

/// What zlib, which works through data piece by piece, tells of data that libdeflate refuses or libarchive does not check.
enum DamagedDeflate {
    /// The beginning of what deflated data hold, up to where they are damaged: at most `most` bytes.
    static func beginning(of data: [UInt8], most: Int) -> [UInt8] {
        guard let inflating = Inflating(windowBits: -MAX_WBITS) else { return [] }
        return data.withUnsafeBytes { data in
            [UInt8](unsafeUninitializedCapacity: max(1, most)) { buffer, filled in
                let room = UnsafeMutableBufferPointer(rebasing: buffer.prefix(most))
                filled = inflating.run(data, into: UnsafeMutableRawBufferPointer(room)).written
            }
        }
    }
}

/// Files that are compressed by gzip (RFC 1952).
public enum Gzip {
    /// Whether a file's data have another checksum or length than it says, or cannot be inflated to their end.
    ///
    /// - Parameter most: bytes that are inflated at most; what comes behind them is not looked at.
    /// - Throws: `.unreadable`; a `CancellationError` as `.cancelled`.
    public static func isDamaged(_ file: ReadableFile, most: Int) throws(AdapterError) -> Bool {
        let pieceCount = 1 << 18
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceCount, alignment: 16)
        defer { output.deallocate() }
        guard let inflating = Inflating(windowBits: MAX_WBITS + 16) else { return false }
        var (offset, total, isAtEnd) = (0, 0, false)
        while offset < file.size, total < most {
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
                    // Another member may follow; what is none is not looked at.
                    let next = try file.read(at: offset + used, upTo: 2)
                    guard next == [0x1F, 0x8B] else { return false }
                    inflating.reset()
                case Z_OK: isAtEnd = false
                // More input is needed.
                case Z_BUF_ERROR: used = piece.count
                default: return true
                }
                if total >= most { return false }
            }
            offset += used
        }
        return !isAtEnd && total < most
    }
}

/// A stream that zlib inflates.
private final class Inflating {
    // zlib keeps the stream's address: it has one of its own.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter windowBits: what tells zlib which kind of data these are. Nil when there is not enough memory.
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

    /// Inflates until the input ends, or the room, or the data are damaged.
    func run(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (read: Int, written: Int, status: Int32) {
        let (room, available) = (UInt32(clamping: output.count), UInt32(clamping: input.count))
        // zlib only reads there.
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?.assumingMemoryBound(
            to: UInt8.self)
        stream.pointee.avail_in = available
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = room
        let status = inflate(stream, Z_NO_FLUSH)
        return (Int(available - stream.pointee.avail_in), Int(room - stream.pointee.avail_out), status)
    }
}
