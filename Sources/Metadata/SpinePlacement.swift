package import AdapterKit
package import PageModel

/// The side of a spread for each page of a fixed-layout book, as EPUB and KF8 state it.
///
/// Sides found by pairing are used. In a book without any, the cover and wide pages are unpaired. The others face each other, as in
/// the guide of the Digital Comic Association. The page after an unpaired one is on the side where reading begins. Every page states
/// its side, because reading apps differ in the treatment of a page without one.
package struct SpinePlacement {
    package enum Place: String, Sendable {
        case left, right, center
    }

    /// The properties of a page that decide its place.
    package struct Page: Sendable {
        package var side: Side
        package var isCover: Bool
        /// Whether it shows a whole spread.
        package var isDouble: Bool
        /// The `Page.book`. Pages of different books never face each other.
        package var book: Int

        package init(side: Side, isCover: Bool, isDouble: Bool, book: Int = 0) {
            (self.side, self.isCover, self.isDouble, self.book) = (side, isCover, isDouble, book)
        }
    }

    package let places: [Place]
    /// The effect of the pages' known sides; nil if none is known.
    package let effect: Effect?

    package init(_ pages: [Page], isRightToLeft: Bool) {
        let usual = SpinePlacement.usual(pages, isRightToLeft: isRightToLeft)
        guard pages.contains(where: { $0.side != .single }) else {
            (places, effect) = (usual, nil)
            return
        }
        let paired = Set(pages.lazy.filter { $0.side != .single }.map(\.book))
        places = zip(pages, usual).map { page, usual in
            guard paired.contains(page.book) else { return usual }
            return page.side == .left ? .left : page.side == .right ? .right : .center
        }
        effect = places == usual ? .pairedAnyway : .sidesShown
    }

    /// Returns the places of pages whose sides are unknown.
    private static func usual(_ pages: [Page], isRightToLeft: Bool) -> [Place] {
        let first: Place = isRightToLeft ? .right : .left
        var next = first
        var places: [Place] = []
        for (index, page) in pages.enumerated() {
            // Each book that follows another one begins with a cover of its own.
            let beginsBook = index > 0 && pages[index - 1].book != page.book
            if page.isCover || page.isDouble || beginsBook {
                places.append(.center)
                next = first
            } else {
                places.append(next)
                next = next == .left ? .right : .left
            }
        }
        return places
    }
}
