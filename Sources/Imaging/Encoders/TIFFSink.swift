internal import CTIFF

/// A TIFF file that libtiff writes into memory.
final class TIFFSink {
    private var bytes: [UInt8] = []
    private var position = 0
    /// Whether libtiff met something that it could not write.
    private var failed = false

    /// Calls `body` with libtiff's handle of a new file.
    ///
    /// - Parameter isLarge: whether the file may grow beyond 4 GB, which not every reader takes.
    /// - Returns: the whole file; nil when `body` says false, or libtiff complains.
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
        // Little-endian on every machine, so that the same picture is the same file.
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

    /// libtiff hands back the pointer it was opened with, which outlives the handle.
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
