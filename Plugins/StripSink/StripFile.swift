internal import AdapterKit
internal import Imaging
internal import PageModel

/// One picture file of a strip, written as its rows come.
final class StripFile: StripTarget {
    private enum Encoder {
        case png(PNGStream)
        case jpeg(JPEGWriter)
        /// WebP sees the picture whole.
        case webp([UInt8], quality: Int?)
    }

    private var encoder: Encoder
    private let size: PixelSize
    private let format: StripFormat
    private let emit: ([UInt8]) throws(AdapterError) -> Void

    /// - Parameter emit: takes the bytes of the file as they come.
    init(
        _ size: PixelSize, _ format: StripFormat, _ options: StripOptions, fidelity: JPEGWriter.Fidelity,
        emit: @escaping ([UInt8]) throws(AdapterError) -> Void
    ) throws(AdapterError) {
        self.size = size
        self.format = format
        self.emit = emit
        switch options.format {
        case .jpeg:
            encoder = .jpeg(
                try StripFile.naming { () throws(PictureFault) in
                    try JPEGWriter(
                        size: size, format: format.composed, fidelity: fidelity, isStreamed: true,
                        resolution: format.resolution, iccProfile: format.iccProfile)
                })
        case .webp:
            encoder = .webp([], quality: options.keepsPixels ? nil : options.quality)
        default:
            let stream = PNGStream(
                size: size, format: format.stored, resolution: format.resolution, iccProfile: format.iccProfile)
            try emit(stream.head)
            encoder = .png(stream)
        }
    }

    func append(_ piece: StripPiece) throws(AdapterError) {
        switch (encoder, piece) {
        case (.png(var stream), .bands(let bands)):
            for band in bands { try emit(stream.append(band)) }
            encoder = .png(stream)
        case (.jpeg(let writer), .rows(let rows)):
            try StripFile.naming { () throws(PictureFault) in try writer.write(rows.samples) }
        case (.webp(var samples, let quality), .rows(let rows)):
            encoder = .webp([], quality: quality)
            samples += rows.samples
            encoder = .webp(samples, quality: quality)
        default:
            preconditionFailure("pieces are made for the format of the file")
        }
    }

    func finish() throws(AdapterError) {
        switch encoder {
        case .png(var stream):
            try emit(stream.finish())
        case .jpeg(let writer):
            try emit(try StripFile.naming { () throws(PictureFault) in try writer.finish() })
        case .webp(let samples, let quality):
            let raster = Raster(
                size: size, format: format.composed, samples: samples, resolution: format.resolution,
                iccProfile: format.iccProfile)
            try emit(
                try StripFile.naming { () throws(PictureFault) in try WebPEncoder.encode(raster, quality: quality) })
        }
    }

    private static func naming<Value>(
        _ body: () throws(PictureFault) -> Value
    ) throws(AdapterError) -> Value {
        do {
            return try body()
        } catch {
            throw AdapterError(.unwritable, error.message)
        }
    }
}
