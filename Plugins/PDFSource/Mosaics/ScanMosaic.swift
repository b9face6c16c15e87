internal import Imaging
internal import PageModel

/// A scan that does not fill its page, or that the page shows in strips or tiles.
///
/// Its pictures are put on a canvas of the same resolution. The canvas is as the pictures are stored: `pending` turns it.
struct ScanMosaic: Sendable {
    struct Piece: Sendable {
        let extraction: Extraction
        /// Where the piece lies on the canvas, in pixels.
        let place: PixelRect
    }

    let pieces: [Piece]
    /// The size of the canvas. What no piece covers is white.
    let size: PixelSize
    /// The edits that turn the canvas into what the page shows, or into the scan alone.
    let pending: [Edit]
    let resolution: Resolution
    /// What the page shows over the scan or beside it; nil when nothing is there.
    let overlay: Extraction.Overlay?
    /// The part of the page that the scan covers, when the blank paper around it is left out; otherwise the whole page.
    let shown: PageArea

    /// How the pieces are joined as JPEGs; nil when they must be joined as samples.
    var jpeg: JPEGLayout? { JPEGLayout(self) }

    /// The pieces as parts of one JPEG.
    struct JPEGLayout: Sendable {
        let jpegs: [EmbeddedJPEG]
        /// Where each piece goes: as large as the MCUs that it ends in, where nothing else follows.
        let places: [PixelRect]
        /// What the last MCUs hold beyond the pictures, and has to be made white.
        let surplus: [PixelRect]
    }
}

extension ScanMosaic.JPEGLayout {
    /// - Returns: nil when the JPEGs differ in their tables, or do not lie on one grid.
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
            // Of what a later piece paints over, that is all that is seen.
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
    /// Where the MCU ends that a piece ends in, but not beyond the canvas.
    fileprivate func end(_ end: Int, _ unit: Int, _ whole: Int) -> Int { min(whole, (end + unit - 1) / unit * unit) }
}

extension PixelRect {
    /// What is seen of a rectangle that another one covers all along its right edge or its lower one.
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

    /// The smallest rectangle with both in it.
    func union(_ other: PixelRect) -> PixelRect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PixelRect(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }
}
