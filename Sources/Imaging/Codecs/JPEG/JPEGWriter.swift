internal import CJPEGShims
package import PageModel

/// An encoder that writes a JPEG row by row, with optimized Huffman tables. A writer must not be used by two tasks at once.
package final class JPEGWriter {
    /// The degree to which the image is preserved.
    package enum Fidelity: Hashable, Sendable {
        /// A quality from 1 to 100 on libjpeg's scale.
        case quality(Int)
        /// The tables and sampling of another JPEG, so that nothing is lost twice.
        case like(JPEGTables)
    }

    private let handle: OpaquePointer
    private let stride: Int

    /// The most pixels that a side may have: JPEG counts them in 16 bits, and libjpeg stops a little earlier.
    package static let maximumPixelsPerSide = 65_500

    /// - Parameters:
    ///   - size: the size of the whole image.
    ///   - format: `.gray(bits: 8)` or `.rgb(bits: 8)`.
    ///   - isProgressive: whether to write several scans, coarse ones first. The file is a little smaller and slower to encode.
    ///   - isStreamed: whether to write the file as rows are added. Memory does not grow with the height then. The Huffman tables
    ///     cannot be optimized. The file is a few percent larger.
    /// - Throws: `PictureFault` for other formats, and if the image is too large for a JPEG.
    package init(
        size: PixelSize, format: PixelFormat, fidelity: Fidelity, isProgressive: Bool = false,
        isStreamed: Bool = false, resolution: Resolution? = nil, iccProfile: [UInt8]? = nil
    ) throws(PictureFault) {
        guard format == .gray(bits: 8) || format == .rgb(bits: 8) else {
            throw PictureFault("a JPEG holds gray or RGB of 8 bits only")
        }
        guard max(size.width, size.height) <= JPEGWriter.maximumPixelsPerSide else {
            throw PictureFault(
                "a JPEG holds no more than \(JPEGWriter.maximumPixelsPerSide) pixels across, not \(size)")
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
        var diagnostic = cjpeg_diagnostic()
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

    /// Encodes the next rows.
    ///
    /// - Parameter samples: any number of whole rows.
    /// - Throws: `PictureFault` if there are more rows than the image has.
    package func write(_ samples: [UInt8]) throws(PictureFault) {
        var diagnostic = cjpeg_diagnostic()
        guard cjpeg_writer_rows(handle, samples, stride, CInt(samples.count / stride), &diagnostic) else {
            throw diagnostic.fault
        }
    }

    /// Ends the file once all rows are written.
    ///
    /// - Returns: the bytes of the whole file.
    /// - Throws: `PictureFault` if rows are missing.
    package func finish() throws(PictureFault) -> [UInt8] {
        var diagnostic = cjpeg_diagnostic()
        var count = 0
        guard let bytes = cjpeg_writer_finish(handle, &count, &diagnostic) else { throw diagnostic.fault }
        return [UInt8](taking: bytes, count: count)
    }
}

extension JPEGCodec: PictureEncodingCodec {
    static let maximumPixelsPerSide = JPEGWriter.maximumPixelsPerSide

    static func loss(of raster: Raster) -> Message? {
        let losses: [Message?] = [
            raster.isOpaque ? nil : "transparent areas made white",
            raster.format.bitsPerSample == 16 ? "converted to 8 bits per sample" : nil,
        ]
        let stated = losses.compactMap(\.self)
        return stated.isEmpty ? nil : stated.joined(separator: ", ")
    }

    static func encode(_ raster: Raster, _ fidelity: PictureEncoder.Fidelity) throws(PictureFault) -> [UInt8] {
        let opaque = raster.format.hasAlpha ? raster.flattened(on: .white) : raster
        let plain = opaque.narrowed().widened(to: opaque.format.hasColor ? .rgb(bits: 8) : .gray(bits: 8))
        let kept: JPEGWriter.Fidelity =
            switch fidelity {
            case .lossless: throw PictureFault("a JPEG cannot keep every sample")
            case .quality(let quality): .quality(quality)
            case .like(let tables): .like(tables)
            }
        let writer = try JPEGWriter(
            size: plain.size, format: plain.format, fidelity: kept, resolution: plain.resolution,
            iccProfile: plain.iccProfile)
        try writer.write(plain.samples)
        return try writer.finish()
    }
}
