internal import PageModel

/// Rows of gray pixels of an image: all of them, or those in memory.
struct GrayRows {
    let pixels: UnsafePointer<UInt8>
    let width: Int
    /// The rows in memory.
    let rows: Range<Int>

    func row(_ row: Int) -> UnsafePointer<UInt8> { pixels + (row - rows.lowerBound) * width }
}

/// The texture of an image: its blocks, and the cells of screentone within them. It is found band by band.
///
/// The cells of all bands would take a quarter of the bytes of the brightness. So those that are not needed any more can
/// be dropped.
final class TextureMap {
    /// The side of a cell in pixels.
    static let cell = 4
    /// The rows of cells in a band.
    static let rowsOfBand = BlockSpectrum.side / cell

    let width: Int
    let height: Int
    /// The number of blocks in a band, and the number of bands.
    let (across, down): (Int, Int)
    /// The blocks of the bands that were examined.
    private(set) var bands: [[TextureBlock]] = []
    /// The weights of screentone, 0 to 1, of the cells of each band. Bands without screentone share the same memory.
    private var tones: [[Float]]
    private let noTones: [Float]
    private var dropped = 0
    let cellsAcross: Int
    let cellsDown: Int
    private let spectrum = BlockSpectrum()
    private let powers: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)

    init(_ size: PixelSize) {
        (width, height) = (size.width, size.height)
        let side = BlockSpectrum.side
        (across, down) = ((width + side - 1) / side, (height + side - 1) / side)
        cellsAcross = (width + TextureMap.cell - 1) / TextureMap.cell
        cellsDown = (height + TextureMap.cell - 1) / TextureMap.cell
        noTones = [Float](repeating: 0, count: cellsAcross * TextureMap.rowsOfBand)
        tones = [[Float]](repeating: noTones, count: down)
        let half = (side / 2 + 1) * side
        powers = (.allocate(capacity: half), .allocate(capacity: half))
    }

    deinit {
        powers.0.deallocate()
        powers.1.deallocate()
    }

    /// Whether an image has at least one whole block.
    static func takes(_ size: PixelSize) -> Bool { min(size.width, size.height) >= BlockSpectrum.side }

    /// The first pixel of a block: the last one of a row or column is moved so that it is whole.
    private func start(_ block: Int, _ length: Int) -> Int {
        min(block * BlockSpectrum.side, length - BlockSpectrum.side)
    }

    /// Examines the next band. The rows of its blocks must be in memory.
    func addBand(_ gray: GrayRows) {
        let row = gray.row(start(bands.count, height))
        var blocks: [TextureBlock] = []
        var pending: Int?
        for block in 0..<across {
            let (kind, mayBeTone) = TextureBlock.kind(row + start(block, width), stride: width)
            blocks.append(TextureBlock(kind: kind))
            guard mayBeTone else { continue }
            if let first = pending {
                find(first, block, row, in: &blocks)
                pending = nil
            } else {
                pending = block
            }
        }
        if let last = pending { find(last, last, row, in: &blocks) }
        bands.append(blocks)
    }

    private func find(_ first: Int, _ second: Int, _ row: UnsafePointer<UInt8>, in blocks: inout [TextureBlock]) {
        spectrum.powers((row + start(first, width), row + start(second, width)), stride: width, into: powers)
        blocks[first].lattice = ToneLattice(powers.0)
        if second != first { blocks[second].lattice = ToneLattice(powers.1) }
    }

    /// Returns whether any block in a band or its neighbors has a property; bands outside the image have none.
    func anyBlock(near bands: ClosedRange<Int>, _ has: (TextureBlock) -> Bool) -> Bool {
        self.bands[bands.clamped(to: 0...self.bands.count - 1)].contains { $0.contains(where: has) }
    }

    /// Whether the page has screentone, or is mostly ink on paper where it has contrast.
    var isPrinted: Bool {
        var (lines, contrasts) = (0, 0)
        for block in bands.joined() {
            if block.lattice != nil { return true }
            if block.kind != .flat { contrasts += 1 }
            if block.kind == .line { lines += 1 }
        }
        return lines > 0 && 2 * lines >= contrasts
    }

    /// The median distance between the dots of screentone, in pixels; nil without screentone.
    var pitch: Double? {
        let pitches = bands.joined().compactMap { $0.lattice?.pitch }.sorted()
        return pitches.isEmpty ? nil : pitches[pitches.count / 2]
    }

    // MARK: Cells

    /// Returns the weights of screentone, 0 to 1, of a row of cells.
    func tones(ofRow row: Int) -> [Float] {
        let first = row % TextureMap.rowsOfBand * cellsAcross
        return Array(tones[row / TextureMap.rowsOfBand][first..<first + cellsAcross])
    }

    /// Forgets the cells of the bands before one.
    func dropCells(before band: Int) {
        while dropped < band {
            tones[dropped] = noTones
            dropped += 1
        }
    }

    /// Finds the cells of screentone in a band. The next band must have been examined.
    ///
    /// A cell belongs to a screentone if its pixels follow the lattice of its own block or of a neighbor. So the boundary between
    /// a screentone and a balloon is found to half a cell. The lattice of a neighbor finds the edge of a tone.
    func findCells(ofBand band: Int, _ gray: GrayRows) {
        guard anyBlock(near: band - 1...band + 1, { $0.lattice != nil }) else { return }
        var cells = noTones
        for block in 0..<across {
            guard let lattice = lattice(near: block, band) else { continue }
            let side = BlockSpectrum.side
            let area = LatticeArea(lattice, gray)
            area.find(
                columns: block * side..<min((block + 1) * side, width),
                rows: band * side..<min((band + 1) * side, height)
            ) { column, row, weight in
                cells[(row - band * TextureMap.rowsOfBand) * cellsAcross + column] = weight
            }
        }
        tones[band] = cells
    }

    /// Returns the lattice of a block, or the strongest of its neighbors.
    private func lattice(near block: Int, _ band: Int) -> ToneLattice? {
        if let own = bands[band][block].lattice { return own }
        var best: ToneLattice?
        for row in max(0, band - 1)...min(bands.count - 1, band + 1) {
            for column in max(0, block - 1)...min(across - 1, block + 1) {
                guard let lattice = bands[row][column].lattice else { continue }
                if lattice.strength > best?.strength ?? 0 { best = lattice }
            }
        }
        return best
    }
}
