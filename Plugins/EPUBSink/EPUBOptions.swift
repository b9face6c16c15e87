internal import AdapterKit
internal import Files
internal import PageModel

/// The options for an EPUB.
struct EPUBOptions {
    static let settings = [
        Setting(
            "epub-for", .choice(EPUBReader.allCases.map(\.rawValue)), default: "any", valueName: "reader",
            topic: "epub", help: "Follow the rules of one kind of e-reader"),
        .bake,
    ]

    let reader: EPUBReader
    /// Whether partly visible images are cropped.
    let bakes: Bool

    /// - Throws: `.usage` if the e-reader would not accept a file of that name.
    init(_ request: SinkRequest) throws(AdapterError) {
        reader = request.settings["epub-for"].flatMap(EPUBReader.init) ?? .any
        // Kobo's fast display of pages requires images that fill them.
        bakes = request.settings.flag("bake") || reader == .kobo
        let path = request.destination.path
        if reader == .kobo, !path.lowercased().hasSuffix(".kepub.epub"), !request.destination.isStandardOutput {
            throw AdapterError(
                .usage,
                "--epub-for kobo needs a name that ends in .kepub.epub, by which a Kobo knows a book of fixed layout",
                hint: "use -o \(FileName.stem(of: path, extensions: ["epub"])).kepub.epub", file: path)
        }
    }
}

/// The kinds of e-readers whose rules differ.
enum EPUBReader: String, CaseIterable {
    case any, kindle, kobo, apple

    /// The image formats that it shows. WebP is a core type only since EPUB 3.3; converters for the Kindle and older Kobos do not
    /// support it.
    var formats: Set<ImageEncoding> {
        switch self {
        case .any, .apple: [.jpeg, .png, .gif, .webp]
        case .kindle, .kobo: [.jpeg, .png, .gif]
        }
    }

    var limits: EPUBLimits {
        switch self {
        case .any, .kindle: EPUBLimits()
        // kobolabs/epub-spec, README: "viewport", "file size".
        case .kobo: EPUBLimits(pixels: 3_800_000, bytes: 1 << 30, name: "Kobo")
        // Apple Books Asset Guide, "File size".
        case .apple: EPUBLimits(bytes: 2 << 30, name: "Apple Books")
        }
    }
}

/// The limits of an e-reader: content that it refuses, or shows badly.
struct EPUBLimits {
    /// The maximum number of pixels of a page.
    var pixels = Int.max
    /// The maximum number of bytes of the whole book.
    var bytes = Int.max
    var name = ""

    func warnings(of pages: [EPUBPage], byteCount: Int, path: String) -> [Warning] {
        var warnings: [Warning] = []
        let large = pages.filter { $0.shown.size.area > pixels }
        if let first = large.first {
            let megapixels = Double(pixels) / 1_000_000
            warnings.append(
                Warning(
                    code: "device-limit",
                    subject: path,
                    message: large.count == 1
                        ? "\(name) shows at most \(megapixels) megapixels of a page, and page \(first.number) has more"
                        : "\(name) shows at most \(megapixels) megapixels of a page, and \(large.count) pages have more, "
                            + "the first of them page \(first.number)",
                    hint: "use --fit to make them smaller"))
        }
        if byteCount > bytes {
            warnings.append(
                Warning(
                    code: "device-limit",
                    subject: path, message: "\(name) does not accept books of more than \(bytes >> 30) GB",
                    hint: "use --pages to make several books, or --fit to make pages smaller"))
        }
        return warnings
    }
}
