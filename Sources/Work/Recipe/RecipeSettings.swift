public import AdapterKit
internal import Conversion
internal import Metadata
internal import PageModel

extension Recipe {
    /// The settings of a recipe that belong to no adapter.
    public static let settings =
        [
            .to, .combine, .order, .pages, .direction, .verify, .strict, .from, .imageFormat, .quality, .lossless,
            .maxPixels, .maxMemory,
        ] + ofMetadata

    /// The settings that give metadata.
    public static let ofMetadata: [Setting] = [
        .title, .author, .series, .number, .volume, .publisher, .date, .language, .metadata, .guess,
    ]
}

extension Setting {
    public static let to = Setting(
        "to", .text, valueName: "format", topic: "output", help: "Set the output format")

    public static let combine = Setting(
        "combine", .flag, valueName: "", topic: "output", help: "Make one book of all inputs")

    public static let order = Setting(
        "order", .choice(InputOrder.allCases.map(\.rawValue)), valueName: "order", topic: "output",
        help: "Order several inputs: natural (2 before 10) or as given",
        details: "By default jisui uses the natural order if the arguments are in the order a shell sorts them in")

    public static let pages = Setting(
        "pages",
        .form(
            ValueForm("pages", mayBeginWithMinus: true) { value in
                do throws(AdapterError) {
                    _ = try PageSelection(value)
                    return nil
                } catch {
                    return error.text
                }
            }),
        valueName: "list", topic: "output",
        help: "Convert only these pages: 1-10,15,odd or 7.. (to the end)",
        details: "Pages come in the order of the list, each once")

    public static let direction = Setting(
        "direction",
        .form(
            ValueForm(
                "direction", words: Direction.allCases.map(\.rawValue), canonical: { $0.lowercased() }
            ) { value in
                Direction(rawValue: value.lowercased()) == nil ? "--direction takes ltr or rtl, not '\(value)'" : nil
            }),
        valueName: "dir", topic: "output", help: "Set the reading direction: ltr or rtl",
        details: "By default jisui uses the direction that the input states, or infers it")

    public static let verify = Setting(
        "verify", .flag, valueName: "", topic: "output", help: "Read the output back and compare it with the source")

    public static let strict = Setting(
        "strict", .flag, valueName: "", topic: "output", help: "Make a warning an error")

    public static let from = Setting(
        "from", .text, valueName: "format", topic: "output",
        help: "Read the input as this format instead of detecting it")
}

/// The settings for images and limits.
extension Setting {
    public static let imageFormat = Setting(
        "image-format",
        .form(
            ValueForm(
                "image-format", words: ["keep"] + EncodingRequest.formats.map(\.rawValue),
                canonical: { ImageEncoding(option: $0)?.rawValue ?? $0 }
            ) { value in
                if value == "keep" || ImageEncoding(option: value) != nil { return nil }
                let known = EncodingRequest.formats.map(\.rawValue).joined(separator: ", ")
                return "--image-format takes keep, \(known), not '\(value)'"
            }),
        valueName: "format", topic: "image", help: "Encode pages as keep, jpeg, png, webp, jxl or tiff",
        details: "keep re-encodes only pages that change (default: keep)")

    public static let quality = Setting(
        "quality",
        .form(
            number("quality", 1...100) { "--quality takes a number from 1 to 100, not '\($0)'" }),
        valueName: "n", topic: "image", help: "Set the quality of lossy encoding, 1 to 100",
        details: "By default jisui keeps the quality of the source")

    public static let lossless = Setting(
        "lossless", .flag, valueName: "", topic: "image", help: "Fail at the first page that needs lossy encoding")

    public static let maxPixels = Setting(
        "max-pixels",
        .form(
            number("max-pixels", 1...10_000) {
                "--max-pixels takes millions of pixels from 1 to 10000, not '\($0)'"
            }),
        valueName: "millions", topic: "run",
        help: "Skip pages above this many megapixels (default: \(Limits().pixels / 1_000_000))")

    public static let maxMemory = Setting(
        "max-memory",
        .form(
            number("max-memory", 100...1_000_000) {
                "--max-memory takes megabytes from 100 to 1000000, not '\($0)'"
            }),
        valueName: "megabytes", topic: "run",
        help: "Skip pages that need more megabytes (default: \(Limits().memory / 1_000_000))")

    /// Returns the form of a whole number. Its help states the range in its own words.
    private static func number(
        _ name: String, _ range: ClosedRange<Int>, _ objection: @escaping @Sendable (String) -> Message
    ) -> ValueForm {
        ValueForm(name, canonical: { Int($0).map(String.init) ?? $0 }) { value in
            Int(value).map(range.contains) == true ? nil : objection(value)
        }
    }
}

extension ImageEncoding {
    /// The format with a name or an extension on the command line, among those that jisui writes.
    init?(option name: String) {
        let known = EncodingRequest.formats.first { $0.rawValue == name || $0.fileExtension == name }
        guard let known else { return nil }
        self = known
    }
}

/// The settings that give metadata.
extension Setting {
    public static let title = text("title", "text", "Set the title")
    public static let author: Setting = {
        var setting = text("author", "name", "Set an author; repeat for several")
        setting.isRepeatable = true
        return setting
    }()
    public static let series = text("series", "text", "Set the series")
    public static let number = text("number", "number", "Set the number in the series: 3, 12.5")
    public static let volume = text("volume", "number", "Set the volume of the series")
    public static let publisher = text("publisher", "name", "Set the publisher")

    public static let date = Setting(
        "date",
        .form(
            ValueForm("date") { value in
                BookDate(value) == nil ? "--date takes a date like 2019, 2019-05 or 2019-05-31, not '\(value)'" : nil
            }),
        valueName: "date", topic: "metadata", help: "Set the publication date: 2019, 2019-05, 2019-05-31")

    public static let language = Setting(
        "language",
        .form(
            ValueForm("language") { value in
                LanguageTag.normalized(value) == nil ? "--language takes a tag like ja or en-GB, not '\(value)'" : nil
            }),
        valueName: "tag", topic: "metadata", help: "Set the language as a tag: ja, en-GB")

    public static let metadata = Setting(
        "metadata", .file, valueName: "file", topic: "metadata",
        help: "Read metadata from a file; other options override it",
        details: "JSON as 'jisui info --metadata' prints it, ComicInfo.xml, MetronInfo.xml, ACBF or OPF")

    public static let guess = Setting(
        "guess", .flag, valueName: "", topic: "metadata", help: "Infer missing metadata from the file name")

    /// Returns the setting of a text that may not be empty.
    private static func text(_ name: String, _ value: String, _ help: String) -> Setting {
        let form = ValueForm("text") { text in XMLText.clean(text).isEmpty ? "--\(name) needs a text" : nil }
        return Setting(name, .form(form), valueName: value, topic: "metadata", help: help)
    }
}
