public import PageModel

/// A page ready to be written.
public struct FinishedPage: Sendable {
    /// The content of a page.
    public enum Content: Sendable {
        /// The bytes of an image file, and the part of it that is to be shown.
        case encoded(EncodedPage)
        /// Samples, upright and cropped: only for sinks whose capabilities accept rasters.
        case raster(RasterPage)
        /// A page of a document, to be copied unchanged: only for sinks whose capabilities name that kind of document.
        ///
        /// The framing refers to the page as shown, in pixels of a size that has the page's aspect ratio.
        case document(DocumentPage, Framing)
        /// Print over the images of the page: only for sinks whose capabilities include layers.
        case layered(LayeredPage)
        /// Pages side by side on one page: only for sinks whose capabilities allow pages to be laid together.
        case spread(Spread)

        /// The number of bytes of its image files; nil without image files.
        public var byteCount: Int? {
            switch self {
            case .encoded(let picture): picture.bytes.count
            case .raster, .document, .layered: nil
            case .spread(let spread):
                spread.parts.compactMap(\.content.byteCount).reduce(nil) { ($0 ?? 0) + $1 }
            }
        }

        /// Whether a page of a document is copied.
        package var isCopied: Bool {
            switch self {
            case .document: true
            case .encoded, .raster, .layered: false
            case .spread(let spread): spread.parts.contains(where: \.content.isCopied)
            }
        }
    }

    /// Pages side by side on one page, each as it would come alone.
    public struct Spread: Sendable {
        /// A page of the spread.
        public struct Part: Sendable {
            /// An image file or a page of a document.
            public var content: Content
            /// The rectangle on the whole page to which it is scaled.
            public var place: PixelRect
            /// The pixels per inch of the part as it is shown, if known.
            public var resolution: Resolution?

            public init(_ content: Content, at place: PixelRect, resolution: Resolution? = nil) {
                self.content = content
                self.place = place
                self.resolution = resolution
            }
        }

        public var parts: [Part]
        /// The size of the whole page.
        public var size: PixelSize
        /// The color where no part is.
        public var background: RGB
        /// The pixels per inch of the whole page, if its parts have their size on paper, regardless of their own
        /// pixels. It is nil if they are placed pixel by pixel.
        public var resolution: Resolution?

        public init(
            _ parts: [Part], size: PixelSize, background: RGB = .white, resolution: Resolution? = nil
        ) {
            self.parts = parts
            self.size = size
            self.background = background
            self.resolution = resolution
        }

        /// Whether the background can be seen.
        public var showsBackground: Bool { parts.reduce(0) { $0 + $1.place.size.area } < size.area }
    }

    /// The page's place in the output, from 1.
    public var number: Int
    public var page: Page
    public var content: Content
    /// The pages of documents that the content shows as images; none if the source has no documents.
    public var replaced: [ReplacedPage] = []
    /// The part of the page that the content shows. The rest is blank paper, for sinks whose capabilities keep it.
    public var shownPart = PageArea.page
    /// The pixels per inch of the page as it is shown, if known.
    public var resolution: Resolution?
    /// The page's text, for sinks whose capabilities include text; positions refer to the page as it is shown. A page
    /// that is copied unchanged from a document has its own text; this is then the additional recognized text.
    public var text: [TextLine] = []
    /// Whether `text` replaces the invisible text of the document pages that are copied.
    public var replacesInvisibleText = false
    /// The page's links, for sinks whose capabilities include links. They name pages by `Page.id`. The sink drops links
    /// to missing or unreachable pages.
    public var links: [PageLink] = []
    /// The page's regions, for sinks whose capabilities include regions; positions are those on the page as it is shown.
    public var regions: [PageRegion] = []
    /// The data that the sink's `attachment` made for the page; nil if it made none or was not called.
    public var attachment: [UInt8]?

    public init(number: Int, page: Page, content: Content, resolution: Resolution? = nil) {
        self.number = number
        self.page = page
        self.content = content
        self.resolution = resolution
    }

    /// Makes a page whose image file is shown whole.
    ///
    /// - Parameter size: the size as it is shown.
    public init(number: Int, page: Page, encoding: ImageEncoding, size: PixelSize?, bytes: [UInt8]) {
        self.init(
            number: number, page: page, content: .encoded(EncodedPage(encoding: encoding, bytes: bytes, size: size)))
    }

    /// The size of the page as shown: oriented and cropped; nil when its header does not state it.
    public var size: PixelSize? {
        switch content {
        case .encoded(let picture): picture.framing?.rect.size
        case .raster(let picture): picture.raster.size
        case .document(_, let framing): framing.rect.size
        case .layered(let layers): layers.print.size
        case .spread(let spread): spread.size
        }
    }

    /// Returns the image file of a page, for sinks that accept only files.
    ///
    /// - Throws: `.unsupported` for other content. The planner gives such content only to sinks that accept it.
    public func encoded() throws(AdapterError) -> EncodedPage {
        if case .encoded(let picture) = content { return picture }
        throw AdapterError(.unsupported, "the page is not an image file", page: page.name)
    }
}

/// The bytes of an image file, and the part of it that is to be shown.
public struct EncodedPage: Sendable {
    public var encoding: ImageEncoding
    public var bytes: [UInt8]
    /// The stored image's size, the orientation in which it is shown, and the part that is shown.
    ///
    /// A sink that cannot express orientations or parts gets only those that the file itself requests. Nil if the
    /// image's size is unknown: then all of it is shown as its own metadata state.
    public var framing: Framing?

    public init(encoding: ImageEncoding, bytes: [UInt8], framing: Framing?) {
        self.encoding = encoding
        self.bytes = bytes
        self.framing = framing
    }

    /// Makes a file that is shown whole.
    ///
    /// - Parameter size: the size as it is shown.
    public init(encoding: ImageEncoding, bytes: [UInt8], size: PixelSize?) {
        self.init(encoding: encoding, bytes: bytes, framing: size.map { Framing($0) })
    }
}

/// A page in two layers.
public struct LayeredPage: Sendable {
    /// The upper layer: print of one bit a pixel. Black pixels are painted, and white ones show the image below.
    public var print: Raster
    /// The lower layer: a JPEG of the page's images.
    public var image: EncodedPage
    /// The rectangle of the page that the lower layer covers. The rest is white.
    public var place: PixelRect

    public init(print: Raster, image: EncodedPage, at place: PixelRect) {
        (self.print, self.image, self.place) = (print, image, place)
    }
}

/// The samples of an image that had to be decoded, changed or rendered.
public struct RasterPage: Sendable {
    public var raster: Raster
    /// The image file from which it was decoded, which shows the quality of the image's encoding; nil without a file.
    public var source: [UInt8]?

    public init(_ raster: Raster, source: [UInt8]? = nil) {
        self.raster = raster
        self.source = source
    }
}
