package import AdapterKit
internal import PageModel

/// The adapters of a run, with the capabilities of its outputs.
package struct RunAdapters {
    /// The ID of the source.
    package let source: String
    package let sink: any SinkAdapter
    /// The settings of that sink.
    let settings: Settings
    /// The sinks of the additional formats in the same output, with their settings. An invalid one is reported when the
    /// format is written.
    let others: [(sink: any SinkAdapter, settings: Result<Settings, AdapterError>)]
    /// The capabilities of the sinks; nil if one of their options is invalid.
    package let outputs: [SinkCapabilities]?
    /// The transforms that can affect one of the outputs.
    package let transforms: [any PageTransform]
    /// The passes that the settings request, in the order in which they run.
    let passes: [Pass]

    package var sinks: [any SinkAdapter] { [sink] + others.map(\.sink) }
}

/// The choice of adapters, and the opening of the inputs.
extension Conversion {
    /// Opens the inputs as one book, with the adapters for it.
    func open() async throws -> (book: OpenedBook, adapters: RunAdapters) {
        let sink = try registry.sink(job.sink)
        let settings = try sink.descriptor.values(given: job.settings)
        try refuseInputs(job.destination, sink.form(settings))
        let (book, source) = try await Library(registry).open(
            job.inputs, source: job.source, settings: job.settings, limits: job.limits)
        try Task.checkCancellation()
        let others = try registry.sinks(alongside: sink, settings).map { other in
            let values = Result { () throws(AdapterError) in try other.descriptor.values(given: job.settings) }
            return (sink: other, settings: values)
        }
        var request = SinkRequest(book.sequence, job)
        // An invalid option is reported when the book is written.
        let outputs = try? ([(sink, .success(settings))] + others).map { sink, settings in
            request.settings = try settings.get()
            return try sink.capabilities(request)
        }
        let transforms = transforms(for: outputs)
        let adapters = RunAdapters(
            source: source, sink: sink, settings: settings, others: others, outputs: outputs,
            transforms: transforms, passes: try passes(of: transforms))
        return (book, adapters)
    }

    /// Returns the transforms that can affect one of the outputs. Some transforms add features that an output cannot
    /// hold.
    private func transforms(for outputs: [SinkCapabilities]?) -> [any PageTransform] {
        guard let outputs else { return registry.transforms }
        let held = outputs.reduce(into: Set()) { $0.formUnion($1.features) }
        return registry.transforms.filter { $0.addedFeatures.isEmpty || !$0.addedFeatures.isDisjoint(with: held) }
    }
}
