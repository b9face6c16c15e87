internal import AdapterKit
internal import Conversion
internal import PageModel

extension Conversion {
    /// Returns the given options that had no effect. jisui ignores no option silently.
    ///
    /// - Parameter seen: the effects that were observed in the run.
    func unusedOptions(_ adapters: RunAdapters, after seen: Set<Effect>) -> [UnusedOption] {
        let known = settings(of: adapters, source: adapters.source)
        func unused(_ name: String, by rule: EffectRule) -> UnusedOption? {
            guard isJudged(rule, of: name, adapters.sinks) else { return nil }
            return rule.cause(of: name, after: seen).map { UnusedOption(name, $0.message, hint: $0.hint) }
        }
        func unused(_ name: String) -> UnusedOption? {
            let settings = known.filter { $0.name == name }
            guard let setting = settings.first else {
                let sink = adapters.sink.descriptor.id
                return UnusedOption(name, "it does not apply when converting \(adapters.source) to \(sink)")
            }
            // A default value needs no effect. An option of several adapters needs one in any of them.
            let all = settings.map { $0.effect.flatMap { unused(name, by: $0) } }
            return job.settings[name] == setting.defaultValue || all.contains(nil) ? nil : all[0]
        }
        // The options for every page's image come first, in the order of the help.
        let ofImages = adapters.transforms.flatMap(\.descriptor.settings).filter { $0.topic == "image" }.map(\.name)
            .filter { job.settings[$0] != nil }
        let others = job.settings.keys.sorted().filter { !ofImages.contains($0) }
        let password = job.hasPasswordFile && !seen.contains(.decrypted) ? [UnusedOption.passwordFile] : []
        return job.unusedOptions + password + ofImages.compactMap { unused($0) }
            + commonRules.compactMap { unused($0, by: $1) } + others.compactMap { unused($0) }
    }

    /// Returns whether the run shows if an option took effect. Some effects show only when the output is written.
    private func isJudged(_ rule: EffectRule, of name: String, _ sinks: [any SinkAdapter]) -> Bool {
        guard job.isDryRun else { return true }
        let isOfSink = sinks.contains { $0.descriptor.settings.contains { $0.name == name } }
        let evidence = rule.effects(of: name)
        return evidence.isDisjoint(with: Effect.ofWriting) && !(isOfSink && evidence.contains(Effect(option: name)))
    }

    /// The rules of the given options that no adapter has. Adapters have the rules of their options in their descriptors.
    private var commonRules: [(name: String, rule: EffectRule)] {
        var rules: [(name: String, rule: EffectRule)] = []
        if job.encoding.format != nil {
            let tooLarge = EffectRule.Cause(
                after: .tooLargeForFormat, "no page is small enough for this format",
                hint: "use --fit to scale down pages")
            let causes = [
                .init(after: .noSmaller, "no page would have become smaller"), tooLarge,
                EffectRule.Cause("every page gets this format without it"),
            ]
            rules.append(("image-format", EffectRule([[.inAskedFormat]], causes: causes)))
        }
        if job.encoding.quality != nil {
            let hint: Message = "use --image-format jpeg for lossy encoding"
            let causes: [EffectRule.Cause] = [
                .init(
                    after: .noSmaller, "no page would have become smaller",
                    hint: "use a lower --quality to make pages smaller"),
                .init(after: .drawn, "rendered pages were stored without loss", hint: hint),
                .init(after: .encodedWithoutLosses, "pages were stored without losses", hint: hint),
                .init("no page was encoded with losses", hint: "use --image-format jpeg to encode them with loss"),
            ]
            rules.append(("quality", EffectRule([[.encodedWithLosses]], causes: causes)))
        }
        if job.direction != nil {
            let rule = EffectRule(
                .directed, unless: "the output format does not store a reading direction",
                hint: "comic archives, EPUBs and PDFs store it")
            rules.append(("direction", rule))
        }
        if job.writesGuess {
            rules.append(("guess", EffectRule(unless: "the file name adds nothing to the book's metadata")))
        }
        return rules
    }
}
