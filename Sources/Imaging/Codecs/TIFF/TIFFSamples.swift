internal import CTIFF
internal import PageModel

/// A reader for the samples of a TIFF in strips, tiles or planes.
struct TIFFSamples {
    private let tiff: OpaquePointer
    private let layout: TIFFLayout
    /// The bytes of a row with all its components, of all planes.
    let bytesPerRow: Int
    /// The number of rows of strips or tiles that could be read, and their total.
    private(set) var partsRead = 0
    private(set) var parts = 0

    init(_ tiff: OpaquePointer, _ layout: TIFFLayout) {
        self.tiff = tiff
        self.layout = layout
        bytesPerRow = (layout.size.width * layout.samplesPerPixel * layout.bits + 7) / 8
    }

    /// The bytes of a row of the file: of one component if each has its own plane.
    private var bytesPerStoredRow: Int {
        layout.isPlanar ? (layout.size.width * layout.bits + 7) / 8 : bytesPerRow
    }

    private var planes: Int { layout.isPlanar ? layout.samplesPerPixel : 1 }

    /// Reads the rows with components interleaved, and 16-bit samples in the machine's order.
    ///
    /// Unreadable samples are `blank`. Returns nil if libtiff returns rows or tiles of another form.
    mutating func read(blank: UInt8) -> [UInt8]? {
        let isTiled = TIFFIsTiled(tiff) != 0
        guard isTiled ? tileIsAsExpected : TIFFScanlineSize(tiff) == bytesPerStoredRow else { return nil }
        var samples = [UInt8](repeating: blank, count: bytesPerRow * layout.size.height)
        for plane in 0..<planes {
            if isTiled { readTiles(plane, &samples) } else { readRows(plane, &samples) }
        }
        return samples
    }

    private mutating func readRows(_ plane: Int, _ samples: inout [UInt8]) {
        var row = [UInt8](repeating: 0, count: bytesPerStoredRow)
        let perStrip = max(1, TIFFFields(tiff).long(TIFFTAG_ROWSPERSTRIP))
        parts += layout.size.height
        var y = 0
        while y < layout.size.height {
            if TIFFReadScanline(tiff, &row, UInt32(y), UInt16(plane)) == 1 {
                place(row[...], x: 0, y: y, plane, &samples)
                partsRead += 1
                y += 1
            } else {
                // The strip is lost from here on; the next may be intact.
                y = (y / perStrip + 1) * perStrip
            }
        }
    }

    private var tileWidth: Int { TIFFFields(tiff).long(TIFFTAG_TILEWIDTH) }
    private var tileHeight: Int { TIFFFields(tiff).long(TIFFTAG_TILELENGTH) }
    private var bitsPerTileRow: Int { tileWidth * layout.bits * (layout.isPlanar ? 1 : layout.samplesPerPixel) }

    private var tileIsAsExpected: Bool {
        let (area, overflow) = (bitsPerTileRow / 8).multipliedReportingOverflow(by: tileHeight)
        return bitsPerTileRow > 0 && tileHeight > 0 && bitsPerTileRow % 8 == 0 && !overflow
            && TIFFTileSize(tiff) == area
            // A tile may be larger than the image, but need not be huge.
            && area <= max(1 << 26, 2 * bytesPerRow * layout.size.height)
    }

    private mutating func readTiles(_ plane: Int, _ samples: inout [UInt8]) {
        let (width, height) = (tileWidth, tileHeight)
        let row = bitsPerTileRow / 8
        var tile = [UInt8](repeating: 0, count: row * height)
        for top in stride(from: 0, to: layout.size.height, by: height) {
            for left in stride(from: 0, to: layout.size.width, by: width) {
                parts += 1
                guard TIFFReadTile(tiff, &tile, UInt32(left), UInt32(top), 0, UInt16(plane)) > 0 else { continue }
                partsRead += 1
                for y in 0..<min(height, layout.size.height - top) {
                    place(tile[y * row..<(y + 1) * row], x: left, y: top + y, plane, &samples)
                }
            }
        }
    }

    /// Writes a stored row, or a tile's piece of one, to its place.
    private func place(_ piece: ArraySlice<UInt8>, x: Int, y: Int, _ plane: Int, _ samples: inout [UInt8]) {
        let row = y * bytesPerRow
        if planes == 1 {
            let start = x * layout.samplesPerPixel * layout.bits / 8
            let count = min(piece.count, bytesPerRow - start)
            samples.replaceSubrange(row + start..<row + start + count, with: piece.prefix(count))
            return
        }
        // Only samples of whole bytes have planes.
        let width = layout.bits / 8
        for index in 0..<min(piece.count / width, layout.size.width - x) {
            let target = row + ((x + index) * layout.samplesPerPixel + plane) * width
            for byte in 0..<width { samples[target + byte] = piece[piece.startIndex + index * width + byte] }
        }
    }
}
