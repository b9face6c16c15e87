internal import AdapterKit
internal import LayoutAnalysis
internal import PageModel

extension TransformRequest {
    /// Returns the part of a page that shows its sheet: the whole page, unless it was photographed on a table.
    ///
    /// A crop may leave too little of a table to recognize it. So the page before its last crop shows where the table is.
    ///
    /// - Parameter preview: the page in gray.
    func sheet(of page: Page, _ preview: PagePreview) async throws -> AreaShare {
        var whole = page
        let crop = page.edits.lastIndex(where: \.crops)
        whole.edits = Array(page.edits[..<(crop ?? page.edits.endIndex)])
        let pixels = PaperLimits.minimumPixels
        guard crop != nil || TablePhotograph.isPossible(preview.raster),
            let ink = try await previews.look(at: whole, pixels: pixels, as: .ink).preview,
            TablePhotograph.isPossible(ink.raster),
            let brightness = try await previews.look(at: whole, pixels: pixels, as: .brightness).preview,
            let box = TablePhotograph(ink: ink.raster, brightness: brightness.raster)?.box(in: ink.raster.size)
        else { return .page }
        var map = PageMap(ink.size)
        for edit in page.edits[whole.edits.endIndex...] { map.append(edit) }
        return AreaShare(map.place(of: PageArea(box.rect, of: ink.raster.size)).intersection(.page))
    }
}

extension PageEdit {
    /// Whether it cuts off parts of the page.
    fileprivate var crops: Bool {
        switch self {
        case .move(.crop), .move(.keep), .move(.inset): true
        case .move(.turn), .move(.mirror), .change: false
        }
    }
}
