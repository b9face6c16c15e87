public import PageModel

/// A page ready to be written.
public struct FinishedPage: Sendable {
    /// What a page consists of.
    public enum Content: Sendable {
        /// The bytes of a picture file, and what of it is to be shown.
        case encoded(EncodedPage)
        /// Samples, upright and cropped: only for sinks whose capabilities say that they take rasters.
        case raster(RasterPage)
        /// A page of a document, to be copied whole: only for sinks whose capabilities name that kind of document.
        ///
        /// The framing refers to the page as a reader sees it, in pixels of a size that has the page's shape.
        case document(DocumentPage, Framing)
        /// Pages beside each other on one page: only for sinks whose capabilities say that they lay pages together.
        case spread(Spread)

        /// The bytes of its picture files; nil where there are none.
        public var byteCount: Int? {
            switch self {
            case .encoded(let picture): picture.bytes.count
            case .raster, .document: nil
            case .spread(let spread):
                spread.parts.compactMap(\.content.byteCount).reduce(nil) { ($0 ?? 0) + $1 }
            }
        }
    }

    /// Pages beside each other on one page, each as it would come alone.
    public struct Spread: Sendable {
        /// One of the pages.
        public struct Part: Sendable {
            /// A picture file or a page of a document.
            public var content: Content
            /// Where it lies on the whole page. It is scaled to this size.
            public var place: PixelRect
            /// Pixels per inch of the part as it is shown, where that is known.
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
        /// What is seen where no part lies.
        public var background: RGB
        /// Pixels per inch of the whole page, where its parts lie as large as they are on paper, whatever their own pixels are;
        /// nil where they lie pixel by pixel.
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
    /// Pixels per inch of the page as it is shown, where that is known.
    public var resolution: Resolution?
    /// The page's text, for sinks whose capabilities say that they hold it; places refer to the page as it is shown. A page of
    /// a document that is copied whole has its own; this is then what was read off it besides.
    public var text: [TextLine] = []
    /// The page's links, likewise. Pages are meant by `Page.id`; one that does not come, or that nobody can lead to, the sink
    /// leaves out.
    public var links: [PageLink] = []
    /// What the sink's `companion` made of the page; nil when nothing was made, or nobody asked.
    public var companion: [UInt8]?

    public init(number: Int, page: Page, content: Content, resolution: Resolution? = nil) {
        self.number = number
        self.page = page
        self.content = content
        self.resolution = resolution
    }

    /// A page whose picture file is shown whole.
    ///
    /// - Parameter size: the size as it is shown.
    public init(number: Int, page: Page, encoding: ImageEncoding, size: PixelSize?, bytes: [UInt8]) {
        self.init(
            number: number, page: page, content: .encoded(EncodedPage(encoding: encoding, bytes: bytes, size: size)))
    }

    /// The size as a reader sees the page: oriented and cropped; nil when its header does not state it.
    public var size: PixelSize? {
        switch content {
        case .encoded(let picture): picture.framing?.rect.size
        case .raster(let picture): picture.raster.size
        case .document(_, let framing): framing.rect.size
        case .spread(let spread): spread.size
        }
    }

    /// The picture file of a page, for sinks that take nothing else.
    ///
    /// - Throws: `.unsupported` for other content, which the planner gives only to sinks that ask for it.
    public func encoded() throws(AdapterError) -> EncodedPage {
        if case .encoded(let picture) = content { return picture }
        throw AdapterError(.unsupported, "the page is no picture file", page: page.name)
    }
}

/// The bytes of a picture file, and what of it is to be shown.
public struct EncodedPage: Sendable {
    public var encoding: ImageEncoding
    public var bytes: [UInt8]
    /// The stored picture's size, the orientation it is shown in, and the part that is shown.
    ///
    /// A sink that cannot express orientations or parts gets none but those the file itself asks for. Nil when the
    /// picture's size is not known: then all of it is shown as its own metadata say.
    public var framing: Framing?

    public init(encoding: ImageEncoding, bytes: [UInt8], framing: Framing?) {
        self.encoding = encoding
        self.bytes = bytes
        self.framing = framing
    }

    /// A file that is shown whole.
    ///
    /// - Parameter size: the size as it is shown.
    public init(encoding: ImageEncoding, bytes: [UInt8], size: PixelSize?) {
        self.init(encoding: encoding, bytes: bytes, framing: size.map { Framing($0) })
    }
}

/// The samples of a picture that had to be decoded, changed or drawn.
public struct RasterPage: Sendable {
    public var raster: Raster
    /// The picture file it was decoded from, which tells how finely the picture was encoded; nil where there is none.
    public var source: [UInt8]?

    public init(_ raster: Raster, source: [UInt8]? = nil) {
        self.raster = raster
        self.source = source
    }
}
