/// A picture that its source draws.
public struct DrawnPicture: Sendable {
    /// The page's width and height in points of 1/72 inch, as a reader sees it.
    public var width: Double
    public var height: Double
    /// The resolution to draw at, in pixels per inch: the one asked for, or the one that loses least.
    public var resolution: Double
    /// Draws the page, `size` large.
    public var draw: @Sendable () async throws -> DecodedImage
    /// Draws the page at another resolution, in pixels per inch; nil where the source can only draw it full size.
    public var drawAt: (@Sendable (Double) async throws -> DecodedImage)?

    public init(
        width: Double, height: Double, resolution: Double,
        draw: @escaping @Sendable () async throws -> DecodedImage
    ) {
        self.width = width
        self.height = height
        self.resolution = resolution
        self.draw = draw
    }

    /// The size in pixels: at least one pixel each way.
    public var size: PixelSize {
        func pixels(_ points: Double) -> Int {
            let exact = (points * resolution / 72).rounded()
            return exact.isFinite ? max(1, Int(min(exact, 1e9))) : 1
        }
        return PixelSize(width: pixels(width), height: pixels(height))
    }
}
