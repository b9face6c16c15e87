internal import AdapterKit
internal import Files
internal import Metadata
internal import PageModel
internal import Synchronization

extension Conversion {
    /// Returns the edits of every page that the settings of transforms request.
    func commonEdits(_ transforms: [any PageTransform]) throws(AdapterError) -> [PageEdit] {
        var edits: [PageEdit] = []
        for transform in transforms {
            edits += transform.edits(try Settings(transform.descriptor.settings, given: job.settings))
        }
        return edits
    }

    /// Crops and rotates pages as requested, runs the transforms, and adds the operations on pixels. The warnings are
    /// about pages that could not be read for analysis, followed by the messages of transforms.
    ///
    /// - Parameter whole: the book with all its pages. The given ones are selected from them.
    func transformed(
        _ given: PageSequence, of whole: PageSequence, by transforms: [any PageTransform], _ edits: [PageEdit],
        _ effects: Effects
    ) async throws -> (PageSequence, previewWarnings: [Warning]) {
        var sequence = given
        var previewWarnings: [Warning] = []
        let messages = TransformMessages()
        let (moves, operations) = (edits.filter(\.keepsPixels), edits.filter { !$0.keepsPixels })
        for index in sequence.pages.indices { sequence.pages[index].edits += moves }
        let fit = operations.compactMap { $0.operation?.box }.last
        let budget = job.memoryBudget
        let book = SourceBook(pages: whole.pages, digest: SourcePageDigests().digest)
        for transform in transforms {
            let settings = try Settings(transform.descriptor.settings, given: job.settings)
            let previews = CountingPreviewer(
                PagePreviewer(limits: job.limits, budget: budget), of: sequence.pages.count, onEvent)
            var request = TransformRequest(
                settings: settings, fit: fit, previews: previews, book: book, width: job.width,
                mayReplace: job.destination.mayReplace, isDryRun: job.isDryRun,
                temporaryFiles: job.destination.temporaryFiles, effects: effects, report: messages.add)
            request.pageTimeout = job.settings[Setting.pageTimeout.name].flatMap { Int($0) }
            sequence = try await transform.apply(to: sequence, request)
            previewWarnings += previews.previewWarnings
            try Task.checkCancellation()
        }
        if sequence.sides != given.sides { effects.note(.sidesChanged) }
        for index in sequence.pages.indices { sequence.pages[index].edits += operations }
        return (sequence, previewWarnings + messages.lines)
    }

    /// Returns the strongest statement of the reading direction: an option, a metadata file, or the source.
    func statedDirection(_ source: BookMetadata) -> ReadingDirection.Evidence? {
        if let direction = job.direction { return .init(.option, direction) }
        if let direction = job.metadataOptions.file?.book.direction { return .init(.metadataFile, direction) }
        return source.direction.map { .init(.source, $0) }
    }

    /// Returns the purpose for which the reading direction is needed.
    func directionUse(
        _ transforms: [any PageTransform], _ outputs: [SinkCapabilities]?
    ) throws(AdapterError) -> DirectionUse {
        var use = outputs?.map(\.directionUse).max() ?? .none
        for transform in transforms {
            use = max(use, transform.directionUse(try Settings(transform.descriptor.settings, given: job.settings)))
        }
        return use
    }

    /// Returns the reading direction; nil if it is neither stated nor needed. If it is needed and not stated, it is inferred from
    /// the book.
    ///
    /// - Parameters:
    ///   - sequence: the whole book. Pages that were not selected may show the direction too.
    ///   - count: the number of selected pages.
    func direction(
        of sequence: PageSequence, _ count: Int, _ stated: ReadingDirection.Evidence?,
        _ transforms: [any PageTransform], _ edits: [PageEdit], _ outputs: [SinkCapabilities]?
    ) async throws -> ReadingDirection? {
        if let stated { return ReadingDirection([stated]) }
        // The output does not order a single page; a wide one may still be split.
        let use = try directionUse(transforms, count > 1 ? outputs : [])
        guard use != .none else { return nil }
        var sequence = sequence
        for index in sequence.pages.indices { sequence.pages[index].edits += edits.filter(\.keepsPixels) }
        let limits = DirectionLimits()
        let previews = CountingPreviewer(
            PagePreviewer(limits: job.limits, budget: job.memoryBudget), of: min(limits.pages, sequence.pages.count),
            onEvent)
        let reading = try await DirectionSearch(limits: limits, previews: previews, width: job.width)
            .direction(of: sequence, for: use)
        try Task.checkCancellation()
        if let reading { onEvent(.directed(reading)) }
        return reading
    }
}

extension PageSequence {
    /// The side of each page in an open book. Merged pages count with each of their parts.
    fileprivate var sides: [Side] {
        pages.flatMap { $0.parts.isEmpty ? [$0.side] : $0.parts.map(\.side) }
    }
}

/// The messages of transforms about a book.
private final class TransformMessages: Sendable {
    private let warnings = Mutex<[Warning]>([])

    var lines: [Warning] { warnings.withLock { $0 } }

    @Sendable func add(_ warning: Warning) { warnings.withLock { $0.append(warning) } }
}
