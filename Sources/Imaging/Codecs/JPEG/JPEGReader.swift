internal import CJPEGShims
package import PageModel

/// A decoder that reads a JPEG row by row. A reader must not be used by two tasks at once.
package final class JPEGReader {
    private let handle: OpaquePointer
    /// The bytes of the JPEG, which libjpeg borrows in each call; none if it reads an input.
    private let file: [UInt8]
    private let input: JPEGInput?
    /// The size of the decoded image at the requested scale; an EXIF orientation is not applied.
    package let size: PixelSize
    /// The format, `.gray(bits: 8)` or `.rgb(bits: 8)`. CMYK and YCCK are converted to sRGB, with the file's profile if it has
    /// one.
    package let format: PixelFormat
    /// The profile of the decoded samples; nil stands for sRGB.
    package let iccProfile: [UInt8]?
    private let converter: CMYKConverter?
    /// The first warning of libjpeg about damaged data; nil while the data is intact.
    package private(set) var diagnostic: Message?

    /// - Parameters:
    ///   - file: the bytes of the JPEG.
    ///   - scale: the divisor of the size: 1, 2, 4 or 8. Larger ones save time.
    ///   - asGray: whether to decode only the luma. This is faster again. CMYK is decoded to RGB all the same.
    /// - Throws: `PictureFault` if the file cannot be decoded.
    package convenience init(_ file: [UInt8], scale: Int = 1, asGray: Bool = false) throws(PictureFault) {
        var diagnostic = cjpeg_diagnostic()
        guard let handle = cjpeg_reader_open(file, file.count, &diagnostic) else { throw diagnostic.fault }
        try self.init(handle, of: file, nil, diagnostic, scale, asGray: asGray, profile: JPEGHeader(file)?.iccProfile)
    }

    /// Creates a reader of a JPEG that is read in portions, so that many can be decoded at once in little memory. The profile is
    /// the ICC profile in the JPEG.
    ///
    /// - Throws: `PictureFault` if the JPEG cannot be decoded; errors of the source.
    package convenience init(_ portions: FilePortions, profile: [UInt8]?) throws {
        let input = JPEGInput(portions)
        do {
            try self.init(input, profile: profile)
        } catch {
            throw input.error ?? error as any Error
        }
    }

    /// Creates a reader of an input, which contains the error if a portion cannot be read.
    convenience init(_ input: JPEGInput, scale: Int = 1, profile: [UInt8]?) throws(PictureFault) {
        var diagnostic = cjpeg_diagnostic()
        guard let handle = cjpeg_reader_open_input(input.functions, &diagnostic) else { throw diagnostic.fault }
        try self.init(handle, of: [], input, diagnostic, scale, profile: profile)
    }

    private init(
        _ handle: OpaquePointer, of file: [UInt8], _ input: JPEGInput?, _ opened: cjpeg_diagnostic, _ scale: Int,
        asGray: Bool = false, profile: [UInt8]?
    ) throws(PictureFault) {
        var diagnostic = opened
        do throws(PictureFault) {
            let stored = Int(cjpeg_reader_components(handle))
            try JPEGHeader.check(components: stored)
            let components = asGray && stored == 3 ? 1 : stored
            // Adobe's programs store the inverse of the standard's values, and mark it (ITU-T T.872 §6.5.3).
            let isInverted = cjpeg_reader_has_adobe_marker(handle)
            let converter = components == 4 ? try CMYKConverter(profile: profile, isInverted: isInverted) : nil
            var (width, height): (CInt, CInt) = (0, 0)
            guard cjpeg_reader_start(handle, file, CInt(scale), CInt(components), &width, &height, &diagnostic)
            else {
                throw diagnostic.fault
            }
            self.converter = converter
            size = PixelSize(width: Int(width), height: Int(height))
            format = components == 1 ? .gray(bits: 8) : .rgb(bits: 8)
            iccProfile = components == stored && components != 4 ? profile : nil
        } catch {
            cjpeg_reader_close(handle)
            throw error
        }
        self.handle = handle
        (self.file, self.input) = (file, input)
        note(diagnostic)
    }

    deinit {
        cjpeg_reader_close(handle)
    }

    /// Decodes the next `count` rows to samples in `format`.
    ///
    /// - Throws: `PictureFault` if the data cannot be decoded, or fewer rows are left.
    package func read(rows count: Int) throws(PictureFault) -> [UInt8] {
        let stride = converter == nil ? Raster.bytesPerRow(width: size.width, format: format) : 4 * size.width
        var diagnostic = cjpeg_diagnostic()
        var isRead = false
        let samples = [UInt8](unsafeUninitializedCapacity: stride * count) { buffer, filled in
            isRead = cjpeg_reader_rows(handle, file, buffer.baseAddress, stride, CInt(count), &diagnostic)
            filled = isRead ? stride * count : 0
        }
        guard isRead else { throw diagnostic.fault }
        note(diagnostic)
        return converter?.rgb(samples) ?? samples
    }

    /// Decodes the next rows of a JPEG that is read in portions, likewise.
    ///
    /// - Throws: as `read(rows:)`; errors of the source.
    package func readPortions(rows count: Int) throws -> [UInt8] {
        do {
            return try read(rows: count)
        } catch {
            throw input?.error ?? error as any Error
        }
    }

    private func note(_ diagnostic: cjpeg_diagnostic) {
        if self.diagnostic == nil, diagnostic.warnings > 0 { self.diagnostic = diagnostic.text }
    }
}

/// A decoder for a whole JPEG at once.
package enum JPEGDecoder {
    /// Decodes a JPEG file. A stored image of more than `maximumPixels` is refused before any allocation.
    ///
    /// - Parameter scale: the divisor of the size, 1, 2, 4 or 8. Larger ones save time.
    /// - Throws: `PictureFault` if the file cannot be decoded. Damage that libjpeg could conceal is reported in the decoded
    ///   image's diagnostics instead.
    package static func decode(_ file: [UInt8], scale: Int = 1, maximumPixels: Int) throws(PictureFault) -> DecodedImage
    {
        guard let header = JPEGHeader(file) else { throw PictureFault("the data is not a JPEG") }
        guard let stored = header.size else {
            throw JPEGCodec.isComplete(ByteReader(file))
                ? .isBroken(.jpeg, "it does not state its size") : .endsTooEarly(.jpeg)
        }
        try stored.check(.jpeg, maximumPixels: maximumPixels)
        let reader = try JPEGReader(file, scale: scale)
        let samples = try reader.read(rows: reader.size.height)
        let raster = Raster(
            size: reader.size, format: reader.format, samples: samples,
            resolution: scale == 1 ? header.resolution : nil, iccProfile: reader.iccProfile)
        return DecodedImage(
            raster: raster, diagnostics: reader.diagnostic.map { [$0] } ?? [],
            loss: header.components.count == 4 ? CMYKConverter.loss : nil)
    }
}

extension cjpeg_diagnostic {
    /// The message of libjpeg, if it has any.
    var text: Message? {
        let text = withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return text.isEmpty ? nil : Message(verbatim: text)
    }

    /// The error of a failed call.
    var fault: PictureFault {
        PictureFault(text.map { "the JPEG cannot be processed (\($0))" } ?? "the JPEG cannot be processed")
    }
}

extension [UInt8] {
    /// Takes ownership of bytes that C code allocated.
    init(taking bytes: UnsafeMutablePointer<UInt8>, count: Int) {
        self = Array(UnsafeBufferPointer(start: bytes, count: count))
        bytes.deallocate()
    }
}
