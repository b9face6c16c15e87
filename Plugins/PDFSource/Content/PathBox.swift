/// A path under construction, as far as it is one box along the axes.
struct PathBox {
    private var box: PDFBox?
    private var points: [(x: Double, y: Double)] = []
    private var isOther = false

    var isEmpty: Bool { box == nil && points.isEmpty && !isOther }

    /// What the path clips to.
    var clip: GraphicsState.Clip {
        if isOther { return .shape }
        if let box { return points.isEmpty ? .box(box) : .shape }
        guard let box = boxOfPoints() else { return .shape }
        return .box(box)
    }

    /// The `re` operator.
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
        // A box drawn by hand begins once; a second beginning makes another shape of it.
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

    /// The box that four corners in turn make.
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
