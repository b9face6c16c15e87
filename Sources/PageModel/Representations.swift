/// An image that its source holds as the bytes of an image file.
public struct EncodedPicture: Sendable {
    public var encoding: ImageEncoding
    /// The size that the image's own header states.
    public var size: PixelSize?
    /// The number of bytes, when it is known without reading them.
    public var byteCount: Int?
    /// The number of bits of a decoded pixel's samples, if the image's own header states it.
    public var bitsPerPixel: Int?
    /// The orientation that the image's metadata request; apps may or may not follow it.
    public var orientation: Orientation
    /// The size of an MCU in pixels, if the image is a JPEG that can be cropped and rotated without decoding. A crop
    /// can begin only at a multiple of it.
    public var grid: PixelSize?
    /// Whether it is a JPEG that common decoders do not read: arithmetic or lossless coding, or more than 8 bits.
    public var isRareJPEG = false
    /// Whether it is a JPEG whose rows can be decoded one after the other, in memory that does not grow with its height.
    public var isSequentialJPEG = false
    /// Whether it is a TIFF of cyan, magenta, yellow and black alone, which another file can store as such.
    public var isCMYK = false
    /// The key that is equal for JPEGs whose parts can be joined in one file without decoding. It is nil for other
    /// formats, and if the header was not read that far.
    public var joinKey: JoinKey?
    /// Whether a note in the JPEG states that jisui merged it from pages; only its data show whether that is still
    /// true.
    public var hasMergeMark: Bool
    /// Whether it is known to be grayscale.
    public var isGray: Bool
    /// Whether its encoder is known to be lossless.
    public var isLossless: Bool
    /// Whether it is a JPEG XL that contains its original JPEG.
    public var holdsJPEG: Bool
    /// The edits that make the image look like the page.
    public var pending: [Edit]
    /// The repair that `read` makes in the source's bytes without touching the image data, for the report; nil when it
    /// returns them unchanged.
    public var repair: Message?
    /// The overlay that `read` composites on the source's image; nil without one.
    public var overlay: PictureOverlay?
    /// Reads the file. Two reads return the same bytes. If it is replaced, the bytes may be others than those that `open` opens,
    /// so that becomes nil.
    public var read: @Sendable () async throws -> ImageFile { didSet { open = nil } }
    /// Opens the file to read it in portions; nil if the source can only read all of it.
    public var open: (@Sendable () throws(AdapterError) -> FilePortions)?
    /// Reads the bytes without the overlay; nil if the source cannot.
    public var readWithoutOverlay: (@Sendable () async throws -> [UInt8])?

    /// The size after its orientation is applied.
    public var uprightSize: PixelSize? { size.map(orientation.applied) }

    /// - Parameter read: reads the bytes, if reading them reveals nothing else. Otherwise set `read` later.
    public init(
        encoding: ImageEncoding, size: PixelSize?, byteCount: Int? = nil, bitsPerPixel: Int? = nil,
        orientation: Orientation = .upright,
        grid: PixelSize? = nil, joinKey: JoinKey? = nil, hasMergeMark: Bool = false,
        isGray: Bool = false, isLossless: Bool = false, holdsJPEG: Bool = false, pending: [Edit] = [],
        repair: Message? = nil, read: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.encoding = encoding
        self.size = size
        self.byteCount = byteCount
        self.bitsPerPixel = bitsPerPixel
        self.orientation = orientation
        self.grid = grid
        self.joinKey = joinKey
        self.hasMergeMark = hasMergeMark
        self.isGray = isGray
        self.isLossless = isLossless
        self.holdsJPEG = holdsJPEG
        self.pending = pending
        self.repair = repair
        self.read = { ImageFile(try await read()) }
    }
}

extension EncodedPicture {
    /// Adds a defect that is known once the bytes were read.
    public mutating func reportDefect(_ defect: @escaping @Sendable () -> Message?) {
        let portions = open
        read = { [read] in
            var file = try await read()
            file.defect = file.defect ?? defect()
            return file
        }
        open = portions
    }
}

/// An image that its source holds as samples: every pixel can be read exactly, but not as an image file.
public struct SampledPicture: Sendable {
    /// The compression in the source, for the report: "CCITT G4", "Flate", "JBIG2".
    public var compression: String
    public var size: PixelSize
    /// The meaning of the samples, if it is known before they are read.
    public var format: PixelFormat?
    /// The edits that make the samples look like the page.
    public var pending: [Edit]
    /// The overlay that `read` composites on the source's samples; nil without one.
    public var overlay: PictureOverlay?
    /// Decompresses the samples.
    public var read: @Sendable () async throws -> DecodedImage
    /// Decompresses the samples without the overlay; nil if the source cannot.
    public var readWithoutOverlay: (@Sendable () async throws -> DecodedImage)?
    /// Reads the compressed bytes as the source holds them; nil if it does not have such bytes.
    public var readStored: (@Sendable () async throws -> [UInt8])?

    public init(
        compression: String, size: PixelSize, format: PixelFormat?, pending: [Edit] = [],
        read: @escaping @Sendable () async throws -> DecodedImage
    ) {
        self.compression = compression
        self.size = size
        self.format = format
        self.pending = pending
        self.read = read
    }
}

extension Picture.Representation {
    /// The overlay that is composited on the image.
    public var overlay: PictureOverlay? {
        switch self {
        case .encoded(let picture): picture.overlay
        case .sampled(let picture): picture.overlay
        case .drawn, .joined: nil
        }
    }

    /// The image without its overlay, if the source can read it so.
    public var withoutOverlay: Picture.Representation {
        switch self {
        case .encoded(var picture):
            guard let read = picture.readWithoutOverlay else { return self }
            (picture.read, picture.overlay) = ({ ImageFile(try await read()) }, nil)
            return .encoded(picture)
        case .sampled(var picture):
            guard let read = picture.readWithoutOverlay else { return self }
            (picture.read, picture.overlay) = (read, nil)
            return .sampled(picture)
        case .drawn, .joined: return self
        }
    }
}

extension Picture {
    /// The image without its overlays; nil if the source cannot read it so.
    package var withoutOverlay: Picture? {
        var picture = self
        picture.representations = representations.map(\.withoutOverlay)
        return picture.representations.contains { $0.overlay != nil } ? nil : picture
    }
}

/// The content that a page shows over its image: text, shapes, other images. It is composited on the image's own pixels.
///
/// Untouched parts keep the source's data: a JPEG's coefficients, or samples.
public struct PictureOverlay: Sendable {
    /// The kinds of content, for the report: "text", "a drawn shape and an annotation".
    public var description: Message
    /// Renders the content alone on white, as the page shows them. The argument is the length of the shorter side in
    /// pixels. Nil if the source cannot.
    public var draw: (@Sendable (Int) async throws -> Raster)?

    public init(_ description: Message, draw: (@Sendable (Int) async throws -> Raster)? = nil) {
        (self.description, self.draw) = (description, draw)
    }
}

/// An image that its source renders.
public struct DrawnPicture: Sendable {
    /// The encoding of pixels before they are rendered. A rendering has no use for a finer encoding.
    public enum Likeness: Sendable {
        /// A JPEG, whose bytes the closure reads.
        case jpeg(@Sendable () async throws -> [UInt8])
        /// Layers: letters and lines as a mask, photographs and paper with losses.
        case layers
        /// Black and white: any gray is the smoothed edge of a letter or line.
        case bilevel
    }

    /// The page's width and height in points of 1/72 inch, as shown.
    public var width: Double
    public var height: Double
    /// The rendering resolution in pixels per inch: the requested one, or the least lossy one. Setting it sets the
    /// size.
    public var resolution: Double {
        didSet { size = DrawnPicture.size(width, height, at: resolution) }
    }
    /// Renders the page at `size`.
    public var draw: @Sendable () async throws -> DecodedImage
    /// Renders the page at another resolution, in pixels per inch; nil if the source can only render it at full size.
    public var drawAt: (@Sendable (Double) async throws -> DecodedImage)?
    /// The encoding of the pixels shown at this resolution; nil if they were not encoded or it is unknown.
    public var likeness: Likeness?
    /// The number of layers, if the page is a layered scan and the rendering combines them on the pixels of the finest.
    public var layers: Int?
    /// The size in pixels: at least one pixel in each direction, at most a billion.
    public var size: PixelSize
    /// The problem of a rendering of the page, as far as it is known in advance; for the report, if the page is
    /// rendered.
    public var defect: Message?

    public init(
        width: Double, height: Double, resolution: Double,
        draw: @escaping @Sendable () async throws -> DecodedImage
    ) {
        self.width = width
        self.height = height
        self.resolution = resolution
        self.draw = draw
        size = DrawnPicture.size(width, height, at: resolution)
    }

    /// Returns the size in pixels of a page with this size in points, at this number of pixels per inch.
    public static func size(_ width: Double, _ height: Double, at resolution: Double) -> PixelSize {
        func pixels(_ points: Double) -> Int {
            let maximum = 1e9
            return max(1, Int(checked: min(points * resolution / 72, maximum)) ?? 1)
        }
        return PixelSize(width: pixels(width), height: pixels(height))
    }
}

/// An image made of several pages' images, side by side or one below the other.
public struct JoinedPicture: Sendable {
    /// A page in it.
    public struct Part: Sendable {
        /// The page with all its edits.
        public var page: Page
        /// The result of the page's `examine`.
        public var picture: Picture
        /// The position of the page, with the size after its edits.
        public var place: PixelRect

        public init(page: Page, picture: Picture, place: PixelRect) {
            self.page = page
            self.picture = picture
            self.place = place
        }
    }

    /// The changes allowed to join JPEGs losslessly if their edges are not on the MCU grid.
    public enum Seam: String, Hashable, Sendable, CaseIterable {
        /// Show up to an MCU more: the data that the JPEG holds beyond its edge.
        case pad
        /// Show up to an MCU less.
        case trim
        /// Neither: such pages are re-encoded.
        case exact
    }

    public var size: PixelSize
    /// The pages from left to right, or from top to bottom; they do not overlap.
    public var parts: [Part]
    /// The color where no part is.
    public var background: RGB
    public var seam: Seam
    /// The position of a part next to a higher one.
    public var alignment: Alignment

    public init(
        size: PixelSize, parts: [Part], background: RGB = .white, seam: Seam = .pad, alignment: Alignment = .center
    ) {
        self.size = size
        self.parts = parts
        self.background = background
        self.seam = seam
        self.alignment = alignment
    }
}

extension JoinedPicture {
    /// Whether the pages lie one below the other and fill the image.
    public var isColumn: Bool {
        var end = 0
        for part in parts {
            guard part.place.x == 0, part.place.width == size.width, part.place.y == end else { return false }
            end += part.place.height
        }
        return end == size.height
    }
}

/// The key that is equal for JPEGs whose parts can be joined in one file without decoding.
///
/// It is a digest of all properties that must be equal. It has the same value in every process and on every machine, so
/// it may be stored and compared with the key of another process.
public struct JoinKey: RawRepresentable, Hashable, Sendable {
    /// The key in files: any text that only equal keys share. A part after a hyphen represents the profile.
    public let rawValue: String

    /// - Parameters:
    ///   - coding: A digest of the tables, the sampling and the color model.
    ///   - profile: A digest of the profile; nil without one.
    public init(coding: String, profile: String?) {
        rawValue = coding + (profile.map { "-\($0)" } ?? "")
    }

    /// Whether the two differ only in their color profiles.
    public func differsOnlyInProfile(from other: JoinKey) -> Bool {
        func coding(_ key: JoinKey) -> Substring { key.rawValue.prefix { $0 != "-" } }
        return self != other && coding(self) == coding(other)
    }

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
