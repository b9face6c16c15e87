internal import AdapterKit
internal import Imaging
internal import PageModel

extension PagePreview {
    /// The preview of the scan alone, with its place on the page.
    var ofScan: PagePreview {
        guard scan != .page else { return self }
        func span(_ low: Double, _ high: Double, _ whole: Int, _ start: Double, _ scale: Double, _ count: Int)
            -> (Int, Int)
        {
            // Pixels that the edges of the scan cover in part are paper, too.
            let first = Int(clamping: ((low * Double(whole) - start) / scale).rounded(.up), to: 0...max(0, count - 1))
            let end = Int(clamping: ((high * Double(whole) - start) / scale).rounded(.down), to: 0...count)
            return (first, max(1, end - first))
        }
        let (x, width) = span(scan.left, scan.right, size.width, start.x, scale.across, raster.size.width)
        let (y, height) = span(scan.top, scan.bottom, size.height, start.y, scale.down, raster.size.height)
        var part = self
        part.raster = raster.framed(Framing(raster.size).keeping(PixelRect(x: x, y: y, width: width, height: height)))
        part.start = (start.x + Double(x) * scale.across, start.y + Double(y) * scale.down)
        return part
    }
}
