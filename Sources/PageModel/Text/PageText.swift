/// A line of text on a page: data beside the picture, for what can be searched, selected and read aloud.
///
/// All places are shares of the page's width and height, so that they hold for a picture of any resolution; on a page that
/// a source lists they are those of the page as the source shows it, before its edits, and on a finished page those of the
/// page as the output shows it.
public struct TextLine: Hashable, Sendable {
    /// How a line runs, where its letters stand upright.
    public enum Direction: String, Hashable, Codable, Sendable, CaseIterable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
        /// From the top down, and the next line to the left of it (縦書き).
        case vertical
    }

    /// The words in the order in which they are read; a space is read between two of them. A run of Chinese or Japanese,
    /// which knows no spaces, is one word.
    public var words: [TextWord]
    public var direction: Direction
    /// Clockwise quarter turns, 0 to 3, by which the whole line is turned on the page: 1 for a line of Latin letters that
    /// runs down a page that was put sideways.
    public var turns: Int

    public init(_ words: [TextWord], direction: Direction = .leftToRight, turns: Int = 0) {
        self.words = words
        self.direction = direction
        self.turns = turns
    }

    /// The words with a space between each two.
    public var text: String { words.map(\.text).joined(separator: " ") }

    /// What all words cover.
    public var area: PageArea? {
        words.dropFirst().reduce(words.first?.area) { $0?.union($1.area) }
    }
}

/// A word on a page.
public struct TextWord: Hashable, Sendable {
    /// Its characters in the order in which they are read.
    public var text: String
    public var area: PageArea

    public init(_ text: String, _ area: PageArea) {
        self.text = text
        self.area = area
    }
}

/// A part of a page that leads somewhere.
public struct PageLink: Hashable, Sendable {
    /// Where a link leads.
    public enum Target: Hashable, Sendable {
        /// To a page: on a page of a source by the number that the source gives that page, on a finished page by
        /// `Page.id`. The point is the place on that page that is to be seen, where the link says.
        case page(Int, at: PagePoint?)
        /// Out of the book.
        case address(WebAddress)
        /// To what no book should lead: a program, a script, another file. What it is, in a word or two, for reports; a sink
        /// leaves such a link out.
        case other(String)
    }

    public var area: PageArea
    public var target: Target

    public init(_ area: PageArea, to target: Target) {
        self.area = area
        self.target = target
    }

    /// The same link in a book whose pages have numbers that are higher by `offset`.
    func renumbered(by offset: Int) -> PageLink {
        guard case .page(let number, let point) = target else { return self }
        let (sum, isTooLarge) = number.addingReportingOverflow(offset)
        return isTooLarge ? self : PageLink(area, to: .page(sum, at: point))
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

    /// The whole page.
    public static let page = PageArea(left: 0, top: 0, right: 1, bottom: 1)

    public var width: Double { right - left }
    public var height: Double { bottom - top }
    public var center: PagePoint { PagePoint(across: (left + right) / 2, down: (top + bottom) / 2) }
    /// Whether it covers nothing, or is no rectangle.
    public var isEmpty: Bool { !(width > 0 && height > 0 && width.isFinite && height.isFinite) }

    public func contains(_ point: PagePoint) -> Bool {
        point.across >= left && point.across <= right && point.down >= top && point.down <= bottom
    }

    /// The smallest rectangle that holds both.
    public func union(_ other: PageArea) -> PageArea {
        PageArea(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    /// What both cover; an empty one when that is nothing.
    public func intersection(_ other: PageArea) -> PageArea {
        PageArea(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }
}
