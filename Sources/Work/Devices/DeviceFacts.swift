internal import OrderedJSON
internal import PageModel

/// The facts of an entry in a file of devices, and their sources.
struct DeviceFacts: Sendable {
    var values: [String: JSON] = [:]
    var sources: [String: [String]] = [:]

    init() {}

    init(_ profile: DeviceProfile) {
        values = Dictionary(profile.facts.map { ($0.key, $0.value) }) { first, _ in first }
        sources = profile.sources
    }

    /// A fact that a file may state.
    struct Key: Sendable {
        let name: String
        /// The values that it takes, for messages.
        let takes: Message
        let isValid: @Sendable (JSON) -> Bool
    }

    /// All facts, in the order of answers.
    static let keys = [
        Key(name: "panel", takes: #"a size in pixels, like "1264x1680""#, isValid: isSize),
        Key(name: "usable", takes: #"a size in pixels, like "1264x1680""#, isValid: isSize),
        Key(name: "ppi", takes: "a whole number of pixels per inch", isValid: isCount),
        Key(name: "levels", takes: "a whole number of gray levels", isValid: isCount),
        Key(
            name: "color", takes: "one of \(colors.commaSeparated)",
            isValid: { $0.asString.map(colors.contains) ?? false }),
        Key(name: "colorPPI", takes: "a whole number of pixels per inch", isValid: isCount),
        Key(name: "dithers", takes: "true or false", isValid: { $0.asBoolean != nil }),
        Key(
            name: "formats", takes: #"a list like [{"format": "epub", "options": {"epub-for": "kobo"}}]"#,
            isValid: { $0.elements?.allSatisfy(isFormat) ?? false }),
    ]

    /// The kinds of screens: gray, with a filter of color cells, with colored ink, or any color at each pixel.
    private static let colors = [
        "none", "kaleido", "kaleido-1", "kaleido-2", "kaleido-3", "triton", "gallery-3", "full",
    ]

    private static let isSize: @Sendable (JSON) -> Bool = { $0.asString.flatMap(PixelSize.init(typed:)) != nil }
    private static let isCount: @Sendable (JSON) -> Bool = { ($0.asInteger ?? 0) > 0 }

    /// Whether a value is a format that the device opens, with its limits.
    private static let isFormat: @Sendable (JSON) -> Bool = { entry in
        entry["format"]?.asString != nil
            && (entry.members ?? []).allSatisfy { key, value in
                switch key {
                case "format", "firmware", "via": value.asString != nil
                case "fileMB", "imagePixels", "pages": isCount(value)
                case "options": value.members?.allSatisfy { $0.value.asString != nil } ?? false
                default: false
                }
            }
    }
}
