/// A picture made of several pages' pictures, side by side.
public struct JoinedPicture: Sendable {
    /// One page in it.
    public struct Part: Sendable {
        /// The page with all edits it bears.
        public var page: Page
        /// What the page's `examine` gives.
        public var picture: Picture
        /// Where it lies, as large as its edits leave it.
        public var place: PixelRect

        public init(page: Page, picture: Picture, place: PixelRect) {
            self.page = page
            self.picture = picture
            self.place = place
        }
    }

    /// What may be done for JPEGs to be joined without loss whose pages do not end where their grid does.
    public enum Seam: String, Hashable, Sendable, CaseIterable {
        /// Up to an MCU more is shown: what the JPEG holds beyond its edge.
        case pad
        /// Up to an MCU less.
        case trim
        /// Nothing: such pages are encoded anew.
        case exact
    }

    public var size: PixelSize
    /// From left to right; they do not overlap.
    public var parts: [Part]
    /// What is seen where no part lies.
    public var background: RGB
    public var seam: Seam

    public init(size: PixelSize, parts: [Part], background: RGB = .white, seam: Seam = .pad) {
        self.size = size
        self.parts = parts
        self.background = background
        self.seam = seam
    }
}
