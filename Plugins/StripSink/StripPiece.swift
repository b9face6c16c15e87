internal import Imaging
internal import PageModel

/// Rows of a strip on their way into a file.
enum StripPiece: Sendable {
    /// Rows that are compressed already.
    case bands([PNGBand])
    case rows(Raster)

    /// - Parameter above: the row over them in the same file, where it is at hand.
    init(_ rows: Raster, _ format: StripFormat, _ options: StripOptions, below above: [UInt8]? = nil) {
        guard options.isBanded else {
            self = .rows(rows)
            return
        }
        let stored = rows.packed(to: format.stored)
        var bands: [PNGBand] = []
        let step = max(1, StripPiece.bandBytes / stored.bytesPerRow)
        var last = stored.format == rows.format ? above : nil
        for start in stride(from: 0, to: stored.size.height, by: step) {
            let band = stored.rows(start..<min(start + step, stored.size.height))
            bands.append(PNGBand(band, below: last))
            last = Array(band.samples.suffix(stored.bytesPerRow))
        }
        self = .bands(bands)
    }

    /// Long enough to compress well, short enough to be many.
    private static let bandBytes = 1 << 20
}
