internal import Imaging
internal import OrderedWork
internal import PageModel

/// A Deep Zoom image: an image in tiles at all sizes from its own, each half of the one before, down to one pixel.
///
/// The format: <https://learn.microsoft.com/previous-versions/windows/silverlight/dotnet-windows-silverlight/cc645077(v=vs.95)>.
/// Rows are kept only until the tiles that show them are full.
final class TilePyramid: StripTarget {
    /// The side of a tile without the overlap.
    static let tileSide = 254
    /// The number of pixels of its neighbors that a tile shows on each side.
    static let overlap = 1
    static let name = "strip"

    private let size: PixelSize
    private let format: ImageEncoding
    private let fidelity: PictureEncoder.Fidelity
    private let output: StripOutput
    private let width: Int
    /// The levels from the image's own size down.
    private var levels: [TileLevel]

    /// - Parameter width: the number of tiles that are encoded at once.
    init(
        _ size: PixelSize, _ pixels: PixelFormat, as format: ImageEncoding, _ fidelity: PictureEncoder.Fidelity,
        width: Int, output: StripOutput
    ) {
        self.size = size
        self.format = format
        self.fidelity = fidelity
        self.output = output
        self.width = width
        var sizes = [size]
        while let last = sizes.last, last.area > 1 {
            sizes.append(PixelSize(width: (last.width + 1) / 2, height: (last.height + 1) / 2))
        }
        levels = sizes.enumerated().map { TileLevel(sizes.count - 1 - $0.offset, $0.element, pixels) }
    }

    func append(_ piece: StripPiece) async throws {
        guard case .rows(let rows) = piece else { preconditionFailure("tiles are made of rows") }
        try await append(rows, to: 0)
    }

    private func append(_ rows: Raster, to index: Int) async throws {
        levels[index].append(rows)
        if let (tiles, rows) = levels[index].takeFullTiles() { try await write(tiles, of: rows) }
        if index + 1 < levels.count, let half = levels[index].takeHalf() { try await append(half, to: index + 1) }
    }

    private func write(_ tiles: [TileLevel.Tile], of rows: Raster) async throws {
        let (format, fidelity, output) = (format, fidelity, output)
        try await forEachInOrder(tiles, width: width) { tile in
            let raster = rows.framed(Framing(rows.size).keeping(tile.rect))
            let bytes = try AdapterError.imaging(as: .unwritable) { () throws(PictureFault) in
                try PictureEncoder.encode(raster, as: format, fidelity)
            }
            return (tile.name, bytes)
        } body: { name, bytes in
            try output.add(bytes, named: "\(TilePyramid.name)_files/\(name).\(format.fileExtension)")
        }
    }

    func finish() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="\(format.fileExtension)" \
            Overlap="\(TilePyramid.overlap)" TileSize="\(TilePyramid.tileSide)">
              <Size Width="\(size.width)" Height="\(size.height)"/>
            </Image>

            """
        try output.add(Array(text.utf8), named: "\(TilePyramid.name).dzi")
    }

    /// Whether jisui could have written a file of this path into a folder of tiles.
    static func matches(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        if parts.count == 1 { return path == "\(name).dzi" }
        guard parts.count == 3, parts[0] == "\(name)_files", Int(parts[1]) != nil else { return false }
        let tile = parts[2].split(separator: ".", omittingEmptySubsequences: false)
        let place = tile[0].split(separator: "_", omittingEmptySubsequences: false).map { Int($0) }
        return tile.count == 2 && place.count == 2 && !place.contains(nil) && ["jpg", "png"].contains(tile[1])
    }
}

/// One size of a pyramid of tiles, while its rows are added.
struct TileLevel {
    struct Tile: Sendable {
        /// Its path: "level/column_row".
        let name: String
        /// The part that it shows of the rows with which it was taken.
        let rect: PixelRect
    }

    private let number: Int
    private let size: PixelSize
    private let format: PixelFormat
    /// The rows that tiles still need.
    private var rows: [UInt8] = []
    /// The index of the first of them, and the index after the last.
    private var range = 0..<0
    private var nextTileRow = 0
    /// The first row that has not gone into the next size.
    private var nextHalved = 0

    init(_ number: Int, _ size: PixelSize, _ format: PixelFormat) {
        self.number = number
        self.size = size
        self.format = format
    }

    private var rowBytes: Int { Raster.bytesPerRow(width: size.width, format: format) }

    mutating func append(_ raster: Raster) {
        precondition(raster.size.width == size.width && raster.format == format)
        if rows.isEmpty {
            // All at once: an array that grows step by step temporarily needs twice the space.
            let maximum = min(size.height, TilePyramid.tileSide + 2 * TilePyramid.overlap + 2 * raster.size.height)
            rows.reserveCapacity(maximum * rowBytes)
        }
        rows += raster.samples
        range = range.lowerBound..<range.upperBound + raster.size.height
    }

    /// Removes the tiles whose rows are complete, and returns them with the rows; nil without such tiles.
    mutating func takeFullTiles() -> (tiles: [Tile], rows: Raster)? {
        var tiles: [Tile] = []
        while nextTileRow * TilePyramid.tileSide < size.height {
            let part = TileLevel.span(nextTileRow, of: size.height)
            guard part.upperBound <= range.upperBound else { break }
            for column in 0..<(size.width + TilePyramid.tileSide - 1) / TilePyramid.tileSide {
                let columns = TileLevel.span(column, of: size.width)
                let rect = PixelRect(
                    x: columns.lowerBound, y: part.lowerBound - range.lowerBound, width: columns.count,
                    height: part.count)
                tiles.append(Tile(name: "\(number)/\(column)_\(nextTileRow)", rect: rect))
            }
            nextTileRow += 1
        }
        if tiles.isEmpty { return nil }
        let size = PixelSize(width: size.width, height: range.count)
        return (tiles, Raster(size: size, format: format, samples: rows))
    }

    /// Returns the rows present at half the size, except those taken before; nil unless they are a whole row.
    mutating func takeHalf() -> Raster? {
        let isEnd = range.upperBound == size.height
        let end = isEnd ? size.height : range.upperBound - (range.upperBound - nextHalved) % 2
        guard end > nextHalved else { return nil }
        let half = raster(nextHalved..<end).halved()
        nextHalved = end
        forget()
        return half
    }

    /// Releases the rows that neither tiles nor the next size need.
    private mutating func forget() {
        let first = min(nextHalved, max(0, nextTileRow * TilePyramid.tileSide - TilePyramid.overlap))
        guard first > range.lowerBound else { return }
        rows.removeFirst((min(first, range.upperBound) - range.lowerBound) * rowBytes)
        range = min(first, range.upperBound)..<range.upperBound
    }

    private func raster(_ part: Range<Int>) -> Raster {
        let start = (part.lowerBound - range.lowerBound) * rowBytes
        return Raster(
            size: PixelSize(width: size.width, height: part.count), format: format,
            samples: Array(rows[start..<start + part.count * rowBytes]))
    }

    /// Returns the pixels that a tile shows, along one side of the image.
    private static func span(_ index: Int, of whole: Int) -> Range<Int> {
        let start = index * TilePyramid.tileSide
        return max(0, start - TilePyramid.overlap)..<min(whole, start + TilePyramid.tileSide + TilePyramid.overlap)
    }
}

extension Raster {
    /// Returns the raster at half its size, rounded up: each pixel is the mean of four, or of the existing ones.
    fileprivate func halved() -> Raster {
        precondition([.gray(bits: 8), .rgb(bits: 8)].contains(format))
        let channels = format.bitsPerPixel / 8
        let target = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
        let row = bytesPerRow
        let samples = [UInt8](unsafeUninitializedCapacity: target.area * channels) { output, count in
            self.samples.withUnsafeBufferPointer { input in
                var index = 0
                for y in 0..<target.height {
                    let top = 2 * y * row
                    let bottom = min(2 * y + 1, size.height - 1) * row
                    for x in 0..<target.width {
                        let left = 2 * x * channels
                        let right = min(2 * x + 1, size.width - 1) * channels
                        for channel in 0..<channels {
                            let sum =
                                UInt16(input[top + left + channel]) + UInt16(input[top + right + channel])
                                + UInt16(input[bottom + left + channel]) + UInt16(input[bottom + right + channel])
                            output[index] = UInt8((sum + 2) / 4)
                            index += 1
                        }
                    }
                }
            }
            count = target.area * channels
        }
        return Raster(size: target, format: format, samples: samples)
    }
}
