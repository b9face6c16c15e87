internal import PageModel

/// On which side of a spread each page of an EPUB stands.
///
/// Sides that pairing has found are taken over. Else the cover and wide pages stand alone, and the others face each
/// other, as the guide of the Digital Comic Association has it: after a page that stands alone, the next stands where
/// reading begins. Every page says its side, since readers differ in what they make of one that does not.
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
