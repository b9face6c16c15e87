internal import CJPEGShims
public import PageModel

/// Encodes a JPEG row by row, with optimised Huffman tables. Belongs to one task.
public final class JPEGWriter {
    /// How much is kept of the picture.
    public enum Fidelity: Hashable, Sendable {
        /// 1 to 100, on libjpeg's scale.
        case quality(Int)
        /// The tables and sampling of another JPEG, so that nothing is lost twice.
        case like(JPEGTables)
    }

    private let handle: OpaquePointer
    private let stride: Int

    /// JPEG counts rows and columns in 16 bits; libjpeg stops a little earlier.
    public static let mostPixelsAcross = 65_500

    /// - Parameters:
    ///   - format: `.gray(bits: 8)` or `.rgb(bits: 8)`.
    ///   - isProgressive: coarse first, fine later: a little smaller, slower to make.
    ///   - isStreamed: memory stays small however long the picture is; the file becomes some percent larger.
    /// - Throws: `PictureFault`, also when the picture is too large for a JPEG.
    public init(
        size: PixelSize, format: PixelFormat, fidelity: Fidelity, isProgressive: Bool = false,
        isStreamed: Bool = false, resolution: Resolution? = nil, iccProfile: [UInt8]? = nil
    ) throws(PictureFault) {
        guard format == .gray(bits: 8) || format == .rgb(bits: 8) else {
            throw PictureFault("a JPEG holds gray or RGB of 8 bits only")
        }
        guard max(size.width, size.height) <= JPEGWriter.mostPixelsAcross else {
            throw PictureFault("a JPEG holds no more than \(JPEGWriter.mostPixelsAcross) pixels across, not \(size)")
        }
        stride = Raster.bytesPerRow(width: size.width, format: format)
        var options = cjpeg_format()
        options.width = CInt(size.width)
        options.height = CInt(size.height)
        options.components = format == .gray(bits: 8) ? 1 : 3
        options.quality = 90
        options.horizontal = 2
        options.vertical = 2
        options.progressive = isProgressive
        options.streamed = isStreamed
        if let resolution {
            options.across = CInt(max(0, min(65_535, resolution.horizontal.rounded())))
            options.down = CInt(max(0, min(65_535, resolution.vertical.rounded())))
        }
        var tables: JPEGTables?
        switch fidelity {
        case .quality(let quality): options.quality = CInt(max(1, min(100, quality)))
        case .like(let other):
            options.horizontal = CInt(other.horizontal)
            options.vertical = CInt(other.vertical)
            tables = other
        }
        var diagnostic = cjpeg_complaint()
        let profile = iccProfile ?? []
        let handle = (tables?.luma ?? []).withUnsafeBufferPointer { luma in
            (tables?.chroma ?? tables?.luma ?? []).withUnsafeBufferPointer { chroma in
                profile.withUnsafeBufferPointer { profile in
                    options.luma = luma.isEmpty ? nil : luma.baseAddress
                    options.chroma = chroma.isEmpty ? nil : chroma.baseAddress
                    options.profile = profile.isEmpty ? nil : profile.baseAddress
                    options.profile_size = profile.count
                    return cjpeg_writer_open(&options, &diagnostic)
                }
            }
        }
        guard let handle else { throw diagnostic.fault }
        self.handle = handle
    }

    deinit {
        cjpeg_writer_close(handle)
    }

    /// Takes the next rows: as many as the samples make.
    public func write(_ samples: [UInt8]) throws(PictureFault) {
        var diagnostic = cjpeg_complaint()
        guard cjpeg_writer_rows(handle, samples, stride, CInt(samples.count / stride), &diagnostic) else {
            throw diagnostic.fault
        }
    }

    /// The whole file, once all rows are there.
    public func finish() throws(PictureFault) -> [UInt8] {
        var diagnostic = cjpeg_complaint()
        var count = 0
        guard let bytes = cjpeg_writer_finish(handle, &count, &diagnostic) else { throw diagnostic.fault }
        return [UInt8](taking: bytes, count: count)
    }
}
