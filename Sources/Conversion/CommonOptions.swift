internal import AdapterKit
internal import PageModel

/// The options that every conversion has and that may have no effect. The options of adapters are in their descriptors.
enum CommonOptions {
    /// Returns the common options that the job contains, with their rules.
    static func rules(of job: Job) -> [(name: String, rule: EffectRule)] {
        var rules: [(name: String, rule: EffectRule)] = []
        for edit in job.edits {
            if case .fit(let box) = edit {
                rules.append(("fit", box.enlarges ? fitBothWays : fit))
                if box.enlarges { rules.append(("enlarge", enlarge)) }
            }
        }
        if names(of: job.edits, job.encoding).contains("gray") { rules.append(("gray", gray)) }
        if job.encoding.format != nil { rules.append(("image-format", format)) }
        if job.encoding.quality != nil { rules.append(("quality", quality)) }
        if job.direction != nil { rules.append(("direction", direction)) }
        if job.writesGuess { rules.append(("guess", guess)) }
        return rules
    }

    /// Returns the options that request changes of samples or an encoding.
    static func names(of edits: [Edit], _ request: EncodingRequest) -> [String] {
        // `--shades` implies grayscale.
        let isDithered = edits.contains { if case .depth = $0 { true } else { false } }
        var names: [String] = []
        for edit in edits {
            switch edit {
            case .crop, .keep, .inset, .turn, .mirror: break
            case .deskew: names.append("deskew")
            case .flatten: names.append("flatten")
            case .fit(let box): names += box.enlarges ? ["fit", "enlarge"] : ["fit"]
            case .gray: names += isDithered ? [] : ["gray"]
            case .tones(let tones):
                if tones != Tones(gamma: tones.gamma) { names.append("levels") }
                if tones.gamma != 1 { names.append("gamma") }
            case .depth: names.append("shades")
            }
        }
        if request.format != nil { names.append("image-format") }
        if request.quality != nil { names.append("quality") }
        return names
    }

    private static let fit = EffectRule(
        .scaled, unless: "no page was larger than the box", hint: "use --enlarge to scale up smaller pages")

    private static let fitBothWays = EffectRule(.scaled, unless: "every page had this size already")

    private static let enlarge = EffectRule(.scaledUp, unless: "no page was smaller than the box")

    private static let gray = EffectRule(.madeGray, unless: "every page was gray already")

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
