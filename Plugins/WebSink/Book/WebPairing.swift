internal import PageModel

/// The data from which the web reader pairs pages.
///
/// They are a kind for each page, whether covers are unpaired, and the pages before which a side stays empty. The web reader's
/// own script follows the rules of `Pairing`.
struct WebPairing {
    private(set) var kinds: [Pairing.Kind] = []
    let coverIsAlone: Bool
    /// Whether a transform has paired the pages; otherwise the web reader pairs them by their appearance.
    let isGiven: Bool
    /// The indexes of pages, from 0.
    private(set) var shifts: [Int] = []

    /// - Parameter firstSide: the side of a spread that is read first.
    init(_ pages: [WebPage], firstSide: Side) {
        let begins = pages.indices.map { $0 == 0 || pages[$0 - 1].book != pages[$0].book }
        isGiven = pages.contains { $0.side != .single }
        // The sides that a transform has given are kept. A book without any is paired by the rules.
        let paired = Set(pages.lazy.filter { $0.side != .single }.map(\.book))
        coverIsAlone = pages.first { paired.contains($0.book) }.map { $0.side == .single } ?? true
        /// The unpaired page with which the next page would pair.
        var waiting: Int?
        var place = 0
        while place < pages.count {
            defer { place += 1 }
            guard paired.contains(pages[place].book) else {
                let cover: Pairing.Kind = coverIsAlone ? .first : .wide
                kinds.append(pages[place].isDouble ? .wide : begins[place] ? cover : .plain)
                waiting = nil
                continue
            }
            let side = pages[place].side
            let isFirst = begins[place] && coverIsAlone == (side == .single) && !pages[place].isDouble
            if side == .single {
                kinds.append(isFirst ? .first : .wide)
                waiting = nil
            } else if side == firstSide {
                if waiting != nil, !isFirst { shifts.append(place) }
                kinds.append(isFirst ? .first : .plain)
                let facesNextPage = place + 1 < pages.count && ![.single, firstSide].contains(pages[place + 1].side)
                waiting = facesNextPage ? nil : place
                if facesNextPage {
                    kinds.append(.plain)
                    place += 1
                }
            } else {
                // In these rules, two unpaired pages that would face each other can only be expressed in this way.
                if let unpaired = waiting { kinds[unpaired] = .wide }
                kinds.append(.plain)
                shifts.append(place)
                waiting = nil
            }
        }
    }
}
