internal import AdapterKit
internal import Conversion
internal import PageModel

extension Conversion {
    /// Returns the given options that had no effect. jisui ignores no option silently.
    ///
    /// - Parameter seen: the effects that were observed in the run.
    func unusedOptions(_ adapters: RunAdapters, after seen: Set<Effect>) -> [UnusedOption] {
        let known = settings(of: adapters, source: adapters.source)
        // A dry run does not observe the writing.
        let ofSinks = adapters.sinks.flatMap(\.descriptor.settings).map { Effect.option($0.name) }
        let unseen = job.isDryRun ? Effect.ofWriting.union(ofSinks) : []
        func unused(_ name: String, by rule: EffectRule) -> UnusedOption? {
            rule.cause(of: name, after: seen, unseen: unseen).map { UnusedOption(name, $0.message, hint: $0.hint) }
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
        let common = commonRules.filter(\.isGiven).compactMap { unused($0.name, by: $0.rule) }
        return job.unusedOptions + password + ofImages.compactMap { unused($0) } + common
            + others.compactMap { unused($0) }
    }

    /// The rules of the options that no adapter has. Adapters have the rules of their options in their descriptors.
    private var commonRules: [(isGiven: Bool, name: String, rule: EffectRule)] {
        let lossy: Message = "use --image-format jpeg for lossy encoding"
        let format: [EffectRule.Cause] = [
            .init(after: .noSmaller, "no page would have become smaller"),
            .init(
                after: .tooLargeForFormat, "no page is small enough for this format",
                hint: "use --fit to scale down pages"),
            .init("every page gets this format without it"),
        ]
        let quality: [EffectRule.Cause] = [
            .init(
                after: .noSmaller, "no page would have become smaller",
                hint: "use a lower --quality to make pages smaller"),
            .init(after: .drawn, "rendered pages were stored without loss", hint: lossy),
            .init(after: .encodedWithoutLosses, "pages were stored without losses", hint: lossy),
            .init("no page was encoded with losses", hint: "use --image-format jpeg to encode them with loss"),
        ]
        let undirected: Message = "the output format does not store a reading direction"
        let readable: Message = "comic archives, EPUBs and PDFs store it"
        return [
            (job.encoding.format != nil, "image-format", EffectRule([[.inAskedFormat]], causes: format)),
            (job.encoding.quality != nil, "quality", EffectRule([[.encodedWithLosses]], causes: quality)),
            (job.direction != nil, "direction", EffectRule(.directed, unless: undirected, hint: readable)),
            (job.writesGuess, "guess", EffectRule(unless: "the file name adds nothing to the book's metadata")),
        ]
    }
}
