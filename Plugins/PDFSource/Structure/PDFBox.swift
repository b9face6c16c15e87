/// A rectangle in a page's coordinates: points, y upwards.
struct PDFBox: Hashable, Sendable {
    var left: Double
    var bottom: Double
    var right: Double
    var top: Double

    init(left: Double, bottom: Double, right: Double, top: Double) {
        self.left = left
        self.bottom = bottom
        self.right = right
        self.top = top
    }

    /// A box from an array of four numbers, whose corners may be any two opposite ones.
    init?(_ numbers: [Double]?) {
        guard let numbers, numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
        left = min(numbers[0], numbers[2])
        right = max(numbers[0], numbers[2])
        bottom = min(numbers[1], numbers[3])
        top = max(numbers[1], numbers[3])
    }

    var width: Double { right - left }
    var height: Double { top - bottom }
    /// Whether it has no area that can be reckoned with.
    var isEmpty: Bool { !(width > 0 && height > 0 && width.isFinite && height.isFinite) }

    func intersection(_ other: PDFBox) -> PDFBox {
        PDFBox(
            left: max(left, other.left), bottom: max(bottom, other.bottom), right: min(right, other.right),
            top: min(top, other.top))
    }

    /// Whether no edge of the two is further apart than `tolerance`.
    func equals(_ other: PDFBox, within tolerance: Double) -> Bool {
        [(left, other.left), (bottom, other.bottom), (right, other.right), (top, other.top)]
            .allSatisfy { abs($0 - $1) <= tolerance }
    }
}
