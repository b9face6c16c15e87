/// The output for a page with content over its scan or next to it: `--pages-as`.
enum PagesAs: String, CaseIterable, Sendable {
    /// The scan, with the content over it drawn on its own pixels.
    case auto
    /// The scan alone.
    case scan
    /// A rendering of the page.
    case page
}

/// The treatment of a book's scans.
struct ScanTreatment: Sendable {
    var pagesAs = PagesAs.auto
    /// Whether to remove the objects over scans: `--no-stamps`.
    var removesStamps = false
    /// Whether to remove even opaque content that hides a part of a scan: `--uncover`.
    var uncovers = false

    /// Whether images of scans lack the objects over them.
    var showsScansAlone: Bool { removesStamps || pagesAs == .scan }
}
