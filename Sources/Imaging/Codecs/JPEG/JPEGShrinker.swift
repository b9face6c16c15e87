package import PageModel

/// A decoder that scales a JPEG down while it decodes it. Its memory does not grow with the height of the image.
///
/// The decoder reduces the image by its transform (a "scaled DCT") to at least twice the target. `TextureScaler` does the rest, row
/// by row. The transform averages samples as they are stored, which darkens a screentone by up to seven levels. If the reduced
/// image has screentone, it is thus decoded again in full, in little more memory.
enum JPEGShrinker {
    /// The reductions of libjpeg that processors have fast instructions for, the largest first.
    private static let reductions = [8, 4, 2]

    /// Returns the reduction for scaling an image; nil if it would leave less than twice the target.
    static func reduction(_ size: PixelSize, to target: PixelSize) -> Int? {
        reductions.first { reduction in
            let reduced = size.reduced(by: reduction)
            return reduced.width >= 2 * target.width && reduced.height >= 2 * target.height && TextureMap.takes(reduced)
        }
    }

    /// Returns the bytes of memory for scaling an image, in addition to the target.
    static func memory(_ size: PixelSize, to target: PixelSize) -> Int {
        // An image with screentone is not reduced. libjpeg has two rows of blocks.
        TextureScaler.memory(size, to: target) + size.width * 16 * 3 * 2
    }

    /// - Throws: `PictureFault`; errors of the source.
    static func decode(_ file: StoredJPEG, to target: PixelSize, maximumPixels: Int) throws -> DecodedImage {
        guard let header = JPEGHeader(file.head), let stored = header.size,
            let reduction = reduction(stored, to: target)
        else {
            throw PictureFault("the JPEG cannot be scaled to \(target)")
        }
        try stored.check(.jpeg, maximumPixels: maximumPixels)
        var image: DecodedImage?
        for scale in [reduction, 1] where image == nil {
            let input = JPEGInput(file.portions)
            do throws(PictureFault) {
                let reader = try JPEGReader(input, scale: scale, profile: header.iccProfile)
                image = try scaled(reader, isReduced: scale > 1, to: target)
            } catch {
                throw input.error ?? error as any Error
            }
        }
        guard var image else { throw PictureFault("the JPEG cannot be scaled to \(target)") }
        image.raster.resolution = header.resolution?.scaled(from: stored, to: target)
        image.loss = header.components.count == 4 ? CMYKConverter.loss : nil
        return image
    }

    /// Returns the image at the target's size; nil if it has screentone and is reduced.
    private static func scaled(
        _ reader: JPEGReader, isReduced: Bool, to target: PixelSize
    ) throws(PictureFault) -> DecodedImage? {
        let (size, channels) = (reader.size, reader.format.colorants)
        let map = TextureMap(size)
        let scaler = TextureScaler(map, channels: channels, to: target, tone: TextureScaler.toneKernel(pitch: nil))
        var bands = BandWindow(size, reader.format)
        var samples = [UInt8](repeating: 0, count: target.area * channels)
        for band in 0..<map.down {
            bands.drop(before: band)
            while map.bands.count < scaler.bands(for: band) {
                bands.append(try reader.read(rows: min(BlockSpectrum.side, size.height - bands.end)))
                bands.withGray { map.addBand($0) }
                if isReduced, map.bands.last?.contains(where: { $0.lattice != nil }) == true { return nil }
            }
            samples.withUnsafeMutableBufferPointer { output in
                guard let start = output.baseAddress else { return }
                bands.withBand(band) { scaler.add(band: band, $0, $1, into: start) }
            }
        }
        let raster = Raster(size: target, format: reader.format, samples: samples, iccProfile: reader.iccProfile)
        return DecodedImage(raster: raster, diagnostics: reader.diagnostic.map { [$0] } ?? [])
    }
}

/// The bands of an image that are in memory.
private struct BandWindow {
    private let size: PixelSize
    private let format: PixelFormat
    /// The samples of the bands, and the first band.
    private var samples: [[UInt8]] = []
    private var first = 0
    /// The brightness of their rows.
    private var gray: [UInt8] = []
    /// The row after the last one.
    private(set) var end = 0

    init(_ size: PixelSize, _ format: PixelFormat) { (self.size, self.format) = (size, format) }

    mutating func append(_ band: [UInt8]) {
        let rows = PixelSize(width: size.width, height: band.count / (size.width * format.colorants))
        samples.append(band)
        gray += Raster(size: rows, format: format, samples: band).gray().samples
        end += rows.height
    }

    mutating func drop(before band: Int) {
        while first < band, !samples.isEmpty {
            gray.removeFirst(samples.removeFirst().count / format.colorants)
            first += 1
        }
    }

    func withGray(_ body: (GrayRows) -> Void) {
        gray.withUnsafeBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            body(GrayRows(pixels: start, width: size.width, rows: first * BlockSpectrum.side..<end))
        }
    }

    func withBand(_ band: Int, _ body: (UnsafePointer<UInt8>, GrayRows) -> Void) {
        samples[band - first].withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            withGray { body(start, $0) }
        }
    }
}

extension PictureDecoder {
    /// Returns whether a sequential JPEG is scaled while it is decoded: if libjpeg can reduce it to at least twice the target.
    package static func shrinks(_ size: PixelSize, to target: PixelSize) -> Bool {
        JPEGShrinker.reduction(size, to: target) != nil
    }

    /// Returns the bytes of memory for scaling a JPEG while it is decoded, in addition to the target.
    package static func memory(forShrinking size: PixelSize, to target: PixelSize) -> Int {
        JPEGShrinker.memory(size, to: target)
    }
}
