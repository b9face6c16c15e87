internal import OrderedWork
internal import PageModel

/// The groups of pages that stay together in one volume: the spreads, and the parts of a page that was split.
struct VolumeUnits: Sendable {
    /// The places of the pages of each group, in reading order.
    let ranges: [Range<Int>]
    /// The groups if no page stated its side.
    private let usualRanges: [Range<Int>]

    /// - Parameter width: the number of pages that are examined at a time.
    /// - Throws: `CancellationError`.
    init(_ sequence: PageSequence, width: Int = 1) async throws {
        let pages = sequence.pages
        let pairing = try await VolumeUnits.pairing(of: pages, width)
        // A book without sides is paired as usual, even if another one states them.
        let stating = Set(pages.lazy.filter { $0.side != .single || $0.facesNextPage }.map(\.book))
        let first = (sequence.book.direction ?? .leftToRight).firstSide
        func ranges(statedIn books: Set<Int>) -> [Range<Int>] {
            var ranges: [Range<Int>] = []
            for place in pages.indices {
                let isBound = place > 0 && VolumeUnits.areTogether(pages, place - 1, first, pairing, statedIn: books)
                if isBound, let last = ranges.last {
                    ranges[ranges.count - 1] = last.lowerBound..<place + 1
                } else {
                    ranges.append(place..<place + 1)
                }
            }
            return ranges
        }
        self.ranges = ranges(statedIn: stating)
        usualRanges = stating.isEmpty ? self.ranges : ranges(statedIn: [])
    }

    init(_ ranges: [Range<Int>]) { (self.ranges, usualRanges) = (ranges, ranges) }

    /// The groups if no page stated its side; nil if they are the same.
    var withoutSides: VolumeUnits? { ranges == usualRanges ? nil : VolumeUnits(usualRanges) }

    /// Returns the facing pages as reading apps pair them without stated sides, by the places of the first.
    private static func pairing(of pages: [Page], _ width: Int) async throws -> Set<Int> {
        var kinds: [Pairing.Kind] = []
        try await forEachInOrder(pages, width: width) { page in
            // The conversion reports an unreadable page.
            (try? await page.examine())?.size.map { page.edits.applied(to: $0) }
        } body: { size in
            try Task.checkCancellation()
            let (place, page) = (kinds.count, pages[kinds.count])
            let isFirst = place == 0 || pages[place - 1].book != page.book
            kinds.append(page.showsSpread(size) ? .wide : isFirst ? .first : .plain)
        }
        return Set(
            Pairing(kinds).facingPages.compactMap { spread in
                if case .facing(let first?, _) = spread { first } else { nil }
            })
    }

    /// Returns whether a page and the next one stay together.
    ///
    /// - Parameters:
    ///   - first: the side of a spread that is read first.
    ///   - pairing: the facing pages of books whose sides do not count.
    ///   - books: the books whose sides count.
    private static func areTogether(
        _ pages: [Page], _ place: Int, _ first: Side, _ pairing: Set<Int>, statedIn books: Set<Int>
    ) -> Bool {
        let (page, next) = (pages[place], pages[place + 1])
        // Pages that were put together of parts, as those of a webtoon, may show one image, too: it can be a whole chapter.
        let areParts = page.parts.isEmpty && next.parts.isEmpty
        if areParts, page.sourceID != nil, page.sourceID == next.sourceID, page.book == next.book { return true }
        guard books.contains(page.book) else { return pairing.contains(place) }
        return page.facesNextPage || page.side == first && next.side == first.opposite
    }

    /// Returns the number of groups in a range of pages.
    func count(in pages: Range<Int>) -> Int { ranges.count { pages.contains($0.lowerBound) } }

    /// Returns volumes of at most so many pages.
    func volumes(ofPages count: Int) -> [Range<Int>] { volumes(of: count) { $0.count } }

    /// Returns volumes whose pages have at most so many bytes together.
    ///
    /// - Parameters:
    ///   - bytes: the limit.
    ///   - sizes: the bytes of each page in the output.
    func volumes(ofBytes bytes: Int, _ sizes: [Int]) -> [Range<Int>] {
        volumes(of: bytes) { $0.reduce(0) { $0 + sizes[$1] } }
    }

    /// The divisor of the limit that gives the size below which the last volume is a tiny rest.
    private static let tinyDivisor = 4

    /// Returns the pages of volumes that are filled one after the other. If only a tiny rest is left for the last one, they
    /// become alike instead.
    private func volumes(of limit: Int, _ weight: (Range<Int>) -> Int) -> [Range<Int>] {
        let full = volumes(filledTo: limit, weight)
        guard full.count > 1, let last = full.last, weight(last) < limit / VolumeUnits.tinyDivisor else { return full }
        // The lowest limit that needs no more volumes fills them alike.
        var (low, high) = (0, limit)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if volumes(filledTo: middle, weight).count > full.count { low = middle } else { high = middle }
        }
        return volumes(filledTo: high, weight)
    }

    /// Returns the pages of full volumes, and of the rest. A group above the limit is a volume by itself.
    private func volumes(filledTo limit: Int, _ weight: (Range<Int>) -> Int) -> [Range<Int>] {
        var (volumes, sum): ([Range<Int>], Int) = ([], 0)
        for range in ranges {
            let own = weight(range)
            if let last = volumes.last, sum + own <= limit {
                volumes[volumes.count - 1] = last.lowerBound..<range.upperBound
                sum += own
            } else {
                volumes.append(range)
                sum = own
            }
        }
        return volumes
    }

    /// Returns volumes that begin at some pages. The pages before the first of them belong to the first volume.
    ///
    /// - Parameter starts: the places of pages. A volume begins with the group of such a page.
    func volumes(from starts: Set<Int>) -> [Range<Int>] {
        var volumes: [Range<Int>] = []
        var hasStarted = false
        for range in ranges {
            let isStart = !starts.isDisjoint(with: range)
            if let last = volumes.last, !isStart || !hasStarted {
                volumes[volumes.count - 1] = last.lowerBound..<range.upperBound
            } else {
                volumes.append(range)
            }
            hasStarted = hasStarted || isStart
        }
        return volumes
    }
}
