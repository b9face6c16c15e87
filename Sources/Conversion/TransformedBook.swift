package import AdapterKit
package import Directions
internal import Files
package import Metadata
public import PageModel
internal import Planning

/// A book after all transforms, or a volume of it, with the facts about it that its outputs and its report need.
package struct TransformedBook {
    package private(set) var sequence: PageSequence
    /// The whole book, if this is a volume; otherwise nil.
    private(set) var whole: PageSequence?
    /// The request that is common to all sinks, with the effects of options in the run.
    package private(set) var request: SinkRequest
    /// The pages that links may target.
    let targets: LinkTargets
    /// The reading direction and its evidence; nil if it is neither stated nor needed.
    package let reading: ReadingDirection?
    /// Metadata inferred from the input's name that the book lacks; nil if the name suggests nothing more.
    package let guess: FileNameGuess?
    /// Whether the title has another origin than the input's name.
    package let isTitled: Bool
    /// The places of the inputs without a selected page.
    let unselected: Set<Int>
    /// The warnings about pages that could not be analyzed, and the messages of transforms.
    let previewWarnings: [Warning]

    /// Returns the request for one of the sinks.
    func request(_ destination: Destination, _ settings: Settings) -> SinkRequest {
        var request = request
        (request.destination, request.settings) = (destination, settings)
        return request
    }

    /// Returns one of the volumes of the book.
    func volume(_ volume: Volume, for job: Job) -> TransformedBook {
        var book = self
        (book.sequence, book.request) = (volume.sequence, SinkRequest(volume.sequence, job))
        (book.request.overridesSource, book.request.effects) = (request.overridesSource, request.effects)
        if volume.count > 1 { (book.whole, book.request.overridesSource) = (sequence, true) }
        return book
    }
}

extension SinkRequest {
    /// Creates the part of a job's request that is common to all sinks.
    init(_ sequence: PageSequence, _ job: Job) {
        self.init(
            // Pages that cannot be merged stay separate.
            book: sequence.book, pageCount: sequence.pages.reduce(0) { $0 + max(1, $1.parts.count) },
            cover: sequence.pages.first { $0.roles.contains(.frontCover) }?.id, destination: job.destination,
            encoding: job.encoding, isLossless: job.isLossless, limits: job.limits, width: job.width)
    }
}

extension Conversion {
    /// Returns the selected pages of a book with its metadata, after all transforms.
    ///
    /// - Parameter stated: the strongest statement of the reading direction.
    func transformedBook(
        from source: PageSequence, _ adapters: RunAdapters, _ stated: ReadingDirection.Evidence?
    ) async throws -> TransformedBook {
        let (described, guess, isTitled) = described(source)
        var sequence = described
        sequence.book.direction = stated?.direction
        sequence.pages = ExaminationCache().remembering(sequence.pages)
        let whole = sequence
        if let selection = job.selection { sequence = try selection.apply(to: sequence) }
        let unselected = Set(whole.pages.map(\.book)).subtracting(sequence.pages.map(\.book))
        let (passes, outputs) = (adapters.passes, adapters.outputs)
        let cache = PreviewCache(for: passes, otherAnalyses: stated == nil ? 1 : 0, job.limits)
        let reading = try await direction(of: whole, sequence.pages.count, stated, passes, outputs, cache)
        if let reading, reading.evidence.hint != .nothing { sequence.book.direction = reading.direction }
        sequence.book.isDirectionInferred =
            sequence.book.direction != nil && isDirectionInferred(source.book, stated, passes)
        let effects = OptionEvidence()
        if guess != nil { effects.note(option: "guess") }
        if job.isNamedByFormat { effects.note(option: "image-format") }
        let previewWarnings: [Warning]
        (sequence, previewWarnings) = try await transformed(sequence, of: whole, by: passes, effects, cache)
        let targets = LinkTargets(sequence.pages)
        sequence.book.outline = try await targets.retargeted(sequence.book.outline)
        var request = SinkRequest(sequence, job)
        // The user may have given metadata that the sources do not have.
        request.overridesSource = !job.metadataOptions.isEmpty || job.writesGuess && guess != nil
        request.effects = effects
        return TransformedBook(
            sequence: sequence, request: request, targets: targets, reading: reading, guess: guess,
            isTitled: isTitled, unselected: unselected, previewWarnings: previewWarnings)
    }

    /// Returns a book with the metadata that the job gives it. The guess is metadata that the input's name adds. A book
    /// is titled if its title has another origin than that name.
    private func described(_ source: PageSequence) -> (PageSequence, guess: FileNameGuess?, isTitled: Bool) {
        var sequence = source
        job.metadataOptions.apply(to: &sequence)
        let guess = job.inputs.count == 1 ? registry.guess(of: job.inputs[0], for: sequence.book) : nil
        if job.writesGuess { guess?.apply(to: &sequence.book) }
        let isTitled = sequence.book.title != nil
        let name = job.inputs.first.flatMap(registry.title)
        sequence.book.title = sequence.book.title ?? name
        sequence.book.isNamedByInput = sequence.book.title == name
        return (sequence, guess, isTitled)
    }

    /// Opens the inputs, and returns the metadata that the output will have. The reading direction is not inferred.
    ///
    /// - Throws: `AdapterError`.
    public func metadata() async throws(AdapterError) -> BookMetadata {
        let opened = try await Library(registry).open(
            job.inputs, source: job.source, settings: job.settings, limits: job.limits)
        return described(opened.book.sequence).0.book
    }

    /// Whether the direction was inferred for outputs alone, now or when the source was made. A direction by which
    /// pages are arranged is stated in the output.
    private func isDirectionInferred(
        _ source: BookMetadata, _ stated: ReadingDirection.Evidence?, _ passes: [Pass]
    ) -> Bool {
        guard job.inputs.count == 1, !passes.contains(where: { $0.directionUse == .arranging }) else { return false }
        return stated.map { $0.hint == .source && source.isDirectionInferred } ?? true
    }
}
