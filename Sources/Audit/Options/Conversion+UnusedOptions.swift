internal import AdapterKit
internal import Conversion
internal import PageModel
internal import Planning

extension Conversion {
    /// Returns the given options that had no effect. jisui ignores no option silently.
    ///
    /// - Parameter seen: the effects that were observed in the run.
    func unusedOptions(_ adapters: RunAdapters, after seen: Set<Effect>) -> [UnusedOption] {
        let statesDirection = adapters.outputs?.contains { $0.features.contains(.direction) } ?? true
        let common =
            (job.hasPasswordFile ? ["password-file"] : []) + job.encoding.options
            + (job.direction == nil || statesDirection ? [] : ["direction"]) + (job.writesGuess ? ["guess"] : [])
        var rules = common.map { (name: $0, rule: Conversion.commonRules[$0]) }
        var unused = job.unusedOptions
        let known = settings(of: adapters, source: adapters.source)
        for name in job.settings.keys.sorted() {
            guard let setting = known.first(where: { $0.name == name }) else {
                let sink = adapters.sink.descriptor.id
                unused.append(UnusedOption(name, "it does not apply when converting \(adapters.source) to \(sink)"))
                continue
            }
            // A default value needs no effect.
            if job.settings[name] != setting.defaultValue { rules.append((name, setting.effect)) }
        }
        // A dry run does not observe the writing. Sinks that compose images encode and order them, too.
        let isComposed = adapters.outputs?.contains { $0.composition != nil } ?? false
        let ofSinks = adapters.sinks.flatMap(\.descriptor.settings).map(\.name) + (isComposed ? common : [])
        let unseen = job.isDryRun ? Set(ofSinks.map { Effect.option($0) } + [.sidesShown]) : []
        for (name, rule) in rules {
            guard let cause = rule?.cause(of: name, after: seen, unseen: unseen) else { continue }
            unused.append(UnusedOption(name, cause.message, hint: cause.hint))
        }
        return unused
    }

    /// The rules of the options that no adapter has. Adapters have the rules of their options in their descriptors.
    private static let commonRules = [
        "password-file": EffectRule(.decrypted, unless: UnusedOption.passwordFile.message),
        "image-format": EffectRule(causes: [
            .init(after: .noSmaller, "no page would have become smaller"),
            .init(
                after: .tooLargeForFormat, "no page is small enough for this format",
                hint: "use --fit to scale down pages"),
            .init("every page gets this format without it"),
        ]),
        "quality": EffectRule(causes: [
            .init(
                after: .noSmaller, "no page would have become smaller",
                hint: "use a lower --quality to make pages smaller"),
            .init(
                after: .drawn, "rendered pages were stored without loss",
                hint: "use --image-format jpeg for lossy encoding"),
            .init(
                after: .encodedWithoutLosses, "pages were stored without losses",
                hint: "use --image-format jpeg for lossy encoding"),
            .init("no page was encoded with losses", hint: "use --image-format jpeg to encode them with loss"),
        ]),
        "direction": EffectRule(
            unless: "the output format does not store a reading direction",
            hint: "comic archives, EPUBs and PDFs store it"),
        "guess": EffectRule(unless: "the file name adds nothing to the book's metadata"),
    ]
}
