internal import AdapterKit
internal import PageModel

/// What becomes of options that can do nothing, or did nothing: no option is ignored silently.
extension Conversion {
    /// What is said of a book is refused where no output says anything of books.
    ///
    /// - Parameter arranges: whether pages are arranged by a reading direction that nothing states: a language hints at it.
    func refuseIdleFacts(_ sink: String, _ outputs: [SinkCapabilities]?, arranges: Bool) throws(AdapterError) {
        guard let outputs, outputs.allSatisfy(\.metadata.isEmpty) else { return }
        let names = job.facts.names.filter { !arranges || $0 != "language" }
        guard let name = names.first ?? (job.writesGuess ? "guess" : nil) else { return }
        throw AdapterError(
            .usage, "--\(name) has no effect on the way to \(sink), which has no place for what is said of a book",
            advice: outputs.first?.insteadOfLosingFacts, file: job.inputs.first?.name)
    }

    /// A picture format that was asked for is refused where the output cannot hold it.
    func refuseFormat(of sink: any SinkAdapter, _ output: SinkCapabilities) throws(AdapterError) {
        guard output.holdsOnlyFormats, output.composition == nil, let format = job.encoding.format,
            let formats = output.formats, !formats.contains(format)
        else { return }
        let others = EncodingRequest.formats.filter(formats.contains).map(\.rawValue)
        let list = others.listed("or")
        throw AdapterError(
            .usage, "\(sink.card.id) cannot hold \(format.name) here",
            advice: "--image-format takes \(list)", file: job.destination.path)
    }

    /// An option that would do nothing here is refused rather than ignored.
    func refuseIdleSettings(
        _ source: String, _ transforms: [any PageTransform], _ sinks: [any SinkAdapter]
    ) throws(AdapterError) {
        // Among several inputs, an option of sources may be for another one.
        let known = settings(onTheWayFrom: job.isOneOfSeveral ? nil : source, transforms, sinks)
        for name in job.settings.keys.sorted() where !known.contains(where: { $0.name == name }) {
            let added = registry.transforms.first { $0.card.settings.contains { $0.name == name } }?.onlyAdds ?? []
            let what = added.map(\.rawValue).sorted().joined(separator: " and no ")
            let sink = sinks[0].card.id
            throw AdapterError(
                .usage, "--\(name) has no effect on the way from \(source) to \(sink)",
                advice: added.isEmpty ? nil : "\(sink) holds no \(what)", file: job.inputs.first?.name)
        }
    }

    /// The settings that mean something on the way from a source to sinks.
    ///
    /// - Parameter source: its id; those of all sources where it is none.
    private func settings(
        onTheWayFrom source: String?, _ transforms: [any PageTransform], _ sinks: [any SinkAdapter]
    ) -> [Setting] {
        let used = transforms.flatMap { transform in
            transform.card.settings.filter { transform.uses($0.name, given: job.settings) }
        }
        let ofSource = source.flatMap { id in try? registry.source(id).card.settings } ?? registry.sourceSettings
        // Processes that decode pictures have their time, whatever the book.
        return sinks.flatMap(\.card.settings) + used + ofSource + (Isolation.workers == nil ? [] : [.pageTimeout])
    }

    /// The options that were given and did nothing.
    ///
    /// - Parameter seen: what happened in the run.
    func idleOptions(
        _ source: String, _ transforms: [any PageTransform], _ sinks: [any SinkAdapter], after seen: Set<Effect>
    ) -> [IdleOption] {
        var idle = job.idle
        for (name, rule) in CommonOptions.rules(of: job) where isJudged(rule, of: name, sinks) {
            if let cause = rule.cause(of: name, after: seen) { idle.append(IdleOption(name, because: cause)) }
        }
        let known = settings(onTheWayFrom: source, transforms, sinks)
        for (name, value) in job.settings.sorted(by: { $0.key < $1.key }) {
            let settings = known.filter { $0.name == name }
            guard let setting = settings.first else {
                idle.append(IdleOption(name, "it means nothing on the way from \(source) to \(sinks[0].card.id)"))
                continue
            }
            // What is the case anyway needs no effect.
            if value == setting.defaultValue { continue }
            let causes = settings.map { setting in
                setting.effect.flatMap { rule in
                    isJudged(rule, of: name, sinks) ? rule.cause(of: name, after: seen) : nil
                }
            }
            if let cause = causes[0], !causes.contains(nil) { idle.append(IdleOption(name, because: cause)) }
        }
        return idle
    }

    /// Whether it is known if an option took effect: some of it shows only when the output is written.
    private func isJudged(_ rule: EffectRule, of name: String, _ sinks: [any SinkAdapter]) -> Bool {
        guard job.isDryRun else { return true }
        let isOfSink = sinks.contains { $0.card.settings.contains { $0.name == name } }
        let effects = rule.effects(of: name)
        return effects.isDisjoint(with: Effect.ofWriting) && !(isOfSink && effects.contains(Effect(option: name)))
    }
}

extension IdleOption {
    fileprivate init(_ name: String, because cause: EffectRule.Cause) {
        self.init(name, cause.message, advice: cause.advice)
    }
}
