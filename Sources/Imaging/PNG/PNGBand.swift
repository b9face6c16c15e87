public import PageModel

/// A run of rows of a long PNG, filtered and compressed apart from the others, so that many can be made side by side.
public struct PNGBand: Sendable {
    let piece: DeflatePiece

    /// - Parameters:
    ///   - rows: whole rows of the picture.
    ///   - above: the samples of the row over them, where they are at hand: they make the first row smaller.
    public init(_ rows: Raster, below above: [UInt8]? = nil) {
        let filtering = PNGFiltering(for: rows)
        let filtered = PNGFilter.filtered(
            rows, plainly: filtering == .plain, above: above.map { .row($0) } ?? .unknown)
        piece = DeflatePiece(filtered, level: filtering.deflateLevel)
    }
}
