public import AdapterKit
internal import Conversion
internal import Metadata
internal import PageModel

extension Recipe {
    /// The settings of a recipe that belong to no adapter.
    public static let settings =
        [
            .to, .nameTemplate, .combine, .splitVolumes, .order, .pages, .direction, .verify, .strict, .from,
            .imageFormat, .quality,
            .targetSize, .lossless,
            .maxPixels, .maxMemory,
        ] + ofMetadata

    /// The settings that give metadata.
    public static let ofMetadata = MetadataField.all.compactMap(Setting.init(field:)) + [.metadata, .guess]
}

extension Setting {
    public static let to = Setting(
        "to", .text, valueName: "format", topic: "output", help: "Set the output format")

    public static let nameTemplate = Setting(
        "name",
        .form(
            ValueForm("name") { value in
                do throws(AdapterError) {
                    _ = try NameTemplate(value)
                    return nil
                } catch {
                    return error.text
                }
            }),
        valueName: "template", topic: "output", help: "Name outputs by a template: {series} {number:3}.{ext}",
        details:
            "Other fields: {name} {file} {folder} {title} {author} {volume} {publisher} {date} {language} {year}")

    public static let combine = Setting(
        "combine", .flag, valueName: "", topic: "output", help: "Make one book of all inputs")

    public static let splitVolumes = Setting(
        "split-volumes",
        .form(
            ValueForm(
                "volumes", words: ["chapters"], canonical: { VolumeSplit($0)?.text ?? $0 }
            ) { value in
                VolumeSplit(value) == nil
                    ? "--split-volumes takes a size like 200MB, pages like 100pages, or chapters, not '\(value)'" : nil
            }),
        valueName: "size", topic: "output", help: "Make volumes of a book: 200MB, 100pages or chapters",
        details:
            "Book.cbz becomes 'book 1.cbz', 'book 2.cbz' and so on. Each has its own table of contents. Spreads stay together"
    )

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
                let known = EncodingRequest.formats.map(\.rawValue).commaSeparated
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

    public static let targetSize = Setting(
        "target-size",
        .form(
            ValueForm("size", canonical: { ByteSize($0)?.text ?? $0 }) { value in
                ByteSize(value) == nil ? "--target-size takes a size like 50MB, not '\(value)'" : nil
            }),
        valueName: "size", topic: "image", help: "Find the highest quality for this size of the output: 50MB",
        details: "Pages of a lower quality keep theirs. jisui warns if the pages look poor")

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
    public static let metadata = Setting(
        "metadata", .file, valueName: "file", topic: "metadata",
        help: "Read metadata from a file; other options override it",
        details: "JSON as 'jisui info --metadata' prints it, ComicInfo.xml, MetronInfo.xml, ACBF or OPF")

    public static let guess = Setting(
        "guess", .flag, valueName: "", topic: "metadata", help: "Infer missing metadata from the file name")

    /// The setting that gives a field; nil if the field has no option.
    init?(field: MetadataField) {
        guard let option = field.option, let form = ValueForm(field.kind, option.name) else { return nil }
        self.init(option.name, .form(form), valueName: option.valueName, topic: "metadata", help: option.help)
        if case .credits = field.kind { isRepeatable = true }
    }
}

extension ValueForm {
    /// The form of the values of a field; nil for a kind that no option gives.
    fileprivate init?(_ kind: MetadataField.Kind, _ name: String) {
        switch kind {
        case .text, .statement, .paragraphs, .credits:
            self.init("text") { XMLText.clean($0).isEmpty ? "--\(name) needs a text" : nil }
        case .date:
            self.init("date") { value in
                BookDate(value) == nil
                    ? "--\(name) takes a date like 2019, 2019-05 or 2019-05-31, not '\(value)'" : nil
            }
        case .language:
            self.init("language", canonical: { LanguageTag.normalized($0) ?? $0 }) { value in
                LanguageTag.normalized(value) == nil
                    ? "--\(name) takes a tag like ja or en-GB, not '\(value)'" : nil
            }
        case .words, .isbn, .direction: return nil
        }
    }
}
