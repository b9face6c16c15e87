internal import AdapterKit
internal import Directions
internal import Files
internal import Metadata
internal import PageModel
internal import Planning
internal import Synchronization

extension Conversion {
    /// Returns the passes that the settings request, in the order in which they run.
    func passes(of transforms: [any PageTransform]) throws(AdapterError) -> [Pass] {
        // An invalid value is reported before values that do not go together.
        var settings: [Settings] = []
        for transform in transforms {
            settings.append(try transform.descriptor.values(given: job.settings))
        }
        var passes: [Pass] = []
        for (transform, settings) in zip(transforms, settings) { passes += try transform.passes(settings) }
        return passes.inOrderOfStages
    }

    /// Runs the passes. The warnings are about pages that could not be analyzed, followed by the messages of transforms.
    ///
    /// - Parameter whole: the book with all its pages. The given ones are selected from them.
    func transformed(
        _ given: PageSequence, of whole: PageSequence, by passes: [Pass], _ effects: OptionEvidence,
        _ cache: PreviewCache?
    ) async throws -> (PageSequence, previewWarnings: [Warning]) {
        var sequence = given
        var previewWarnings: [Warning] = []
        let messages = TransformMessages()
        let budget = job.memoryBudget
        let book = SourceBook(pages: whole.pages, digest: SourcePageDigests(job.limits, budget).digest)
        for (index, pass) in passes.enumerated() {
            // The first analysis is that of the reading direction.
            let previews = CountingPreviewer(
                PagePreviewer(limits: job.limits, budget: budget, cache: cache), of: sequence.pages.count,
                step: (index + 2, passes.count + 1), onEvent)
            var request = TransformRequest(
                previews: previews, book: book, width: job.width, mayReplace: job.destination.mayReplace,
                isDryRun: job.isDryRun, temporaryFiles: job.destination.temporaryFiles, report: messages.add)
            request.effects = effects
            request.pageTimeout = job.settings[Setting.pageTimeout.name].flatMap { Int($0) }
            request.limits = job.limits
            request.language = job.language
            sequence = try await pass.apply(to: sequence, request)
            // Several passes fail on a page for one reason.
            previewWarnings = (previewWarnings + previews.previewWarnings).unique
            try Task.checkCancellation()
        }
        return (sequence, previewWarnings + messages.lines)
    }

    /// Returns the strongest statement of the reading direction: an option, a metadata file, or the source.
    func statedDirection(_ source: BookMetadata) -> ReadingDirection.Evidence? {
        if let direction = job.direction { return .init(.option, direction) }
        if let direction = job.metadataOptions.file?.book.direction { return .init(.metadataFile, direction) }
        return source.direction.map { .init(.source, $0) }
    }

    /// Returns the purpose for which the reading direction is needed.
    func directionUse(_ passes: [Pass], _ outputs: [SinkCapabilities]?) -> DirectionUse {
        max(outputs?.map(\.directionUse).max() ?? .none, passes.map(\.directionUse).max() ?? .none)
    }

    /// Returns the reading direction; nil if it is neither stated nor needed. If it is needed and not stated, it is inferred from
    /// the book.
    ///
    /// - Parameters:
    ///   - sequence: the whole book. Pages that were not selected may show the direction too.
    ///   - count: the number of selected pages.
    func direction(
        of sequence: PageSequence, _ count: Int, _ stated: ReadingDirection.Evidence?,
        _ passes: [Pass], _ outputs: [SinkCapabilities]?, _ cache: PreviewCache?
    ) async throws -> ReadingDirection? {
        if let stated { return ReadingDirection([stated]) }
        // The output does not order a single page; a wide one may still be split.
        let use = directionUse(passes, count > 1 ? outputs : [])
        guard use != .none else { return nil }
        if use == .stating, await isCopied(sequence, to: outputs) { return nil }
        var sequence = sequence
        let edits = passes.filter { $0.stage <= .turn }.flatMap(\.edits)
        for index in sequence.pages.indices { sequence.pages[index].edits += edits }
        let limits = DirectionLimits()
        let previews = CountingPreviewer(
            PagePreviewer(limits: job.limits, budget: job.memoryBudget, cache: cache),
            of: min(limits.pages, sequence.pages.count), step: (1, passes.count + 1), onEvent)
        let reading = try await DirectionSearch(limits: limits, previews: previews, width: job.width)
            .direction(of: sequence, for: use)
        try Task.checkCancellation()
        if let reading { onEvent(.directed(reading)) }
        return reading
    }

    /// Whether an output copies the pages of the document that is the input, or the first of them.
    private func isCopied(_ book: PageSequence, to outputs: [SinkCapabilities]?) async -> Bool {
        // A page that cannot be examined is reported when it is converted.
        guard let document = try? await book.pages.first?.examine().document else { return false }
        return outputs?.contains { $0.documents.contains(document.format) } ?? false
    }
}

/// The messages of transforms about a book.
private final class TransformMessages: Sendable {
    private let warnings = Mutex<[Warning]>([])

    var lines: [Warning] { warnings.withLock { $0 } }

    @Sendable func add(_ warning: Warning) { warnings.withLock { $0.append(warning) } }
}
