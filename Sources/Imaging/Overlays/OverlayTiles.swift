internal import PageModel

/// The sizes of the tiles in which an overlay is merged into a JPEG, in pixels.
private enum OverlayTileLimits {
    /// The maximum height. Rows of MCUs around a tile are decoded, too, which costs a quarter of this height.
    static let height = 128
    /// The unit of the width. The sides of all MCUs divide it, so no two tiles share an MCU.
    static let unit = 32
    /// The number of units without touched pixels that separate two tiles. Narrower gaps are decoded around both in any case.
    static let gap = 3
}

extension OverlayPixels.Area {
    /// The parts of the area that have touched pixels. A line of text across a page needs only the blocks along it.
    var tiles: [OverlayPixels.Area] {
        let (height, bottom) = (OverlayTileLimits.height, rect.y + rect.height)
        var tiles: [OverlayPixels.Area] = []
        for top in stride(from: rect.y / height * height, to: bottom, by: height) {
            let rows = max(top, rect.y)..<min(top + height, bottom)
            for columns in touchedColumns(in: rows) { tiles.append(part(columns, rows)) }
        }
        return tiles
    }

    /// Returns the columns of the image that have touched pixels in some rows, in ranges with gaps between them.
    private func touchedColumns(in rows: Range<Int>) -> [Range<Int>] {
        let unit = OverlayTileLimits.unit
        let (first, right) = (rect.x / unit, rect.x + rect.width)
        var isTouched = [Bool](repeating: false, count: (right + unit - 1) / unit - first)
        for cell in isTouched.indices {
            let columns = max(rect.x, (first + cell) * unit)..<min(right, (first + cell + 1) * unit)
            isTouched[cell] = rows.contains { y in
                let start = (y - rect.y) * rect.width + columns.lowerBound - rect.x
                return touchesAny(of: start..<start + columns.count)
            }
        }
        var ranges: [Range<Int>] = []
        for cell in isTouched.indices where isTouched[cell] {
            let columns = max(rect.x, (first + cell) * unit)..<min(right, (first + cell + 1) * unit)
            if let last = ranges.last, columns.lowerBound - last.upperBound < OverlayTileLimits.gap * unit {
                ranges[ranges.count - 1] = last.lowerBound..<columns.upperBound
            } else {
                ranges.append(columns)
            }
        }
        return ranges
    }

    /// - Parameters: parts of the image within the area.
    private func part(_ columns: Range<Int>, _ rows: Range<Int>) -> OverlayPixels.Area {
        func cut(_ samples: [UInt8]) -> [UInt8] {
            var part: [UInt8] = []
            part.reserveCapacity(channels * columns.count * rows.count)
            for y in rows {
                let start = channels * ((y - rect.y) * rect.width + columns.lowerBound - rect.x)
                part += samples[start..<start + channels * columns.count]
            }
            return part
        }
        let place = PixelRect(
            x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
        return OverlayPixels.Area(place, black: cut(black), white: cut(white))
    }
}
