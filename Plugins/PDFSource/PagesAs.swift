/// What of a page is given where something lies over its scan or beside it: `--pages-as`.
enum PagesAs: String, CaseIterable, Sendable {
    /// The scan, with what lies over it laid on its own pixels.
    case auto
    /// The scan alone.
    case scan
    /// A drawing of the page.
    case page
}

/// How the scans of a book are given.
struct ScanTreatment: Sendable {
    var pagesAs = PagesAs.auto
    /// Whether a scan may be given alone although something opaque hides a part of it: `--uncover`.
    var uncovers = false
}
