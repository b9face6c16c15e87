public import PageModel

/// A page of a document that an output shows as an image.
public struct ReplacedPage: Sendable {
    public let document: DocumentPage
    /// The part of the page that its image covers.
    private let area: PageArea
    /// The map from that image to the content of the finished page.
    private let map: PageMap

    public init(_ document: DocumentPage, showing area: PageArea = .page, map: PageMap) {
        (self.document, self.area, self.map) = (document, area, map)
    }

    /// Returns the position on the finished page's content of a point on the document's page. Both are shares of their size.
    public func place(of point: PagePoint) -> PagePoint {
        map.place(
            of: PagePoint(
                across: (point.across - area.left) / area.width, down: (point.down - area.top) / area.height))
    }

    /// The part of the document's page that the content shows.
    public var shown: PageArea {
        let part = map.origin(of: .page)
        return PageArea(
            left: area.left + part.left * area.width, top: area.top + part.top * area.height,
            right: area.left + part.right * area.width, bottom: area.top + part.bottom * area.height)
    }
}
