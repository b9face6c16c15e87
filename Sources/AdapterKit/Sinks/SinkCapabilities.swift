public import PageModel

/// The features that an output can express by itself, with given settings.
///
/// The planner never changes an image if the output can express the change: where reading apps respect crop boxes, a
/// cropped page keeps its bytes.
public struct SinkCapabilities: Hashable, Sendable {
    /// The data that an output can hold in addition to its images.
    public enum Feature: String, Hashable, Sendable, CaseIterable {
        /// The reading direction of the book.
        case direction
        /// Page labels: "iv", "12", "A-3".
        case labels
        /// A table of contents with links to pages.
        case outline
        /// Marks for pages that show a whole spread.
        case doublePages
        /// Page types: covers, advertisements and so on.
        case pageRoles
        /// The text of pages.
        case text
        /// Links between pages and to other places.
        case links
        /// The regions of pages that analyses found.
        case regions
    }

    /// The orientations of a stored image that reading apps can show.
    public enum RotationSupport: String, Hashable, Sendable, CaseIterable {
        /// Only as it is stored, or as its own metadata state.
        case none
        /// Rotated by quarter turns.
        case quarterTurns
        /// Rotated and mirrored: all eight orientations.
        case all
    }

    /// The image formats that reading apps show; nil when any format is allowed.
    public var formats: Set<ImageEncoding>?
    /// Whether the output cannot contain images of other formats, in contrast to formats that few reading apps show.
    public var holdsOnlyFormats: Bool
    /// Whether reading apps rotate an image as its own metadata request (EXIF).
    public var honorsOrientation: Bool
    /// The formats in addition to `formats` that reading apps show if the image is black and white, one bit per pixel.
    public var bilevelFormats: Set<ImageEncoding> = []
    /// The formats in addition to `formats` whose samples the output keeps if the image is `EncodedPicture.isCMYK`.
    public var cmykFormats: Set<ImageEncoding> = []
    /// Whether reading apps also show JPEGs that common decoders do not read (`EncodedPicture.isRareJPEG`).
    public var showsRareJPEGs = true
    /// Whether all reading apps show JPEGs with the four colors of ink.
    public var showsInkJPEGs = true
    /// Whether the output stores the samples of PNG images in a form of its own, and not the files.
    public var storesSamples = false
    /// Whether a page of the output can be larger than its image, so that blank paper around a scan stays.
    public var keepsPaper = false
    /// Whether the output can store a page in layers: print of one bit a pixel over images of a lower resolution.
    public var storesLayers = false
    /// Whether reading apps can show a part of a stored image, for example with a crop box or a view box.
    public var showsParts: Bool
    public var rotationSupport: RotationSupport
    /// Whether reading apps show two pages as one spread, so that facing pages need not be merged.
    public var showsSpreads: Bool
    /// Whether one page of the output can contain several images or document pages, so that facing pages can become one
    /// without changed pixels.
    public var laysPagesTogether: Bool
    /// The use of the reading direction.
    public var directionUse = DirectionUse.none
    public var features: Set<Feature>
    /// The forms of the metadata in the output. "OPF", "XMP" and "JSON" are complete. "ComicInfo" and "MetronInfo" are
    /// document formats that are carried over unchanged.
    public var metadata: Set<String>
    /// The keys of the `MetadataField`s that the output can hold; nil if the forms in `metadata` decide it. "authors"
    /// stands for the credits of authors only.
    public var storedFields: Set<String>?
    /// The formats of unused documents in an output whose metadata have another form, named as in `metadata`. A comic
    /// archive made from the output contains them again.
    public var carriedDocuments: Set<String> = []
    /// The hint for books with much metadata when the output does not contain metadata.
    public var hintForLostMetadata: Message?
    /// Whether a page that must be decoded may come as a raster, because the sink makes images of its own.
    public var takesRasters: Bool
    /// The kinds of documents whose pages the sink copies unchanged: "pdf". A sink that holds text also adds recognized
    /// text to such a page (`FinishedPage.text`).
    public var documents: Set<String>
    /// The hint for a request that is impossible on document pages copied unchanged. It explains how to convert them to
    /// images.
    public var hintForDocuments: Message?
    /// The hint for contents of document pages that images of the pages lose. It explains how to copy the pages. It is
    /// nil for a sink that copies pages, and for one that cannot.
    public var hintForImages: Message?

    /// Whether the format, and not a setting, is the reason that documents are not copied.
    public var neverCopiesDocuments: Bool { documents.isEmpty && hintForImages == nil }
    /// The changes that the sink makes to the pages' images; nil if it keeps them.
    public var composition: Composition?
    /// The note on how the sink joins several pages when the user did not choose; nil if it has no such choice.
    public var joiningChoice: Warning?

    public init(
        formats: Set<ImageEncoding>?, holdsOnlyFormats: Bool = false, honorsOrientation: Bool = true,
        showsParts: Bool = false,
        rotationSupport: RotationSupport = .none, showsSpreads: Bool = false, laysPagesTogether: Bool = false,
        features: Set<Feature> = [], metadata: Set<String> = [], takesRasters: Bool = false,
        documents: Set<String> = [], hintForDocuments: Message? = nil,
        composition: Composition? = nil
    ) {
        self.formats = formats
        self.holdsOnlyFormats = holdsOnlyFormats
        self.honorsOrientation = honorsOrientation
        self.showsParts = showsParts
        self.rotationSupport = rotationSupport
        self.showsSpreads = showsSpreads
        self.laysPagesTogether = laysPagesTogether
        self.features = features
        self.metadata = metadata
        self.takesRasters = takesRasters
        self.documents = documents
        self.hintForDocuments = hintForDocuments
        self.composition = composition
    }

    /// Whether reading apps show images of a format.
    public func shows(_ encoding: ImageEncoding) -> Bool {
        formats?.contains(encoding) ?? true
    }

    /// Whether reading apps show an image as it is.
    public func shows(_ picture: EncodedPicture) -> Bool {
        if picture.isRareJPEG && !showsRareJPEGs { return false }
        if picture.isCMYK && cmykFormats.contains(picture.encoding) { return true }
        return shows(picture.encoding) || picture.bitsPerPixel == 1 && bilevelFormats.contains(picture.encoding)
    }

    /// Whether reading apps can show a stored image in this framing.
    ///
    /// - Parameter own: the orientation in the image's own metadata. It needs no feature of the output.
    public func shows(_ framing: Framing, own: Orientation) -> Bool {
        guard framing.isWhole || showsParts else { return false }
        if framing.orientation == own && (honorsOrientation || own == .upright) { return true }
        return switch rotationSupport {
        case .none: false
        case .quarterTurns: framing.orientation.quarterTurns != nil
        case .all: true
        }
    }
}

/// The changes to a page in an output that is composed of pages' pixels rather than of their files.
public struct Composition: Hashable, Sendable {
    public var treatment: Treatment
    /// The changes and the losses.
    public var notes: [Note]
    /// The name of the file that contains the page, if it is known only at the end.
    public var output: String?
    /// The damage found in the page's own image, as a sentence fragment: "the JPEG is damaged (…)".
    public var defect: Message?

    public init(_ treatment: Treatment, _ notes: [Note], output: String? = nil) {
        self.treatment = treatment
        self.notes = notes
        self.output = output
    }

    /// Returns the combined changes for a page that consists of both parts: the greater change, and each note once.
    public func and(_ other: Composition) -> Composition {
        var both = self
        both.treatment = max(treatment, other.treatment)
        both.notes += other.notes.filter { !notes.contains($0) }
        both.defect = defect ?? other.defect
        return both
    }
}
