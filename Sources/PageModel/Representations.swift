/// A picture that its source holds as the bytes of a picture file.
public struct EncodedPicture: Sendable {
    public var encoding: ImageEncoding
    /// The size the picture's own header states.
    public var size: PixelSize?
    /// The number of bytes, when it is known without reading them.
    public var byteCount: Int?
    /// The bits of a pixel's samples when they are decoded, where the picture's own header tells.
    public var bitsPerPixel: Int?
    /// The orientation that the picture's metadata ask for; readers may or may not follow it.
    public var orientation: Orientation
    /// The size of an MCU in pixels, when the picture is a JPEG that can be cropped and turned without decoding it: a
    /// crop can begin only at a multiple of it.
    public var grid: PixelSize?
    /// Whether it is a JPEG that common decoders do not read: coded arithmetically or without loss, or of more than 8 bits.
    public var isRareJPEG = false
    /// Whether it is a TIFF of cyan, magenta, yellow and black alone, which can stay so in another file.
    public var isCMYK = false
    /// Equal for JPEGs of which parts can stand in one file without being decoded; nil when the picture is no JPEG, or
    /// its header was not read that far.
    public var joinKey: JoinKey?
    /// Whether a note in the JPEG says that jisui merged it of pages; whether that is still true, only its data tell.
    public var saysItWasMerged: Bool
    /// Whether it is known to have no colours.
    public var isGray: Bool
    /// Whether its encoder is known to have lost nothing.
    public var isLossless: Bool
    /// Whether it is a JPEG XL that holds the JPEG it was made of.
    public var holdsJPEG: Bool
    /// What has to be done to the picture to make it look like the page.
    public var pending: [Edit]
    /// What `read` puts right in the source's bytes without touching the picture data, for the report; nil when
    /// it gives them as they are.
    public var repair: String?
    /// What `read` lays over the source's picture; nil when nothing lies over it.
    public var patch: PicturePatch?
    /// Reads the bytes. Two reads give the same bytes.
    public var read: @Sendable () async throws -> [UInt8]
    /// What is wrong with the bytes although they can be used, in words that follow the page's name: that may be known
    /// only once they were read.
    public var defect: @Sendable () -> String? = { nil }

    /// The size it has when its orientation is followed.
    public var uprightSize: PixelSize? { size.map(orientation.applied) }

    public init(
        encoding: ImageEncoding, size: PixelSize?, byteCount: Int? = nil, bitsPerPixel: Int? = nil,
        orientation: Orientation = .upright,
        grid: PixelSize? = nil, joinKey: JoinKey? = nil, saysItWasMerged: Bool = false,
        isGray: Bool = false, isLossless: Bool = false, holdsJPEG: Bool = false, pending: [Edit] = [],
        repair: String? = nil, read: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.encoding = encoding
        self.size = size
        self.byteCount = byteCount
        self.bitsPerPixel = bitsPerPixel
        self.orientation = orientation
        self.grid = grid
        self.joinKey = joinKey
        self.saysItWasMerged = saysItWasMerged
        self.isGray = isGray
        self.isLossless = isLossless
        self.holdsJPEG = holdsJPEG
        self.pending = pending
        self.repair = repair
        self.read = read
    }
}

/// A picture that its source holds as samples: every pixel can be read exactly, but not as a picture file.
public struct SampledPicture: Sendable {
    /// The compression the source uses, for the report: "CCITT G4", "Flate", "JBIG2".
    public var compression: String
    public var size: PixelSize
    /// What the samples mean, where that is known before they are read.
    public var format: PixelFormat?
    /// What has to be done to the samples to make them look like the page.
    public var pending: [Edit]
    /// What `read` lays over the source's samples; nil when nothing lies over them.
    public var patch: PicturePatch?
    /// Decompresses the samples.
    public var read: @Sendable () async throws -> DecodedImage
    /// Reads the compressed bytes, as the source holds them; nil where it has no such bytes.
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

/// Something that a page shows over its picture, and that is laid on the picture's own pixels.
///
/// Whatever it does not touch keeps the source's data: a JPEG's coefficients, or samples.
public struct PicturePatch: Sendable {
    /// The kinds of things that lie there, for the report: "text", "a drawn shape and an annotation".
    public var description: String
    /// Whether it is left out, as was asked for.
    public var isLeftOut: Bool
    /// The part of the picture that was encoded anew, from 0 to 1. Nil until the picture was read; 0 when nothing of what
    /// lies there can be seen.
    public var share: @Sendable () -> Double?
    /// What is written there, as far as it can be seen and read. Nil until the picture was read, and if there is no text.
    public var text: @Sendable () -> String?

    public init(
        _ description: String, isLeftOut: Bool = false, text: @escaping @Sendable () -> String? = { nil },
        share: @escaping @Sendable () -> Double?
    ) {
        self.description = description
        self.isLeftOut = isLeftOut
        self.text = text
        self.share = share
    }
}

/// A picture that its source draws.
public struct DrawnPicture: Sendable {
    /// How pixels were encoded before they came to be drawn. A drawing has no use for a finer encoding.
    public enum Likeness: Sendable {
        /// As a JPEG, whose bytes the closure reads.
        case jpeg(@Sendable () async throws -> [UInt8])
        /// In layers: letters and lines as a mask, photographs and paper with losses.
        case layers
    }

    /// The page's width and height in points of 1/72 inch, as a reader sees it.
    public var width: Double
    public var height: Double
    /// The resolution to draw at, in pixels per inch: the one asked for, or the one that loses least. Setting it sets the size.
    public var resolution: Double {
        didSet { size = DrawnPicture.size(width, height, at: resolution) }
    }
    /// Draws the page at `size`.
    public var draw: @Sendable () async throws -> DecodedImage
    /// Draws the page at another resolution, in pixels per inch; nil where the source can only draw it at full size.
    public var drawAt: (@Sendable (Double) async throws -> DecodedImage)?
    /// How the pixels were encoded that a drawing at this resolution shows; nil where they were not, or nobody knows.
    public var likeness: Likeness?
    /// The number of layers, if the page is a scan in layers and the drawing puts them together on the pixels of the finest.
    public var layers: Int?
    /// The size in pixels: at least one pixel each way, at most a billion.
    public var size: PixelSize
    /// What a drawing of the page lacks, as far as that is known before it is drawn; for the report, if it is drawn.
    public var defect: String?

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

    /// The size in pixels of a page of so many points, at so many pixels per inch.
    public static func size(_ width: Double, _ height: Double, at resolution: Double) -> PixelSize {
        func pixels(_ points: Double) -> Int {
            let most = 1e9
            return max(1, Int(checked: min(points * resolution / 72, most)) ?? 1)
        }
        return PixelSize(width: pixels(width), height: pixels(height))
    }
}

/// A picture made of several pages' pictures, side by side.
public struct JoinedPicture: Sendable {
    /// One page in it.
    public struct Part: Sendable {
        /// The page with all its edits.
        public var page: Page
        /// What the page's `examine` returns.
        public var picture: Picture
        /// Where the page lies, at the size its edits give it.
        public var place: PixelRect

        public init(page: Page, picture: Picture, place: PixelRect) {
            self.page = page
            self.picture = picture
            self.place = place
        }
    }

    /// What may be done so that JPEGs can be joined without loss although they do not end on their MCU grid.
    public enum Seam: String, Hashable, Sendable, CaseIterable {
        /// Show up to an MCU more: what the JPEG holds beyond its edge.
        case pad
        /// Show up to an MCU less.
        case trim
        /// Neither: such pages are encoded anew.
        case exact
    }

    public var size: PixelSize
    /// From left to right; they do not overlap.
    public var parts: [Part]
    /// What is seen where no part lies.
    public var background: RGB
    public var seam: Seam
    /// Where a part stands beside a higher one.
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

/// Equal for JPEGs of which parts can stand in one file without being decoded.
///
/// It is a digest of all that must be the same in both, and has the same value in every process and on every machine: it
/// may be stored, and compared with one that another process made.
public struct JoinKey: RawRepresentable, Hashable, Codable, Sendable {
    /// What stands for the key in files: any text that only equal keys share. A part behind a hyphen stands for the profile.
    public let rawValue: String

    /// - Parameters:
    ///   - coding: A digest of the tables, the sampling and the color model.
    ///   - profile: A digest of the color profile; nil without one.
    public init(coding: String, profile: String?) {
        rawValue = coding + (profile.map { "-\($0)" } ?? "")
    }

    /// Whether the two differ in nothing but their color profiles.
    public func differsOnlyInProfile(from other: JoinKey) -> Bool {
        func coding(_ key: JoinKey) -> Substring { key.rawValue.prefix { $0 != "-" } }
        return self != other && coding(self) == coding(other)
    }

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
