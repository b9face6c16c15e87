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

    /// The same part of a picture of another size: the smallest rectangle that lacks nothing of it.
    ///
    /// - Precondition: this is a part of a picture of `old` size.
    public func scaled(from old: PixelSize, to new: PixelSize) -> PixelRect {
        if old == new { return self }
        func span(_ start: Int, _ length: Int, _ old: Int, _ new: Int) -> (start: Int, length: Int) {
            let first = start * new / old
            let end = min(new, ((start + length) * new + old - 1) / old)
            return (min(first, new - 1), max(1, end - first))
        }
        let across = span(x, width, old.width, new.width)
        let down = span(y, height, old.height, new.height)
        return PixelRect(x: across.start, y: down.start, width: across.length, height: down.length)
    }

    public var size: PixelSize { PixelSize(width: width, height: height) }
}
