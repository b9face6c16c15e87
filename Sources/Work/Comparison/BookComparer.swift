package import AdapterKit
internal import Audit
package import Conversion
internal import OrderedWork
internal import PageModel

/// A comparison of two books of any formats, page by page.
///
/// Equal image files are equal pages, and are not decoded. Only pages without an equal file are decoded, to find those with equal
/// pixels and to measure the difference of the others. Few decoded pages are in memory at once.
package struct BookComparer: Sendable {
    private let registry: Registry
    private let reader: PageReader
    private let limits: Limits
    private let width: Int

    /// - Parameter width: the number of pages at once.
    package init(_ registry: Registry, limits: Limits, width: Int) {
        (self.registry, self.limits, self.width) = (registry, limits, width)
        reader = PageReader(limits: limits)
    }

    /// Compares two books.
    ///
    /// - Parameters:
    ///   - sample: the share of the pages to compare, at the same places of both books. If a page differs, or a book has more
    ///     pages, all pages are compared. Nil compares all.
    ///   - images: the images of differing pages to make; nil for none.
    ///   - onImages: receives each differing page with its images, in order.
    /// - Throws: `CancellationError`; the errors of `onImages`.
    package func comparison(
        _ one: ComparedBook, _ other: ComparedBook, sample: PageSample? = nil, images: PageImages.Request? = nil,
        onImages: (PageComparison, PageImages) throws -> Void = { _, _ in }
    ) async throws -> BookComparison {
        let (ones, others) = (BookComparer.numbered(one), BookComparer.numbered(other))
        if let sample, ones.count == others.count {
            let places = sample.places(of: ones.count, in: registry.stem(of: other.input))
            let pages = try await compared(places.map { ones[$0] }, places.map { others[$0] }, nil) { _, _ in }
            if pages.allSatisfy({ $0.sign == .equal }) {
                return result(one, other, pages, isSample: places.count < ones.count)
            }
        }
        return result(one, other, try await compared(ones, others, images, onImages), isSample: false)
    }

    private func result(
        _ one: ComparedBook, _ other: ComparedBook, _ pages: [PageComparison], isSample: Bool
    ) -> BookComparison {
        let count = other.book.sequence.pages.count
        var partners = Dictionary(
            pages.compactMap { page in page.one.flatMap { one in page.other.map { (one.number - 1, $0.number - 1) } } }
        ) { first, _ in first }
        if isSample { for place in 0..<count { partners[place] = place } }
        return BookComparison(
            pages: pages, metadata: MetadataComparison(registry, one, other, partners).differences, pageCount: count,
            isSample: isSample)
    }

    private typealias NumberedPage = (number: Int, page: Page)

    private static func numbered(_ book: ComparedBook) -> [NumberedPage] {
        book.book.sequence.pages.enumerated().map { ($0.offset + 1, $0.element) }
    }

    // MARK: Matching

    /// The facts about a page by which it is matched.
    private struct Facts: Sendable {
        var number: Int
        var page: Page
        var size: PixelSize?
        var bytes: String?
        /// The digest of the JPEG that shows it, cropped or rotated without loss.
        var coefficients: String?
        var pixels: String?
        /// The brightness of the parts of the page.
        var shades: [UInt8] = []
        var failure: Message?

        var place: PageComparison.Place { PageComparison.Place(number: number, name: page.name, size: size) }
    }

    private func compared(
        _ ones: [NumberedPage], _ others: [NumberedPage], _ images: PageImages.Request?,
        _ onImages: (PageComparison, PageImages) throws -> Void
    ) async throws -> [PageComparison] {
        var (ones, others) = (try await facts(ones), try await facts(others))
        var matches = PageMatches(ones.count, others.count)
        matches.match(ones.map(\.bytes), others.map(\.bytes))
        /// Adds a property to all pages without a partner, and matches them by it. A page that only one book has is not read.
        func match(by key: KeyPath<Facts, String?>, _ add: @escaping @Sendable (inout Facts) async throws -> Void)
            async throws
        {
            let free = (matches.freeOnes, matches.freeOthers)
            if free.0.isEmpty || free.1.isEmpty { return }
            try await update(&ones, free.0, add)
            try await update(&others, free.1, add)
            matches.match(ones.map { $0[keyPath: key] }, others.map { $0[keyPath: key] })
        }
        try await match(by: \.coefficients) { [reader] in
            $0.coefficients = try await reader.losslessDigest(of: $0.page) ?? $0.bytes
        }
        try await match(by: \.pixels) { [reader] in
            let raster = try await reader.pixels(of: $0.page)
            ($0.size, $0.pixels) = (raster.size, PageReader.digest(of: raster))
            $0.shades = PageImages.shades(of: raster)
        }
        let pairs = matches.pairs { one, other in
            zip(ones[one].shades, others[other].shades).map { abs(Int($0) - Int($1)) }.reduce(0, +)
        }
        let candidates = pairs.map { pair in
            Candidate(
                one: pair.one.map { ones[$0] }, other: pair.other.map { others[$0] }, isMatched: pair.isMatched,
                isMoved: pair.isMoved)
        }
        return try await measured(candidates, images, onImages)
    }

    private func facts(_ pages: [NumberedPage]) async throws -> [Facts] {
        try await mapInOrder(pages, width: width) { [reader] number, page in
            var facts = Facts(number: number, page: page)
            do {
                let stored = try await reader.stored(page)
                (facts.size, facts.bytes) = (stored.size, stored.digest)
            } catch {
                facts.failure = try BookComparer.failure(error)
            }
            return facts
        }
    }

    /// Changes the facts about some pages, except those that cannot be read. Few pages are in memory at once.
    private func update(
        _ facts: inout [Facts], _ places: [Int], _ change: @escaping @Sendable (inout Facts) async throws -> Void
    ) async throws {
        var changed: [Facts] = []
        let chosen = places.map { facts[$0] }
        try await forEachInOrder(chosen, width: width, within: MemoryBudget(bytes: limits.memory)) { [reader] facts in
            (facts, await reader.memory(for: facts.page))
        } work: { facts in
            var facts = facts
            guard facts.failure == nil else { return facts }
            do {
                try await change(&facts)
            } catch {
                facts.failure = try BookComparer.failure(error)
            }
            return facts
        } body: {
            changed.append($0)
        }
        for (place, page) in zip(places, changed) { facts[place] = page }
    }

    /// Returns the reason that a page cannot be read.
    ///
    /// - Throws: `CancellationError`.
    private static func failure(_ error: any Error) throws -> Message {
        try Task.checkCancellation()
        return (error as? AdapterError)?.explanation ?? Message(verbatim: "\(error)")
    }

    // MARK: Measuring

    private struct Candidate: Sendable {
        let one: Facts?
        let other: Facts?
        let isMatched: Bool
        let isMoved: Bool

        /// The result, if no pixels are needed for it.
        var result: PageComparison.Result? {
            if let failure = other?.failure { return .unreadable(failure, isOfOther: true) }
            if let failure = one?.failure { return .unreadable(failure, isOfOther: false) }
            guard let one else { return .added }
            guard let other else { return .missing }
            if isMatched, one.bytes != nil, one.bytes == other.bytes { return .sameBytes }
            if isMatched, one.coefficients != nil, one.coefficients == other.coefficients { return .sameCoefficients }
            if isMatched { return .samePixels }
            return one.size == other.size ? nil : .differentSize
        }

        func comparison(_ result: PageComparison.Result) -> PageComparison {
            PageComparison(one: one?.place, other: other?.place, result: result, isMoved: isMoved)
        }
    }

    private func measured(
        _ candidates: [Candidate], _ images: PageImages.Request?,
        _ onImages: (PageComparison, PageImages) throws -> Void
    ) async throws -> [PageComparison] {
        var pages: [PageComparison] = []
        try await forEachInOrder(candidates, width: width, within: MemoryBudget(bytes: limits.memory)) {
            [reader] candidate in
            guard candidate.result == nil || images != nil else { return (candidate, 0) }
            var bytes = 0
            for facts in [candidate.one, candidate.other].compactMap({ $0 }) {
                // The pixels, and a copy of them in a common format.
                bytes += min(limits.memory, 2 * min(limits.memory, await reader.memory(for: facts.page)))
            }
            return (candidate, bytes)
        } work: { candidate in
            try await measured(candidate, images)
        } body: { page, images in
            pages.append(page)
            if let images { try onImages(page, images) }
        }
        return pages
    }

    private func measured(
        _ candidate: Candidate, _ images: PageImages.Request?
    ) async throws -> (PageComparison, PageImages?) {
        let known = candidate.result
        if let known {
            let page = candidate.comparison(known)
            if images == nil || page.sign == .equal || candidate.isMatched { return (page, nil) }
        }
        let one = try await pixels(candidate.one)
        let other = try await pixels(candidate.other)
        var result = known
        if result == nil, let one, let other {
            let difference = PixelDifference(one, other)
            // Samples of another depth have another digest for the same shades.
            result = difference.map { $0.maximum == 0 ? .samePixels : .differentPixels($0) } ?? .differentSize
        }
        let page = candidate.comparison(result ?? .unreadable("it cannot be decoded again", isOfOther: one != nil))
        guard let images, page.sign != .equal else { return (page, nil) }
        return (page, PageImages(one, other, images))
    }

    /// Returns the pixels of a page; nil for a page that cannot be decoded.
    ///
    /// - Throws: `CancellationError`.
    private func pixels(_ facts: Facts?) async throws -> Raster? {
        guard let facts, facts.failure == nil else { return nil }
        do {
            return try await reader.pixels(of: facts.page)
        } catch {
            try Task.checkCancellation()
            return nil
        }
    }
}

/// A book that is compared with another.
package struct ComparedBook: Sendable {
    package let input: Input
    package let book: OpenedBook
    /// The id of the source that read it.
    package let source: String

    package init(_ input: Input, _ opened: (book: OpenedBook, source: String)) {
        (self.input, book, source) = (input, opened.book, opened.source)
    }
}
