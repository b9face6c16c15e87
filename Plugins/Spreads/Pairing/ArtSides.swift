internal import AdapterKit
internal import PageModel

/// The sides of pages according to drawings that certainly continue across the fold.
enum ArtSides {
    /// Returns the sides of pages that are paired or merged, by their indexes: a shared drawing shows which pages face each other.
    ///
    /// Pages that would have to be rendered are not analyzed, which takes too long for this evidence.
    static func analyze(
        _ pages: [SizedPage], _ direction: Direction, _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> [Int: Side] {
        if pages.contains(where: \.isDrawn) { return [:] }
        let edges = try await PageEdges.all(pages, wideRatio: options.wideRatio, request)
        let pairs = ArtSeams(edges, direction).pairs.filter { pair in
            [pair.first, pair.first + 1].allSatisfy { index in
                pages[index].size.map { min($0.width, $0.height) >= SeamLimits.Pairs.minimumSide } ?? false
            }
        }
        return sides(pairs, of: pages.map(\.page), direction)
    }

    /// Returns the sides of both pages of each pair that is certain.
    static func sides(_ pairs: [ArtPair], of pages: [Page], _ direction: Direction) -> [Int: Side] {
        var sides: [Int: Side] = [:]
        for pair in pairs where pair.confidence >= SeamLimits.Pairs.certain {
            guard pages[pair.first].book == pages[pair.first + 1].book else { continue }
            sides[pair.first] = direction.firstSide
            sides[pair.first + 1] = direction.firstSide.opposite
        }
        return sides
    }

    /// Returns the sides of the pages before those that were certainly joined: these are the second ones of their spreads.
    static func before(joined pages: [Page], _ direction: Direction) -> [Int: Side] {
        var sides: [Int: Side] = [:]
        for (index, page) in pages.enumerated().dropFirst() {
            guard let spread = page.spread, spread.made == .joined, spread.confidence >= SeamLimits.Pairs.certain,
                pages[index - 1].book == page.book, pages[index - 1].spread?.made != .joined
            else { continue }
            sides[index - 1] = direction.firstSide.opposite
        }
        return sides
    }
}

/// The evidence that pairs pages otherwise than the rule for a book's cover.
enum PairingEvidence {
    case numbers
    case art

    /// The choice for the whole book.
    var choice: Message {
        switch self {
        case .numbers: "paired pages by their printed numbers"
        case .art: "paired pages by artwork that continues across the fold"
        }
    }

    /// Returns the remark about a page, with the evidence.
    func appended(to remark: Message) -> Message {
        switch self {
        case .numbers: "\(remark), according to printed page numbers"
        case .art: "\(remark), according to artwork across the fold"
        }
    }
}
