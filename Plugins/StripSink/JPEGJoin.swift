internal import AdapterKit
internal import Imaging
internal import PageModel

/// A strip of JPEGs that go together, joined in their coefficients.
enum JPEGJoin {
    /// The strip; nil where the pages do not go together, and have to be decoded.
    ///
    /// They do when every one begins and ends where an MCU does, or ends with the strip, and all have the same tables,
    /// sampling and colours.
    static func joined(
        _ pages: [StripPage], _ layout: StripLayout, _ options: StripOptions, _ spool: SpoolFile
    ) throws(AdapterError) -> [UInt8]? {
        guard let first = pages.first, let joinKey = first.joinKey, let grid = first.grid,
            options.format == .jpeg, options.quality == nil, !options.isTiled, options.most == nil,
            max(layout.size.width, layout.size.height) <= JPEGWriter.mostPixelsAcross,
            zip(pages, layout.places).allSatisfy({
                // The strip gets the first one's profile as it is embedded, even if nobody can follow that.
                $0.joinKey == joinKey && $0.orientation == .upright && $0.size == $1.size
                    && fits($1, in: layout.size, grid)
            })
        else { return nil }
        var pieces: [JPEGSurgery.Piece] = []
        for (page, place) in zip(pages, layout.places) {
            let file = try spool.read(at: page.offset, count: page.count)
            pieces.append(JPEGSurgery.Piece(file: file, framing: Framing(page.size), x: place.x, y: place.y))
        }
        // A gray JPEG has no colour to show between its pages.
        let isCovered = pages.reduce(0) { $0 + $1.size.area } == layout.size.area
        let background = JPEGHeader(pieces[0].file).flatMap(options.background.levels)
        guard isCovered || background != nil else { return nil }
        return try? JPEGSurgery.compose(pieces, size: layout.size, background: background).file
    }

    private static func fits(_ place: PixelRect, in size: PixelSize, _ grid: PixelSize) -> Bool {
        func ends(_ end: Int, _ whole: Int, _ unit: Int) -> Bool { end == whole || end.isMultiple(of: unit) }
        return place.x.isMultiple(of: grid.width) && place.y.isMultiple(of: grid.height)
            && ends(place.x + place.width, size.width, grid.width)
            && ends(place.y + place.height, size.height, grid.height)
    }
}
