internal import CTIFF
internal import PageModel

/// A TIFF file made up around fax data, so that libtiff will decode it.
final class TIFFInMemory {
    private let bytes: [UInt8]
    private var position = 0
    /// Whether libtiff met data that it could not make sense of.
    private var failed = false

    init(_ decoder: FaxDecoder, _ data: [UInt8]) {
        let (compression, options): (UInt32, UInt32) =
            switch decoder.coding {
            case .group4: (4, 0)
            case .group3OneDimensional: (3, 0)
            case .group3Mixed: (3, 1)
            }
        // ImageWidth, ImageLength, BitsPerSample, Compression, PhotometricInterpretation (min is white),
        // StripOffsets, SamplesPerPixel, RowsPerStrip, StripByteCounts, T4Options.
        var fields: [(tag: UInt16, value: UInt32)] = [
            (256, UInt32(decoder.size.width)), (257, UInt32(decoder.size.height)), (258, 1), (259, compression),
            (262, 0), (273, 0), (277, 1), (278, UInt32(decoder.size.height)), (279, UInt32(data.count)),
        ]
        if compression == 3 { fields.append((292, options)) }
        let start = 8 + 2 + 12 * fields.count + 4
        var file: [UInt8] = Array("II".utf8) + UInt16(42).littleEndianBytes + UInt32(8).littleEndianBytes
        file += UInt16(fields.count).littleEndianBytes
        for (tag, value) in fields {
            let type: UInt16 = 4  // LONG
            file += tag.littleEndianBytes + type.littleEndianBytes + UInt32(1).littleEndianBytes
            file += (tag == 273 ? UInt32(start) : value).littleEndianBytes
        }
        file += UInt32(0).littleEndianBytes
        bytes = file + data
    }

    /// Calls `body` with libtiff's handle of the file; nil when libtiff refuses it or complains.
    func withTIFF<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        let options = TIFFOpenOptionsAlloc()
        defer { TIFFOpenOptionsFree(options) }
        let me = Unmanaged.passUnretained(self).toOpaque()
        TIFFOpenOptionsSetErrorHandlerExtR(
            options,
            { _, me, _, _, _ in
                if let me { Unmanaged<TIFFInMemory>.fromOpaque(me).takeUnretainedValue().failed = true }
                return 1
            }, me)
        TIFFOpenOptionsSetWarningHandlerExtR(options, { _, _, _, _, _ in 1 }, nil)
        let tiff = TIFFClientOpenExt(
            "fax", "rm", me,
            { me, buffer, count in TIFFInMemory.from(me).read(into: buffer, count) },
            { _, _, _ in -1 },
            { me, offset, origin in TIFFInMemory.from(me).seek(offset, origin) },
            { _ in 0 },
            { me in UInt64(TIFFInMemory.from(me).bytes.count) },
            { _, _, _ in 0 }, { _, _, _ in }, options)
        guard let tiff else { return nil }
        defer { TIFFClose(tiff) }
        let result = body(tiff)
        return failed ? nil : result
    }

    /// libtiff hands back the pointer it was opened with, which outlives the handle.
    private static func from(_ handle: thandle_t?) -> TIFFInMemory {
        // Cannot be: libtiff hands back what it was opened with, and that was no null pointer.
        guard let handle else { fatalError("libtiff lost its client data") }
        return Unmanaged<TIFFInMemory>.fromOpaque(handle).takeUnretainedValue()
    }

    private func read(into buffer: UnsafeMutableRawPointer?, _ count: tmsize_t) -> tmsize_t {
        let available = max(0, min(Int(count), bytes.count - position))
        bytes.withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(start: buffer, count: available)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + available]))
        }
        position += available
        return tmsize_t(available)
    }

    private func seek(_ offset: toff_t, _ origin: CInt) -> toff_t {
        let base = [0, position, bytes.count][Int(min(max(origin, 0), 2))]
        position = max(0, min(bytes.count, base + Int(Int64(bitPattern: offset))))
        return toff_t(position)
    }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] {
        (0..<bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> Self(8 * $0)) }
    }
}
