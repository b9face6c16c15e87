package import AdapterKit
internal import Files
internal import Metadata
internal import PageModel

/// A conversion of one or several inputs to one book.
public struct Conversion: Sendable {
    package let registry: Registry
    package let job: Job
    package let onEvent: @Sendable (ConversionEvent) -> Void

    /// - Parameter onEvent: receives events from any task.
    public init(_ registry: Registry, _ job: Job, onEvent: @escaping @Sendable (ConversionEvent) -> Void = { _ in }) {
        self.registry = registry
        self.job = job
        self.onEvent = onEvent
    }

    /// The facts about a run that its output does not state.
    package struct Outcome {
        package let adapters: RunAdapters
        /// The effects of options that were observed.
        package let effects: Set<Effect>
        /// Whether the output is one of several in a collection.
        package let isOneOfMany: Bool
    }

    /// Runs the job, watched by an observer. The output exists when this returns, and does not exist when it throws.
    ///
    /// - Throws: `AdapterError`, or `CancellationError` when the task was cancelled.
    package func convert(_ observer: any RunObserver) async throws -> Outcome {
        do {
            try rejectUnknownSettings()
            let (opened, adapters) = try await open()
            let stated = statedDirection(opened.sequence.book)
            try rejectUnusedMetadata(
                adapters.sink.descriptor.id, adapters.outputs,
                arranges: stated == nil && directionUse(adapters.passes, adapters.outputs) == .arranging)
            try rejectUnusedOptions(adapters)
            try refuseVolumes(adapters)
            try refuseTargetSize(adapters)
            for (sink, output) in zip(adapters.sinks, adapters.outputs ?? []) { try refuseFormat(of: sink, output) }
            let book = try await transformedBook(from: opened.sequence, adapters, stated)
            observer.prepared(book, opened, adapters)
            let log = RunLog(job, observer) { onEvent(.warned($0)) }
            try note(book, opened, adapters.outputs ?? [], log)
            let isOneOfMany = try await write(book, to: adapters, log)
            let effects = opened.effects.reduce(book.request.effects.seen) { $0.union($1.seen) }
            return Outcome(adapters: adapters, effects: effects, isOneOfMany: isOneOfMany)
        } catch {
            // If the task was cancelled, any other error is a consequence.
            if Task.isCancelled { throw CancellationError() }
            guard let error = error as? AdapterError, error.code != .usage || error.page != nil else { throw error }
            // The page names of a book that is made from several inputs contain the file.
            let only = job.inputs.count == 1 ? job.inputs.first : nil
            guard let input = job.inputs.first(where: { $0.path == error.file }) ?? only else { throw error }
            throw error.about(input)
        }
    }

    /// Adds the warnings and the notes on a book before it is written.
    private func note(
        _ book: TransformedBook, _ opened: OpenedBook, _ outputs: [SinkCapabilities], _ log: RunLog
    ) throws(AdapterError) {
        let sequence = book.sequence
        let isDirected = job.direction != nil || job.metadataOptions.file?.book.direction != nil
        for warning in opened.warnings where !(isDirected && warning.code == Library.mixedDirections) {
            try log.note(BookDocument.completed(warning, for: sequence, in: outputs))
        }
        for place in book.unselected.sorted() where job.inputs.indices.contains(place) {
            let name = FileName.last(of: job.inputs[place].name)
            try log.note(
                Warning(
                    code: "book-not-selected", message: "--pages selected no page of \(name)",
                    hint: "the numbers go on from book to book", isNote: true))
        }
        if sequence.pages.count > 1 {
            for choice in outputs.compactMap(\.joiningChoice) { try log.note(choice) }
        }
        // A book made from several inputs has the title of the first, unless the user gave one.
        if outputs.contains(where: { !$0.metadata.isEmpty }), job.inputs.count > 1,
            job.metadataOptions.book.title == nil, job.metadataOptions.file?.book.title == nil,
            let title = sequence.book.title
        {
            try log.note(
                Warning(
                    code: "title-of-first", message: "took '\(title)' as the title, from the first input",
                    hint: "use --title to change it", isNote: true))
        }
    }
}
