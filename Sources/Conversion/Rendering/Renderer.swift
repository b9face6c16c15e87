internal import AdapterKit
internal import Imaging
internal import PageModel

/// Makes pixels of a page's picture: the one place that knows how each representation is decoded.
struct Renderer: Sendable {
    let limits: Limits
    /// Learns what pixels there were before anything is done to them; nil where nobody asks.
    var digester: PageDigester?

    /// The renderer for a part of the page, as which its pixels are noted.
    func of(part name: String) -> Renderer {
        var copy = self
        copy.digester?.name = name
        return copy
    }

    /// What became of a picture, and what it was decoded from.
    struct Rendered: Sendable {
        var image: DecodedImage
        /// The bytes of the picture file; nil where the source has no such file.
        var file: [UInt8]?
        /// How many pictures the file holds; `image` is the first of them.
        var pictureCount = 1
    }

    /// The picture with all its pixel operations done, as large as they leave it.
    ///
    /// - Parameters:
    ///   - keepsProfile: whether samples that are not changed keep the colour profile they refer to. Changed samples
    ///     always come in sRGB.
    ///   - mustBeSole: whether a file of several pictures is refused, since only the first would be kept.
    /// - Throws: `.tooLarge`, `.damaged`, `.unsupported`; what the source throws.
    func render(
        _ representation: Picture.Representation, _ operations: PixelOperations, keepsProfile: Bool,
        mustBeSole: Bool = false
    ) async throws -> Rendered {
        try check(operations.framing.source, isDrawn: representation.isDrawn)
        var operations = operations
        var rendered: Rendered
        switch representation {
        case .encoded(let picture):
            let file = try await picture.read()
            let count = PictureCount.pictures(in: file)
            if mustBeSole && count > 1 { throw AdapterError(.unsupported, "it holds \(count) pictures") }
            // Some formats state their orientation only at their end.
            guard let oriented = operations.oriented(PictureHeader(file)?.orientation ?? .upright) else {
                throw PictureFault("nothing would be left of it")
            }
            operations = oriented
            let request = DecodeRequest(picture.encoding, mostPixels: limits.pixels)
            rendered = Rendered(
                image: try PictureDecoder.decode(file, request), file: file, pictureCount: count)
        case .sampled(let picture):
            rendered = Rendered(image: try await picture.read())
        case .drawn(let picture):
            rendered = Rendered(image: try await picture.draw())
            rendered.image.raster = rendered.image.raster.withoutNeedlessColor()
            if case .jpeg(let read) = picture.likeness { rendered.file = try await read() }
        case .joined:
            throw AdapterError(.unsupported, "joined pages are not joined again")
        }
        digester?.note(rendered.image.raster)
        if !keepsProfile || !operations.keepsPixels {
            rendered.image.raster = try rendered.image.raster.withoutProfile()
        }
        rendered.image.raster = try operations.apply(to: rendered.image.raster)
        return rendered
    }

    /// The stored picture in gray, reduced so that its shorter side keeps at least `pixels`.
    ///
    /// - Returns: the preview, by how much it is reduced each way, the size of the stored picture, and its orientation.
    /// - Throws: `.tooLarge`, `.damaged`, `.unsupported`; what the source throws.
    func preview(
        of representation: Picture.Representation, pixels: Int, as shade: Shade
    ) async throws -> (image: DecodedImage, reduction: Int, size: PixelSize, orientation: Orientation) {
        switch representation {
        case .encoded(let picture):
            guard let size = picture.size else {
                throw AdapterError(.unsupported, "it does not tell its size before it is decoded")
            }
            try check(size)
            let reduction = Renderer.reduction(size, pixels)
            let request = DecodeRequest(
                picture.encoding, mostPixels: limits.pixels, shade: shade, reduction: reduction)
            let image = try PictureDecoder.decode(try await picture.read(), request)
            guard image.raster.size == size.reduced(by: reduction) else {
                throw PictureFault("its size is not what it said")
            }
            return (image, reduction, size, picture.orientation)
        case .sampled(let picture):
            try check(picture.size)
            let image = try await picture.read()
            guard image.raster.size == picture.size else { throw PictureFault("its size is not what it said") }
            let reduction = Renderer.reduction(picture.size, pixels)
            return (image.gray(reducedBy: reduction, shade), reduction, picture.size, .upright)
        case .drawn(let picture):
            let size = picture.size
            let reduction = Renderer.reduction(size, pixels)
            var image: DecodedImage
            if let drawAt = picture.drawAt {
                image = try await drawAt(picture.resolution / Double(reduction)).gray(reducedBy: 1, shade)
            } else {
                try check(size, isDrawn: true)
                image = try await picture.draw().gray(reducedBy: reduction, shade)
            }
            image.raster.resolution = Resolution(picture.resolution)
            return (image, reduction, size, .upright)
        case .joined:
            throw AdapterError(.unsupported, "joined pages were seen before they were joined")
        }
    }

    /// The bytes of memory that `preview` takes.
    func memoryOfPreview(of representation: Picture.Representation, pixels: Int) -> Int {
        let whole = MemoryEstimate.decoding(representation)
        switch representation {
        case .encoded(let picture) where picture.encoding == .jpeg:
            let reduction = picture.size.map { Renderer.reduction($0, pixels) } ?? 1
            return whole.total - whole.pixels + whole.pixels / (reduction * reduction)
        case .drawn(let picture) where picture.drawAt != nil:
            let reduction = Renderer.reduction(picture.size, pixels)
            return whole.total / (reduction * reduction)
        case .encoded, .sampled, .drawn, .joined: return whole.total
        }
    }

    /// The greatest reduction a JPEG decoder knows that leaves so many pixels to the shorter side.
    private static func reduction(_ size: PixelSize, _ pixels: Int) -> Int {
        [8, 4, 2].first { min(size.width, size.height) / $0 >= pixels } ?? 1
    }

    /// - Parameter isDrawn: whether it is as large as it is only because it is drawn so.
    /// - Throws: `.tooLarge` for a picture of more pixels than are allowed.
    func check(_ size: PixelSize, isDrawn: Bool = false) throws(AdapterError) {
        if size.area > limits.pixels {
            throw AdapterError(
                .tooLarge, "a picture of \(size) pixels is more than the \(limits.pixels) allowed",
                advice: "--max-pixels allows more" + (isDrawn ? ", and a lower --dpi draws fewer" : ""))
        }
    }

    /// - Throws: `.tooLarge` for work that takes more memory than is allowed.
    func check(memory: Int) throws(AdapterError) {
        if memory > limits.memory {
            throw AdapterError(
                .tooLarge,
                "it takes about \(memory / 1_000_000) MB of memory, more than the \(limits.memory / 1_000_000) allowed",
                advice: "--max-memory allows more")
        }
    }
}

extension AdapterError {
    /// What an error means for a page: those of sources as they are, those of codecs as damage, or as unknown to them.
    init(rendering error: any Error) {
        switch error {
        case let error as AdapterError: self = error
        case let fault as PictureFault:
            let code: AdapterError.Code =
                switch fault.kind {
                case .damaged: .damaged
                case .unsupported: .unsupported
                case .tooLarge: .tooLarge
                }
            self.init(code, fault.message)
        default: self.init(.damaged, "\(error)")
        }
    }

    /// Runs work of codecs, whose faults become errors.
    static func rendering<Value>(_ body: () throws(PictureFault) -> Value) throws(AdapterError) -> Value {
        do {
            return try body()
        } catch {
            throw AdapterError(rendering: error)
        }
    }
}

extension Picture.Representation {
    /// Whether it is drawn, at a resolution that may be another.
    var isDrawn: Bool { if case .drawn = self { true } else { false } }
}

extension DecodedImage {
    /// The image in gray and reduced; its resolution stays that of the whole picture.
    fileprivate func gray(reducedBy factor: Int, _ shade: Shade) -> DecodedImage {
        var copy = self
        copy.raster = raster.reducedToGray(by: factor, shade)
        copy.raster.resolution = raster.resolution
        return copy
    }
}
