/// The map from a page's points to the finished page. It moves words and links when their page is cropped, rotated,
/// deskewed, dewarped or placed next to another.
///
/// It is made of the same framing and edits as the image. Points are shares of the page's size before and after, so
/// scaling changes nothing.
public struct PageMap: Sendable {
    private enum Step: Sendable {
        case affine(Affine)
        case change(any PageOperation, of: PixelSize)
        case undo(any PageOperation, of: PixelSize)
    }

    private var steps: [Step] = []
    /// The size in pixels to which the next edit refers.
    private var size: PixelSize
    /// The number of clockwise quarter turns, 0 to 3, by which letters are rotated.
    public private(set) var turns = 0

    /// Makes the map of an unchanged page.
    public init(_ size: PixelSize) {
        self.size = size
    }

    /// Makes the map between two views of an image.
    ///
    /// - Parameters:
    ///   - shown: the view in the source.
    ///   - finished: the view in the output.
    public init(from shown: Framing, to finished: Framing) {
        size = finished.rect.size
        turns = (0..<4).first { shown.orientation.rotated(quarters: $0) == finished.orientation } ?? 0
        steps = [.affine(Affine(shown).inverse.followed(by: Affine(finished)))]
    }

    /// Adds an edit of the current state of the page; an edit that would leave nothing is ignored.
    public mutating func append(_ edit: PageEdit) {
        switch edit {
        case .move(let move): append(move)
        case .change(let operation):
            steps.append(.change(operation, of: size))
            size = operation.size(after: size)
        }
    }

    /// Adds an edit that only moves pixels.
    public mutating func append(_ move: Edit) {
        guard let framing = Framing(size, edits: [move]) else { return }
        steps.append(.affine(Affine(framing)))
        if case .turn(let quarters) = move { turns = ((turns + quarters) % 4 + 4) % 4 }
        size = framing.rect.size
    }

    /// Shows the page in a framing.
    public mutating func append(_ framing: Framing) {
        steps.append(.affine(Affine(framing)))
        let shown = Framing(framing.source).orientation
        let quarters = (0..<4).first { shown.rotated(quarters: $0) == framing.orientation } ?? 0
        turns = (turns + quarters) % 4
        size = framing.rect.size
    }

    /// Rotates the page clockwise about its middle by a few degrees.
    public mutating func rotate(degrees: Double) {
        steps.append(.affine(Affine(rotating: degrees, size)))
    }

    /// Places the page on a larger one.
    public mutating func place(at rect: PixelRect, on whole: PixelSize) {
        let (width, height) = (Double(whole.width), Double(whole.height))
        steps.append(
            .affine(
                Affine(
                    across: (Double(rect.width) / width, 0, Double(rect.x) / width),
                    down: (0, Double(rect.height) / height, Double(rect.y) / height))))
        size = whole
    }

    /// Returns the position of a point on the finished page or beyond its edges.
    public func place(of point: PagePoint) -> PagePoint {
        steps.reduce(point) { point, step in
            switch step {
            case .affine(let affine): affine.applied(to: point)
            case .change(let operation, let size): operation.place(of: point, on: size)
            case .undo(let operation, let size): PageMap.origin(of: point, operation, size)
            }
        }
    }

    /// Returns the position of a rectangle on the finished page or beyond its edges.
    ///
    /// After a rotation by a few degrees, the result is upright, as high and as wide as the middle lines. That matches
    /// a word on a straightened page.
    public func place(of area: PageArea) -> PageArea {
        let (middle, left, top) = (area.center, area.left, area.top)
        let (west, east) = (
            place(of: PagePoint(across: left, down: middle.down)),
            place(of: PagePoint(across: area.right, down: middle.down))
        )
        let (north, south) = (
            place(of: PagePoint(across: middle.across, down: top)),
            place(of: PagePoint(across: middle.across, down: area.bottom))
        )
        var (width, height) = (abs(east.across - west.across), abs(south.down - north.down))
        if !turns.isMultiple(of: 2) {
            (width, height) = (abs(south.across - north.across), abs(east.down - west.down))
        }
        let center = PagePoint(
            across: (west.across + east.across + north.across + south.across) / 4,
            down: (west.down + east.down + north.down + south.down) / 4)
        return PageArea(
            left: center.across - width / 2, top: center.down - height / 2, right: center.across + width / 2,
            bottom: center.down + height / 2)
    }

    /// Returns the area whose `place` is another one.
    public func origin(of area: PageArea) -> PageArea {
        var back = self
        back.turns = (4 - turns) % 4
        back.steps = steps.reversed().map { step in
            switch step {
            case .affine(let affine): .affine(affine.inverse)
            case .change(let operation, let size): .undo(operation, of: size)
            case .undo(let operation, let size): .change(operation, of: size)
            }
        }
        return back.place(of: area)
    }

    /// The number of corrections of a guess. Each divides the error at least by two on a page that is skewed or curved as much
    /// as jisui can correct.
    private static let corrections = 24

    /// Returns the point that an operation moves to another one.
    ///
    /// Operations state only the way to the finished page, and move points by little. So the error of a guess is about the
    /// correction that it needs.
    private static func origin(of point: PagePoint, _ operation: any PageOperation, _ size: PixelSize) -> PagePoint {
        (0..<corrections).reduce(point) { guess, _ in
            let reached = operation.place(of: guess, on: size)
            return PagePoint(
                across: guess.across + point.across - reached.across, down: guess.down + point.down - reached.down)
        }
    }
}
