internal import CDeflate
package import PageModel

/// An encoder that writes rasters as PNG (ISO/IEC 15948), with their bit depth and palette.
package enum PNGWriter {
    /// Encodes a raster as a PNG with exactly its samples.
    ///
    /// Equal images give equal bytes: padding bits at the end of a row are written as 0. The resolution becomes a pHYs chunk, the
    /// ICC profile an iCCP chunk.
    ///
    /// - Returns: the bytes of a file.
    package static func encode(_ raster: Raster) -> [UInt8] {
        var file = head(
            size: raster.size, format: raster.format, resolution: raster.resolution, iccProfile: raster.iccProfile)
        let filtering = PNGFiltering(for: raster)
        file.appendChunk(
            "IDAT",
            PNGFilter.filtered(raster, plainly: filtering.isPlain).withUnsafeBytes {
                Deflate.compressed($0, .zlib, level: filtering.deflateLevel)
            })
        file.appendChunk("IEND", [])
        return file
    }

    /// Returns the bytes before the samples.
    static func head(
        size: PixelSize, format: PixelFormat, resolution: Resolution?, iccProfile: [UInt8]?
    ) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file.appendChunk("IHDR", header(size, format))
        if let iccProfile {
            let packed = iccProfile.withUnsafeBytes { Deflate.compressed($0, .zlib, level: 9) }
            file.appendChunk("iCCP", Array("ICC profile".utf8) + [0, 0] + packed)
        }
        if let resolution {
            let perMetre = [resolution.horizontal, resolution.vertical].map { ($0 / 0.0254).rounded() }
            if perMetre.allSatisfy({ $0 >= 1 && $0 < 4e9 }) {
                file.appendChunk("pHYs", perMetre.flatMap { UInt32($0).bigEndianBytes } + [1])
            }
        }
        if case .palette(_, let colors) = format { file.appendChunk("PLTE", colors) }
        return file
    }

    private static func header(_ size: PixelSize, _ format: PixelFormat) -> [UInt8] {
        let colorType: UInt8 =
            switch format {
            case .gray: 0
            case .rgb: 2
            case .palette: 3
            case .grayAlpha: 4
            case .rgba: 6
            }
        return UInt32(size.width).bigEndianBytes + UInt32(size.height).bigEndianBytes
            + [UInt8(format.bitsPerSample), colorType, 0, 0, 0]
    }
}

extension UInt32 {
    var bigEndianBytes: [UInt8] {
        [
            UInt8(truncatingIfNeeded: self >> 24), UInt8(truncatingIfNeeded: self >> 16),
            UInt8(truncatingIfNeeded: self >> 8), UInt8(truncatingIfNeeded: self),
        ]
    }
}

extension [UInt8] {
    /// Appends a PNG chunk: length, type, data, CRC of type and data.
    mutating func appendChunk(_ type: String, _ data: [UInt8]) {
        append(contentsOf: UInt32(data.count).bigEndianBytes)
        let start = count
        append(contentsOf: type.utf8)
        append(contentsOf: data)
        let checksum = self[start...].withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
        append(contentsOf: checksum.bigEndianBytes)
    }
}

/// A PNG (ISO/IEC 15948) written band by band, as its rows are produced.
package struct PNGStream: Sendable {
    private var joiner = ZlibJoiner()

    /// The first bytes of the file, before all bands.
    package let head: [UInt8]

    /// The longest side a PNG can have (ISO/IEC 15948, 11.2.2).
    package static let maximumPixelsPerSide = Int(Int32.max)

    /// - Parameter size: the size of the whole image; the heights of the bands must add up to its height.
    package init(size: PixelSize, format: PixelFormat, resolution: Resolution? = nil, iccProfile: [UInt8]? = nil) {
        head = PNGWriter.head(size: size, format: format, resolution: resolution, iccProfile: iccProfile)
    }

    /// Returns the bytes that the next band adds to the file.
    package mutating func append(_ band: PNGBand) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendChunk("IDAT", joiner.append(band.piece))
        return bytes
    }

    /// Returns the last bytes of the file.
    package mutating func finish() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendChunk("IDAT", joiner.finish())
        bytes.appendChunk("IEND", [])
        return bytes
    }
}

/// Some rows of a long PNG, filtered and compressed separately, so that bands can be made in parallel.
package struct PNGBand: Sendable {
    let piece: DeflatePiece

    /// - Parameters:
    ///   - rows: whole rows of the image.
    ///   - above: the samples of the row above them, if available. They make the first row smaller.
    package init(_ rows: Raster, below above: [UInt8]? = nil) {
        let filtering = PNGFiltering(for: rows)
        let filtered = PNGFilter.filtered(
            rows, plainly: filtering.isPlain, above: above.map { .row($0) } ?? .unknown)
        piece = DeflatePiece(filtered, level: filtering.deflateLevel)
    }
}

extension PNGCodec: PictureEncodingCodec {
    static func encode(_ raster: Raster, _ fidelity: PictureEncoder.Fidelity) throws(PictureFault) -> [UInt8] {
        PNGWriter.encode(raster)
    }
}
