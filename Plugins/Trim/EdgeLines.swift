internal import PageModel

/// The lines of a raster's pixels that begin at one of its sides and run across to the other.
struct EdgeLines {
    /// How many lines there are, and of how many pixels.
    let count: Int
    let length: Int
    private let start: Int
    private let nextLine: Int
    private let nextPlace: Int

    /// Those from the left, the right, the top and the bottom.
    static func all(of size: PixelSize) -> [EdgeLines] {
        let (width, height) = (size.width, size.height)
        return [
            EdgeLines(count: height, length: width, start: 0, nextLine: width, nextPlace: 1),
            EdgeLines(count: height, length: width, start: width - 1, nextLine: width, nextPlace: -1),
            EdgeLines(count: width, length: height, start: 0, nextLine: 1, nextPlace: width),
            EdgeLines(count: width, length: height, start: (height - 1) * width, nextLine: 1, nextPlace: -width),
        ]
    }

    /// The sample at a place in a line.
    func place(_ line: Int, _ place: Int) -> Int { start + line * nextLine + place * nextPlace }
}
