public import PageModel

/// What an output can express by itself, with given settings.
///
/// The planner never changes a picture to show what the output can say: where readers show crop boxes, a cropped page
/// keeps its bytes.
public struct SinkCapabilities: Hashable, Sendable {
    /// What else an output can hold beside its pictures.
    public enum Feature: String, Hashable, Sendable, CaseIterable {
        /// Which way the book is read.
        case direction
        /// Page labels: "iv", "12", "A-3".
        case labels
        /// A table of contents that leads to pages.
        case outline
        /// Pages that show a whole spread are marked as such.
        case doublePages
        /// What pages are for: covers, advertisements and so on.
        case pageRoles
        /// The text of pages.
        case text
        /// Links between pages and to other places.
        case links
    }

    /// Which orientations of a stored picture readers can show.
    public enum Turning: String, Hashable, Sendable, CaseIterable {
        /// Only as it is stored, or as its own metadata say.
        case none
        /// Turned by quarter turns.
        case quarterTurns
        /// Turned and mirrored: all eight orientations.
        case all
    }

    /// The picture formats that readers show; nil when any format will do.
    public var formats: Set<ImageEncoding>?
    /// Whether pictures of other formats cannot be in the output at all, rather than being shown by few readers.
    public var holdsOnlyFormats: Bool
    /// Whether readers turn a picture as its own metadata ask (EXIF).
    public var honoursOrientation: Bool
    /// The formats that readers show where the picture is black and white, one bit a pixel, besides `formats`.
    public var bilevelFormats: Set<ImageEncoding> = []
    /// The formats, besides `formats`, of which the output keeps the samples where the picture is `EncodedPicture.isCMYK`.
    public var cmykFormats: Set<ImageEncoding> = []
    /// Whether readers also show JPEGs that common decoders do not read (`EncodedPicture.isRareJPEG`).
    public var showsRareJPEGs = true
    /// Whether pictures that come as PNG stand in the output as their samples, in a form of its own, and not as files.
    public var storesSamples = false
    /// Whether readers can show a part of a stored picture: by a crop box, a view box or the like.
    public var showsParts: Bool
    public var turning: Turning
    /// Whether readers show two pages as one spread, so that facing pages need not be merged.
    public var showsSpreads: Bool
    /// Whether several pictures, or pages of documents, can lie on one page of the output, so that facing pages become one
    /// without a pixel changed.
    public var laysPagesTogether: Bool
    /// What the reading direction is used for.
    public var directionUse = DirectionUse.none
    public var features: Set<Feature>
    /// In what form the output tells of its book: "OPF", "XMP", "JSON" for all of it, or the formats of documents that are
    /// carried through as they came, "ComicInfo" and "MetronInfo".
    public var metadata: Set<String>
    /// The formats of documents that go along unseen where the output tells of its book in another form, as `metadata` names
    /// them: a comic archive made of the output has them again.
    public var carriedDocuments: Set<String> = []
    /// What to do for the output to tell of its book, where it does not: advice for those whose book says much.
    public var insteadOfLosingFacts: String?
    /// Whether a page that must be decoded may come as a raster, because the sink makes pictures of its own.
    public var takesRasters: Bool
    /// The kinds of documents of which the sink copies pages whole: "pdf". One that holds text gives such a page the text that
    /// was read off it as well (`FinishedPage.text`).
    public var documents: Set<String>
    /// What to do for pages of documents to be made pictures, where they are copied whole: advice for those who ask for
    /// what cannot be done to them.
    public var insteadOfDocuments: String?
    /// What the sink makes of the pages' pictures, when it does not keep them as they come.
    public var composition: Composition?

    public init(
        formats: Set<ImageEncoding>?, holdsOnlyFormats: Bool = false, honoursOrientation: Bool = true,
        showsParts: Bool = false,
        turning: Turning = .none, showsSpreads: Bool = false, laysPagesTogether: Bool = false,
        features: Set<Feature> = [], metadata: Set<String> = [], takesRasters: Bool = false,
        documents: Set<String> = [], insteadOfDocuments: String? = nil,
        composition: Composition? = nil
    ) {
        self.formats = formats
        self.holdsOnlyFormats = holdsOnlyFormats
        self.honoursOrientation = honoursOrientation
        self.showsParts = showsParts
        self.turning = turning
        self.showsSpreads = showsSpreads
        self.laysPagesTogether = laysPagesTogether
        self.features = features
        self.metadata = metadata
        self.takesRasters = takesRasters
        self.documents = documents
        self.insteadOfDocuments = insteadOfDocuments
        self.composition = composition
    }

    /// Whether readers show pictures of a format.
    public func shows(_ encoding: ImageEncoding) -> Bool {
        formats?.contains(encoding) ?? true
    }

    /// Whether readers show a picture as it is.
    public func shows(_ picture: EncodedPicture) -> Bool {
        if picture.isRareJPEG && !showsRareJPEGs { return false }
        if picture.isCMYK && cmykFormats.contains(picture.encoding) { return true }
        return shows(picture.encoding) || picture.bitsPerPixel == 1 && bilevelFormats.contains(picture.encoding)
    }

    /// Whether readers can show a stored picture in this framing.
    ///
    /// - Parameter own: the orientation that the picture's own metadata ask for, which needs nothing of the output.
    public func shows(_ framing: Framing, own: Orientation) -> Bool {
        guard framing.isWhole || showsParts else { return false }
        if framing.orientation == own && (honoursOrientation || own == .upright) { return true }
        return switch turning {
        case .none: false
        case .quarterTurns: framing.orientation.quarterTurns != nil
        case .all: true
        }
    }
}

/// What becomes of a page in an output that is composed of pages' pixels rather than of their files.
public struct Composition: Hashable, Sendable {
    public var treatment: Treatment
    /// What is done, and what is lost.
    public var notes: [Note]
    /// The name of the file that the page is in, where that is known only at the end.
    public var output: String?
    /// The damage that was met in the page's own picture, half a sentence like "the JPEG is damaged (…)".
    public var defect: String?

    public init(_ treatment: Treatment, _ notes: [Note], output: String? = nil) {
        self.treatment = treatment
        self.notes = notes
        self.output = output
    }

    /// What becomes of a page of which this and something else become parts: the greater change, and each note once.
    public func and(_ other: Composition) -> Composition {
        var both = self
        both.treatment = max(treatment, other.treatment)
        both.notes += other.notes.filter { !notes.contains($0) }
        both.defect = defect ?? other.defect
        return both
    }
}
