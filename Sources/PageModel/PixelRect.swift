/// A rectangle of whole pixels; the origin is the top left corner.
public struct PixelRect: Hashable, Sendable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public init(x: Int, y: Int, _ size: PixelSize) {
        self.init(x: x, y: y, width: size.width, height: size.height)
    }

    /// Whether `other` is a part of this, and not an empty one.
    public func contains(_ other: PixelRect) -> Bool {
        other.x >= x && other.y >= y && other.width > 0 && other.height > 0
            && other.width <= width - (other.x - x) && other.height <= height - (other.y - y)
    }

    public var size: PixelSize { PixelSize(width: width, height: height) }
}
