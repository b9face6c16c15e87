public import PageModel

/// The lines of pixels from one side of a raster to the opposite one.
public struct EdgeLines: Sendable {
    /// The number of lines, and the number of their pixels.
    public let count: Int
    public let length: Int
    @usableFromInline let start: Int
    @usableFromInline let nextLine: Int
    @usableFromInline let nextPlace: Int

    /// Returns the lines from the left, the right, the top and the bottom.
    public static func all(of size: PixelSize) -> [EdgeLines] {
        let (width, height) = (size.width, size.height)
        return [
            EdgeLines(count: height, length: width, start: 0, nextLine: width, nextPlace: 1),
            EdgeLines(count: height, length: width, start: width - 1, nextLine: width, nextPlace: -1),
            EdgeLines(count: width, length: height, start: 0, nextLine: 1, nextPlace: width),
            EdgeLines(count: width, length: height, start: (height - 1) * width, nextLine: 1, nextPlace: -width),
        ]
    }

    /// Returns the index of a pixel by its line and its distance from the side.
    @inlinable public func place(_ line: Int, _ distance: Int) -> Int {
        start &+ line &* nextLine &+ distance &* nextPlace
    }
}
