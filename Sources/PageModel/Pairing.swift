/// Which pages of a book face each other: the rules, which whoever pairs pages or shows them in pairs follows.
///
/// Pages are paired in reading order, each with the next one. A cover and a wide page stand alone; a page that is left
/// without a partner before a wide page faces nothing, on the side where it would have been.
public struct Pairing: Hashable, Sendable {
    public enum Cover: String, CaseIterable, Sendable {
        case alone
        case paired
    }

    /// What is seen at once when a book lies open. Pages are given by their places, from 0.
    public enum Spread: Hashable, Sendable {
        /// A cover.
        case cover(Int)
        /// One picture of a whole spread.
        case wide(Int)
        /// Two pages, of which one may be missing; the first is read first.
        case facing(first: Int?, second: Int?)

        /// In reading order.
        public var pages: [Int] {
            switch self {
            case .cover(let page), .wide(let page): [page]
            case .facing(let first, let second): [first, second].compactMap { $0 }
            }
        }
    }

    /// What pairing has to know about a page.
    public enum Kind: String, Hashable, Sendable {
        case plain
        /// The first of a book: a cover.
        case first
        case wide
        /// Paired with the next one whatever comes before, since both were one picture.
        case bound
    }

    public let spreads: [Spread]

    public init(spreads: [Spread]) { self.spreads = spreads }

    /// - Parameter shifts: pages before which a side stays empty, so that the pairing moves by one.
    public init(_ kinds: [Kind], cover: Cover = .alone, shifts: Set<Int> = []) {
        var spreads: [Spread] = []
        var waiting: Int?
        func letGo() {
            if let page = waiting { spreads.append(.facing(first: page, second: nil)) }
            waiting = nil
        }
        var page = 0
        while page < kinds.count {
            defer { page += 1 }
            let isFirst = kinds[page] == .first
            if isFirst { letGo() }
            if isFirst, cover == .alone {
                spreads.append(.cover(page))
            } else if kinds[page] == .wide {
                letGo()
                spreads.append(.wide(page))
            } else if kinds[page] == .bound, page + 1 < kinds.count {
                letGo()
                spreads.append(.facing(first: page, second: page + 1))
                page += 1
            } else if let first = waiting, !shifts.contains(page) {
                spreads.append(.facing(first: first, second: page))
                waiting = nil
            } else if waiting == nil, shifts.contains(page) {
                spreads.append(.facing(first: nil, second: page))
            } else {
                letGo()
                waiting = page
            }
        }
        letGo()
        self.spreads = spreads
    }

    /// The spread that a page is in: what a reader sees who goes to that page.
    public func spread(of page: Int) -> Spread? { spreads.first { $0.pages.contains(page) } }

    /// The side of each page.
    public func sides(_ direction: Direction, count: Int) -> [Side] {
        var sides = [Side](repeating: .single, count: count)
        for case .facing(let first, let second) in spreads {
            if let first { sides[first] = direction.firstSide }
            if let second { sides[second] = direction.firstSide.opposite }
        }
        return sides
    }
}

extension Direction {
    /// The side of a spread that is read first.
    public var firstSide: Side { self == .rightToLeft ? .right : .left }
}

extension Side {
    public var opposite: Side {
        switch self {
        case .left: .right
        case .right: .left
        case .single: .single
        }
    }
}
