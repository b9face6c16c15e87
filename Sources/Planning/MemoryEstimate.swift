internal import Imaging
package import PageModel

/// An estimate of the memory for the work on a page, made before it begins.
///
/// The factors were measured as the maximum resident size of jisui while it processed an image of 24 million pixels. The size for
/// a small image was subtracted, and the result rounded up. An estimate that is too high leaves a processor idle or skips a page.
/// An estimate that is too low uses more memory than intended. Both effects are proportional to the error, so that the estimate
/// need not be exact.
package enum MemoryEstimate {
    /// Returns the bytes for decoding a representation, including its pixels, and the bytes for the pixels alone.
    package static func decoding(_ representation: Picture.Representation) -> (total: Int, pixels: Int) {
        switch representation {
        case .encoded(let picture):
            guard let size = picture.size else { return (picture.byteCount ?? 0, 0) }
            let pixels = bytes(size, Double(picture.bitsPerPixel ?? 32) / 8)
            let working = PictureDecoder.workingBytesPerPixel(picture).map { bytes(size, $0) } ?? pixels
            return (sum(picture.byteCount ?? 0, pixels, working), pixels)
        case .sampled(let picture):
            let pixels = bytes(picture.size, Double(picture.format?.bitsPerPixel ?? 24) / 8)
            // The pixels from qpdf, and a copy; three renderings of the overlay.
            return (sum(pixels, pixels, picture.overlay == nil ? 0 : bytes(picture.size, 24)), pixels)
        case .drawn(let picture):
            // Cairo's 32 bits a pixel, then those of a raster.
            return (bytes(picture.size, 7), bytes(picture.size, 3))
        case .joined(let joined):
            return (bytes(joined.size, 6), bytes(joined.size, 3))
        }
    }

    /// Returns the size to which an image is scaled while it is decoded; nil for its own.
    ///
    /// Only JPEGs that are not progressive are, because others need memory for all of their coefficients.
    static func decodingTarget(of representation: Picture.Representation, _ operations: PixelOperations) -> PixelSize? {
        guard case .encoded(let picture) = representation, picture.isSequentialJPEG, picture.overlay == nil,
            let size = picture.size,
            let target = operations.scaledSource, PictureDecoder.shrinks(size, to: target)
        else { return nil }
        return target
    }

    /// Returns the function that opens an image, which is scaled while it is decoded, to read it in portions. It is nil if its file is
    /// in memory then: the source cannot open it, or another process decodes it.
    static func open(_ representation: Picture.Representation) -> (@Sendable () throws(AdapterError) -> FilePortions)? {
        guard case .encoded(let picture) = representation, PictureDecoder.host?.takes(picture.encoding) != true
        else { return nil }
        return picture.open
    }

    /// Returns the memory for encoding pixels, in addition to the pixels.
    static func encoding(_ size: PixelSize, pixels: Int, _ parameters: EncodingParameters?) -> Int {
        guard let parameters else { return 0 }
        let memory = PictureEncoder.memory(
            for: parameters.format, size, bytesPerPixel: size.area > 0 ? Double(pixels) / Double(size.area) : 0,
            isLossless: parameters.isLossless)
        let held = PixelSize(width: size.width, height: min(size.height, memory.rows ?? size.height))
        let copy = memory.copiesPixels ? pixels : 0
        return sum(bytes(held, memory.bytesPerPixel), copy, copy)
    }

    /// Returns the memory for the coefficients of a JPEG that another file of a format keeps.
    static func moving(_ picture: EncodedPicture, _ size: PixelSize, as format: ImageEncoding) -> Int {
        let memory = CoefficientMemory.of(format)
        return bytes(size, picture.isGray ? memory.movingGray : memory.moving)
    }

    /// Returns the bytes of an image of a size; the largest `Int` if that overflows.
    static func bytes(_ size: PixelSize, _ perPixel: Double) -> Int {
        Int(clamping: Double(size.area) * perPixel, to: 0...Int.max)
    }

    package static func sum(_ terms: Int...) -> Int {
        terms.reduce(0) { sum, term in
            let (next, overflow) = sum.addingReportingOverflow(term)
            return overflow ? .max : next
        }
    }

    /// Returns the memory for merging an overlay into an image.
    ///
    /// These are three renderings of 32 bits, two of them in 24, and coefficients. Beside them are the coded data before
    /// and after, and the new file.
    static func patching(_ picture: EncodedPicture) -> Int {
        guard picture.overlay != nil, let size = picture.size else { return 0 }
        let file = picture.byteCount ?? 0
        return sum(bytes(size, 24), file, file, file)
    }

    /// Returns the memory for decoding a representation, changing its pixels and encoding them.
    ///
    /// - Parameter needsPixels: whether the image is decoded in full, although it could be scaled while it is decoded.
    static func changing(
        _ representation: Picture.Representation, _ operations: PixelOperations, _ parameters: EncodingParameters?,
        needsPixels: Bool
    ) -> Int {
        guard !needsPixels, let target = decodingTarget(of: representation, operations),
            case .encoded(let picture) = representation, let size = picture.size
        else {
            return changing(decoding(representation), operations, parameters, isGray: isGray(representation))
        }
        // A file that is not read in portions is held until the new one is made.
        let file = open(representation) == nil ? picture.byteCount ?? 0 : 0
        let pixels = bytes(target, Double(picture.bitsPerPixel ?? 24) / 8)
        let copies = operations.workingCopies + (operations.retouches.count > 1 ? 1 : 0)
        let perPixel = Double(4 * copies + operations.workingBytes)
        let work = max(
            PictureDecoder.memory(forShrinking: size, to: target), bytes(operations.size, perPixel),
            encoding(operations.size, pixels: pixels, parameters))
        return sum(file, pixels, work)
    }

    /// Returns the memory for decoding an image, changing its pixels and encoding them.
    static func changing(
        _ decoding: (total: Int, pixels: Int), _ operations: PixelOperations, _ parameters: EncodingParameters?,
        isGray: Bool = false
    ) -> Int {
        let result = result(of: decoding.pixels, operations, isGray: isGray)
        let changing = operations.isNoOp ? 0 : changing(decoding.pixels, operations, isGray: isGray)
        let encoding = encoding(operations.size, pixels: result, parameters)
        return max(decoding.total, changing, sum(result, encoding))
    }

    /// Returns the memory for changing an image's pixels: the old ones, the new ones and perhaps copies of them.
    ///
    /// - Parameter isGray: whether the image is known to be gray.
    static func changing(_ pixels: Int, _ operations: PixelOperations, isGray: Bool = false) -> Int {
        let result = result(of: pixels, operations, isGray: isGray)
        let isFitted = operations.retouches.contains { $0.operation?.box != nil }
        let isFittedFirst = operations.retouches.first?.operation?.box != nil
        let copy = isFittedFirst ? result : max(pixels, result)
        let copies = [Int](repeating: copy, count: operations.workingCopies).reduce(0) { sum($0, $1) }
        let source = operations.framing.source
        let perPixel = source.area > 0 ? Double(pixels) / Double(source.area) : 0
        let fitting =
            isFitted
            ? bytes(operations.framing.rect.size, Raster.bytesPerPixel(forFitting: perPixel, isGray: isGray)) : 0
        return sum(pixels, result, max(sum(copies, bytes(operations.size, Double(operations.workingBytes))), fitting))
    }

    /// Whether an image is known to be gray.
    private static func isGray(_ representation: Picture.Representation) -> Bool {
        switch representation {
        case .encoded(let picture): picture.isGray
        case .sampled(let picture): if case .gray? = picture.format { true } else { false }
        case .drawn, .joined: false
        }
    }

    /// Returns the bytes of an image's pixels after operations on it.
    private static func result(of pixels: Int, _ operations: PixelOperations, isGray: Bool) -> Int {
        let source = operations.framing.source
        var perPixel = source.area > 0 ? Double(pixels) / Double(source.area) : 0
        // Most changed pixels have at least 8 bits a sample, and those of a palette become red, green and blue.
        if !operations.keepsFormat, perPixel <= 1 { perPixel = operations.areGray(ofGray: isGray) ? 1 : 3 }
        return bytes(operations.size, perPixel)
    }
}
