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
        guard options.format == .jpeg, options.quality == nil, !options.isTiled, options.most == nil,
            max(layout.size.width, layout.size.height) <= JPEGWriter.mostPixelsAcross,
            zip(pages, layout.places).allSatisfy({
                $0.encoding == .jpeg && $0.orientation == .upright && $0.size == $1.size
            }), let first = pages.first
        else { return nil }
        // A gray JPEG has no colour to show between its pages.
        let isCovered = pages.reduce(0) { $0 + $1.size.area } == layout.size.area
        guard isCovered || first.format.hasColor || options.background.isGray else { return nil }
        var pieces: [JPEGSurgery.Piece] = []
        var tables: JPEGTables?
        var firstHeader: JPEGHeader?
        var isRGB = false
        for (page, place) in zip(pages, layout.places) {
            let file = try spool.read(at: page.offset, count: page.count)
            guard let header = JPEGHeader(file), let grid = header.grid, fits(place, in: layout.size, grid),
                let own = JPEGTables(file), tables == nil || own == tables,
                // As it is embedded: the strip gets the first one's, even if nobody can follow that.
                header.iccProfile == (firstHeader ?? header).iccProfile
            else { return nil }
            firstHeader = firstHeader ?? header
            isRGB = header.hasRGBComponents
            tables = own
            pieces.append(JPEGSurgery.Piece(file: file, framing: Framing(page.size), x: place.x, y: place.y))
        }
        let background = options.background.levels(isGray: !first.format.hasColor, isRGB: isRGB)
        return try? JPEGSurgery.compose(pieces, size: layout.size, background: background).file
    }

    private static func fits(_ place: PixelRect, in size: PixelSize, _ grid: PixelSize) -> Bool {
        func ends(_ end: Int, _ whole: Int, _ unit: Int) -> Bool { end == whole || end.isMultiple(of: unit) }
        return place.x.isMultiple(of: grid.width) && place.y.isMultiple(of: grid.height)
            && ends(place.x + place.width, size.width, grid.width)
            && ends(place.y + place.height, size.height, grid.height)
    }
}

extension RGB {
    /// The level of each component of a JPEG that shows this colour (JFIF 1.02).
    fileprivate func levels(isGray: Bool, isRGB: Bool) -> [UInt8] {
        if isRGB { return [red, green, blue] }
        let (r, g, b) = (Double(red), Double(green), Double(blue))
        let luma = 0.299 * r + 0.587 * g + 0.114 * b
        let values = isGray ? [luma] : [luma, (b - luma) / 1.772 + 128, (r - luma) / 1.402 + 128]
        return values.map { UInt8(max(0, min(255, $0.rounded()))) }
    }
}
