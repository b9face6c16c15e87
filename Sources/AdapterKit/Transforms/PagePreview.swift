public import PageModel

/// A page seen small, and where its pixels lie on the page.
public struct PagePreview: Sendable {
    /// Gray of 8 bits, upright.
    public var raster: Raster
    /// The page in full, in pixels.
    public var size: PixelSize
    /// Pixels of the page per pixel of the raster, across and down.
    public var scale: (across: Double, down: Double)
    /// Where the raster begins, in pixels of the page: 0 or a little less, since a reduced pixel may reach over its edge.
    public var start: (x: Double, y: Double)
    /// Where the page begins in the oriented picture: not at 0 when it was cropped before.
    public var origin: (x: Int, y: Int)
    /// Where it can be cut without loss; nil where any pixel will do.
    public var grid: CutGrid?
    /// Pixels of the page per inch, where that is known.
    public var resolution: Resolution?
    /// What is wrong with its data: a part of it may be missing, or have been guessed. Nil when nothing is.
    public var damage: String?

    public init(
        raster: Raster, size: PixelSize, scale: (across: Double, down: Double) = (1, 1),
        start: (x: Double, y: Double) = (0, 0), origin: (x: Int, y: Int) = (0, 0), grid: CutGrid? = nil,
        resolution: Resolution? = nil, damage: String? = nil
    ) {
        self.raster = raster
        self.size = size
        self.scale = scale
        self.start = start
        self.origin = origin
        self.grid = grid
        self.resolution = resolution
        self.damage = damage
    }

    /// The pixels of the page that a rectangle of the raster covers at least in part; never beyond the page.
    public func page(_ rect: PixelRect) -> PixelRect {
        func span(_ start: Double, _ scale: Double, _ first: Int, _ count: Int, _ whole: Int) -> (Int, Int) {
            let low = Int(clamping: (start + Double(first) * scale).rounded(.down), to: 0...max(0, whole - 1))
            let high = Int(clamping: (start + Double(first + count) * scale).rounded(.up), to: 0...max(0, whole))
            return (low, max(1, high - low))
        }
        let (x, width) = span(start.x, scale.across, rect.x, rect.width, size.width)
        let (y, height) = span(start.y, scale.down, rect.y, rect.height, size.height)
        return PixelRect(x: x, y: y, width: width, height: height)
    }
}

/// Shows pages small to those that must see them before they can decide.
public protocol PreviewProvider: Sendable {
    /// The page as the edits it bears leave it, reduced.
    ///
    /// - Parameters:
    ///   - pixels: what its shorter side is not reduced below.
    ///   - shade: what its gray stands for.
    /// - Throws: when its picture cannot be had in any way; `CancellationError`.
    func preview(of page: Page, pixels: Int, as shade: Shade) async throws -> PagePreview
}

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
