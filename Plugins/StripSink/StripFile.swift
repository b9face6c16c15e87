internal import Files
internal import Imaging
internal import PageModel
internal import PageNames

/// A target for the rows of a strip, or of a slice of it.
protocol StripTarget: AnyObject {
    /// Appends the next rows.
    func append(_ piece: StripPiece) async throws

    /// Completes the target, after all rows are appended.
    func finish() async throws
}

/// The rows of a strip on their way into a file.
enum StripPiece: Sendable {
    /// Rows that are compressed already.
    case bands([PNGBand])
    case rows(Raster)

    /// - Parameter above: the row over them in the same file, if available.
    init(_ rows: Raster, _ format: StripFormat, _ options: StripOptions, below above: [UInt8]? = nil) {
        guard options.isBanded else {
            self = .rows(rows)
            return
        }
        let stored = rows.packed(to: format.stored)
        var bands: [PNGBand] = []
        let step = max(1, StripPiece.bandBytes / stored.bytesPerRow)
        var last = stored.format == rows.format ? above : nil
        for start in stride(from: 0, to: stored.size.height, by: step) {
            let band = stored.rows(start..<min(start + step, stored.size.height))
            bands.append(PNGBand(band, below: last))
            last = Array(band.samples.suffix(stored.bytesPerRow))
        }
        self = .bands(bands)
    }

    /// The size of a band: long enough to compress well, short enough for many bands.
    private static let bandBytes = 1 << 20
}

/// One image file of a strip, written as its rows are appended.
final class StripFile: StripTarget {
    private enum Encoder {
        case png(PNGStream)
        case jpeg(JPEGWriter)
        /// WebP, whose encoder needs the whole image.
        case webp([UInt8], quality: Int?)
    }

    private var encoder: Encoder
    private let size: PixelSize
    private let format: StripFormat
    private let emit: ([UInt8]) throws(AdapterError) -> Void

    /// - Parameter emit: a function that takes the bytes of the file as they are produced.
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
                try AdapterError.imaging(as: .unwritable) { () throws(PictureFault) in
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
            try AdapterError.imaging(as: .unwritable) { () throws(PictureFault) in try writer.write(rows.samples) }
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
            try emit(try AdapterError.imaging(as: .unwritable) { () throws(PictureFault) in try writer.finish() })
        case .webp(let samples, let quality):
            let raster = Raster(
                size: size, format: format.composed, samples: samples, resolution: format.resolution,
                iccProfile: format.iccProfile)
            let webP = try AdapterError.imaging(as: .unwritable) { () throws(PictureFault) in
                try WebPEncoder.encode(raster, quality: quality)
            }
            try emit(webP)
        }
    }
}

/// The file or the folder of a strip.
final class StripOutput {
    private enum Place {
        case file(OutputFile)
        case folder(OutputFolder)
    }

    private let place: Place
    private let format: ImageEncoding

    init(_ destination: Destination, _ options: StripOptions) throws(AdapterError) {
        format = options.format
        if options.requestedLength == nil && !options.isTiled {
            place = .file(try OutputFile(at: destination))
        } else {
            let isOurs: @Sendable (String) -> Bool = options.isTiled ? TilePyramid.matches : PageFileName.matches
            place = .folder(try OutputFolder(at: destination, isOurs: isOurs))
        }
    }

    /// Adds a whole file; its name matters only in a folder.
    func add(_ bytes: [UInt8], named name: String) throws(AdapterError) {
        switch place {
        case .file(let file): try file.write(bytes)
        case .folder(let folder): try folder.add(name, bytes)
        }
    }

    /// Returns a receiver for the bytes of a slice, which go into the file, or into memory until the slice is complete.
    func receiver(slice: Int, of count: Int) -> StripReceiver {
        switch place {
        case .file(let file):
            StripReceiver(direct: { bytes throws(AdapterError) in try file.write(bytes) })
        case .folder(let folder):
            StripReceiver(whole: { [format] bytes throws(AdapterError) in
                try folder.add(StripOutput.name(slice, of: count, format), bytes)
            })
        }
    }

    func publish() throws(AdapterError) {
        switch place {
        case .file(let file): try file.publish()
        case .folder(let folder): try folder.publish()
        }
    }

    static func name(_ slice: Int, of count: Int, _ format: ImageEncoding) -> String {
        "\(FileName.number(slice + 1, of: count)).\(format.fileExtension)"
    }
}

/// A receiver that forwards the bytes of one file.
final class StripReceiver {
    private var waiting: [UInt8] = []
    private let direct: (([UInt8]) throws(AdapterError) -> Void)?
    private let whole: (([UInt8]) throws(AdapterError) -> Void)?

    init(direct: @escaping ([UInt8]) throws(AdapterError) -> Void) {
        self.direct = direct
        whole = nil
    }

    init(whole: @escaping ([UInt8]) throws(AdapterError) -> Void) {
        direct = nil
        self.whole = whole
    }

    func take(_ bytes: [UInt8]) throws(AdapterError) {
        if let direct { try direct(bytes) } else { waiting += bytes }
    }

    func finish() throws(AdapterError) {
        try whole?(waiting)
        waiting = []
    }
}
