/// A picture that its source draws at the resolution it is asked for.
public struct DrawnPicture: Sendable {
    /// The page's width and height in points of 1/72 inch, as a reader sees it.
    public var width: Double
    public var height: Double
    /// The resolution, in pixels per inch, that loses nothing the source holds; nil when everything is vector.
    public var naturalResolution: Double?
    /// Draws the page at a number of pixels per inch.
    public var draw: @Sendable (_ resolution: Double) async throws -> Drawing

    public init(
        width: Double, height: Double, naturalResolution: Double?,
        draw: @escaping @Sendable (_ resolution: Double) async throws -> Drawing
    ) {
        self.width = width
        self.height = height
        self.naturalResolution = naturalResolution
        self.draw = draw
    }

    /// The size in pixels at a resolution: at least one pixel each way.
    public func size(at resolution: Double) -> PixelSize {
        func pixels(_ points: Double) -> Int {
            let exact = (points * resolution / 72).rounded()
            return exact.isFinite ? max(1, Int(min(exact, 1e9))) : 1
        }
        return PixelSize(width: pixels(width), height: pixels(height))
    }
}
