internal import PageModel

/// The side of a spread for each page of an EPUB.
///
/// Sides found by pairing are used. Otherwise the cover and wide pages are unpaired, and the others face each other, as in the
/// guide of the Digital Comic Association. The page after an unpaired one is on the side where reading begins. Every page states
/// its side, because reading apps differ in the treatment of a page without one.
struct SpinePlacement {
    enum Place: String {
        case left, right, center
    }

    let places: [Place]

    init(_ pages: [EPUBPage], isRightToLeft: Bool) {
        if pages.contains(where: { $0.side != .single }) {
            places = pages.map { $0.side == .left ? .left : $0.side == .right ? .right : .center }
            return
        }
        let first: Place = isRightToLeft ? .right : .left
        var next = first
        var places: [Place] = []
        for page in pages {
            if page.isCover || page.isDouble {
                places.append(.center)
                next = first
            } else {
                places.append(next)
                next = next == .left ? .right : .left
            }
        }
        self.places = places
    }
}
