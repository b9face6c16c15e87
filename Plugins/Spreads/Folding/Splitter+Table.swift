internal import AdapterKit
internal import LayoutAnalysis
internal import PageModel

extension Splitter {
    /// Whether a wide image is a photograph of one page, next to a color chart or a bare table. Its fold is then an edge of the
    /// page.
    ///
    /// - Parameter preview: the page's brightness.
    func showsOnePage(_ fold: Fold, _ preview: PagePreview, of page: Page, _ request: TransformRequest) async throws
        -> Bool
    {
        let brightness = preview.raster
        guard TablePhotograph.isPossible(brightness),
            let ink = try await request.previews.look(at: page, pixels: FoldLimits.minimumPixels, as: .ink).preview,
            let box = TablePhotograph(ink: ink.raster, brightness: brightness)?.box(in: brightness.size)
        else { return false }
        let place = fold.place * Double(brightness.size.width) - Double(box.left)
        return !FoldLimits.onSheet.contains(place / Double(max(1, box.width)))
    }
}
