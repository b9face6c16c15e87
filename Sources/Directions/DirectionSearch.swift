package import AdapterKit
internal import LayoutAnalysis
internal import Metadata
internal import OrderedWork
package import PageModel

/// Infers the reading direction of a book that does not state it.
///
/// Evidence that costs nothing comes first; the pages are analyzed only if that is inconclusive.
package struct DirectionSearch: Sendable {
    let limits: DirectionLimits
    let previews: any PreviewProvider
    /// The number of pages that may be analyzed at once.
    let width: Int

    package init(limits: DirectionLimits = DirectionLimits(), previews: any PreviewProvider, width: Int) {
        self.limits = limits
        self.previews = previews
        self.width = width
    }

    /// - Parameter use: the purpose for which the direction is needed.
    /// - Returns: nil if the direction is not needed, or if it is only to be stated and the book has no evidence.
    package func direction(of sequence: PageSequence, for use: DirectionUse) async throws -> ReadingDirection? {
        if use == .none { return nil }
        var hints = ReadingDirection.Evidence.facts(of: sequence.book)
        if hints.contains(where: { $0.hint <= .script }) { return ReadingDirection(hints) }
        let language = sequence.book.language.flatMap { LanguageTag.rightToLeft($0) == .perhaps ? $0 : nil }
        let sample = sample(of: sequence.pages)
        let read = try await texts(of: sample)
        hints += evidence(of: read.map(\.?.run), language, .text)
        if let numbers = PrintedNumbers.evidence(read.map { $0?.numbers ?? [] }, at: sample.map(\.place), limits) {
            hints.append(numbers)
        }
        if !hints.contains(where: { $0.hint <= .pageNumbers }) {
            // The text of the other pages has already been evaluated.
            let silent = zip(sample, read).filter { $1?.run == nil }.map(\.0)
            hints += evidence(of: try await seen(silent, language), language, .verticalLines)
        }
        return use == .stating && hints.isEmpty ? nil : ReadingDirection(hints)
    }

    /// Returns pages spread over the book, without its front and back cover, with their positions.
    private func sample(of pages: [Page]) -> [(place: Int, page: Page)] {
        let inner = pages.count > 4 ? 1..<pages.count - 1 : 0..<pages.count
        let count = min(limits.pages, inner.count)
        return (0..<count).map { number in
            // One page of each share of the book, alternately an even and an odd one.
            let start = inner.lowerBound + number * inner.count / count
            let end = inner.lowerBound + (number + 1) * inner.count / count
            let place = end - start > 1 && start % 2 != number % 2 ? start + 1 : start
            return (place, pages[place])
        }
    }

    /// Returns the combined evidence of the directions in which the lines of pages run. Lines that do not run from left to right
    /// count as `hint`.
    ///
    /// - Parameter language: the book's language, if its lines may be vertical.
    private func evidence(
        of runs: [TextEvidence.Run?], _ language: String?, _ hint: ReadingDirection.Hint
    ) -> [ReadingDirection.Evidence] {
        let known = runs.compactMap(\.self)
        let against = known.count { $0 == .rightToLeft }
        let needed = neededPages(of: known.count)
        if against >= needed { return [.init(hint, .rightToLeft, pages: (against, known.count))] }
        // In other languages horizontal lines are expected and prove nothing: translated comics have them too.
        let along = known.count - against
        guard let language, along >= needed else { return [] }
        return [.init(.horizontalLines, .leftToRight, language: language, pages: (along, known.count))]
    }

    /// Returns the number of pages that must agree.
    ///
    /// - Parameter known: the number of pages with evidence.
    private func neededPages(of known: Int) -> Int {
        max(limits.agreeing, Int(clamping: (limits.share * Double(known)).rounded(.up), to: 0...known))
    }

    /// Returns the text of pages from the source; nil for each page where that fails.
    private func texts(of sample: [(place: Int, page: Page)]) async throws -> [TextEvidence?] {
        let limits = limits
        return try await mapInOrder(sample, width: width) { _, page in
            do {
                return TextEvidence(try await page.text(), limits)
            } catch {
                try error.throwIfCancelled()
                // The run reads it again if needed, and reports the error.
                return nil
            }
        }
    }

    /// Returns the direction of text lines in the images of pages.
    ///
    /// It leaves out pages that cannot change the result. Horizontal lines prove nothing without a language that makes them
    /// unusual.
    private func seen(_ sample: [(place: Int, page: Page)], _ language: String?) async throws -> [TextEvidence.Run?] {
        var runs: [TextEvidence.Run?] = []
        var rest = sample[...]
        while !rest.isEmpty {
            let known = runs.compactMap(\.self)
            let possible = known.count { $0 == .rightToLeft } + rest.count
            if language == nil, possible < neededPages(of: known.count + rest.count) { break }
            runs += try await seen(rest.prefix(max(width, 1)))
            rest = rest.dropFirst(max(width, 1))
        }
        return runs
    }

    private func seen(_ sample: ArraySlice<(place: Int, page: Page)>) async throws -> [TextEvidence.Run?] {
        let (previews, pixels) = (previews, limits.pixels)
        return try await mapInOrder(sample, width: width) { _, page in
            guard let preview = try await previews.look(at: page, pixels: pixels, as: .brightness).preview else {
                return nil
            }
            switch Strokes(preview.raster).lines(of: preview.raster.size) {
            case .vertical: return .rightToLeft
            case .horizontal: return .leftToRight
            case nil: return nil
            }
        }
    }
}

/// The limits of the search for the reading direction: the amount of analysis, and the required agreement.
///
/// Measured on 12 books of 5 to 46 pages, four of them read from right to left. With these limits, jisui inferred no wrong
/// direction.
package struct DirectionLimits: Sendable {
    /// The number of pages, spread over the book. A page of 2 megapixels takes about 30 ms of one core.
    package var pages = 16
    /// The minimum length in pixels of a preview's shorter side. A character of a dense page is then 8 pixels high.
    var pixels = 600
    /// The minimum number of pages that agree. A single page with a table or a caption proves nothing about a book.
    var agreeing = 3
    /// The minimum share of agreeing pages among those with evidence.
    var share = 0.75
    /// The minimum number of pages with agreeing numbers, because corners contain other numbers too.
    var numbers = 5
    /// The minimum number of characters for a page's text to count.
    var characters = 20
    /// The minimum share of a page's characters that run in one direction.
    var shareOfCharacters = 0.8
    /// The maximum distance of a page number from the top or the bottom, as a share of the height.
    var band = 0.16
    /// The maximum distance of a page number from its side, as a share of the width. It excludes centered numbers.
    var outer = 0.4

    package init() {}
}
