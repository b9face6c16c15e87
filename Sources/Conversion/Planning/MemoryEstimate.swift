internal import AdapterKit
internal import Imaging
internal import PageModel

/// How much memory work on a page takes, as far as can be told before it is begun.
///
/// The factors are measured, as the largest resident size of jisui at work on one picture of 24 million pixels less what
/// it takes for a small one, and rounded up. An estimate that is too high keeps a processor idle or a page out, and one
/// that is too low takes more memory than was meant: both by as much as it is wrong, so that it need not be exact.
enum MemoryEstimate {
    /// Bytes for decoding a representation, in which its pixels are counted; and for the pixels alone.
    ///
    /// - Parameter reduction: by how much a preview is reduced each way, where the decoder does it.
    static func decoding(_ representation: Picture.Representation) -> (total: Int, pixels: Int) {
        switch representation {
        case .encoded(let picture):
            guard let size = picture.size else { return (picture.byteCount ?? 0, 0) }
            let pixels = bytes(size, Double(picture.bitsPerPixel ?? 32) / 8)
            return (sum(picture.byteCount ?? 0, pixels, working(picture, size, pixels)), pixels)
        case .sampled(let picture):
            let pixels = bytes(picture.size, Double(picture.format?.bitsPerPixel ?? 24) / 8)
            // As qpdf gives them, and copied; three drawings of what lies over them.
            return (sum(pixels, pixels, picture.patch == nil ? 0 : bytes(picture.size, 24)), pixels)
        case .drawn(let picture):
            // Cairo's 32 bits, then those of a raster.
            return (bytes(picture.size, 7), bytes(picture.size, 3))
        case .joined(let joined):
            return (bytes(joined.size, 6), bytes(joined.size, 3))
        }
    }

    /// What a decoder takes beside the pixels that it gives.
    private static func working(_ picture: EncodedPicture, _ size: PixelSize, _ pixels: Int) -> Int {
        switch picture.encoding {
        // The coefficients of a progressive JPEG, 16 bits each.
        case .jpeg: bytes(size, picture.isGray ? 2 : 4)
        case .png, .bmp, .gif: 0
        case .webp: bytes(size, 4)
        case .jpegXL: bytes(size, 12)
        // 32 bits a sample, as a tile and as a component.
        case .jpeg2000, .jpeg2000Codestream: bytes(size, Double(picture.bitsPerPixel ?? 24))
        default: pixels
        }
    }

    /// What it takes to encode pixels, beside the pixels themselves.
    static func encoding(_ size: PixelSize, pixels: Int, _ parameters: EncodingParameters?) -> Int {
        guard let parameters else { return 0 }
        // Samples of less than 8 bits are widened to that.
        let perPixel = size.area > 0 ? max(1, Double(pixels) / Double(size.area)) : 0
        switch parameters.format {
        case .jpegXL:
            let frame = PixelSize(width: size.width, height: min(size.height, JXLEncoder.rowsPerFrame(of: size)))
            // The frames as they are encoded, and the file.
            return sum(bytes(frame, parameters.isLossless ? 24 + 15 * perPixel : 42), pixels, pixels)
        case .webp: return bytes(size, parameters.isLossless ? 30 : 10)
        // A copy in other samples, or filtered, and the file.
        default: return sum(pixels, pixels)
        }
    }

    /// The bytes of so many pixels; the largest `Int` where that overflows.
    static func bytes(_ size: PixelSize, _ perPixel: Double) -> Int {
        Int(clamping: Double(size.area) * perPixel, to: 0...Int.max)
    }

    static func sum(_ terms: Int...) -> Int {
        terms.reduce(0) { sum, term in
            let (next, overflow) = sum.addingReportingOverflow(term)
            return overflow ? .max : next
        }
    }
}

extension PagePlan {
    /// The bytes that carrying out the plan takes, the result counted.
    var memory: Int {
        switch step {
        case .copy(let picture, _):
            let file = picture.byteCount ?? 0
            // To look for damage, PNGs up to a size are inflated, and GIFs decoded.
            let isLookedAt = [.png, .gif].contains(picture.encoding)
            let looking = isLookedAt ? min(128 << 20, MemoryEstimate.decoding(.encoded(picture)).pixels) : 0
            return MemoryEstimate.sum(file, isLookedAt ? file : 0, looking, patching(picture))
        case .copyDocument: return 0
        case .layTogether(let spread):
            return spread.parts.reduce(0) { MemoryEstimate.sum($0, $1.plans.map(\.memory).first ?? 0) }
        case .operate(let picture, let framing, let format):
            let file = picture.byteCount ?? 0
            // Coded data is copied from file to file; else there are coefficients of both pictures.
            let coefficients =
                framing.isUpright && format == .jpeg && !picture.isRareJPEG
                ? 0 : MemoryEstimate.bytes(framing.source, picture.isGray ? 6 : format == .jpegXL ? 18 : 12)
            return MemoryEstimate.sum(file, file, file, max(coefficients, patching(picture)))
        case .pack(let picture, let framing):
            let file = picture.byteCount ?? 0
            let coefficients = MemoryEstimate.bytes(framing.source, picture.isGray ? 6 : 18)
            return MemoryEstimate.sum(file, file, file, max(coefficients, patching(picture)))
        case .restore(let picture, _):
            return MemoryEstimate.sum(
                16 * (picture.byteCount ?? 0), picture.size.map { MemoryEstimate.bytes($0, 12) } ?? 0)
        case .render(let representation, let operations, let parameters):
            return memory(MemoryEstimate.decoding(representation), operations, parameters)
        case .join(let row):
            return MemoryEstimate.bytes(row.size, row.format == .jpegXL ? 24 : 12)
        case .compose(let composition, let operations, let parameters):
            let parts = composition.parts.compactMap { $0.representations.first?.representation }
            let decoded = parts.map(MemoryEstimate.decoding)
            let pixels = MemoryEstimate.bytes(composition.size, 3)
            // Decoded one after the other, and kept.
            let all = decoded.reduce(0) { MemoryEstimate.sum($0, $1.pixels) }
            let most = decoded.map { $0.total - $0.pixels }.max() ?? 0
            return memory((MemoryEstimate.sum(all, max(most, pixels)), pixels), operations, parameters)
        }
    }

    /// What laying something over a picture takes: three drawings of 32 bits, two of them in 24, and coefficients.
    private func patching(_ picture: EncodedPicture) -> Int {
        picture.patch == nil ? 0 : picture.size.map { MemoryEstimate.bytes($0, 24) } ?? 0
    }

    private func memory(
        _ decoding: (total: Int, pixels: Int), _ operations: PixelOperations, _ parameters: EncodingParameters?
    ) -> Int {
        let source = operations.framing.source
        var perPixel = source.area > 0 ? Double(decoding.pixels) / Double(source.area) : 0
        // Pixels that are changed have 8 bits a sample at least, and those of a palette become red, green and blue.
        if !operations.keepsPixels, perPixel <= 1 { perPixel = operations.retouches == [.gray] ? 1 : 3 }
        let result = MemoryEstimate.bytes(operations.size, perPixel)
        // While pixels are changed, there are those before, those afterwards and perhaps some on the way.
        let changing = operations.isIdle ? 0 : MemoryEstimate.sum(decoding.pixels, result)
        let encoding = MemoryEstimate.encoding(operations.size, pixels: result, parameters)
        return max(decoding.total, changing, MemoryEstimate.sum(result, encoding))
    }
}
