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
    /// Whether to return a scan alone even if opaque content hides a part of it: `--uncover`.
    var uncovers = false
}
