public import PageModel

/// A rectangle of pixels, given by its edges, for comparing marks.
///
/// `right` and `bottom` are the first pixels outside, so that the width is `right - left`.
public struct Bounds: Hashable, Sendable {
    public var left: Int
    public var top: Int
    public var right: Int
    public var bottom: Int

    @inlinable public var width: Int { right - left }
    @inlinable public var height: Int { bottom - top }
    /// The longer side.
    @inlinable public var extent: Int { max(width, height) }
    @inlinable public var rect: PixelRect { PixelRect(x: left, y: top, width: width, height: height) }

    @inlinable public init(left: Int, top: Int, right: Int, bottom: Int) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    @inlinable public init(_ rect: PixelRect) {
        self.init(left: rect.x, top: rect.y, right: rect.x + rect.width, bottom: rect.y + rect.height)
    }

    @inlinable public func union(_ other: Bounds) -> Bounds {
        Bounds(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    @inlinable public func intersects(_ other: Bounds) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    /// Returns the part of it within another one; the two must intersect.
    @inlinable public func intersection(_ other: Bounds) -> Bounds {
        Bounds(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }

    /// Whether it is in the same line: most of the lower one is level with the other.
    @inlinable public func isOnSameLine(as other: Bounds) -> Bool {
        2 * (min(bottom, other.bottom) - max(top, other.top)) >= min(height, other.height)
    }

    /// Returns the part of it within a raster.
    @inlinable public func clamped(to size: PixelSize) -> Bounds {
        Bounds(left: max(0, left), top: max(0, top), right: min(size.width, right), bottom: min(size.height, bottom))
    }

    /// Whether it reaches an edge of a raster, or the pixel next to it, which a decoder may have lightened.
    @inlinable public func touchesEdge(of size: PixelSize) -> Bool {
        left <= 1 || top <= 1 || right >= size.width - 1 || bottom >= size.height - 1
    }

    @inlinable public func contains(_ other: Bounds) -> Bool {
        other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom
    }

    /// Returns the rectangle grown by that many pixels on every side.
    @inlinable public func grown(_ by: Int) -> Bounds {
        Bounds(left: left - by, top: top - by, right: right + by, bottom: bottom + by)
    }

    /// Returns the rectangle grown by that many pixels to the left and right, and above and below.
    @inlinable public func grown(_ across: Int, _ down: Int) -> Bounds {
        Bounds(left: left - across, top: top - down, right: right + across, bottom: bottom + down)
    }

    @inlinable public static func union(_ boxes: some Sequence<Bounds>) -> Bounds? {
        boxes.reduce(nil) { $0?.union($1) ?? $1 }
    }
}
