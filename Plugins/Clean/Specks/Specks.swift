internal import LayoutAnalysis
internal import PageModel

/// The specks of dust on a page: small marks that are far from all print, and few.
///
/// Punctuation, accents and the dots of letters are near letters, the dots of a screentone or a leader near each other.
struct Specks {
    /// The boxes around specks, in pixels of the raster.
    let boxes: [Bounds]

    /// - Parameter raster: gray of 8 bits, not reduced.
    init(_ raster: Raster) {
        let sheet = PaperSheet(raster)
        var paper = PaperTone(raster)
        // In an image that fills the page, a small dark mark may be anything.
        guard paper.isSeen || sheet.isEven && sheet.isLight else {
            boxes = []
            return
        }
        if !paper.isClean { paper.follow(sheet) }
        let ink = ForegroundMask(raster, paper, edge: 0)
        let unit = Double(min(raster.size.width, raster.size.height)) / Double(SpeckLimits.unitsAcross)
        // On smaller pages, dust and the dots of letters have the same size: a pixel.
        guard unit * SpeckLimits.maximumSize >= SpeckLimits.minimumPixels else {
            boxes = []
            return
        }
        let isSmall = ink.blobs.map { Double($0.box.extent) <= max(1, SpeckLimits.maximumSize * unit) }
        let grid = SpeckGrid(raster.size, unit: unit, ink, isSmall)
        let found = ink.blobs.indices.filter { isSmall[$0] && grid.isAlone(ink.blobs[$0].box) }.map {
            ink.blobs[$0].box
        }
        guard found.count <= SpeckLimits.maximumCount else {
            boxes = []
            return
        }
        let reach = Int(clamping: Double(SpeckLimits.distance) * unit, to: 1...Int(UInt16.max))
        let specks = found.filter { SpeckSurroundings(of: $0, in: raster, reach: reach).areEmpty }
        // A drawing has short strokes that are far from all others.
        boxes = specks.isEmpty || PaperReading(raster).isDigitalArt ? [] : specks
    }
}

/// The pixels around a speck that are at least half as dark as it, relative to the paper there.
///
/// Pale lines and pale tones are too light to be print by themselves, but a piece of one is a part of it, not dust.
private struct SpeckSurroundings {
    /// The number of such pixels in the speck, and around it.
    private var (own, others) = (0, 0)

    /// - Parameter reach: the distance to the speck, in pixels, up to which pixels are around it.
    init(of box: Bounds, in raster: Raster, reach: Int) {
        let (width, height) = (raster.size.width, raster.size.height)
        let columns = max(0, box.left - reach)..<min(width, box.right + reach)
        let rows = max(0, box.top - reach)..<min(height, box.bottom + reach)
        raster.samples.withUnsafeBufferPointer { samples in
            var histogram = [Int](repeating: 0, count: 256)
            for y in rows { for x in columns { histogram[Int(samples[y * width + x])] += 1 } }
            var (paper, below) = (0, histogram[0])
            while paper < 255, 2 * below < rows.count * columns.count {
                paper += 1
                below += histogram[paper]
            }
            var darkest = 255
            for y in box.top..<box.bottom {
                for x in box.left..<box.right { darkest = min(darkest, Int(samples[y * width + x])) }
            }
            let dark = histogram[0..<max(0, paper - (paper - darkest) / 2)].reduce(0, +)
            let blur = SpeckLimits.blur
            for y in max(0, box.top - blur)..<min(height, box.bottom + blur) {
                for x in max(0, box.left - blur)..<min(width, box.right + blur)
                where 2 * (paper - Int(samples[y * width + x])) > paper - darkest { own += 1 }
            }
            others = dark - own
        }
    }

    /// Whether no more of them are around the speck than its permitted neighbors have.
    var areEmpty: Bool { others <= SpeckLimits.maximumSurroundings * own }
}

/// The cells of a page that print reaches, and the number of small marks in each.
private struct SpeckGrid {
    private let cell: Int
    private let across: Int
    private let down: Int
    private var hasPrint: [Bool]
    private var marks: [Int]

    /// The number of cells in the distance between a speck and print.
    private static let reach = 2

    init(_ size: PixelSize, unit: Double, _ ink: ForegroundMask, _ isSmall: [Bool]) {
        let distance = Int(
            clamping: Double(SpeckLimits.distance) * unit, to: SpeckGrid.reach...max(size.width, SpeckGrid.reach))
        cell = max(1, distance / SpeckGrid.reach)
        (across, down) = (size.width / cell + 1, size.height / cell + 1)
        hasPrint = [Bool](repeating: false, count: across * down)
        marks = [Int](repeating: 0, count: across * down)
        for run in ink.runs where !isSmall[Int(run.blob)] {
            let row = Int(run.row) / cell * across
            for column in Int(run.start) / cell...(Int(run.end) - 1) / cell { hasPrint[row + column] = true }
        }
        for (blob, isSmall) in zip(ink.blobs, isSmall) where isSmall {
            marks[blob.box.top / cell * across + blob.box.left / cell] += 1
        }
    }

    /// Whether no print and few other marks are near a mark.
    func isAlone(_ box: Bounds) -> Bool {
        let reach = SpeckGrid.reach
        var count = 0
        for y in max(0, box.top / cell - reach)...min(down - 1, (box.bottom - 1) / cell + reach) {
            for x in max(0, box.left / cell - reach)...min(across - 1, (box.right - 1) / cell + reach) {
                if hasPrint[y * across + x] { return false }
                count += marks[y * across + x]
            }
        }
        return count <= SpeckLimits.maximumNeighbors + 1
    }
}
