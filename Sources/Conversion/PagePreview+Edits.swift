internal import AdapterKit
internal import Imaging
internal import PageModel

extension PagePreview {
    /// The page as one more edit leaves it; nil for edits after which it is not looked at.
    func after(_ edit: Edit) -> PagePreview? {
        var preview = self
        switch edit {
        case .deskew(let degrees):
            preview.raster = raster.deskewed(by: degrees)
            preview.grid = nil
        case .crop, .keep, .inset:
            guard let rect = Framing(size, edits: [edit])?.rect else { return nil }
            let (x, width) = PagePreview.span(rect.x, rect.width, start.x, scale.across, raster.size.width)
            let (y, height) = PagePreview.span(rect.y, rect.height, start.y, scale.down, raster.size.height)
            preview.raster = raster.framed(
                Framing(raster.size).keeping(PixelRect(x: x, y: y, width: width, height: height)))
            preview.size = rect.size
            preview.start = (
                start.x + Double(x) * scale.across - Double(rect.x),
                start.y + Double(y) * scale.down - Double(rect.y)
            )
            preview.origin = (origin.x + rect.x, origin.y + rect.y)
            preview.grid = grid.map { CutGrid(step: $0.step, first: ($0.first.x - rect.x, $0.first.y - rect.y)) }
        case .turn, .fit, .gray, .tones, .depth:
            return nil
        }
        return preview
    }

    /// The reduced pixels that cover a stretch of the page: the first, and how many.
    static func span(_ from: Int, _ count: Int, _ start: Double, _ scale: Double, _ most: Int) -> (Int, Int) {
        let first = min(max(0, Int(((Double(from) - start) / scale).rounded(.down))), most - 1)
        let end = min(most, Int(((Double(from + count) - start) / scale).rounded(.up)))
        return (first, max(1, end - first))
    }
}
