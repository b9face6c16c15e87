package import AdapterKit
internal import Imaging
package import PageModel

/// A renderer of page images to pixels. It decodes every kind of representation.
package struct Renderer: Sendable {
    package let limits: Limits
    /// The pages for operations that need other pages than their own.
    let otherPages: any OtherPages
    /// The images that the page shares with other pages; nil if it shares none.
    private let sharedImages: SharedImages.OfPage?
    /// The observer of the page; nil for none.
    let observer: (any PageObserver)?
    /// The name under which the observer knows the page, or the part of it.
    private(set) var name: String

    package init(
        limits: Limits, otherPages: any OtherPages = NoOtherPages(), sharedImages: SharedImages.OfPage? = nil,
        observer: (any PageObserver)? = nil, name: String = ""
    ) {
        self.limits = limits
        self.otherPages = otherPages
        self.sharedImages = sharedImages
        self.observer = observer
        self.name = name
    }

    /// Returns the renderer for a part of the page.
    func of(part name: String) -> Renderer {
        var copy = self
        copy.name = name
        return copy
    }

    /// A rendered image and its file.
    package struct Rendered: Sendable {
        package var image: DecodedImage
        /// The image file; nil if the source has no such file.
        var file: ImageFile?
        /// The number of bytes after the image that `file` lacks.
        var omitted = 0
        /// The number of images in the file; `image` is the first of them.
        var pictureCount = 1
        /// Whether the pixels were black or white before they were changed.
        var isBlackAndWhite = false
    }

    /// Returns the image after all its pixel operations, at the size that they produce.
    ///
    /// - Parameters:
    ///   - keepsProfile: whether unchanged samples keep their color profile. Changed samples are always in sRGB.
    ///   - requiresSingleImage: whether a file of several images is rejected. Otherwise only the first is kept.
    /// - Throws: `.tooLarge`, `.damaged`, `.unsupported`; the errors of the source.
    package func render(
        _ representation: Picture.Representation, _ operations: PixelOperations, keepsProfile: Bool,
        requiresSingleImage: Bool = false
    ) async throws -> Rendered {
        try check(operations.framing.source, isDrawn: representation.isDrawn)
        var operations = operations
        var rendered: Rendered
        switch representation {
        case .encoded(let picture):
            let stored = try storedJPEG(representation, operations)
            var file = if let stored { ImageFile(stored.head) } else { try await picture.read() }
            // Some formats state their orientation only at their end.
            guard let oriented = operations.oriented(PictureHeader(file.bytes)?.orientation ?? .upright) else {
                throw PictureFault("nothing would be left of it")
            }
            operations = oriented
            var request = DecodeRequest(picture.encoding, maximumPixels: limits.pixels)
            request.target = decodingTarget(of: representation, operations)
            var count = PictureCount.pictures(in: file.bytes)
            if requiresSingleImage && count > 1 { throw AdapterError(.unsupported, "it holds \(count) images") }
            let image: DecodedImage
            var omitted = 0
            if let stored {
                image = try PictureDecoder.decode(stored, request)
                let rest = try stored.withoutScans()
                (file, omitted) = (ImageFile(rest.file, defect: try stored.findDefect()), rest.omitted)
            } else if let sharedImages, !operations.framing.isWhole,
                SharedImages.mayKeep(bytes: MemoryEstimate.decoding(representation).pixels, limits)
            {
                image = try await sharedImages.image(in: file.bytes, request)
            } else {
                image = try PictureDecoder.decode(file.bytes, request)
            }
            count = max(count, image.pictureCount)
            if requiresSingleImage && count > 1 { throw AdapterError(.unsupported, "it holds \(count) images") }
            rendered = Rendered(image: image, file: file, omitted: omitted, pictureCount: count)
        case .sampled(let picture):
            rendered = Rendered(image: try await picture.read())
        case .drawn(let picture):
            rendered = Rendered(image: try await picture.draw())
            rendered.image.raster = rendered.image.raster.withoutNeedlessColor()
            if case .jpeg(let read) = picture.likeness { rendered.file = ImageFile(try await read()) }
        case .joined:
            throw AdapterError(.unsupported, "joined pages are not joined again")
        }
        if rendered.image.raster.size == operations.framing.source {
            observer?.decoded(rendered.image.raster, of: name)
        }
        rendered.isBlackAndWhite = rendered.image.raster.format == .gray(bits: 1)
        if !keepsProfile || !operations.keepsPixels {
            rendered.image.raster = try rendered.image.raster.withoutProfile()
        }
        rendered.image.raster = try await operations.apply(to: rendered.image.raster, beside: otherPages)
        return rendered
    }

    /// Returns a JPEG that is read in portions, because it is scaled while it is decoded. It is nil for a file that has to be in
    /// memory.
    private func storedJPEG(
        _ representation: Picture.Representation, _ operations: PixelOperations
    ) throws(AdapterError) -> StoredJPEG? {
        guard decodingTarget(of: representation, operations) != nil else { return nil }
        return try MemoryEstimate.open(representation).map { open throws(AdapterError) in try StoredJPEG(open()) }
    }

    /// Returns the size to which an image is scaled while it is decoded; nil for its own. A report with digests of the pixels
    /// needs all of them.
    private func decodingTarget(
        of representation: Picture.Representation, _ operations: PixelOperations
    ) -> PixelSize? {
        observer?.needsPixels == true ? nil : MemoryEstimate.decodingTarget(of: representation, operations)
    }

    /// Returns the stored image in grayscale, reduced so that its shorter side keeps at least `pixels`. The returned size and
    /// orientation are those of the stored image. The reduction is the factor in each direction.
    ///
    /// - Throws: `.tooLarge`, `.damaged`, `.unsupported`; the errors of the source.
    func preview(
        of representation: Picture.Representation, pixels: Int, as meaning: SampleMeaning
    ) async throws -> ReducedImage {
        switch representation {
        case .encoded(let picture):
            guard let size = picture.size else {
                throw AdapterError(.unsupported, "it does not tell its size before it is decoded")
            }
            try check(size)
            let reduction = Renderer.reduction(size, pixels)
            let request = DecodeRequest(
                picture.encoding, maximumPixels: limits.pixels, meaning: meaning, reduction: reduction)
            let image = try PictureDecoder.decode(try await picture.read().bytes, request)
            guard image.raster.size == size.reduced(by: reduction) else {
                throw PictureFault("its size differs from its header")
            }
            return (image, reduction, size, picture.orientation)
        case .sampled(let picture):
            try check(picture.size)
            let image = try await picture.read()
            guard image.raster.size == picture.size else { throw PictureFault("its size differs from its header") }
            let reduction = Renderer.reduction(picture.size, pixels)
            return (image.reduced(by: reduction, as: meaning), reduction, picture.size, .upright)
        case .drawn(let picture):
            let size = picture.size
            let reduction = Renderer.reduction(size, pixels)
            var image: DecodedImage
            if let drawAt = picture.drawAt {
                image = try await drawAt(picture.resolution / Double(reduction)).reduced(by: 1, as: meaning)
            } else {
                try check(size, isDrawn: true)
                image = try await picture.draw().reduced(by: reduction, as: meaning)
            }
            image.raster.resolution = Resolution(picture.resolution)
            return (image, reduction, size, .upright)
        case .joined:
            throw AdapterError(.unsupported, "joined pages were seen before they were joined")
        }
    }

    /// Returns the bytes of memory that `preview` takes.
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

    /// Returns the factor by which a preview of a representation is reduced; nil if it cannot have one.
    static func reduction(of representation: Picture.Representation, _ pixels: Int) -> Int? {
        switch representation {
        case .encoded(let picture): picture.size.map { reduction($0, pixels) }
        case .sampled(let picture): reduction(picture.size, pixels)
        case .drawn(let picture): reduction(picture.size, pixels)
        case .joined: nil
        }
    }

    /// Returns the largest reduction of a JPEG decoder that leaves at least `pixels` to the shorter side.
    private static func reduction(_ size: PixelSize, _ pixels: Int) -> Int {
        [8, 4, 2].first { min(size.width, size.height) / $0 >= pixels } ?? 1
    }

    /// - Parameter isDrawn: whether the size depends on the resolution of rendering.
    /// - Throws: `.tooLarge` if the image has more pixels than allowed.
    package func check(_ size: PixelSize, isDrawn: Bool = false) throws(AdapterError) {
        if size.area > limits.pixels {
            throw AdapterError(
                .tooLarge, "the image has \(size) pixels, more than the \(limits.pixels) allowed",
                hint: isDrawn
                    ? "use --max-pixels to allow more, or a lower --dpi" : "use --max-pixels to allow more")
        }
    }

    /// - Throws: `.tooLarge` if the work takes more memory than allowed.
    package func check(memory: Int) throws(AdapterError) {
        if memory > limits.memory {
            throw AdapterError(
                .tooLarge,
                "it takes about \(memory / 1_000_000) MB of memory, more than the \(limits.memory / 1_000_000) allowed",
                hint: "use --max-memory to allow more")
        }
    }
}

extension AdapterError {
    /// Creates a page's error. Errors of sources stay as they are; faults of codecs become damage or unsupported data.
    package init(rendering error: any Error) {
        switch error {
        case let error as AdapterError: self = error
        case let fault as PictureFault: self.init(fault)
        default: self.init(.damaged, Message(verbatim: "\(error)"))
        }
    }
}

extension Picture.Representation {
    /// Whether the representation is rendered, so that its resolution may vary.
    package var isDrawn: Bool { if case .drawn = self { true } else { false } }
}
