internal import AdapterKit
internal import Files
internal import Metadata
internal import PageModel

/// A conversion of one or several inputs to one book.
public struct Conversion: Sendable {
    let registry: Registry
    let job: Job
    let onEvent: @Sendable (ConversionEvent) -> Void

    /// - Parameter onEvent: receives events from any task.
    public init(_ registry: Registry, _ job: Job, onEvent: @escaping @Sendable (ConversionEvent) -> Void = { _ in }) {
        self.registry = registry
        self.job = job
        self.onEvent = onEvent
    }

    /// Runs the job. The output exists when this returns, and does not exist when it throws.
    ///
    /// - Throws: `AdapterError`, or `CancellationError` when the task was cancelled.
    public func run() async throws -> Report {
        do {
            return try await convert()
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

    private func convert() async throws -> Report {
        try rejectUnusedVerification()
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
        var report = try report(on: book, opened, adapters)
        let isOneOfMany = try await write(book, to: adapters, in: &report)
        let seen = opened.effects.reduce(book.effects.seen) { $0.union($1.seen) }
        report.unusedOptions += unusedOptions(adapters, after: seen)
        report.weigh(job, isOneOfMany: isOneOfMany)
        addNotes(to: &report)
        return report
    }

    /// Adds a warning to the report. With `--strict` it is an error.
    func note(_ warning: Warning, in report: inout Report) throws(AdapterError) {
        if job.isStrict, !warning.isNote {
            // A warning about a book made from several inputs names its file.
            let file = job.inputs.count == 1 ? job.inputs[0].name : nil
            let name = warning.page == nil ? nil : warning.subject
            let text: Message =
                switch (warning.cause, warning.code) {
                // Nothing is skipped: the run ends.
                case (let cause?, "page-skipped"): cause
                case (let cause?, _): "\(warning.message): \(cause)"
                case (nil, _): name == nil ? warning.explanation : warning.message
                }
            throw AdapterError(
                .damaged, text, hint: "remove --strict to continue with a warning", file: file,
                // A page that is the input itself has the name of the input.
                page: file.map(FileName.last) == name ? nil : name)
        }
        report.add(warning)
    }

    /// Adds a warning to the report, and shows it.
    func warn(_ warning: Warning, in report: inout Report) throws(AdapterError) {
        try note(warning, in: &report)
        onEvent(.warned(warning))
    }
}
