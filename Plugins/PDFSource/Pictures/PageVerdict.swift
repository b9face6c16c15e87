/// What was found out about one page.
struct PageVerdict: Sendable {
    let geometry: PageGeometry
    /// How to get at its one picture, or nil.
    var extraction: Extraction?
    /// Why there is no extraction.
    var reason: String?
    /// The resolution of the largest picture on the page, pixels per inch.
    var naturalResolution: Double?
    var defects: [String] = []
}
