/// The rules for facing pages of a book. All code that pairs pages or shows them in pairs follows them.
///
/// Pages are paired in reading order, each with the next one. A cover and a wide page are alone. A page without a
/// partner before a wide page faces nothing and stays on its side.
public struct Pairing: Hashable, Sendable {
    public enum Cover: String, CaseIterable, Sendable {
        case alone
        case paired
    }

    /// The pages visible at once in an open book. Pages are given by their positions, from 0.
    public enum Spread: Hashable, Sendable {
        /// A page alone before the first pair.
        case cover(Int)
        /// One image of a whole spread.
        case wide(Int)
        /// Two pages, one of them possibly missing; the first is read first.
        case facing(first: Int?, second: Int?)

        /// The pages in reading order.
        public var pages: [Int] {
            switch self {
            case .cover(let page), .wide(let page): [page]
            case .facing(let first, let second): [first, second].compactMap { $0 }
            }
        }
    }

    /// The properties of a page that matter for pairing.
    public enum Kind: String, Hashable, Sendable {
        case plain
        /// The first page of a book: a cover.
        case first
        case wide
        /// Paired with the next one regardless of the pages before, because both were one image.
        case bound
    }

    public let spreads: [Spread]

    public init(spreads: [Spread]) { self.spreads = spreads }

    /// - Parameter shifts: pages before which a side stays empty, so that the pairing moves by one.
    public init(_ kinds: [Kind], cover: Cover = .alone, shifts: Set<Int> = []) {
        var spreads: [Spread] = []
        var waiting: Int?
        func flush() {
            if let page = waiting { spreads.append(.facing(first: page, second: nil)) }
            waiting = nil
        }
        var page = 0
        while page < kinds.count {
            defer { page += 1 }
            let isFirst = kinds[page] == .first
            if isFirst { flush() }
            if isFirst, cover == .alone {
                spreads.append(.cover(page))
            } else if kinds[page] == .wide {
                flush()
                spreads.append(.wide(page))
            } else if kinds[page] == .bound, page + 1 < kinds.count {
                flush()
                spreads.append(.facing(first: page, second: page + 1))
                page += 1
            } else if let first = waiting, !shifts.contains(page) {
                spreads.append(.facing(first: first, second: page))
                waiting = nil
            } else if waiting == nil, shifts.contains(page) {
                spreads.append(.facing(first: nil, second: page))
            } else {
                flush()
                waiting = page
            }
        }
        flush()
        self.spreads = spreads
    }

    /// The spreads of two pages.
    public var facingPages: [Spread] {
        spreads.filter { if case .facing(.some, .some) = $0 { true } else { false } }
    }

    /// Returns the side of each page.
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
