import AdapterKit
import Imaging
import PageModel
import Scratch

/// A page of chance, and what is to be seen of it.
struct SyntheticPage: Sendable {
    enum Kind: Hashable, Sendable {
        case png(PixelFormat)
        case jpeg(isGray: Bool, isProgressive: Bool, exif: Int)

        static let all: [Kind] =
            [1, 2, 4, 8, 16].map { .png(.gray(bits: $0)) } + [8, 16].map { .png(.rgb(bits: $0)) }
            + [1, 2, 4, 8].map { bits in
                .png(.palette(bits: bits, colors: (0..<3 << bits).map { UInt8(truncatingIfNeeded: $0 &* 37) }))
            }
            + [8, 16].flatMap { [.png(.grayAlpha(bits: $0)), .png(.rgba(bits: $0))] }
            + [false, true].flatMap { isGray in
                [false, true].flatMap { isProgressive in
                    [1, 1, 2, 3, 4, 5, 6, 7, 8].map { .jpeg(isGray: isGray, isProgressive: isProgressive, exif: $0) }
                }
            }
    }

    let kind: Kind
    let encoding: ImageEncoding
    let bytes: [UInt8]
    /// The picture as it is stored.
    let raster: Raster

    /// - Parameter size: as it is stored.
    init(_ kind: Kind, _ size: PixelSize, using random: inout SplitMix) throws {
        switch kind {
        case .png(let format):
            let row = Raster.bytesPerRow(width: size.width, format: format)
            let noise = (0..<row * size.height).map { _ in UInt8.random(in: 0...255, using: &random) }
            self.init(png: Raster(size: size, format: format, samples: noise))
        case .jpeg(let isGray, let isProgressive, let exif):
            let format = isGray ? PixelFormat.gray(bits: 8) : .rgb(bits: 8)
            let noise = (0..<size.area * format.bitsPerPixel / 8).map { _ in UInt8.random(in: 0...255, using: &random) }
            try self.init(
                jpeg: Raster(size: size, format: format, samples: noise), isProgressive: isProgressive, exif: exif)
        }
    }

    init(png raster: Raster) {
        kind = .png(raster.format)
        encoding = .png
        bytes = PNGWriter.encode(raster)
        self.raster = raster
    }

    /// - Parameter fidelity: the same tables for pages that are to go together.
    init(
        jpeg raster: Raster, fidelity: JPEGWriter.Fidelity = .quality(80), isProgressive: Bool = false, exif: Int = 1,
        resolution: Resolution? = nil
    ) throws {
        let writer = try JPEGWriter(
            size: raster.size, format: raster.format, fidelity: fidelity, isProgressive: isProgressive,
            resolution: resolution)
        try writer.write(raster.samples)
        var file = try writer.finish()
        if exif > 1 {
            let tiff = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(exif), 0, 0]
            file.insert(contentsOf: [0xFF, 0xE1, 0, 34] + Array("Exif\0\0".utf8) + tiff + [0, 0, 0, 0], at: 20)
        }
        try self.init(file)
    }

    /// A JPEG file.
    init(_ file: [UInt8]) throws {
        let header = JPEGHeader(file)
        kind = .jpeg(
            isGray: header?.components.count == 1, isProgressive: header?.frame == .progressive,
            exif: header?.exifOrientation ?? 1)
        encoding = .jpeg
        bytes = file
        raster = try JPEGDecoder.decode(file, maximumPixels: 1 << 20).raster
    }

    /// What is to be seen.
    func pixels(on background: RGB) -> Pixels {
        let pixels = Pixels(raster, on: background)
        if case .jpeg(_, _, let exif) = kind { return pixels.turned(exif: exif) }
        return pixels
    }

    func finished(_ number: Int) -> FinishedPage {
        struct Never: Error {}
        let page = Page(id: number, name: "page \(number)") { throw Never() }
        return FinishedPage(number: number, page: page, encoding: encoding, size: raster.size, bytes: bytes)
    }
}
