/// A frame that pictures are scaled into; their shape stays.
public struct FitBox: Hashable, Sendable {
    /// In pixels; nil where any width will do.
    public var width: Int?
    public var height: Int?
    /// Whether pictures smaller than the box are scaled up to it.
    public var enlarges: Bool

    public init(width: Int?, height: Int?, enlarges: Bool = false) {
        self.width = width
        self.height = height
        self.enlarges = enlarges
    }

    /// The size a picture of `size` gets.
    public func size(for size: PixelSize) -> PixelSize {
        let scales = [
            width.map { Double($0) / Double(size.width) }, height.map { Double($0) / Double(size.height) },
        ].compactMap { $0 }
        guard let scale = scales.min(), scale < 1 || enlarges && scale > 1 else { return size }
        func scaled(_ length: Int, within bound: Int?) -> Int {
            let wanted = max(1, Int((Double(length) * scale).rounded()))
            return bound.map { Swift.min(wanted, $0) } ?? wanted
        }
        return PixelSize(width: scaled(size.width, within: width), height: scaled(size.height, within: height))
    }
}
