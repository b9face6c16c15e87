internal import PageModel

extension Pairing {
    /// Creates the pairing of a file of spreads. Pages of an unjoined pair stay on their sides; pages missing in the file are
    /// unpaired.
    init(
        _ file: SpreadFile, _ sized: [SizedPage], _ direction: Direction, path: String
    ) throws(AdapterError) {
        let pages = sized.map(\.page)
        let places = Dictionary(pages.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        var joined: Set<Int> = []
        var sides: [Int: Side] = [:]
        for unpaired in file.unpaired { sides[unpaired.page] = unpaired.side }
        for pair in file.pairs {
            // A book may contain only some of its pages.
            guard let first = places[pair.first], let second = places[pair.second] else { continue }
            if !pair.isJoined {
                sides[pair.first] = sides[pair.first] ?? direction.firstSide
                sides[pair.second] = sides[pair.second] ?? direction.firstSide.opposite
                continue
            }
            guard second == first + 1 else {
                throw AdapterError(
                    .usage, "joins pages \(pair.first) and \(pair.second), which do not follow each other", file: path)
            }
            joined.insert(first)
        }
        var spreads: [Spread] = []
        var place = 0
        while place < pages.count {
            defer { place += 1 }
            if joined.contains(place) {
                spreads.append(.facing(first: place, second: place + 1))
                place += 1
                continue
            }
            switch sides[pages[place].id] {
            case direction.firstSide: spreads.append(.facing(first: place, second: nil))
            case direction.firstSide.opposite: spreads.append(.facing(first: nil, second: place))
            default: spreads.append(place == 0 ? .cover(0) : .wide(place))
            }
        }
        self.init(spreads: spreads)
    }
}
