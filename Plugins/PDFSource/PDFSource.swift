public import AdapterKit
internal import PDFStructure

/// Reads PDF: structure and raw pictures through qpdf, everything that has to be drawn through poppler.
public struct PDFSource: SourceAdapter {
    public init() {}

    public let card = AdapterCard(
        id: "pdf", summary: "PDF: pages that are one picture are taken out untouched, others drawn",
        extensions: ["pdf"],
        settings: [
            .dpi,
            Setting(
                "page-box", .choice(PageBox.allCases.map(\.rawValue)), default: PageBox.crop.rawValue,
                valueName: "box", help: "The box of a PDF page that is shown",
                effect: EffectRule(unless: "on every page this box is the crop box, which is shown anyway")),
            .pageTimeout,
        ])

    /// A PDF begins with "%PDF-", but readers have always put up with junk in front of it (ISO 32000-1, annex H.3.4.1).
    public func recognise(_ probe: Probe) -> Recognition {
        probe.head.prefix(1024).firstRange(of: Array("%PDF-".utf8)) != nil ? .certain : .no
    }

    public func open(
        _ input: Input, settings: Settings, limits: Limits
    ) async throws(AdapterError) -> OpenedBook {
        let box = settings["page-box"].flatMap(PageBox.init) ?? .crop
        let resolution = settings.integer("dpi").map(Double.init)
        let seconds = settings.integer("page-timeout") ?? 15
        return try await PDFBook(input, box: box, resolution: resolution, seconds: seconds, limits: limits).opened()
    }
}
