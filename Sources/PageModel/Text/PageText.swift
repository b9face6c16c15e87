/// A line of text on a page: data in addition to the image, for searching, selecting and reading aloud.
///
/// All positions are shares of the page's width and height, so they apply to an image of any resolution. On a page that
/// a source lists, they refer to the page as the source shows it, before its edits. On a finished page, they refer to
/// the page as the output shows it.
public struct TextLine: Hashable, Sendable {
    /// The direction of a line whose letters are upright.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
        /// From the top down, with the next line to the left (縦書き).
        case vertical
    }

    /// The words in reading order, with a space between two of them. A run of Chinese or Japanese, which does not use
    /// spaces, is one word.
    public var words: [TextWord]
    public var direction: Direction
    /// The number of clockwise quarter turns, 0 to 3, of the whole line on the page. It is 1 for a line of Latin
    /// letters that runs down a page placed sideways.
    public var turns: Int

    public init(_ words: [TextWord], direction: Direction = .leftToRight, turns: Int = 0) {
        self.words = words
        self.direction = direction
        self.turns = turns
    }

    /// The words with a space between every two.
    public var text: String { words.map(\.text).joined(separator: " ") }

    /// The area that all words cover.
    public var area: PageArea? {
        words.dropFirst().reduce(words.first?.area) { $0?.union($1.area) }
    }
}

/// A point on a page, in shares of its width and height; the origin is the top left corner.
public struct PagePoint: Hashable, Sendable {
    public var across: Double
    public var down: Double

    public init(across: Double, down: Double) {
        self.across = across
        self.down = down
    }
}

/// A rectangle on a page, in shares of the page's width and height; the origin is the top left corner.
public struct PageArea: Hashable, Sendable {
    public var left: Double
    public var top: Double
    public var right: Double
    public var bottom: Double

    public init(left: Double, top: Double, right: Double, bottom: Double) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    /// Makes the area of a rectangle on a page of that size, in pixels.
    public init(_ rect: PixelRect, of size: PixelSize) {
        let (width, height) = (Double(max(1, size.width)), Double(max(1, size.height)))
        self.init(
            left: Double(rect.x) / width, top: Double(rect.y) / height, right: Double(rect.x + rect.width) / width,
            bottom: Double(rect.y + rect.height) / height)
    }

    /// The whole page.
    public static let page = PageArea(left: 0, top: 0, right: 1, bottom: 1)

    public var width: Double { right - left }
    public var height: Double { bottom - top }
    public var center: PagePoint { PagePoint(across: (left + right) / 2, down: (top + bottom) / 2) }
    /// Whether it covers nothing or is invalid.
    public var isEmpty: Bool { !(width > 0 && height > 0 && width.isFinite && height.isFinite) }

    public func contains(_ point: PagePoint) -> Bool {
        point.across >= left && point.across <= right && point.down >= top && point.down <= bottom
    }

    /// Returns whether an area lies in this one, except for errors of rounding.
    public func contains(_ area: PageArea) -> Bool {
        let slack = 1e-6
        return area.left >= left - slack && area.right <= right + slack && area.top >= top - slack
            && area.bottom <= bottom + slack
    }

    /// Returns the smallest rectangle that contains both.
    public func union(_ other: PageArea) -> PageArea {
        PageArea(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    /// Returns the area that both cover; an empty one if they do not overlap.
    public func intersection(_ other: PageArea) -> PageArea {
        PageArea(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }
}
