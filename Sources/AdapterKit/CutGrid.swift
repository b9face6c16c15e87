public import PageModel

/// The places at which a page can be cut on its left and at its top without loss, as some formats have them.
public struct CutGrid: Sendable {
    /// How far they are apart, across and down, in pixels of the page.
    public let step: PixelSize
    /// The first of them, across and down, in pixels of the page: 0 up to the step.
    public let first: (x: Int, y: Int)

    public init(step: PixelSize, first: (x: Int, y: Int) = (0, 0)) {
        func within(_ place: Int, _ step: Int) -> Int { (place % step + step) % step }
        self.step = step
        self.first = (within(first.x, step.width), within(first.y, step.height))
    }
}
