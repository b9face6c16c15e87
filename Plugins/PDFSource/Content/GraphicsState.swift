internal import PDFStructure

/// The part of the graphics state that affects the appearance of an image (ISO 32000-1, 8.4).
struct GraphicsState {
    /// The part of the plane that may be painted.
    enum Clip {
        /// Nothing is clipped.
        case open
        case box(PDFBox)
        /// A shape other than a box.
        case shape

        func narrowed(to other: Clip) -> Clip {
            switch (self, other) {
            case (.open, _): other
            case (_, .open): self
            case (.box(let one), .box(let two)): .box(one.intersection(two))
            default: .shape
            }
        }
    }

    var matrix = Matrix.identity
    var clip = Clip.open
    var hasSoftMask = false
    var fillAlpha = 1.0
    var strokeAlpha = 1.0
    /// Whether paint is blended with the content below instead of covering it.
    var blends = false
    var fill = FillColor()
    /// The pattern that fills shapes; nil for a color.
    var pattern: PDFObject?
    var textMode = 0

    /// Whether the content below shows through.
    var isTranslucent: Bool { isInTranslucentGroup || hasSoftMask || fillAlpha < 1 || strokeAlpha < 1 || blends }
    /// Whether paint goes into a group that is itself translucent.
    private var isInTranslucentGroup = false
    /// Whether paint goes into a transparency group.
    private(set) var isInGroup = false

    /// Begins a transparency group: the current settings apply to all of it, regardless of the settings within (ISO 32000-1,
    /// 11.6.6).
    mutating func beginGroup() {
        isInTranslucentGroup = isTranslucent
        isInGroup = true
        (hasSoftMask, fillAlpha, strokeAlpha, blends) = (false, 1, 1, false)
    }
}

/// A transformation of the plane: x' = ax + cy + e, y' = bx + dy + f (ISO 32000-1, 8.3.3).
struct Matrix: Hashable, Sendable {
    var a = 1.0
    var b = 0.0
    var c = 0.0
    var d = 1.0
    var e = 0.0
    var f = 0.0

    static let identity = Matrix()

    init(a: Double = 1, b: Double = 0, c: Double = 0, d: Double = 1, e: Double = 0, f: Double = 0) {
        (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
    }

    init?(_ numbers: [Double]?) {
        guard let numbers, numbers.count == 6, numbers.allSatisfy(\.isFinite) else { return nil }
        self.init(a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], e: numbers[4], f: numbers[5])
    }

    /// Returns this transformation followed by `next`.
    func then(_ next: Matrix) -> Matrix {
        Matrix(
            a: a * next.a + b * next.c, b: a * next.b + b * next.d, c: c * next.a + d * next.c,
            d: c * next.b + d * next.d, e: e * next.a + f * next.c + next.e, f: e * next.b + f * next.d + next.f)
    }

    func applied(x: Double, y: Double) -> (x: Double, y: Double) {
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// The clockwise quarter turns of an image painted through this matrix; nil if it is mirrored, slanted or empty.
    var quarterTurns: Int? {
        let scale = max(abs(a), abs(b), abs(c), abs(d))
        guard scale > 0, scale.isFinite else { return nil }
        // Slanted by less than a thousandth of a pixel over 10,000 pixels: rounding by the producer.
        func isZero(_ value: Double) -> Bool { abs(value) <= scale * 1e-7 }
        if isZero(b), isZero(c), !isZero(a), !isZero(d) {
            return a > 0 && d > 0 ? 0 : a < 0 && d < 0 ? 2 : nil
        }
        if isZero(a), isZero(d), !isZero(b), !isZero(c) {
            return b < 0 && c > 0 ? 1 : b > 0 && c < 0 ? 3 : nil
        }
        return nil
    }

    /// The same matrix for an image with left and right exchanged.
    var mirrored: Matrix { Matrix(a: -1, e: 1).then(self) }

    /// The box around the unit square, in which an image is painted.
    var unitSquare: PDFBox { bounds(of: PDFBox(left: 0, bottom: 0, right: 1, top: 1)) }

    /// Returns the box around a transformed box.
    func bounds(of box: PDFBox) -> PDFBox {
        let corners = [
            applied(x: box.left, y: box.bottom), applied(x: box.right, y: box.bottom),
            applied(x: box.left, y: box.top), applied(x: box.right, y: box.top),
        ]
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        return PDFBox(
            left: xs.min() ?? 0, bottom: ys.min() ?? 0, right: xs.max() ?? 0, top: ys.max() ?? 0)
    }

    /// Whether boxes stay boxes.
    var keepsAxes: Bool { (b == 0 && c == 0) || (a == 0 && d == 0) }
}

/// A path under construction. Only one property matters: a single upright rectangle as a clip can be a crop.
struct PathBox {
    private var box: PDFBox?
    private var points: [(x: Double, y: Double)] = []
    private var isOther = false

    var isEmpty: Bool { box == nil && points.isEmpty && !isOther }

    /// The clip of the path.
    var clip: GraphicsState.Clip {
        if isOther { return .shape }
        if let box { return points.isEmpty ? .box(box) : .shape }
        guard let box = boxOfPoints() else { return .shape }
        return .box(box)
    }

    /// Follows the `re` operator.
    mutating func addBox(_ numbers: [Double], _ matrix: Matrix) {
        guard numbers.count == 4, matrix.keepsAxes, isEmpty else {
            isOther = true
            return
        }
        let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
        box = PDFBox([x, y, x + width, y + height]).map(matrix.bounds(of:))
        isOther = box == nil
    }

    mutating func move(_ numbers: [Double], _ matrix: Matrix) {
        // A box drawn by hand begins once; a second beginning makes it another shape.
        if !points.isEmpty { isOther = true }
        line(numbers, matrix)
    }

    mutating func line(_ numbers: [Double], _ matrix: Matrix) {
        guard numbers.count == 2, points.count < 6 else {
            isOther = true
            return
        }
        points.append(matrix.applied(x: numbers[0], y: numbers[1]))
    }

    mutating func addCurve() {
        isOther = true
    }

    /// Returns the box formed by four successive corners.
    private func boxOfPoints() -> PDFBox? {
        var corners = points
        if corners.count == 5, corners[0] == corners[4] { corners.removeLast() }
        guard corners.count == 4 else { return nil }
        for index in 0..<4 {
            let (one, two, three) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
            let turnsAtCorner = one.x == two.x ? two.y == three.y : one.y == two.y && two.x == three.x
            guard turnsAtCorner else { return nil }
        }
        return PDFBox([corners[0].x, corners[0].y, corners[2].x, corners[2].y])
    }
}
