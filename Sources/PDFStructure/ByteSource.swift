public import AdapterKit
internal import Glibc

/// Bytes that any number of tasks can read at any offset: a file, or bytes in memory.
public protocol ByteSource: Sendable {
    /// The name of the bytes in messages.
    var path: String { get }
    /// The number of bytes when the source was opened.
    var size: Int { get }

    /// Fills a buffer with the bytes from `offset`.
    ///
    /// - Returns: how many bytes were read: fewer than the buffer holds only at the end.
    /// - Throws: `.unreadable`, naming the file, for an error of the disk and for a file that has become shorter.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AdapterError) -> Int
}

extension ByteSource {
    /// Reads up to `count` bytes from `offset`: fewer at the end, none after it.
    ///
    /// - Throws: `.unreadable`.
    public func read(at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8] {
        guard offset >= 0, offset < size, count > 0 else { return [] }
        let count = min(count, size - offset)
        var failure: AdapterError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let target = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
            do throws(AdapterError) {
                filled = try read(at: offset, into: target)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

extension ReadableFile: ByteSource {
    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AdapterError) -> Int {
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

/// Reads for qpdf, and remembers the first error: qpdf takes errors of reading for damage and carries on.
final class RememberingReader {
    private let source: any ByteSource
    /// The first error.
    var fault: AdapterError?

    init(_ source: any ByteSource) {
        self.source = source
    }

    var size: Int { source.size }

    /// Bytes as they stand in the source; none when they cannot be read.
    func bytes(at offset: Int, upTo count: Int) -> [UInt8] {
        do throws(AdapterError) {
            return try source.read(at: offset, upTo: count)
        } catch {
            fault = fault ?? error
            return []
        }
    }

    /// The function that qpdf calls (`jqpdf_reader`), with a reader as its context.
    ///
    /// - Returns: the number of bytes, or an error number with its sign changed.
    static func read(
        _ context: UnsafeMutableRawPointer?, _ offset: Int64, _ target: UnsafeMutablePointer<CChar>?, _ count: Int
    ) -> Int64 {
        guard let context, let target else { return -Int64(EINVAL) }
        let reader = Unmanaged<RememberingReader>.fromOpaque(context).takeUnretainedValue()
        do throws(AdapterError) {
            let buffer = UnsafeMutableRawBufferPointer(start: target, count: count)
            return Int64(try reader.source.read(at: Int(offset), into: buffer))
        } catch {
            // The shim notes lack of memory by itself, wherever it occurs.
            if error == PDFFile.outOfMemory { return -Int64(ENOMEM) }
            reader.fault = reader.fault ?? error
            return -Int64(EIO)
        }
    }
}
