public import AdapterKit
internal import CPoppler
internal import PDFStructure
public import PageModel

/// The source for PDF: structure and raw images through qpdf, renderings through poppler.
public struct PDFSource: SourceAdapter {
    public init() {}

    /// The version of Poppler; nil if it is not installed.
    public static var popplerVersion: String? {
        cpoppler_load().flatMap { $0.pointee.poppler_get_version() }.map { String(cString: $0) }
    }

    public let descriptor = AdapterDescriptor(
        id: "pdf", summary: "PDF: page images are extracted unchanged, other pages are rendered",
        extensions: ["pdf"],
        settings: [
            .dpi,
            Setting(
                "page-box", .choice(PageBox.allCases.map(\.rawValue)), default: PageBox.crop.rawValue,
                valueName: "box", topic: "pdf", help: "Choose which box of a PDF page to show",
                effect: EffectRule(unless: "on every page this box is the crop box, which is shown anyway")),
            .pageTimeout,
            Setting(
                "pages-as", .choice(PagesAs.allCases.map(\.rawValue)), default: PagesAs.auto.rawValue,
                valueName: "form",
                topic: "pdf", help: "Choose how to extract scans with other content over them",
                details:
                    "Auto keeps the scan and merges the other content into its pixels. Scan omits that "
                    + "content. Page renders the page",
                effect: EffectRule(
                    [[.own, .madePicture]],
                    causes: [
                        .init(
                            after: .copiedWhole, "pages were copied whole",
                            hint: "use --rebuild to convert them to images"),
                        .init("no page is a scan with other content over it, around it or between its parts"),
                    ])),
            Setting(
                "no-stamps", .flag, valueName: "", topic: "pdf",
                help: "Remove text, links and marks over scans",
                details: "Opaque shapes that hide a part of a scan stay; --uncover removes them too",
                effect: EffectRule(unless: "no page is a scan with other content over it or around it")),
            Setting(
                "uncover", .flag, valueName: "", topic: "pdf",
                help: "Remove even opaque shapes that hide parts of scans",
                details: "Needs --no-stamps or --pages-as scan",
                effect: EffectRule(
                    causes: [
                        .init(
                            after: .copiedWhole, "pages were copied whole",
                            hint: "use --no-stamps, or --rebuild to convert them to images"),
                        .init("no opaque shape hides a part of a scan"),
                    ])),
        ])

    /// Recognizes a PDF, which begins with "%PDF-".
    ///
    /// PDF software has always tolerated junk before it (ISO 32000-1, annex H.3.4.1), and some tolerates more than the 1024 bytes
    /// that are stated there.
    public func recognize(_ probe: Probe) -> Recognition {
        guard let place = probe.head.firstRange(of: Array("%PDF-".utf8))?.lowerBound else { return .no }
        if place <= PDFSource.maximumJunkBytes { return .certain }
        // A text that only mentions PDFs does not end as one.
        let end = (try? probe.tail(PDFSource.maximumJunkBytes)) ?? []
        return end.firstRange(of: Array("%%EOF".utf8)) != nil ? .maybe(60) : .no
    }

    /// The number of bytes that may precede or follow a PDF.
    private static let maximumJunkBytes = 1024

    public func open(
        _ input: Input, settings: Settings, limits: Limits
    ) async throws(AdapterError) -> OpenedBook {
        let box = settings["page-box"].flatMap(PageBox.init) ?? .crop
        let resolution = settings.integer("dpi").map(Double.init)
        let seconds = settings.integer("page-timeout") ?? 15
        let treatment = ScanTreatment(
            pagesAs: settings["pages-as"].flatMap(PagesAs.init) ?? .auto, removesStamps: settings.flag("no-stamps"),
            uncovers: settings.flag("uncover"))
        if treatment.uncovers && !treatment.showsScansAlone {
            throw AdapterError(.usage, "--uncover needs --no-stamps or --pages-as scan")
        }
        return try await PDFBook(
            input, box: box, resolution: resolution, seconds: seconds, scans: treatment, limits: limits
        ).opened()
    }
}
