internal import AdapterKit
internal import Imaging
internal import PageModel

/// A Deep Zoom image: a picture in tiles at all sizes from its own, each half of the one before, down to one pixel.
///
/// The format: <https://learn.microsoft.com/previous-versions/windows/silverlight/dotnet-windows-silverlight/cc645077(v=vs.95)>.
/// Rows are kept only until the tiles that show them are full.
final class TilePyramid: StripTarget {
    /// The side of a tile without what it shows of its neighbours.
    static let tileSide = 254
    /// How many pixels of its neighbours a tile shows on each side.
    static let overlap = 1
    static let name = "strip"

    private let size: PixelSize
    private let format: ImageEncoding
    private let fidelity: PictureEncoder.Fidelity
    private let output: StripOutput
    private let width: Int
    /// From the picture's own size down.
    private var levels: [TileLevel]

    /// - Parameter width: how many tiles are encoded at once.
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
            do {
                let raster = rows.framed(Framing(rows.size).keeping(tile.rect))
                return (tile.name, try PictureEncoder.encode(raster, as: format, fidelity))
            } catch let fault as PictureFault {
                throw AdapterError(.unwritable, fault.message)
            }
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
        let tile = parts[2].split(separator: ".")
        let place = tile[0].split(separator: "_").map { Int($0) }
        return tile.count == 2 && place.count == 2 && !place.contains(nil) && ["jpg", "png"].contains(tile[1])
    }
}
