internal import CDeflate
internal import PageModel

@testable import Imaging

extension FuzzTarget {
    private static let endings = ["jpg", "png", "gif", "webp", "tif", "bmp", "avif", "heif", "jxl", "jp2", "j2k"]

    /// What is told of a picture without decoding it: headers, chunks, boxes, EXIF data.
    static let pictureHeaders = FuzzTarget(name: "picture-headers", endings: endings) { input in
        guard let header = PictureHeader(input) else { return }
        require(header.size.map { $0.width > 0 && $0.height > 0 } ?? true, "a size has pixels")
        require(PictureCount.pictures(in: input) > 0, "an image is one")
        use((header, PictureCheck.defect(in: input, header.encoding), JPEGHeader(input)))
    }

    /// Decoding, where the libraries are sturdy enough to be fed anything: HEIF and JPEG XL are left to their makers.
    static let pictures = FuzzTarget(name: "pictures", endings: ["jpg", "png", "gif", "webp", "jp2", "j2k"]) { input in
        decode(input, [.jpeg, .png, .gif, .webp, .jpeg2000, .jpeg2000Codestream])
    }

    /// The tags of a TIFF and its samples, in every layout.
    static let tiff = FuzzTarget(name: "tiff", endings: ["tif"]) { input in
        decode(input, [.tiff])
        guard let directory = TIFFDirectory(ByteReader(input)) else { return }
        for number in 250..<350 { use(directory.integers(TIFFDirectory.Tag(number: number))) }
        use(directory.fraction(.xResolution))
        guard let inks = try? InkPicture(tiff: input, maximumPixels: 1 << 16) else { return }
        require(inks.samples.count == inks.size.area * inks.bits / 2, "every sample of four inks is there")
    }

    /// BMP in all its versions.
    static let bmp = FuzzTarget(name: "bmp", endings: ["bmp"]) { decode($0, [.bmp]) }

    private static func decode(_ input: [UInt8], _ encodings: [ImageEncoding]) {
        guard let header = PictureHeader(input), encodings.contains(header.encoding) else { return }
        guard let image = try? PictureDecoder.decode(input, header.encoding, maximumPixels: 1 << 16) else { return }
        let size = image.raster.size
        require(size.area > 0 && size.area <= 1 << 16, "no more is decoded than is allowed")
        require(
            header.size == nil || header.size == size, "an image is as large as its header says: \(header), \(size)")
        require(image.raster.samples.count == image.raster.bytesPerRow * size.height, "every sample is there")
        // What a palette does not hold must not be looked up.
        use(image.raster.widened().samples.count)
        use(image.raster.reducedToGray(by: 2, .ink).samples.count)
    }

    /// Fax data without a file around it.
    static let fax = FuzzTarget(name: "fax", maximumBytes: 256) { input in
        var choices = Choices(input)
        let coding: [FaxDecoder.Coding] = [.group4, .group3OneDimensional, .group3Mixed]
        let size = PixelSize(width: choices.number(1...300), height: choices.number(1...300))
        let decoder = FaxDecoder(coding: coding[choices.number(0...2)], size: size)
        guard let samples = decoder.decode(choices.rest) else { return }
        require(samples.count == (size.width + 7) / 8 * size.height, "every row is there")
    }

    /// Color profiles, and pictures that have them.
    static let profile = FuzzTarget(name: "profile", endings: ["icc"], maximumBytes: 8192) { input in
        let profile = ICCProfile(input)
        use((try? profile.changesColors(ofGray: true), try? profile.changesColors(ofGray: false)))
        for format in [PixelFormat.gray(bits: 8), .rgb(bits: 8), .rgba(bits: 16)] {
            let size = PixelSize(width: 3, height: 2)
            let samples = (0..<Raster.bytesPerRow(width: 3, format: format) * 2).map { UInt8($0 * 20 & 255) }
            let raster = Raster(size: size, format: format, samples: samples, iccProfile: input)
            guard let result = try? raster.inSRGB() else { continue }
            require(result.size == size && result.iccProfile == nil, "an image in sRGB is as large, without a profile")
        }
        use((try? CMYKConverter(profile: input, isInverted: false))?.rgb([1, 2, 3, 4]) ?? [])
    }

    /// The walk through a deflate stream, and streams put together by it.
    static let deflateSeam = FuzzTarget(name: "deflate-seam", inputs: ["aaaaaaaabbbb", "jisui"], maximumBytes: 2048) {
        input in
        use(DeflateSeam.lastBlock(of: input))
        var choices = Choices(input)
        let level = choices.number(0...12)
        let cut = choices.number(0...2048) % (choices.rest.count + 1)
        let parts = [Array(choices.rest[..<cut]), Array(choices.rest[cut...])]
        var joiner = ZlibJoiner()
        let stream = parts.flatMap { joiner.append(DeflatePiece($0, level: level)) } + joiner.finish()
        require(inflated(stream, choices.rest.count) == choices.rest, "what is put together is what it was")
    }

    private static func inflated(_ stream: [UInt8], _ count: Int) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        var bytes = [UInt8](repeating: 0, count: count + 1)
        var filled = 0
        let result = libdeflate_zlib_decompress(decompressor, stream, stream.count, &bytes, bytes.count, &filled)
        return result == LIBDEFLATE_SUCCESS ? Array(bytes[..<filled]) : nil
    }
}
