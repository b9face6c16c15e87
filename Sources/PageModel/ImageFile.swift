/// The bytes of an image file, with the facts that only reading them reveals.
public struct ImageFile: Sendable {
    public var bytes: [UInt8]
    /// The problem of bytes that are still usable, in words that follow the page's name; nil for sound ones.
    public var defect: Message?
    /// The change by the overlay; nil without one.
    public var patchResult: PatchResult?

    public init(_ bytes: [UInt8], defect: Message? = nil, patchResult: PatchResult? = nil) {
        (self.bytes, self.defect, self.patchResult) = (bytes, defect, patchResult)
    }
}

/// The change of an image by the `PictureOverlay` that was composited on it.
public struct PatchResult: Sendable {
    /// The re-encoded share of the image, from 0 to 1; 0 if the overlay is invisible.
    public var share: Double
    /// The parts of the stored image that the overlay touches; empty if they are unknown.
    public var areas: [PixelRect]
    /// The visible, readable text of the overlay; nil without text.
    public var text: String?
    /// Whether the overlay made a progressive JPEG of a sequential one.
    public var isMadeProgressive: Bool

    public init(share: Double, areas: [PixelRect] = [], text: String? = nil, isMadeProgressive: Bool = false) {
        (self.share, self.areas, self.text, self.isMadeProgressive) = (share, areas, text, isMadeProgressive)
    }
}
