public import PageModel

/// A reduced page, with the position of its pixels on the page.
public struct PagePreview: Sendable {
    /// The raster: 8-bit gray, upright. As `.color`, a page in color has RGB of 8 bits.
    public var raster: Raster
    /// The size of the full page, in pixels.
    public var size: PixelSize
    /// The number of pixels of the page per pixel of the raster, across and down.
    public var scale: (across: Double, down: Double)
    /// The origin of the raster, in pixels of the page: 0 or slightly less, because a reduced pixel may extend beyond
    /// the edge.
    public var start: (x: Double, y: Double)
    /// The origin of the page in the oriented image: not 0 if it was cropped before.
    public var origin: (x: Int, y: Int)
    /// The positions of lossless cuts; nil if any pixel is possible.
    public var grid: CutGrid?
    /// The number of pixels of the page per inch, if known.
    public var resolution: Resolution?
    /// The color of the paper of a page in color, if the raster shows the amount of its ink; nil if it was not found.
    public var paper: RGB?
    /// The part of the page that is the scan, if the rest is paper that the page shows around it.
    public var scan = PageArea.page
    /// The damage of its data: a part may be missing or guessed. Nil for intact data.
    public var damage: Message?

    public init(
        raster: Raster, size: PixelSize, scale: (across: Double, down: Double) = (1, 1),
        start: (x: Double, y: Double) = (0, 0), origin: (x: Int, y: Int) = (0, 0), grid: CutGrid? = nil,
        resolution: Resolution? = nil, damage: Message? = nil
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

    /// Returns the pixels of the page that a rectangle of the raster covers at least in part; never beyond the page.
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

/// A provider of reduced pages for adapters that must see pages before they can decide.
public protocol PreviewProvider: Sendable {
    /// Returns the reduced page. Its edits are applied.
    ///
    /// - Parameters:
    ///   - pixels: the minimum of its shorter side.
    ///   - meaning: the gray's meaning.
    /// - Throws: for unreadable images; `CancellationError`.
    func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview
}

/// The positions at which the left and top of a page can be cut without loss, as some formats have them.
public struct CutGrid: Sendable {
    /// The distance between them, across and down, in pixels of the page.
    public let step: PixelSize
    /// The first of them, across and down, in pixels of the page: from 0 to less than the step.
    public let first: (x: Int, y: Int)

    public init(step: PixelSize, first: (x: Int, y: Int) = (0, 0)) {
        func within(_ place: Int, _ step: Int) -> Int { (place % step + step) % step }
        self.step = step
        self.first = (within(first.x, step.width), within(first.y, step.height))
    }
}
