package import PageModel

/// The decoder for image files of every format that jisui recognizes.
package enum PictureDecoder {
    /// Returns the image in a file, in full or as a gray preview, from the process that decodes images for this task.
    ///
    /// A full image keeps its bit depth, palette, alpha and profile. If a file has several images, the first is decoded; if it is
    /// an animation, the first frame on its canvas. An EXIF orientation is not applied (`PictureHeader.orientation` contains it).
    /// The rotations and mirrors of HEIF, AVIF and JPEG XL are applied, because they are part of the coded image. A gray preview
    /// of a JPEG costs a fraction of decoding it. The resolution is always that of the full image.
    ///
    /// - Throws: `PictureFault` if the image cannot be decoded, or most of it is lost. Its kind is `unsupported` for formats that
    ///   jisui does not know. Damage that leaves most of the image intact is reported in the decoded image's diagnostics instead.
    package static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        if let host, host.takes(request.encoding) { return try host.decode(file, request) }
        if request.target != nil, request.encoding == .jpeg {
            do {
                return try decode(StoredJPEG(FilePortions(file)), request)
            } catch {
                throw error as? PictureFault ?? .isBroken(.jpeg)
            }
        }
        guard let meaning = request.meaning else { return try whole(file, request) }
        if request.encoding == .jpeg {
            return try jpegPreview(file, meaning, request.reduction)
        }
        return try whole(file, request).reduced(by: request.reduction, as: meaning)
    }

    /// Returns a JPEG at the target of the request, read in portions.
    ///
    /// - Throws: `PictureFault`, likewise; errors of the source.
    package static func decode(_ file: StoredJPEG, _ request: DecodeRequest) throws -> DecodedImage {
        guard let target = request.target else { throw PictureFault("its size differs from its header") }
        return try JPEGShrinker.decode(file, to: target, maximumPixels: request.maximumPixels)
    }

    /// Decodes the full image in `file` according to the `DecodeRequest`.
    package static func decode(
        _ file: [UInt8], _ encoding: ImageEncoding, directory: Int = 0, maximumPixels: Int
    ) throws(PictureFault) -> DecodedImage {
        try decode(file, DecodeRequest(encoding, directory: directory, maximumPixels: maximumPixels))
    }

    private static func jpegPreview(
        _ file: [UInt8], _ meaning: SampleMeaning, _ reduction: Int
    ) throws(PictureFault) -> DecodedImage {
        let reader = try JPEGReader(file, scale: reduction, asGray: meaning == .brightness)
        let raster = Raster(
            size: reader.size, format: reader.format, samples: try reader.read(rows: reader.size.height),
            resolution: JPEGHeader(file)?.resolution)
        let image = DecodedImage(raster: raster, diagnostics: reader.diagnostic.map { [$0] } ?? [])
        return raster.format == .gray(bits: 8) ? image : image.reduced(by: 1, as: meaning)
    }

    /// Decodes a full image in this process.
    private static func whole(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        let encoding = request.encoding
        guard request.directory == 0 || encoding == .tiff else {
            throw PictureFault("the \(encoding.name) has no image \(request.directory + 1)")
        }
        guard let codec = PictureCodecs.codec(for: encoding) else {
            throw PictureFault("jisui cannot decode \(encoding.name)", kind: .unsupported)
        }
        return try codec.decode(file, request)
    }

    /// Returns the bytes a pixel that decoding an image takes in addition to the pixels; nil for as many as the pixels take.
    package static func workingBytesPerPixel(_ picture: EncodedPicture) -> Double? {
        PictureCodecs.codec(for: picture.encoding)?.decodingBytesPerPixel(picture)
    }
}

/// A decoder in another process, because a damaged or malicious image may crash a decoder or keep it busy forever.
package protocol DecodingHost: Sendable {
    /// Whether images of a format are decoded there.
    func takes(_ encoding: ImageEncoding) -> Bool

    /// - Throws: `PictureFault`, as decoding in this process would. Its kind is `damaged` if the other process ended, and
    ///   `tooLarge` if it took too long.
    func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage
}

extension PictureDecoder {
    /// The host that decodes images for this task; nil to decode them in this process.
    @TaskLocal package static var host: (any DecodingHost)?
}
