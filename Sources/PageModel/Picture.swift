/// A page's image: its properties, and the representations that its source offers, least lossy first.
///
/// A source offers every representation that it has; the plan uses the first that yields the requested result. A page
/// that is one JPEG inside a PDF can be copied as that JPEG or rendered by the PDF's renderer. A file in a folder has
/// only its bytes. Nothing is read until a representation is used.
public struct Picture: Sendable {
    /// The size of the page as shown, if it is known without reading the whole image.
    public var size: PixelSize?
    /// The representations that the source offers, least lossy first; never empty.
    public var representations: [Representation]
    /// The page as a whole, if the source is a document from which some sinks can copy pages.
    public var document: DocumentPage?
    /// The reason why a less lossy representation is missing, in words that complete "rendered because …".
    public var reason: Message?
    /// Whether the document paints nothing on the page.
    public var isBlank = false
    /// The problems of the source's data, for the report: one line each.
    public var defects: [Message]
    /// Whether the page has text that its image alone does not contain, as far as is known without reading the text.
    public var hasText = false
    /// Whether the page has links, likewise.
    public var hasLinks = false
    /// The other contents of the page in its document. Only a copy of the page keeps them.
    public var documentParts: Set<DocumentPart> = []
    /// The part of the page that all representations except the rendering show: they omit the blank paper around the scan.
    public var shownPart = PageArea.page
    /// The part of the image as shown that is the scan. The rest is paper, perhaps with other content.
    public var scanArea = PageArea.page
    /// The objects over the scan that were removed on request; nil without any.
    public var removed: RemovedObjects?
    /// The angle in degrees, clockwise, by which the page shows its scan slanted; nil if it does not. Only the rendering is slanted
    /// as well.
    public var slant: Double?
    /// The page boxes, if the page is laid out as in a PDF.
    public var paper: Paper?
    /// The number by which a run recognizes the image again, so that several analyses decode it once.
    ///
    /// Only the run sets it. It is nil for an image that no other analysis requests. A transform that returns other
    /// pixels sets it to nil.
    public var imageID: Int?
    /// Computes the SHA-256, in hexadecimal digits, of the content that the page paints, without rendering it; nil if the
    /// source cannot. It is the same in every run.
    public var contentDigest: (@Sendable () async throws -> String)?
    /// Computes the digest of the images that the page paints, as they are stored. Their places do not count. Nil if the source
    /// cannot.
    public var imageDigest: (@Sendable () async throws -> String)?

    public init(
        size: PixelSize?, representations: [Representation], document: DocumentPage? = nil, reason: Message? = nil,
        defects: [Message] = [], paper: Paper? = nil
    ) {
        self.size = size
        self.representations = representations
        self.document = document
        self.reason = reason
        self.defects = defects
        self.paper = paper
    }

    /// Whether all representations except the rendering omit the blank paper around the image.
    public var leavesMarginsOut: Bool { shownPart != .page }

    /// The problems of the source's data, and of its parts, that are known before it is read.
    public var knownDefects: [Message] {
        var known = defects
        for representation in representations {
            guard case .joined(let joined) = representation else { continue }
            for part in joined.parts { known += part.picture.knownDefects.map { "\(page: part.page.name): \($0)" } }
        }
        return known.unique
    }

    /// A form in which the source offers the image.
    public enum Representation: Sendable {
        /// Bytes in an image format.
        case encoded(EncodedPicture)
        /// Exact samples, which the source holds in a compression that no image file uses.
        case sampled(SampledPicture)
        /// A page that can be rendered at any requested resolution.
        case drawn(DrawnPicture)
        /// Several pages' images, to be joined.
        case joined(JoinedPicture)
    }
}

/// A content of a document's page that neither its image, its text nor its links contain.
public enum DocumentPart: String, Hashable, Sendable, CaseIterable {
    /// The texts of notes and comments, which the page does not show.
    case notes
    /// Fields of a form. The page's image may show their contents.
    case fields
    /// Attached files that are not in `BookMetadata.attachments`.
    case files
}

/// A page of a document that a sink of the same kind can copy unchanged, with its text, links and vector graphics.
public struct DocumentPage: Hashable, Sendable {
    /// The kind of document: "pdf".
    public var format: String
    /// The document's path.
    public var path: String
    /// The document's name in messages.
    public var name: String
    /// The password to open it, if any.
    public var password: String?
    /// The page's place in the document, from 0.
    public var index: Int
    /// The book that contains it, as `Page.book`: a document that is given twice is copied twice.
    public var book = 0
    /// The page box that is shown instead of the document's choice, by the document's own name for it.
    public var box: String?
    /// The size of the visible part as shown, in points of 1/72 inch.
    public var width: Double
    public var height: Double
    /// The objects that a copy omits.
    public var omission = PageOmission()
    /// These objects in words; nil if none were to be omitted.
    public var removed: RemovedObjects?

    /// - Parameter name: nil for the path.
    public init(
        format: String, path: String, name: String? = nil, password: String? = nil, index: Int, box: String? = nil,
        width: Double, height: Double
    ) {
        self.format = format
        self.path = path
        self.name = name ?? path
        self.box = box
        self.password = password
        self.index = index
        self.width = width
        self.height = height
    }
}

/// Objects over a scan that were to be removed.
public struct RemovedObjects: Hashable, Sendable {
    /// The kinds of removed objects: "text and a web link". Nil if none were removed.
    public var description: Message?
    /// The lines of removed text.
    public var text: [String]
    /// The kinds of objects that were kept, because they hide a part of the scan; nil without any.
    public var kept: Message?

    public init(_ description: Message?, text: [String] = [], kept: Message? = nil) {
        (self.description, self.text, self.kept) = (description, text, kept)
    }
}

/// The page boxes of a page that is laid out rather than a plain image, as PDF defines them.
public struct Paper: Hashable, Sendable {
    /// A box in PDF's coordinates: left, bottom, right, top, in units of the page, y upwards.
    public typealias Box = [Double]

    /// The whole medium.
    public var mediaBox: Box
    /// The part that is shown by default.
    public var cropBox: Box
    /// The clockwise rotation of the page in degrees: 0, 90, 180 or 270.
    public var rotation: Int
    /// The size of a unit in points of 1/72 inch.
    public var userUnit: Double

    public init(mediaBox: Box, cropBox: Box, rotation: Int, userUnit: Double) {
        self.mediaBox = mediaBox
        self.cropBox = cropBox
        self.rotation = rotation
        self.userUnit = userUnit
    }
}
