internal import PageModel

/// What is kept around what is printed.
struct Surround: Equatable, Sendable {
    var margin: Margin
    /// Width to height that boxes are brought to by widening them, as far as the page goes; nil for any.
    var aspect: Double?

    /// A box with what is to be kept around it. Nothing of it is ever cut.
    func widened(_ box: Box, on page: SeenPage) -> PixelRect {
        let (across, down) = margin.pixels(of: page.size, page.resolution) ?? (0, 0)
        var wider = Box(
            left: max(0, box.left - across), top: max(0, box.top - down),
            right: min(page.size.width, box.right + across), bottom: min(page.size.height, box.bottom + down))
        guard let aspect else { return wider.rect }
        let width = Int(min(1e9, (Double(wider.height) * aspect).rounded()))
        let height = Int(min(1e9, (Double(wider.width) / aspect).rounded()))
        (wider.left, wider.right) = Surround.stretched(wider.left, wider.right, to: width, within: page.size.width)
        (wider.top, wider.bottom) = Surround.stretched(wider.top, wider.bottom, to: height, within: page.size.height)
        return wider.rect
    }

    /// A span made so long, on both sides alike where there is room; one that is longer stays.
    private static func stretched(_ start: Int, _ end: Int, to wanted: Int, within whole: Int) -> (Int, Int) {
        let length = min(max(wanted, end - start), whole)
        let first = max(0, min(start - (length - (end - start)) / 2, whole - length))
        return (first, first + length)
    }
}
