internal import Imaging
internal import LayoutAnalysis
internal import PageModel

/// The limits of the comparison of objects over scans.
enum ScanObjectLimits {
    /// The number of cells into which the shorter side of a page is divided. Objects whose cells touch are one.
    static let cells = 100
    /// The number of pixels of a cell's side.
    static let pixelsPerCell = 4
    /// The level of gray below which a pixel is painted.
    static let painted = 240
    /// The distance of edges, as a share of the page's size, up to which objects of two pages are at one place. Numbers of
    /// one and of two digits differ by less.
    static let tolerance = 0.02
}

/// A stamp, an annotation or another object that a page of a PDF shows over its scan, or next to it.
struct ScanObject: Sendable {
    /// The part of the page that it covers.
    let area: PageArea

    /// Returns its box in pixels of a page.
    func box(on size: PixelSize) -> Bounds {
        func pixels(_ share: Double, _ length: Int, _ rule: FloatingPointRoundingRule) -> Int {
            Int(clamping: (share * Double(length)).rounded(rule), to: 0...length)
        }
        return Bounds(
            left: pixels(area.left, size.width, .down), top: pixels(area.top, size.height, .down),
            right: pixels(area.right, size.width, .up), bottom: pixels(area.bottom, size.height, .up))
    }

    /// Returns for each page its objects that no other page has at the same place.
    static func single(_ pages: [[ScanObject]]) -> [[ScanObject]] {
        // Objects at one place are in the same or in adjacent cells.
        var places: [Place: [(page: Int, object: ScanObject)]] = [:]
        for (page, objects) in pages.enumerated() {
            for object in objects { places[Place(object), default: []].append((page, object)) }
        }
        return pages.enumerated().map { page, objects in
            objects.filter { object in
                !Place(object).withNeighbors.contains { place in
                    places[place]?.contains { $0.page != page && $0.object.isAtPlace(of: object) } ?? false
                }
            }
        }
    }

    private func isAtPlace(of other: ScanObject) -> Bool {
        let edges = [
            area.left - other.area.left, area.top - other.area.top, area.right - other.area.right,
            area.bottom - other.area.bottom,
        ]
        return edges.allSatisfy { abs($0) <= ScanObjectLimits.tolerance }
    }

    /// The coarse place of an object's left top corner.
    private struct Place: Hashable {
        let column: Int
        let row: Int

        init(_ object: ScanObject) {
            func cell(_ share: Double) -> Int { Int(clamping: share / ScanObjectLimits.tolerance, to: -1...100) }
            (column, row) = (cell(object.area.left), cell(object.area.top))
        }

        private init(column: Int, row: Int) { (self.column, self.row) = (column, row) }

        var withNeighbors: [Place] {
            (-1...1).flatMap { down in (-1...1).map { Place(column: column + $0, row: row + down) } }
        }
    }
}

extension ScanObject {
    /// Returns the objects over a page's scan, on the page after its edits. Pages without a scan, and pages whose
    /// objects cannot be rendered alone, have none.
    ///
    /// - Throws: `CancellationError`.
    static func objects(on page: Page) async throws -> [ScanObject] {
        do {
            let picture = try await page.examine()
            guard let overlay = picture.representations.first?.overlay, let draw = overlay.draw, let size = picture.size
            else {
                return []
            }
            let raster = try await draw(ScanObjectLimits.cells * ScanObjectLimits.pixelsPerCell)
            var map = PageMap(size)
            for edit in page.edits { map.append(edit) }
            let shown = picture.shownPart
            return areas(in: raster.reducedToGray(by: 1, .brightness)).compactMap { area in
                let onImage = PageArea(
                    left: (area.left - shown.left) / (shown.right - shown.left),
                    top: (area.top - shown.top) / (shown.bottom - shown.top),
                    right: (area.right - shown.left) / (shown.right - shown.left),
                    bottom: (area.bottom - shown.top) / (shown.bottom - shown.top))
                let place = map.place(of: onImage).intersection(.page)
                return place.isEmpty ? nil : ScanObject(area: place)
            }
        } catch {
            try error.throwIfCancelled()
            return []
        }
    }

    /// Returns the areas of connected cells in which something is painted.
    private static func areas(in raster: Raster) -> [PageArea] {
        let side = ScanObjectLimits.pixelsPerCell
        let (columns, rows) = ((raster.size.width + side - 1) / side, (raster.size.height + side - 1) / side)
        var isPainted = [Bool](repeating: false, count: columns * rows)
        for y in 0..<raster.size.height {
            for x in 0..<raster.size.width
            where raster.samples[y * raster.size.width + x] < ScanObjectLimits.painted {
                isPainted[y / side * columns + x / side] = true
            }
        }
        var areas: [PageArea] = []
        for start in isPainted.indices where isPainted[start] {
            var (open, box) = ([start], Bounds(left: columns, top: rows, right: 0, bottom: 0))
            isPainted[start] = false
            while let cell = open.popLast() {
                let (x, y) = (cell % columns, cell / columns)
                box = box.union(Bounds(left: x, top: y, right: x + 1, bottom: y + 1))
                for row in max(0, y - 1)...min(rows - 1, y + 1) {
                    for column in max(0, x - 1)...min(columns - 1, x + 1) where isPainted[row * columns + column] {
                        isPainted[row * columns + column] = false
                        open.append(row * columns + column)
                    }
                }
            }
            areas.append(
                PageArea(
                    left: Double(box.left * side) / Double(raster.size.width),
                    top: Double(box.top * side) / Double(raster.size.height),
                    right: min(1, Double(box.right * side) / Double(raster.size.width)),
                    bottom: min(1, Double(box.bottom * side) / Double(raster.size.height))))
        }
        return areas
    }
}
