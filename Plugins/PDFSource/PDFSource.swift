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
            Setting(
                "pages-as", .choice(PagesAs.allCases.map(\.rawValue)), default: PagesAs.auto.rawValue,
                valueName: "form",
                help: "Scans with something over them: laid on the scan (auto), left out (scan) or drawn (page)",
                effect: EffectRule(
                    [[.own, .madePicture]],
                    causes: [
                        .init(
                            after: .copiedWhole, "pages were copied whole", advice: "--rebuild makes pictures of them"),
                        .init("no page is a scan that has something over it, around it or between its parts"),
                    ])),
            Setting(
                "uncover", .flag, valueName: "", help: "Take scans alone even if an opaque shape hides a part of them",
                effect: EffectRule(
                    causes: [
                        .init(
                            after: .copiedWhole, "pages were copied whole", advice: "--rebuild makes pictures of them"),
                        .init("no opaque shape hides a part of a scan"),
                    ])),
        ])

    /// A PDF begins with "%PDF-", but readers have always put up with junk in front of it (ISO 32000-1, annex H.3.4.1), and some with
    /// more than the 1024 bytes that are named there.
    public func recognise(_ probe: Probe) -> Recognition {
        guard let place = probe.head.firstRange(of: Array("%PDF-".utf8))?.lowerBound else { return .no }
        if place <= PDFSource.mostJunk { return .certain }
        // What only speaks of PDFs does not end as one.
        let end = (try? probe.tail(PDFSource.mostJunk)) ?? []
        return end.firstRange(of: Array("%%EOF".utf8)) != nil ? .maybe(60) : .no
    }

    /// The bytes that may stand before or behind a PDF.
    private static let mostJunk = 1024

    public func open(
        _ input: Input, settings: Settings, limits: Limits
    ) async throws(AdapterError) -> OpenedBook {
        let box = settings["page-box"].flatMap(PageBox.init) ?? .crop
        let resolution = settings.integer("dpi").map(Double.init)
        let seconds = settings.integer("page-timeout") ?? 15
        let treatment = ScanTreatment(
            pagesAs: settings["pages-as"].flatMap(PagesAs.init) ?? .auto, uncovers: settings.flag("uncover"))
        if treatment.uncovers && treatment.pagesAs != .scan {
            throw AdapterError(.usage, "--uncover goes with --pages-as scan only")
        }
        return try await PDFBook(
            input, box: box, resolution: resolution, seconds: seconds, scans: treatment, limits: limits
        ).opened()
    }
}
