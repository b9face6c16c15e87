internal import AdapterKit
internal import Imaging
internal import PageModel

extension PageLook {
    /// The page as one more edit leaves it; nil for edits after which it is not looked at.
    func after(_ edit: Edit) -> PageLook? {
        var look = self
        switch edit {
        case .straighten(let degrees):
            look.raster = raster.straightened(by: degrees)
            look.grid = nil
        case .crop, .keep, .inset:
            guard let rect = Framing(size, edits: [edit])?.rect else { return nil }
            let (x, width) = PageLook.span(rect.x, rect.width, start.x, scale.across, raster.size.width)
            let (y, height) = PageLook.span(rect.y, rect.height, start.y, scale.down, raster.size.height)
            look.raster = raster.framed(
                Framing(raster.size).keeping(PixelRect(x: x, y: y, width: width, height: height)))
            look.size = rect.size
            look.start = (
                start.x + Double(x) * scale.across - Double(rect.x),
                start.y + Double(y) * scale.down - Double(rect.y)
            )
            look.origin = (origin.x + rect.x, origin.y + rect.y)
            look.grid = grid.map { CutGrid(step: $0.step, first: ($0.first.x - rect.x, $0.first.y - rect.y)) }
        case .turn, .fit, .gray, .tones, .depth:
            return nil
        }
        return look
    }

    /// The reduced pixels that cover a stretch of the page: the first, and how many.
    static func span(_ from: Int, _ count: Int, _ start: Double, _ scale: Double, _ most: Int) -> (Int, Int) {
        let first = min(max(0, Int(((Double(from) - start) / scale).rounded(.down))), most - 1)
        let end = min(most, Int(((Double(from + count) - start) / scale).rounded(.up)))
        return (first, max(1, end - first))
    }
}
