package import PageModel

/// An observer of the conversion of one page, which takes no part in it.
///
/// It returns evidence of any type, which the conversion only passes on.
package protocol PageObserver: Sendable {
    /// Returns an image whose reading it observes.
    func observing(_ picture: Picture, of name: String) -> Picture

    /// Whether it needs the pixels of each page before any change.
    var needsPixels: Bool { get }

    /// Observes the pixels of a page, or of a part of it, before any change.
    func decoded(_ raster: Raster, of name: String)

    /// Observes a page that is copied with its document, so that nothing reads its image.
    ///
    /// - Throws: `CancellationError`.
    func copied(_ picture: Picture, of name: String) async throws

    /// Returns the evidence of pixels that the output keeps.
    func made(_ raster: Raster) -> (any Sendable)?

    /// Returns the evidence of a converted page.
    func converted(_ page: Page, _ plan: PagePlan, _ result: PageResult) -> (any Sendable)?
}
