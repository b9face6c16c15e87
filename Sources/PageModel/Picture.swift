/// A page's picture: what is known of it, and the representations its source can give, least lossy first.
///
/// A source offers every representation it has; the plan takes the first that yields what was asked for. A page that is
/// one JPEG inside a PDF can be copied as that JPEG or drawn by the PDF's renderer; a file in a folder has only its
/// bytes. Nothing is read until a representation is used.
public struct Picture: Sendable {
    /// The size as a reader sees the page, when it is known without reading the whole picture.
    public var size: PixelSize?
    /// The representations the source can give, least lossy first; never empty.
    public var representations: [Representation]
    /// The page as a whole, where the source is a document that some sinks can copy pages from.
    public var document: DocumentPage?
    /// Why no less lossy representation is offered, in words that finish "drawn because …".
    public var reason: String?
    /// What is wrong with the source's data, for the report: one line each.
    public var defects: [String]
    /// Whether text belongs to the page that its picture alone does not hold, as far as that shows without reading the text.
    public var hasText = false
    /// Whether parts of the page lead somewhere, in the same way.
    public var hasLinks = false
    /// Whether the representations but the drawing leave out the blank paper around the picture.
    public var leavesMarginsOut = false
    /// The page boxes, where the page is laid out as in a PDF.
    public var paper: Paper?

    public init(
        size: PixelSize?, representations: [Representation], document: DocumentPage? = nil, reason: String? = nil,
        defects: [String] = [], paper: Paper? = nil
    ) {
        self.size = size
        self.representations = representations
        self.document = document
        self.reason = reason
        self.defects = defects
        self.paper = paper
    }

    /// What is wrong with the source's data as far as it is known by now: some of it shows only when they are read.
    public var knownDefects: [String] {
        var known = defects
        for representation in representations {
            switch representation {
            case .encoded(let picture): known += [picture.defect()].compactMap { $0 }
            case .joined(let joined):
                for part in joined.parts { known += part.picture.knownDefects.map { "\(part.page.name): \($0)" } }
            case .sampled, .drawn: break
            }
        }
        return known.unique
    }

    /// One form in which the source can give the picture.
    public enum Representation: Sendable {
        /// Bytes in a picture format.
        case encoded(EncodedPicture)
        /// Exact samples, which the source holds in a compression that no picture file uses.
        case sampled(SampledPicture)
        /// Something that is drawn at whatever resolution is asked for.
        case drawn(DrawnPicture)
        /// Several pages' pictures, to be put together.
        case joined(JoinedPicture)
    }
}

/// A page of a document that a sink of the same kind can copy whole, with its text, links and vector drawings.
public struct DocumentPage: Hashable, Sendable {
    /// The kind of document: "pdf".
    public var format: String
    /// The document's path.
    public var path: String
    /// What the document is called in messages.
    public var name: String
    /// The password it is opened with, if any.
    public var password: String?
    /// The page's place in the document, from 0.
    public var index: Int
    /// Which book of several it belongs to, as `Page.book`: a document that is given twice is copied twice.
    public var book = 0
    /// What of the page is shown, where that is not what its document says: one of the page's boxes, by the document's
    /// own name for it.
    public var box: String?
    /// The size of what is shown as a reader sees it, in points of 1/72 inch.
    public var width: Double
    public var height: Double

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

/// The page boxes of a page that is laid out rather than a plain picture, as PDF defines them.
public struct Paper: Hashable, Sendable {
    /// A box as PDF counts it: left, bottom, right, top, in units of the page, y upwards.
    public typealias Box = [Double]

    /// The whole medium.
    public var mediaBox: Box
    /// What is shown when nothing else is asked for.
    public var cropBox: Box
    /// Degrees the page is turned clockwise: 0, 90, 180 or 270.
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
