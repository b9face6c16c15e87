public import PageModel

/// Shows pages small to those that must see them before they can decide.
public protocol PreviewProvider: Sendable {
    /// The page as the edits it bears leave it, reduced.
    ///
    /// - Parameters:
    ///   - pixels: what its shorter side is not reduced below.
    ///   - shade: what its gray stands for.
    /// - Throws: when its picture cannot be had in any way; `CancellationError`.
    func preview(of page: Page, pixels: Int, as shade: Shade) async throws -> PagePreview
}
