internal import AdapterKit
internal import Files
internal import PageModel

/// The options for a PDF.
struct PDFOptions: Sendable {
    static let settings = [
        .dpi,
        Setting(
            "page-size", .form(PaperSize.form), valueName: "size",
            topic: "pdf", help: "Fit images into pages of this size: a4, b5, 148x210mm"),
        Setting(
            "rebuild", .flag, valueName: "",
            topic: "pdf", help: "Make a PDF of page images instead of copying pages",
            effect: EffectRule(.documentPage, unless: "no page of the input is one of a PDF")),
        Setting(
            "no-active", .flag, valueName: "",
            topic: "pdf", help: "Remove scripts, launch actions, media and attachments",
            effect: EffectRule(.documentPage, unless: "no page of the input is one of a PDF")),
        Setting(
            "linearize", .flag, valueName: "", topic: "pdf", help: "Write a PDF whose first page loads first"),
    ]

    /// The resolution of images that do not state one.
    static let usualResolution = Resolution(300)

    let resolution: Resolution?
    /// The width and height in points; nil for those from the image's resolution.
    let pageSize: PaperSize?
    let isLinearized: Bool
    /// Whether pages of PDFs are copied as pages.
    let copiesPages: Bool
    /// Whether scripts, actions and attached files are omitted from copies.
    let removesActive: Bool

    /// - Throws: `.usage` for settings that exclude each other.
    init(_ request: SinkRequest) throws(AdapterError) {
        let settings = request.settings
        resolution = settings.integer("dpi").map { Resolution(Double($0)) }
        isLinearized = settings.flag("linearize")
        copiesPages = !settings.flag("rebuild")
        removesActive = settings.flag("no-active")
        if removesActive && !copiesPages {
            throw AdapterError(
                .usage, "--no-active has no effect with --rebuild: images of pages carry no scripts or files",
                file: request.destination.path)
        }
        pageSize = settings["page-size"].flatMap { PaperSize($0) }
    }
}

/// The size of a sheet of paper, in points of 1/72 inch.
struct PaperSize: Hashable, Sendable {
    let width: Double
    let height: Double

    /// The known sizes in millimeters: ISO 216, JIS P 0138, and the American ones.
    private static let known: [(name: String, width: Double, height: Double)] = [
        ("a3", 297, 420), ("a4", 210, 297), ("a5", 148, 210), ("a6", 105, 148),
        ("b4", 250, 353), ("b5", 176, 250), ("b6", 125, 176),
        ("jis-b4", 257, 364), ("jis-b5", 182, 257), ("jis-b6", 128, 182),
        ("letter", 215.9, 279.4), ("legal", 215.9, 355.6), ("tabloid", 279.4, 431.8),
    ]

    static let form = ValueForm("paper size", words: known.map(\.name)) { text in
        if PaperSize(text) != nil { return nil }
        let names = known.map(\.name).commaSeparated
        return "--page-size cannot be '\(text)'; use \(names), or a size like 148x210mm or 5x8in"
    }

    private static let units = [("mm", 72 / 25.4), ("cm", 72 / 2.54), ("in", 72.0), ("pt", 1.0)]
    /// The page sizes that viewers accept (ISO 32000-1, annex C.2).
    static let allowed = 3.0...14_400.0

    /// Parses a size; returns nil for other texts, and for sizes that viewers do not accept.
    init?(_ text: String) {
        let text = text.lowercased()
        if let known = PaperSize.known.first(where: { $0.name == text }) {
            (width, height) = (known.width * 72 / 25.4, known.height * 72 / 25.4)
            return
        }
        guard let (unit, points) = PaperSize.units.first(where: { text.hasSuffix($0.0) }) else { return nil }
        let sides = text.dropLast(unit.count).split(separator: "x", omittingEmptySubsequences: false)
        let lengths = sides.compactMap { Double($0) }.map { $0 * points }
        guard sides.count == 2, lengths.count == 2, lengths.allSatisfy(PaperSize.allowed.contains) else { return nil }
        (width, height) = (lengths[0], lengths[1])
    }
}
