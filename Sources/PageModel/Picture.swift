/// A page's picture: what is known of it, and the ways its source can give it, least lossy first.
///
/// A source offers every way it has; the plan takes the first that yields what was asked for. A page that is
/// one JPEG inside a PDF can be copied as that JPEG or drawn by the PDF's renderer; a file in a folder has
/// only its bytes. Nothing is read until a way is taken.
public struct Picture: Sendable {
    /// The size as a reader sees the page, when it is known without reading the whole picture.
    public var size: PixelSize?
    /// The ways the source can give this picture, least lossy first; never empty.
    public var representations: [Representation]
    /// Why no less lossy way is offered, in words that finish "drawn because …".
    public var reason: String?
    /// What is wrong with the source's data, for the report: one line each.
    public var defects: [String]
    /// The paper the page is laid out on, where the source has such a thing.
    public var paper: Paper?

    public init(
        size: PixelSize?, representations: [Representation], reason: String? = nil, defects: [String] = [],
        paper: Paper? = nil
    ) {
        self.size = size
        self.representations = representations
        self.reason = reason
        self.defects = defects
        self.paper = paper
    }

    /// One way of getting at the picture.
    public enum Representation: Sendable {
        /// Bytes in a picture format.
        case encoded(EncodedPicture)
        /// Exact samples, held by the source in a compression that no picture file uses.
        case sampled(SampledPicture)
        /// Something drawn at whatever resolution is asked for.
        case drawn(DrawnPicture)
        /// Several pages' pictures, to be put together.
        case joined(JoinedPicture)
    }
}
