package import PageModel

/// A row or a column of JPEGs that are joined in one JPEG without being decoded.
///
/// Each of them has to begin at an MCU: `JoinedPicture.Seam` controls whether they may be padded or trimmed for it.
package struct JPEGRow: Sendable {
    /// A JPEG and its requested place.
    package struct Part: Sendable {
        package var framing: Framing
        /// The size of an MCU in pixels, of the image as it is stored.
        package var grid: PixelSize
        package var place: PixelRect

        package init(framing: Framing, grid: PixelSize, place: PixelRect) {
            self.framing = framing
            self.grid = grid
            self.place = place
        }
    }

    /// A JPEG and its assigned place.
    package struct Piece: Sendable {
        package var framing: Framing
        /// The place of the piece, padding included: see `JPEGSurgery.Piece.place`.
        package var place: PixelRect
        /// The place of the page itself, without padding.
        package var page: PixelRect
    }

    package let size: PixelSize
    package let pieces: [Piece]
    /// The most pixels that a page was moved up or down to align with the MCU grid.
    package let drift: Int

    /// Aligns the places of JPEGs in an image of `size` with the MCU grid. They must be in order from left to right, and may not
    /// overlap.
    ///
    /// - Parameter seam: the permitted changes. They apply if a page does not fit the MCU grid.
    /// - Returns: nil if the pages cannot be placed under these conditions.
    package init?(_ parts: [Part], size: PixelSize, seam: JoinedPicture.Seam) {
        guard let grid = parts.first.map({ $0.framing.orientation.applied(to: $0.grid) }) else { return nil }
        var pieces: [Piece] = []
        var (end, wantedEnd) = (0, 0)
        for part in parts {
            guard part.framing.orientation.applied(to: part.grid) == grid,
                let framing = JPEGSurgery.lossless(part.framing, grid: part.grid),
                let x = JPEGRow.start(end + part.place.x - wantedEnd, grid.width, seam)
            else { return nil }
            let top = part.place.y - (part.framing.rect.y - framing.rect.y)
            pieces.append(
                Piece(
                    framing: framing, place: PixelRect(x: x, y: top, framing.rect.size),
                    page: PixelRect(x: x, y: top, framing.rect.size)))
            end = x + framing.rect.width
            wantedEnd = part.place.x + part.place.width
        }
        let width = end + size.width - wantedEnd
        let highest = pieces.map(\.place.y).min() ?? 0
        var drift = 0
        for index in pieces.indices {
            let wanted = pieces[index].place.y - highest
            let y = (wanted + grid.height / 2) / grid.height * grid.height
            if seam == .exact && y != wanted { return nil }
            drift = max(drift, abs(y - wanted))
            pieces[index].place.y = y
            pieces[index].page.y = y
        }
        let height = pieces.map { $0.place.y + $0.place.height }.max() ?? 0
        for index in pieces.indices {
            let next = index + 1 < pieces.count ? pieces[index + 1].place.x : width
            let (place, framing) = (pieces[index].place, pieces[index].framing)
            let turn = framing.orientation
            guard
                let across = JPEGRow.length(
                    place.width, from: place.x, to: next, end: width, grid.width, seam,
                    maximum: framing.full.width - framing.rect.x, isMirrored: turn.isMirroredAcross),
                let down = JPEGRow.length(
                    place.height, from: place.y, to: height, end: height, grid.height, seam,
                    maximum: framing.full.height - framing.rect.y, isMirrored: turn.isMirroredDown)
            else { return nil }
            pieces[index].place.width = across
            pieces[index].place.height = down
            pieces[index].page.width = min(across, place.width)
            pieces[index].page.height = min(down, place.height)
        }
        self.size = PixelSize(width: width, height: height)
        self.pieces = pieces
        self.drift = drift
    }

    /// Creates a column: JPEGs one below the other. It keeps their places.
    ///
    /// - Returns: nil unless each of them begins and ends at an MCU, or ends with the column.
    package init?(column parts: [Part], size: PixelSize) {
        guard let grid = parts.first.map({ $0.framing.orientation.applied(to: $0.grid) }) else { return nil }
        for part in parts {
            let end = part.place.y + part.place.height
            guard part.framing.orientation.applied(to: part.grid) == grid,
                JPEGSurgery.lossless(part.framing, grid: part.grid) == part.framing,
                part.place.y.isMultiple(of: grid.height), end == size.height || end.isMultiple(of: grid.height)
            else { return nil }
        }
        self.size = size
        pieces = parts.map { Piece(framing: $0.framing, place: $0.place, page: $0.place) }
        drift = 0
    }

    private static func start(_ wanted: Int, _ unit: Int, _ seam: JoinedPicture.Seam) -> Int? {
        switch seam {
        case .pad: (wanted + unit - 1) / unit * unit
        case .trim: wanted / unit * unit
        case .exact: wanted.isMultiple(of: unit) ? wanted : nil
        }
    }

    /// Returns the length of a piece that begins at `start`, up to `next`. At `end`, the end of the whole, it need not end on the
    /// grid. The result is nil if `seam` does not permit one.
    ///
    /// - Parameter maximum: the length of the piece's image from its beginning.
    private static func length(
        _ length: Int, from start: Int, to next: Int, end: Int, _ unit: Int, _ seam: JoinedPicture.Seam, maximum: Int,
        isMirrored: Bool
    ) -> Int? {
        if start + length <= next, start + length == end || length.isMultiple(of: unit) { return length }
        switch seam {
        case .pad:
            let longer = min((length + unit - 1) / unit * unit, end - start)
            return longer > maximum && isMirrored || start + longer > next ? nil : longer
        case .trim:
            let shorter = min(length, next - start) / unit * unit
            return shorter > 0 ? shorter : nil
        case .exact: return nil
        }
    }
}
