package import Files
package import PageModel

internal import var Glibc.EINVAL
internal import var Glibc.EIO
internal import var Glibc.ENOMEM

/// Bytes that any number of tasks can read at any offset: a file, or bytes in memory.
package protocol ByteSource: Sendable {
    /// The name of the bytes in messages.
    var path: String { get }
    /// The number of bytes when the source was opened.
    var size: Int { get }

    /// Fills a buffer with the bytes from `offset`.
    ///
    /// - Returns: the number of bytes read. It is smaller than the buffer only at the end.
    /// - Throws: `.unreadable`, naming the file, for a disk error or a truncated file.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AdapterError) -> Int
}

extension ByteSource {
    /// Reads up to `count` bytes from `offset`: fewer at the end, none after it.
    ///
    /// - Throws: `.unreadable`.
    package func read(at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8] {
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

extension ReadableFile: ByteSource {}

/// A reader for a C library that records the first error: qpdf and poppler treat read errors as damage and continue.
///
/// It belongs to one thread at a time, like the library object that reads from it.
package final class ErrorRecordingReader {
    private let source: any ByteSource
    /// The first error.
    package internal(set) var fault: AdapterError?

    package init(_ source: any ByteSource) {
        self.source = source
    }

    package var size: Int { source.size }

    /// Returns bytes from the source; empty when they cannot be read.
    func bytes(at offset: Int, upTo count: Int) -> [UInt8] {
        do throws(AdapterError) {
            return try source.read(at: offset, upTo: count)
        } catch {
            fault = fault ?? error
            return []
        }
    }

    /// Reads for the library, with a reader as its context.
    ///
    /// - Returns: the number of bytes, or a negated error number.
    package static func read(
        _ context: UnsafeMutableRawPointer?, _ offset: Int64, _ target: UnsafeMutablePointer<CChar>?, _ count: Int
    ) -> Int64 {
        guard let context, let target else { return -Int64(EINVAL) }
        let reader = Unmanaged<ErrorRecordingReader>.fromOpaque(context).takeUnretainedValue()
        do throws(AdapterError) {
            let buffer = UnsafeMutableRawBufferPointer(start: target, count: count)
            return Int64(try reader.source.read(at: Int(offset), into: buffer))
        } catch {
            // The shim itself records a lack of memory, in any of its functions.
            if error == PDFFile.outOfMemory { return -Int64(ENOMEM) }
            reader.fault = reader.fault ?? error
            return -Int64(EIO)
        }
    }
}
