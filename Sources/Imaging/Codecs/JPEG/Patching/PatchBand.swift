internal import PageModel

/// A part of an image under overlays, with the context that decoding needs.
struct PatchBand {
    /// The part, on the MCU grid. No two bands share a row of MCUs.
    private(set) var rect: PixelRect
    /// The overlays, with places in the image.
    private var areas: [PictureOverlay.Area]

    /// The share of the image beyond which decoding all of it is faster.
    private static let maximumShare = 0.5

    /// The overlays, with places in the part.
    var areasInPart: [PictureOverlay.Area] {
        areas.map { area in
            var moved = area
            moved.rect.x -= rect.x
            moved.rect.y -= rect.y
            return moved
        }
    }

    /// Returns the bands for overlays from the top down; nil if they are not within the image, or cover too much of it.
    ///
    /// - Parameter usesWhole: whether the whole image is a band if they cover much of it.
    static func bands(
        for areas: [PictureOverlay.Area], on scan: SequentialScan, orWhole usesWhole: Bool = false
    ) -> [PatchBand]? {
        // An image that may become a color image is encoded as one with chroma of half the size.
        let unit = scan.components.count == 1 ? PixelSize(width: 16, height: 16) : scan.grid
        let whole = PixelRect(x: 0, y: 0, scan.size)
        var bands: [PatchBand] = []
        for area in areas.sorted(by: { $0.rect.y < $1.rect.y }) {
            guard area.rect.width > 0, area.rect.height > 0, whole.contains(area.rect) else { return nil }
            let rect = surroundings(of: area.rect, in: scan.size, unit)
            if let last = bands.last?.rect, rect.y < last.y + last.height {
                bands[bands.count - 1].rect = union(last, rect)
                bands[bands.count - 1].areas.append(area)
            } else {
                bands.append(PatchBand(rect: rect, areas: [area]))
            }
        }
        let covered = bands.reduce(0) { $0 + $1.rect.size.area }
        if Double(covered) <= maximumShare * Double(scan.size.area) { return bands }
        return usesWhole ? [PatchBand(rect: whole, areas: areas)] : nil
    }

    /// Returns the MCUs under a rectangle, and one more on every side.
    private static func surroundings(of rect: PixelRect, in size: PixelSize, _ unit: PixelSize) -> PixelRect {
        func range(_ start: Int, _ count: Int, _ unit: Int, _ whole: Int) -> Range<Int> {
            max(0, (start / unit - 1) * unit)..<min(whole, ((start + count + unit - 1) / unit + 1) * unit)
        }
        return PixelRect(
            columns: range(rect.x, rect.width, unit.width, size.width),
            rows: range(rect.y, rect.height, unit.height, size.height))
    }

    private static func union(_ one: PixelRect, _ other: PixelRect) -> PixelRect {
        let (right, bottom) = (one.x + one.width, one.y + one.height)
        return PixelRect(
            columns: min(one.x, other.x)..<max(right, other.x + other.width),
            rows: min(one.y, other.y)..<max(bottom, other.y + other.height))
    }
}

extension PixelRect {
    fileprivate init(columns: Range<Int>, rows: Range<Int>) {
        self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }
}
