/// A frame into which images are scaled with their aspect ratio.
public struct FitBox: Hashable, Sendable {
    /// The width in pixels; nil for any width.
    public var width: Int?
    /// The height in pixels; nil for any height.
    public var height: Int?
    /// Whether images smaller than the box are enlarged.
    public var enlarges: Bool

    public init(width: Int?, height: Int?, enlarges: Bool = false) {
        self.width = width
        self.height = height
        self.enlarges = enlarges
    }

    /// Parses a typed box: "1072x1448". A missing side, as in "1072x", may have any length.
    public init?(_ text: String, enlarges: Bool) {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.contains(where: { !$0.isEmpty }) else { return nil }
        let lengths = sides.map { Int($0) }
        guard zip(sides, lengths).allSatisfy({ $0.isEmpty || $1.map { (1...100_000).contains($0) } ?? false }) else {
            return nil
        }
        self.init(width: lengths[0], height: lengths[1], enlarges: enlarges)
    }

    /// Returns the size to which an image of `size` is scaled.
    public func size(for size: PixelSize) -> PixelSize {
        let scales = [
            width.map { Double($0) / Double(size.width) }, height.map { Double($0) / Double(size.height) },
        ].compactMap { $0 }
        guard let scale = scales.min(), scale < 1 || enlarges && scale > 1 else { return size }
        func scaled(_ length: Int, within bound: Int?) -> Int {
            let wanted = max(1, Int(checked: Double(length) * scale) ?? length)
            return bound.map { Swift.min(wanted, $0) } ?? wanted
        }
        return PixelSize(width: scaled(size.width, within: width), height: scaled(size.height, within: height))
    }
}
