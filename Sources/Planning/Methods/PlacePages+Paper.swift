internal import PageModel

extension PlacePages {
    /// Pages stay in place if neither side deviates by more than this many pixels, because sizes in pixels are rounded.
    private static let tolerance = 2

    /// Places pages of known paper size next to each other at their size on paper, regardless of their pixels. Otherwise, of two
    /// scans of equal sheets, the one at a lower resolution would come out smaller. Distances between pages are kept, in pixels
    /// of the highest resolution.
    ///
    /// - Parameter alignment: the alignment of lower pages with the highest. `scale` gives all of them its height.
    mutating func standOnPaper(_ alignment: Alignment) {
        var sheets: [(width: Double, height: Double)] = []
        var finest = 0.0
        for place in places {
            guard let size = place.size, let own = place.resolution, own.horizontal > 0, own.vertical > 0 else {
                return
            }
            sheets.append((Double(size.width) / own.horizontal, Double(size.height) / own.vertical))
            finest = max(finest, own.horizontal, own.vertical)
        }
        guard let highest = sheets.map(\.height).max(), highest > 0, finest.isFinite else { return }
        let areas = sheets.map { sheet -> PixelSize? in
            let factor = alignment == .scale ? highest / sheet.height : 1
            guard let width = Int(checked: (sheet.width * factor * finest).rounded()),
                let height = Int(checked: (sheet.height * factor * finest).rounded())
            else { return nil }
            return PixelSize(width: max(1, width), height: max(1, height))
        }
        let sizes = areas.compactMap { $0 }
        guard sizes.count == places.count else { return }
        if zip(places, sizes).allSatisfy({ $0.area.size.equals($1, within: PlacePages.tolerance) }) { return }
        resolution = Resolution(finest)
        let order = places.indices.sorted { places[$0].area.x < places[$1].area.x }
        let height = sizes.map(\.height).max() ?? size.height
        var (right, oldRight) = (0, 0)
        for index in order {
            let old = places[index].area
            let x = right + old.x - oldRight
            let y = alignment.place(of: sizes[index].height, within: height)
            places[index].area = PixelRect(x: x, y: y, sizes[index])
            (right, oldRight) = (x + sizes[index].width, old.x + old.width)
        }
        size = PixelSize(width: right + size.width - oldRight, height: height)
    }
}

extension PixelSize {
    fileprivate func equals(_ other: PixelSize, within pixels: Int) -> Bool {
        abs(width - other.width) <= pixels && abs(height - other.height) <= pixels
    }
}
