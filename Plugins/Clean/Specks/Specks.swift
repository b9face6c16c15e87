internal import Marks
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
        guard paper.isSeen || sheet.isEven else {
            boxes = []
            return
        }
        if !paper.isClean { paper.follow(sheet) }
        let ink = ForegroundMask(raster, paper, edge: 0)
        let unit = Double(min(raster.size.width, raster.size.height)) / Double(SpeckLimits.unitsAcross)
        let isSmall = ink.blobs.map { Double($0.box.extent) <= max(1, SpeckLimits.maximumSize * unit) }
        let grid = SpeckGrid(raster.size, unit: unit, ink, isSmall)
        let found = ink.blobs.indices.filter { isSmall[$0] && grid.isAlone(ink.blobs[$0].box) }.map {
            ink.blobs[$0].box
        }
        boxes = found.count > SpeckLimits.maximumCount ? [] : found
    }
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
