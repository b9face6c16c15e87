internal import AdapterKit
internal import Metadata
internal import PageModel
internal import Synchronization

extension Conversion {
    /// Crops and turns pages as asked, has the transforms work on what is left, and adds what else is asked.
    ///
    /// - Returns: the pages, warnings of those that could not be read when they were to be looked at, and what transforms tell.
    func transformed(
        _ given: PageSequence, by transforms: [any PageTransform], _ effects: Effects
    ) async throws -> (PageSequence, unseen: [Warning]) {
        var sequence = given
        var unseen: [Warning] = []
        let told = Told()
        let moves = job.edits.prefix(while: \.keepsPixels)
        for index in sequence.pages.indices { sequence.pages[index].edits += moves }
        let fit = job.edits.reduce(nil as FitBox?) { if case .fit(let box) = $1 { box } else { $0 } }
        let budget = job.memoryBudget
        for transform in transforms {
            let settings = try Settings(transform.card.settings, given: job.settings)
            let previews = CountingPreviewer(
                PagePreviewer(limits: job.limits, budget: budget), of: sequence.pages.count, tell)
            sequence = try await transform.apply(
                to: sequence,
                TransformRequest(
                    settings: settings, fit: fit, previews: previews, width: job.width,
                    mayReplace: job.destination.mayReplace, isDryRun: job.isDryRun,
                    temporaryFiles: job.destination.temporaryFiles, effects: effects, tell: told.add))
            unseen += previews.unseen
            try Task.checkCancellation()
        }
        if sequence.sides != given.sides { effects.note(.sidesChanged) }
        for index in sequence.pages.indices { sequence.pages[index].edits += job.edits.dropFirst(moves.count) }
        return (sequence, unseen + told.lines)
    }

    /// What states the reading direction: the strongest of an option, a file of metadata, and the source.
    func statedDirection(_ source: BookMetadata) -> ReadingDirection.Evidence? {
        if let direction = job.direction { return .init(.option, direction) }
        if let direction = job.facts.file?.book.direction { return .init(.metadataFile, direction) }
        return source.direction.map { .init(.source, $0) }
    }

    /// What the reading direction is wanted for.
    func directionUse(
        _ transforms: [any PageTransform], _ outputs: [SinkCapabilities]?
    ) throws(AdapterError) -> DirectionUse {
        var use = outputs?.map(\.directionUse).max() ?? .none
        for transform in transforms {
            use = max(use, transform.directionUse(try Settings(transform.card.settings, given: job.settings)))
        }
        return use
    }

    /// The reading direction; where nothing states it and something depends on it, what the book itself tells of it.
    ///
    /// - Parameters:
    ///   - sequence: the whole book: what tells how it is read may stand on pages that were not chosen.
    ///   - count: the number of pages that were.
    /// - Returns: nil where it is neither stated nor wanted.
    func direction(
        of sequence: PageSequence, _ count: Int, _ stated: ReadingDirection.Evidence?,
        _ transforms: [any PageTransform], _ outputs: [SinkCapabilities]?
    ) async throws -> ReadingDirection? {
        if let stated { return ReadingDirection([stated]) }
        // A page by itself is before or behind nothing; a wide one may still be split.
        let use = try directionUse(transforms, count > 1 ? outputs : [])
        guard use != .none else { return nil }
        var sequence = sequence
        let moves = job.edits.prefix(while: \.keepsPixels)
        for index in sequence.pages.indices { sequence.pages[index].edits += moves }
        let limits = DirectionLimits()
        let previews = CountingPreviewer(
            PagePreviewer(limits: job.limits, budget: job.memoryBudget), of: min(limits.pages, sequence.pages.count),
            tell)
        let reading = try await DirectionSearch(limits: limits, previews: previews, width: job.width)
            .direction(of: sequence, for: use)
        try Task.checkCancellation()
        if let reading { tell(.directed(reading)) }
        return reading
    }
}

extension PageSequence {
    /// The side of each page in an open book, also of those that became one.
    fileprivate var sides: [Side] {
        pages.flatMap { $0.parts.isEmpty ? [$0.side] : $0.parts.map(\.side) }
    }
}

/// What transforms tell of a book.
private final class Told: Sendable {
    private let warnings = Mutex<[Warning]>([])

    var lines: [Warning] { warnings.withLock { $0 } }

    @Sendable func add(_ warning: Warning) { warnings.withLock { $0.append(warning) } }
}
