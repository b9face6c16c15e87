internal import PageModel

extension SpreadPlan {
    /// Pages of which neither side is off by more than this many pixels stay where they are: sizes in pixels are rounded.
    private static let tolerance = 2

    /// Lays pages of known paper beside each other as large as they are on paper, whatever their pixels are: a coarse scan would
    /// else come out smaller than a fine one of the same sheet. Distances between them stay, in pixels of the finest.
    ///
    /// - Parameter alignment: of lower pages beside the highest; with `scale`, all get its height.
    mutating func standOnPaper(_ alignment: Alignment) {
        var sheets: [(width: Double, height: Double)] = []
        var finest = 0.0
        for part in parts {
            guard let size = part.size, let own = part.resolution, own.horizontal > 0, own.vertical > 0 else { return }
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
        guard sizes.count == parts.count else { return }
        if zip(parts, sizes).allSatisfy({ $0.place.size.equals($1, within: SpreadPlan.tolerance) }) { return }
        resolution = Resolution(finest)
        let order = parts.indices.sorted { parts[$0].place.x < parts[$1].place.x }
        let height = sizes.map(\.height).max() ?? size.height
        var (right, oldRight) = (0, 0)
        for index in order {
            let old = parts[index].place
            let x = right + old.x - oldRight
            let y = alignment.place(of: sizes[index].height, within: height)
            parts[index].place = PixelRect(x: x, y: y, sizes[index])
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
