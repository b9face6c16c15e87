/// Something that has a place on a page: a word, a link, a region.
public struct Placed<Content: Hashable & Sendable>: Hashable, Sendable {
    public var area: PageArea
    public var content: Content

    public init(_ content: Content, _ area: PageArea) {
        self.content = content
        self.area = area
    }
}

/// A word on a page: its characters in reading order.
public typealias TextWord = Placed<String>

extension Placed<String> {
    public var text: String { content }
}

/// A part of a page that is a link.
public typealias PageLink = Placed<LinkTarget>

/// The target of a link.
public enum LinkTarget: Hashable, Sendable {
    /// A page: on a source's page the number that the source gives the target, on a finished page its `Page.id`.
    /// The point is the position to show on that page, if the link states it.
    case page(Int, at: PagePoint?)
    /// An address outside the book.
    case address(WebAddress)
    /// A target that no book should have: a program, a script, another file. The text describes it in a word or two
    /// for reports. Sinks drop such a link.
    case other(String)
}

extension Placed<LinkTarget> {
    public var target: LinkTarget { content }

    public init(_ area: PageArea, to target: LinkTarget) { self.init(target, area) }

    /// Returns the same link in a book whose page numbers are higher by `offset`.
    func renumbered(by offset: Int) -> PageLink {
        guard case .page(let number, let point) = target else { return self }
        let (sum, isTooLarge) = number.addingReportingOverflow(offset)
        return isTooLarge ? self : PageLink(area, to: .page(sum, at: point))
    }
}

/// A part of a page that an analysis found, such as its print or a panel.
///
/// The area is a share of the page as it is after the edits that the page had when the region was found.
public typealias PageRegion = Placed<RegionKind>

/// The kind of a region, and the state of the page in which it was found.
public struct RegionKind: Hashable, Sendable {
    /// The name, for outputs that store regions: lower case, hyphenated.
    public var id: String
    /// The number of the page's first edits that had been made when the region was found.
    public var editCount: Int

    public init(_ id: String, afterEdits editCount: Int) {
        (self.id, self.editCount) = (id, editCount)
    }

    /// Printed content that a crop should keep: the type area, a page number, a running head.
    public static let print = "print"
}

extension PageMap {
    /// The condition under which something stays on a finished page.
    public enum Remaining: Sendable {
        /// Its middle is on the page.
        case middle
        /// At least a tenth of it is on the page.
        case tenth
        /// Things beyond an edge are moved to the page by as little as possible.
        case movedIn
    }

    /// Returns the things that remain on the finished page, cut at its edges.
    public func placed<Content>(_ things: [Placed<Content>], _ remaining: Remaining = .tenth) -> [Placed<Content>] {
        things.compactMap { Placed($0.content, place(of: $0.area)).visible(remaining) }
    }

    /// Returns the lines on the finished page, with the words whose middle is on it.
    ///
    /// - Parameter movesIn: whether words beyond an edge are moved to it. Where only blank margins were cut off, such words are
    ///   visible, and the recognition of characters placed them wrongly.
    public func placed(_ lines: [TextLine], movesIn: Bool = false) -> [TextLine] {
        lines.compactMap { line in
            var copy = line
            copy.turns = (line.turns + turns) % 4
            copy.words = placed(line.words, movesIn ? .movedIn : .middle)
            return copy.words.isEmpty ? nil : copy
        }
    }
}

extension PageMap {
    /// Returns the lines whose places are others: the text that was found on the finished page.
    public func origins(of lines: [TextLine]) -> [TextLine] {
        lines.map { line in
            var copy = line
            copy.turns = (line.turns + 4 - turns) % 4
            copy.words = line.words.map { TextWord($0.text, origin(of: $0.area)) }
            return copy
        }
    }
}

extension Placed {
    /// Returns what remains of it on its page, cut at the edges; nil if it does not remain.
    public func visible(_ remaining: PageMap.Remaining = .tenth) -> Placed? {
        let whole = remaining == .movedIn ? area.movedIntoPage : area
        let shown = whole.intersection(.page)
        let remains =
            remaining == .tenth
            ? shown.width * shown.height >= whole.width * whole.height / 10 : PageArea.page.contains(whole.center)
        return remains && !shown.isEmpty ? Placed(content, shown) : nil
    }
}

extension PageArea {
    /// The area, moved by as little as possible to lie on the page; an area larger than the page covers it.
    fileprivate var movedIntoPage: PageArea {
        func moved(_ low: Double, _ high: Double) -> (Double, Double) {
            let length = min(high - low, 1)
            let start = min(max(low, 0), 1 - length)
            return (start, start + length)
        }
        let ((left, right), (top, bottom)) = (moved(left, right), moved(top, bottom))
        return PageArea(left: left, top: top, right: right, bottom: bottom)
    }
}
