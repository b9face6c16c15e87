internal import CTIFF
internal import PageModel

internal import func Glibc.vsnprintf

/// A TIFF file in memory, read by libtiff. It belongs to one task.
final class TIFFInMemory {
    private let file: MemoryStream
    /// The first error that libtiff reported; if the file could be opened, the first one since then.
    ///
    /// Errors in tags before that are trivial.
    private(set) var firstError: Message?
    /// The first warning of libtiff since the file was opened.
    private(set) var firstWarning: Message?

    init(_ bytes: [UInt8]) {
        file = MemoryStream(bytes)
    }

    /// Calls `body` with libtiff's handle of the file; returns nil if libtiff refuses it.
    ///
    /// - Parameter maximumMemory: the most bytes libtiff may allocate at once.
    func withTIFF<Success, Failure>(
        maximumMemory: Int = .max, _ body: (OpaquePointer) throws(Failure) -> Success
    ) throws(Failure) -> Success? {
        guard let options = TIFFOpenOptionsAlloc() else { return nil }
        defer { TIFFOpenOptionsFree(options) }
        let me = Unmanaged.passUnretained(self).toOpaque()
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, tmsize_t(maximumMemory))
        TIFFOpenOptionsSetErrorHandlerExtR(
            options,
            { _, me, _, format, arguments in
                TIFFInMemory.from(me)?.noteError(TIFFInMemory.text(format, arguments))
                return 1
            }, me)
        TIFFOpenOptionsSetWarningHandlerExtR(
            options,
            { _, me, _, format, arguments in
                TIFFInMemory.from(me)?.noteWarning(TIFFInMemory.text(format, arguments))
                return 1
            }, me)
        // "m": the bytes are not mapped, but copied piece by piece, because Swift may move them.
        let tiff = TIFFClientOpenExt(
            "memory", "rm", me,
            { me, buffer, count in
                TIFFInMemory.from(me).map { tmsize_t($0.file.read(into: buffer, Int(count))) } ?? -1
            },
            { _, _, _ in -1 },
            { me, offset, origin in TIFFInMemory.from(me)?.seek(offset, origin) ?? .max },
            { _ in 0 },
            { me in UInt64(TIFFInMemory.from(me)?.file.count ?? 0) },
            { _, _, _ in 0 }, { _, _, _ in }, options)
        guard let tiff else { return nil }
        defer { TIFFClose(tiff) }
        firstError = nil
        firstWarning = nil
        return try body(tiff)
    }

    private func noteError(_ text: String) {
        if firstError == nil { firstError = isShortOfData(text) ? "the file ends too early" : Message(verbatim: text) }
    }

    /// Whether libtiff reports that it got fewer bytes than it requested.
    ///
    /// It counts the rows of a single read from -1, as in "Read error at scanline 4294967295; got 2860 bytes, expected 3000".
    private func isShortOfData(_ text: String) -> Bool {
        text.contains("ead error") && text.contains("; got ") && text.contains("expected")
    }

    private func noteWarning(_ text: String) {
        if firstWarning == nil { firstWarning = Message(verbatim: text) }
    }

    private static func text(_ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer?) -> String {
        guard let format, let arguments else { return "" }
        var buffer = [CChar](repeating: 0, count: 200)
        vsnprintf(&buffer, buffer.count, format, arguments)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the file from the pointer with which libtiff was opened; the file outlives the handle.
    private static func from(_ handle: thandle_t?) -> TIFFInMemory? {
        handle.map { Unmanaged<TIFFInMemory>.fromOpaque($0).takeUnretainedValue() }
    }

    private func seek(_ offset: toff_t, _ origin: CInt) -> toff_t {
        let base = [0, file.position, file.count][Int(min(max(origin, 0), 2))]
        // A malicious offset may be any number.
        let (target, overflow) = base.addingReportingOverflow(Int(Int64(bitPattern: offset)))
        _ = file.move(to: overflow ? file.count : max(0, min(file.count, target)))
        return toff_t(file.position)
    }
}

/// A TIFF file that libtiff writes into memory.
final class TIFFSink {
    private var bytes: [UInt8] = []
    private var position = 0
    /// Whether libtiff failed to write something.
    private var failed = false

    /// Calls `body` with libtiff's handle of a new file, and returns the whole file. The result is nil if `body` returns false,
    /// or libtiff reports an error.
    ///
    /// - Parameter isLarge: whether the file may grow beyond 4 GB. Not every decoder accepts that.
    func file(isLarge: Bool, _ body: (OpaquePointer) -> Bool) -> [UInt8]? {
        let options = TIFFOpenOptionsAlloc()
        defer { TIFFOpenOptionsFree(options) }
        let me = Unmanaged.passUnretained(self).toOpaque()
        TIFFOpenOptionsSetErrorHandlerExtR(
            options,
            { _, me, _, _, _ in
                if let me { Unmanaged<TIFFSink>.fromOpaque(me).takeUnretainedValue().failed = true }
                return 1
            }, me)
        TIFFOpenOptionsSetWarningHandlerExtR(options, { _, _, _, _, _ in 1 }, nil)
        // Little-endian on every machine, so that the same image is the same file.
        let tiff = TIFFClientOpenExt(
            "picture", isLarge ? "wl8" : "wl", me,
            { me, buffer, count in TIFFSink.from(me)?.read(into: buffer, count) ?? -1 },
            { me, buffer, count in TIFFSink.from(me)?.write(from: buffer, count) ?? -1 },
            { me, offset, origin in TIFFSink.from(me)?.seek(offset, origin) ?? .max },
            { _ in 0 },
            { me in UInt64(TIFFSink.from(me)?.bytes.count ?? 0) },
            { _, _, _ in 0 }, { _, _, _ in }, options)
        guard let tiff else { return nil }
        let isWritten = body(tiff) && TIFFWriteDirectory(tiff) == 1
        TIFFClose(tiff)
        return isWritten && !failed ? bytes : nil
    }

    /// Returns the sink from the pointer with which libtiff was opened; the sink outlives the handle.
    private static func from(_ handle: thandle_t?) -> TIFFSink? {
        handle.map { Unmanaged<TIFFSink>.fromOpaque($0).takeUnretainedValue() }
    }

    private func read(into buffer: UnsafeMutableRawPointer?, _ count: tmsize_t) -> tmsize_t {
        let available = max(0, min(Int(count), bytes.count - position))
        if available > 0 {
            bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(start: buffer, count: available)
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + available]))
            }
        }
        position += available
        return tmsize_t(available)
    }

    private func write(from buffer: UnsafeMutableRawPointer?, _ count: tmsize_t) -> tmsize_t {
        let source = UnsafeRawBufferPointer(start: buffer, count: Int(count))
        if position > bytes.count { bytes += [UInt8](repeating: 0, count: position - bytes.count) }
        let overlap = min(source.count, bytes.count - position)
        bytes.withUnsafeMutableBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: bytes[position..<position + overlap])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<overlap]))
        }
        bytes.append(contentsOf: source[overlap...])
        position += source.count
        return count
    }

    private func seek(_ offset: toff_t, _ origin: CInt) -> toff_t {
        let base = [0, position, bytes.count][Int(min(max(origin, 0), 2))]
        position = max(0, base + Int(Int64(bitPattern: offset)))
        return toff_t(position)
    }
}
