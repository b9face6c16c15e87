internal import CTIFF
internal import PageModel

/// A decoder for an image of a TIFF through libtiff, with its depth and palette.
///
/// Bilevel, gray, palette, RGB, CMYK and Lab samples are read as they are; libtiff converts YCbCr and other colors to 8-bit RGB.
/// CMYK becomes RGB as in a JPEG (`CMYKConverter`), and Lab by lcms2 (`LabConverter`).
enum TIFFDecoder {
    /// - Parameters:
    ///   - directory: the index of the image in the file, from 0.
    ///   - keepsInks: see `DecodeRequest`.
    static func decode(
        _ file: [UInt8], directory: Int = 0, maximumPixels: Int, keepsInks: Bool = false
    ) throws(PictureFault) -> DecodedImage {
        let memory = TIFFInMemory(file)
        // Four components of 16 bits; a tile may be larger than a small image.
        let maximumMemory = max(1 << 27, min(maximumPixels, 1 << 40) * 8)
        var missing: [String] = []
        let drawing = try memory.withTIFF(maximumMemory: maximumMemory) { tiff throws(PictureFault) in
            if directory != 0 {
                guard let number = tdir_t(exactly: directory), TIFFSetDirectory(tiff, number) == 1 else {
                    throw PictureFault("the TIFF has no image \(directory + 1)")
                }
            }
            let layout = TIFFLayout(tiff)
            if directory == 0 { missing = layout.missing(of: TIFFDirectory(ByteReader(file))) }
            // Both are fields of 16 bits.
            let bitsPerPixel = layout.bits * layout.samplesPerPixel
            try layout.size.check(.tiff, maximumPixels: maximumPixels, bitsPerPixel: bitsPerPixel)
            guard layout.isUnsigned else {
                throw .isUnknown(.tiff, "its samples are signed or floating-point numbers")
            }
            if keepsInks, layout.colors != .cmyk || layout.samplesPerPixel != 4 {
                throw .isUnknown(.tiff, "its colors are not CMYK alone")
            }
            if let drawing = try direct(tiff, layout, memory, keepsInks: keepsInks) { return drawing }
            if keepsInks { throw .isUnknown(.tiff, "its CMYK is stored in an unusual way") }
            return try throughLibtiff(tiff, layout, memory)
        }
        guard var drawing else {
            throw TIFFCodec.isComplete(ByteReader(file)) ? .isBroken(.tiff, memory.firstError) : .endsTooEarly(.tiff)
        }
        if let error = memory.firstError { drawing.diagnostics.append(error) }
        drawing.diagnostics += missing.map { "its \($0) cannot be read" }
        return drawing
    }

    /// Returns nil if samples of this form are not read directly.
    private static func direct(
        _ tiff: OpaquePointer, _ layout: TIFFLayout, _ memory: TIFFInMemory, keepsInks: Bool
    ) throws(PictureFault) -> DecodedImage? {
        guard let colors = layout.colors else { return nil }
        if layout.photometric == PHOTOMETRIC_YCBCR {
            _ = withVaList([JPEGCOLORMODE_RGB]) { TIFFVSetField(tiff, UInt32(TIFFTAG_JPEGCOLORMODE), $0) }
        }
        var reading = TIFFSamples(tiff, layout)
        // White, or the first color of a palette.
        let blank: UInt8 =
            switch colors {
            case .gray(zeroIsWhite: false), .rgb: 0xFF
            case .gray(zeroIsWhite: true), .palette, .cmyk, .lab: 0
            }
        guard let stored = reading.read(blank: blank) else { return nil }
        guard reading.partsRead * 2 >= reading.parts else { throw fault(memory) }
        let whole = layout.bits == layout.rasterBits ? stored : scaled(stored, layout)
        let samples = wanted(whole, layout, colors, keepsInks: keepsInks)
        let inks = PixelFormat.rgba(bits: layout.rasterBits)
        var raster = Raster(
            size: layout.size, format: keepsInks ? inks : format(layout, colors), samples: samples)
        raster.resolution = layout.resolution
        raster.iccProfile = layout.iccProfile
        switch colors {
        case .gray(zeroIsWhite: true): raster = raster.withGrayInverted()
        case .palette(let table):
            raster = layout.alpha == .none ? raster.withWholePalette() : raster.withColors(of: table)
        case .cmyk where keepsInks: break
        case .cmyk:
            let converter = try CMYKConverter(profile: layout.iccProfile, isInverted: false)
            raster = Raster(
                size: layout.size, format: .rgb(bits: 8), samples: converter.rgb(samples),
                resolution: layout.resolution)
        case .lab(let isSigned): raster = try LabConverter.rgb(raster, isSigned: isSigned)
        default: break
        }
        if layout.alpha == .associated { raster = raster.unpremultiplied() }
        return DecodedImage(
            raster: raster, diagnostics: diagnostics(of: memory, layout),
            loss: keepsInks ? nil : loss(of: colors))
    }

    private static func loss(of colors: TIFFLayout.Colors) -> Message? {
        switch colors {
        case .cmyk: CMYKConverter.loss
        case .lab: LabConverter.loss
        default: nil
        }
    }

    /// Returns the defects of fax data. libtiff only warns if they end too early or have rows of another length.
    private static func diagnostics(of memory: TIFFInMemory, _ layout: TIFFLayout) -> [Message] {
        guard (2...4).contains(layout.compression), memory.firstError == nil, let warning = memory.firstWarning else {
            return []
        }
        return [warning]
    }

    private static func format(_ layout: TIFFLayout, _ colors: TIFFLayout.Colors) -> PixelFormat {
        let hasAlpha = layout.alpha != .none
        switch colors {
        case .gray: return hasAlpha ? .grayAlpha(bits: layout.rasterBits) : .gray(bits: layout.rasterBits)
        case .rgb, .lab: return hasAlpha ? .rgba(bits: layout.rasterBits) : .rgb(bits: layout.rasterBits)
        // An index with alpha, temporarily.
        case .palette(let table):
            return hasAlpha ? .grayAlpha(bits: 8) : .palette(bits: layout.rasterBits, colors: table)
        // A pixel has as many bytes as in CMYK. The format is only temporary.
        case .cmyk: return .rgba(bits: 8)
        }
    }

    /// Returns the samples that the raster holds, out of all that are stored, in its byte order.
    private static func wanted(
        _ stored: [UInt8], _ layout: TIFFLayout, _ colors: TIFFLayout.Colors, keepsInks: Bool
    ) -> [UInt8] {
        let hasAlpha: Bool = colors.hasAlphaInRaster && layout.alpha != .none
        let count = colors.channels + (hasAlpha ? 1 : 0)
        if layout.rasterBits <= 8, count == layout.samplesPerPixel { return stored }
        let width = layout.rasterBits / 8
        // The high bytes of 16-bit CMYK are enough for 8-bit RGB.
        let takes = colors == .cmyk && !keepsInks ? 1 : width
        let total = layout.size.area * count * takes
        return [UInt8](unsafeUninitializedCapacity: total) { output, filled in
            stored.withUnsafeBufferPointer { stored in
                var index = 0
                for pixel in 0..<layout.size.area {
                    for sample in 0..<count {
                        let start = (pixel * layout.samplesPerPixel + sample) * width
                        for byte in 0..<takes {
                            output[index] = stored[start + (isLittleEndian ? width - 1 - byte : byte)]
                            index += 1
                        }
                    }
                }
            }
            filled = total
        }
    }

    /// Returns samples with an uncommon number of bits, scaled to the full range of the raster's: 16 bits in the machine's order.
    private static func scaled(_ stored: [UInt8], _ layout: TIFFLayout) -> [UInt8] {
        let row = (layout.size.width * layout.samplesPerPixel * layout.bits + 7) / 8
        let maximum = (1 << layout.bits) - 1
        let top = (1 << layout.rasterBits) - 1
        var samples: [UInt8] = []
        samples.reserveCapacity(layout.size.area * layout.samplesPerPixel * layout.rasterBits / 8)
        for y in 0..<layout.size.height {
            var (held, count, place) = (0, 0, y * row)
            for _ in 0..<layout.size.width * layout.samplesPerPixel {
                while count < layout.bits {
                    held = held << 8 | Int(stored[place])
                    count += 8
                    place += 1
                }
                count -= layout.bits
                let value = (held >> count * top + maximum / 2) / maximum
                held &= (1 << count) - 1
                if layout.rasterBits == 8 {
                    samples.append(UInt8(value))
                } else {
                    withUnsafeBytes(of: UInt16(value)) { samples.append(contentsOf: $0) }
                }
            }
        }
        return samples
    }

    private static var isLittleEndian: Bool { UInt16(1).littleEndian == 1 }

    /// Decodes the image with libtiff's own conversion to 8-bit RGB.
    private static func throughLibtiff(
        _ tiff: OpaquePointer, _ layout: TIFFLayout, _ memory: TIFFInMemory
    ) throws(PictureFault) -> DecodedImage {
        var message = [CChar](repeating: 0, count: 1024)
        guard TIFFRGBAImageOK(tiff, &message) == 1 else {
            let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .isBroken(.tiff, Message(verbatim: String(decoding: text, as: UTF8.self)))
        }
        var pixels = [UInt32](repeating: .max, count: layout.size.area)
        // With the image's own orientation as the argument, libtiff does not rotate.
        let isRead = TIFFReadRGBAImageOriented(
            tiff, UInt32(layout.size.width), UInt32(layout.size.height), &pixels, CInt(max(1, layout.orientation)), 1)
        guard isRead == 1 else { throw fault(memory) }
        let hasAlpha = layout.alpha != .none
        var samples: [UInt8] = []
        samples.reserveCapacity(pixels.count * (hasAlpha ? 4 : 3))
        for pixel in pixels {
            samples.append(UInt8(truncatingIfNeeded: pixel))
            samples.append(UInt8(truncatingIfNeeded: pixel >> 8))
            samples.append(UInt8(truncatingIfNeeded: pixel >> 16))
            if hasAlpha { samples.append(UInt8(truncatingIfNeeded: pixel >> 24)) }
        }
        let raster = Raster(
            size: layout.size, format: hasAlpha ? .rgba(bits: 8) : .rgb(bits: 8), samples: samples,
            resolution: layout.resolution,
            // The profile is for the colors as they were stored: libtiff has converted all except YCbCr.
            iccProfile: layout.photometric == PHOTOMETRIC_YCBCR ? layout.iccProfile : nil)
        // libtiff multiplies colors by their alpha, unless the file already has. As in a JPEG, the conversion of YCbCr to RGB is
        // part of decoding; that of other colors is not.
        return DecodedImage(
            raster: hasAlpha ? raster.unpremultiplied() : raster,
            loss: layout.photometric == PHOTOMETRIC_YCBCR ? nil : "converted to 8-bit RGB")
    }

    private static func fault(_ memory: TIFFInMemory) -> PictureFault {
        .isBroken(.tiff, memory.firstError)
    }
}

extension TIFFLayout.Colors {
    /// Whether the raster keeps the alpha: CMYK with alpha loses it.
    fileprivate var hasAlphaInRaster: Bool { self != .cmyk }
}

extension Raster {
    /// Returns an image of indexes with alpha as one of colors with alpha.
    fileprivate func withColors(of table: [UInt8]) -> Raster {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(4 * size.area)
        for start in stride(from: 0, to: samples.count, by: 2) {
            let entry = 3 * Int(samples[start])
            for place in entry..<entry + 3 { pixels.append(place < table.count ? table[place] : 0) }
            pixels.append(samples[start + 1])
        }
        return with(.rgba(bits: 8), pixels)
    }

    /// Returns the raster with 0 for white converted to 0 for black; alpha stays.
    fileprivate func withGrayInverted() -> Raster {
        guard case .grayAlpha(let bits) = format else { return withBitsInverted() }
        let width = bits / 8
        return with(format, samples.enumerated().map { $0.offset / width % 2 == 0 ? ~$0.element : $0.element })
    }
}
