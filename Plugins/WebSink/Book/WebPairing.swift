internal import PageModel

/// What the reader pairs pages by: a kind for each, whether covers stand alone, and the pages before which a side stays
/// empty. The reader's own script pairs by the rules of `Pairing`.
struct WebPairing {
    private(set) var kinds: [Pairing.Kind] = []
    let coverIsAlone: Bool
    /// Whether something has paired the pages: else the reader pairs them by what they look like.
    let isGiven: Bool
    /// Places of pages, from 0.
    private(set) var shifts: [Int] = []

    /// - Parameter firstSide: the side of a spread that is read first.
    init(_ pages: [WebPage], firstSide: Side) {
        let begins = pages.indices.map { $0 == 0 || pages[$0 - 1].book != pages[$0].book }
        isGiven = pages.contains { $0.side != .single }
        guard isGiven else {
            coverIsAlone = true
            kinds = pages.indices.map { pages[$0].isDouble ? .wide : begins[$0] ? .first : .plain }
            return
        }
        // Something has paired them: its sides are kept.
        coverIsAlone = pages[0].side == .single
        /// The lone page that a page that comes would pair with.
        var waiting: Int?
        var place = 0
        while place < pages.count {
            defer { place += 1 }
            let side = pages[place].side
            let isFirst = begins[place] && coverIsAlone == (side == .single) && !pages[place].isDouble
            if side == .single {
                kinds.append(isFirst ? .first : .wide)
                waiting = nil
            } else if side == firstSide {
                if waiting != nil, !isFirst { shifts.append(place) }
                kinds.append(isFirst ? .first : .plain)
                let facesNext = place + 1 < pages.count && ![.single, firstSide].contains(pages[place + 1].side)
                waiting = facesNext ? nil : place
                if facesNext {
                    kinds.append(.plain)
                    place += 1
                }
            } else {
                // Two lone pages that would face each other cannot be told by these rules but so.
                if let lone = waiting { kinds[lone] = .wide }
                kinds.append(.plain)
                shifts.append(place)
                waiting = nil
            }
        }
    }
}
