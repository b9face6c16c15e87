internal import PageModel

/// A scan that does not fill its page, or that the page shows in strips or tiles.
///
/// Its images are put on a canvas of the same resolution. The canvas has the orientation of the stored images: `pending` rotates
/// it.
struct ScanMosaic: Sendable {
    struct Tile: Sendable {
        let extraction: Extraction
        /// The place of the piece on the canvas, in pixels.
        let place: PixelRect
    }

    let pieces: [Tile]
    /// The size of the canvas. Areas outside the pieces are white.
    let size: PixelSize
    /// The edits that turn the canvas into the visible page, or into the scan alone.
    let pending: [Edit]
    let resolution: Resolution
    /// The content over the scan or next to it; nil if the page has no such content.
    let overlay: Extraction.Overlay?
    /// The part of the page that the scan covers, if the blank paper around it is omitted; otherwise the whole page.
    let shown: PageArea

    /// The part of the visible canvas that the pieces cover.
    var scanArea: PageArea {
        guard let first = pieces.first else { return .page }
        let scan = pieces.reduce(first.place) { $0.union($1.place) }
        var map = PageMap(size)
        for edit in pending { map.append(edit) }
        let (width, height) = (Double(size.width), Double(size.height))
        let area = map.place(
            of: PageArea(
                left: Double(scan.x) / width, top: Double(scan.y) / height,
                right: Double(scan.x + scan.width) / width, bottom: Double(scan.y + scan.height) / height))
        return area.intersection(.page)
    }

    /// The layout for joining the pieces as JPEGs; nil if they must be joined as samples.
    var jpeg: JPEGLayout? { JPEGLayout(self) }

    /// The pieces as parts of one JPEG.
    struct JPEGLayout: Sendable {
        let jpegs: [EmbeddedJPEG]
        /// The place of each piece: extended to the end of its last MCUs, unless another piece follows.
        let places: [PixelRect]
        /// The surplus of the last MCUs beyond the images, which has to be made white.
        let surplus: [PixelRect]
    }
}

extension ScanMosaic.JPEGLayout {
    /// - Returns: nil if the JPEGs differ in their tables, or are not on one grid.
    fileprivate init?(_ mosaic: ScanMosaic) {
        var jpegs: [EmbeddedJPEG] = []
        for piece in mosaic.pieces {
            guard case .jpeg(let jpeg) = piece.extraction.kind, piece.extraction.alpha == nil else { return nil }
            jpegs.append(jpeg)
        }
        guard let first = jpegs.first, let grid = first.grid,
            jpegs.count == 1 || first.joinKey != nil && jpegs.allSatisfy({ $0.joinKey == first.joinKey }),
            jpegs.allSatisfy({ $0.repair == first.repair })
        else { return nil }
        var (places, surplus): ([PixelRect], [PixelRect]) = ([], [])
        for (index, piece) in mosaic.pieces.enumerated() {
            // Only this part is visible under the later pieces.
            var place = mosaic.pieces[(index + 1)...].reduce(piece.place) { $0.seen(below: $1.place) }
            guard place.x % grid.width == 0, place.y % grid.height == 0 else { return nil }
            let right = mosaic.end(place.x + place.width, grid.width, mosaic.size.width)
            let bottom = mosaic.end(place.y + place.height, grid.height, mosaic.size.height)
            let (beyond, below) = (right - place.x - place.width, bottom - place.y - place.height)
            if beyond > 0 {
                surplus.append(
                    PixelRect(x: place.x + place.width, y: place.y, width: beyond, height: bottom - place.y))
            }
            if below > 0 {
                surplus.append(
                    PixelRect(x: place.x, y: place.y + place.height, width: place.width, height: below))
            }
            (place.width, place.height) = (right - place.x, bottom - place.y)
            places.append(place)
        }
        for (index, place) in places.enumerated() where places[..<index].contains(where: { $0.overlaps(place) }) {
            return nil
        }
        (self.jpegs, self.places, self.surplus) = (jpegs, places, surplus)
    }
}

extension ScanMosaic {
    /// Returns the end of a piece's last MCU, limited to the canvas.
    fileprivate func end(_ end: Int, _ unit: Int, _ whole: Int) -> Int { min(whole, (end + unit - 1) / unit * unit) }
}

extension PixelRect {
    /// Returns the visible part of a rectangle whose right or lower edge another one covers completely.
    fileprivate func seen(below other: PixelRect) -> PixelRect {
        guard overlaps(other) else { return self }
        var seen = self
        if other.x > x, other.y <= y, other.y + other.height >= y + height {
            seen.width = other.x - x
        } else if other.y > y, other.x <= x, other.x + other.width >= x + width {
            seen.height = other.y - y
        }
        return seen
    }

    /// Whether both have a pixel in common.
    func overlaps(_ other: PixelRect) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }

    /// Returns the smallest rectangle that contains both.
    func union(_ other: PixelRect) -> PixelRect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PixelRect(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }
}
