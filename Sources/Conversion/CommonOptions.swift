internal import AdapterKit
internal import PageModel

/// The options that every conversion has and that may have no effect. The options of adapters are in their descriptors.
enum CommonOptions {
    /// Returns the common options that the job contains, with their rules.
    static func rules(of job: Job) -> [(name: String, rule: EffectRule)] {
        var rules: [(name: String, rule: EffectRule)] = []
        if job.encoding.format != nil { rules.append(("image-format", format)) }
        if job.encoding.quality != nil { rules.append(("quality", quality)) }
        if job.direction != nil { rules.append(("direction", direction)) }
        if job.writesGuess { rules.append(("guess", guess)) }
        return rules
    }

    private static let format = EffectRule(
        [[.inAskedFormat]],
        causes: [
            .init(after: .noSmaller, "no page would have become smaller"),
            .init(
                after: .tooLargeForFormat, "no page is small enough for this format",
                hint: "use --fit to scale down pages"),
            .init("every page gets this format without it"),
        ])

    private static let quality = EffectRule(
        [[.encodedWithLosses]],
        causes: [
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
        ])

    private static let direction = EffectRule(
        .directed, unless: "the output format does not store a reading direction",
        hint: "comic archives, EPUBs and PDFs store it")

    private static let guess = EffectRule(unless: "the file name adds nothing to the book's metadata")
}
