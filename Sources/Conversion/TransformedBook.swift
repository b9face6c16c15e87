internal import AdapterKit
internal import Directions
internal import Files
internal import Metadata
public import PageModel
internal import Planning

/// A book after all transforms, with the facts about it that its report needs.
struct TransformedBook {
    let sequence: PageSequence
    /// The pages that links may target.
    let targets: LinkTargets
    /// The effects of options in the run.
    let effects: OptionEvidence
    /// The reading direction and its evidence; nil if it is neither stated nor needed.
    let reading: ReadingDirection?
    /// Metadata inferred from the input's name that the book lacks; nil if the name suggests nothing more.
    let guess: FileNameGuess?
    /// Whether the title has another origin than the input's name.
    let isTitled: Bool
    /// The places of the inputs without a selected page.
    let unselected: Set<Int>
    /// The warnings about pages that could not be analyzed, and the messages of transforms.
    let previewWarnings: [Warning]
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
        if job.isNamedByFormat { effects.note(.inAskedFormat) }
        if outputs?.contains(where: { $0.features.contains(.direction) }) ?? true { effects.note(.directed) }
        let previewWarnings: [Warning]
        (sequence, previewWarnings) = try await transformed(sequence, of: whole, by: passes, effects, cache)
        let targets = LinkTargets(sequence.pages)
        sequence.book.outline = try await targets.retargeted(sequence.book.outline)
        return TransformedBook(
            sequence: sequence, targets: targets, effects: effects, reading: reading, guess: guess, isTitled: isTitled,
            unselected: unselected, previewWarnings: previewWarnings)
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

    /// Returns the report on a book before it is written, with the notes on its metadata and its inputs.
    func report(
        on book: TransformedBook, _ opened: OpenedBook, _ adapters: RunAdapters
    ) throws(AdapterError) -> Report {
        let (sequence, outputs) = (book.sequence, adapters.outputs)
        var report = Report(
            inputs: job.inputs.map(\.name), output: job.destination.path, from: adapters.source,
            to: adapters.sink.descriptor.id, direction: sequence.book.direction, isDryRun: job.isDryRun,
            skipped: opened.skipped)
        report.kinds = registry.transforms.flatMap(\.counts)
        report.reading = book.reading
        report.storesSamples = outputs?.first?.storesSamples ?? false
        report.isOfSomePages = job.selection != nil
        report.book = sequence.book
        report.guess = book.guess.map { Report.Guess($0, isWritten: job.writesGuess) }
        let isDirected = job.direction != nil || job.metadataOptions.file?.book.direction != nil
        for warning in opened.warnings where !(isDirected && warning.code == Library.mixedDirections) {
            try note(BookDocument.completed(warning, for: sequence, in: outputs ?? []), in: &report)
        }
        for place in book.unselected.sorted() where job.inputs.indices.contains(place) {
            let name = FileName.last(of: job.inputs[place].name)
            report.add(
                Warning(
                    code: "book-not-selected", message: "--pages selected no page of \(name)",
                    hint: "the numbers go on from book to book", isNote: true))
        }
        if sequence.pages.count > 1 {
            for choice in (outputs ?? []).compactMap(\.joiningChoice) { try note(choice, in: &report) }
        }
        if outputs?.contains(where: { !$0.metadata.isEmpty }) ?? false {
            if let note = titleNote(sequence.book) { report.add(note) }
            report.titleIsName = !book.isTitled && job.inputs.count == 1
        }
        return report
    }

    /// Returns a note that the title of a book made from several inputs is the title of the first; nil if the user
    /// gave one.
    private func titleNote(_ book: BookMetadata) -> Warning? {
        guard job.inputs.count > 1, job.metadataOptions.book.title == nil, job.metadataOptions.file?.book.title == nil,
            let title = book.title
        else { return nil }
        return Warning(
            code: "title-of-first", message: "took '\(title)' as the title, from the first input",
            hint: "use --title to change it", isNote: true)
    }

    /// Adds the notes on the book as a whole, after it was written.
    func addNotes(to report: inout Report) {
        let growth = job.encoding == EncodingRequest() && job.selection == nil ? ScanNotes.growth(report) : nil
        let isGiven = job.settings.keys.contains("seam")
        let choices = ChoiceNotes.notes(on: report.pages).filter { !isGiven || $0.code != "seam" }
        let pages = report.pages
        for note in [ScanNotes.leftOut(pages), ScanNotes.kept(pages), ScanNotes.patched(pages), growth].compactMap({
            $0
        })
            + choices
        {
            report.add(note)
            onEvent(.warned(note))
        }
        for note in job.notes { report.add(note) }
        report.addChoices()
        let judged = pages.map { JudgedPage(number: $0.number, findings: $0.imageFindings, isCut: !$0.isTooLittleCut) }
        report.findingNotes = registry.transforms.compactMap { $0.note(on: judged) }
        for note in report.findingNotes { report.add(note) }
    }
}
