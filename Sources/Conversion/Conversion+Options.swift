package import AdapterKit
internal import Files
internal import PageModel
internal import Processes

/// The rejection of options that cannot have an effect. jisui ignores no option silently.
extension Conversion {
    /// Rejects metadata options if no output stores metadata.
    ///
    /// - Parameter arranges: whether pages are arranged by a reading direction that no input or option states. The language is
    ///   then a hint at the direction.
    func rejectUnusedMetadata(_ sink: String, _ outputs: [SinkCapabilities]?, arranges: Bool) throws(AdapterError) {
        guard let outputs, outputs.allSatisfy(\.metadata.isEmpty) else { return }
        let names = job.metadataOptions.names.filter { !arranges || $0 != "language" }
        guard let name = names.first ?? (job.writesGuess ? "guess" : nil) else { return }
        throw AdapterError(
            .usage, "--\(name) has no effect with --to \(sink), which stores no metadata",
            hint: outputs.first?.hintForLostMetadata, file: job.inputs.first?.name)
    }

    /// Rejects a requested image format that the output cannot hold.
    func refuseFormat(of sink: any SinkAdapter, _ output: SinkCapabilities) throws(AdapterError) {
        guard output.holdsOnlyFormats, output.composition == nil, let format = job.encoding.format,
            let formats = output.formats, !formats.contains(format)
        else { return }
        let others = EncodingRequest.formats.filter(formats.contains).map(\.rawValue)
        let list = others.listed(.or)
        throw AdapterError(
            .usage, "\(sink.descriptor.id) cannot hold \(format.name) here",
            hint: "--image-format takes \(list)", file: job.destination.path)
    }

    /// Rejects a name that is not that of a setting, which is usually a typing error.
    func rejectUnknownSettings() throws(AdapterError) {
        let names = (registry.settings + [.pageTimeout]).map(\.name)
        if let name = job.settings.keys.sorted().first(where: { !names.contains($0) }) {
            throw .unknownSetting(name, among: names)
        }
    }

    /// Rejects an option that would have no effect here.
    func rejectUnusedOptions(_ adapters: RunAdapters) throws(AdapterError) {
        // If the run has several inputs, an option of sources may apply to another input.
        let known = settings(of: adapters, source: job.isOneOfSeveral ? nil : adapters.source)
        for name in job.settings.keys.sorted() where !known.contains(where: { $0.name == name }) {
            let added =
                registry.transforms.first { $0.descriptor.settings.contains { $0.name == name } }?.addedFeatures ?? []
            let features = added.map(\.rawValue).sorted().commaSeparated
            let sink = adapters.sink.descriptor.id
            throw AdapterError(
                .usage, "--\(name) has no effect when converting \(adapters.source) to \(sink)",
                hint: added.isEmpty ? nil : "\(sink) cannot store this: \(features)", file: job.inputs.first?.name)
        }
    }

    /// Returns the settings of the adapters of a run.
    ///
    /// - Parameter source: the source's id; nil for the settings of all sources.
    package func settings(of adapters: RunAdapters, source: String?) -> [Setting] {
        let own = adapters.transforms.flatMap(\.descriptor.settings).filter { !Setting.shared.contains($0) }
        let ofSource = source.flatMap { id in try? registry.source(id).descriptor.settings } ?? registry.sourceSettings
        // Every book may use worker processes to decode images, and they have a timeout.
        let ofWorkers = Isolation.workers == nil ? [] : [Setting.pageTimeout]
        return adapters.sinks.flatMap(\.descriptor.settings) + own + adapters.passes.flatMap(\.sharedSettings)
            + ofSource + ofWorkers
    }
}
