internal import LayoutAnalysis
internal import PageModel

/// The levels of red, green and blue of a page's paper.
struct PaperColor: Equatable, Sendable {
    let levels: [Double]

    static let white = PaperColor(levels: [255, 255, 255])

    init(levels: [Double]) {
        self.levels = levels
    }

    /// - Parameters:
    ///   - color: the color of the paper; nil for gray.
    ///   - level: the level of the paper in a raster that shows ink relative to this color.
    init(_ color: RGB?, level: Int) {
        let parts = color.map { [$0.red, $0.green, $0.blue].map(Double.init) } ?? [1, 1, 1]
        let brightest = max(1, parts.max() ?? 1)
        levels = parts.map { $0 / brightest * Double(level) }
    }

    /// The same hue at full brightness.
    var hue: PaperColor { PaperColor(levels: levels.map { $0 / max(1, levels.max() ?? 1) * 255 }) }

    /// Whether this color is that of ink on other paper.
    func isInk(on paper: PaperColor) -> Bool {
        zip(levels, paper.levels).contains { PaperTone.isInk($0, onPaper: $1) }
    }
}

/// The color of a book's paper.
///
/// A page whose ground has another color is printed up to its edges, like a cover in plain orange or gray.
struct BookPaperColor {
    /// The median of the pages' paper; nil if too few pages show it.
    private let color: PaperColor?

    init(_ pages: [PageReading]) {
        let papers = pages.filter(\.showsGround).map(\.color)
        guard papers.count >= BookBoxesLimits.minimumPages else {
            color = nil
            return
        }
        color = PaperColor(
            levels: (0..<3).map { channel in papers.map { $0.levels[channel] }.sorted()[papers.count / 2] })
    }

    /// Whether the ground of a page is ink, not paper.
    ///
    /// Without a book a digital page has white paper, and a scan has its own. In scans only the hue counts: the exposure changes
    /// from one to the next.
    func isInked(_ page: PageReading) -> Bool {
        guard page.showsGround else { return false }
        guard !page.isPlain else { return page.color.isInk(on: color ?? .white) }
        return color.map { page.color.hue.isInk(on: $0.hue) } ?? false
    }
}

extension PageReading {
    /// Whether the page's ground reaches the edges of the image, and nothing around it shows.
    fileprivate var showsGround: Bool { (kind == .printed || kind == .blank) && !hasBackdrop }
}
