internal import Imaging
internal import PageModel

extension Raster {
    /// Returns the dewarped raster of a curved page, at the same size.
    ///
    /// Places between the points of the mesh are interpolated by the cubic of Catmull and Rom, across and down. Pixels are
    /// interpolated as in `Raster.resampled`. Pixels from outside get the color of the paper at the nearest edge. Samples of less than 8
    /// bits become 8 bits, and palettes RGB.
    func laidFlat(by flattening: Flattening) -> Raster {
        if size.area == 0 || flattening.shifts.allSatisfy({ $0.across == 0 && $0.down == 0 }) { return self }
        let mesh = FlatteningMesh(flattening, size)
        return resampled(rows: mesh.spread(), mesh.fill)
    }
}

/// A mesh over a raster, in its pixels.
private struct FlatteningMesh {
    private let flattening: Flattening
    private let size: PixelSize
    /// For each column of pixels, the point at or before it and the weights of the four around.
    private let columns: [(first: Int, weights: SIMD4<Float>)]

    init(_ flattening: Flattening, _ size: PixelSize) {
        self.flattening = flattening
        self.size = size
        columns = (0..<size.width).map { FlatteningMesh.place(of: $0, among: size.width, flattening.columns) }
    }

    /// Returns the point at or before a pixel, and the weights of four points: the one before it, it, and the two after it.
    private static func place(of pixel: Int, among count: Int, _ points: Int) -> (first: Int, weights: SIMD4<Float>) {
        let place = (Double(pixel) + 0.5) / Double(count) * Double(points - 1)
        let first = min(Int(place), points - 2)
        return (first, CatmullRom.weights(Float(place - Double(first))))
    }

    /// The shifts of the four points around a place; outside the mesh they continue in a straight line.
    private struct Four {
        let (before, first, second, behind): (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>, SIMD2<Float>)

        init(_ place: Int, of count: Int, _ point: (Int) -> SIMD2<Float>) {
            first = point(place)
            second = point(place + 1)
            before = place > 0 ? point(place - 1) : first + first - second
            behind = place + 2 < count ? point(place + 2) : second + second - first
        }

        @inline(__always)
        func mixed(_ weights: SIMD4<Float>) -> SIMD2<Float> {
            let early = before * weights[0] + first * weights[1]
            let late = second * weights[2] + behind * weights[3]
            return early + late
        }
    }

    /// Returns the shifts of a row's points, across and down, in pixels.
    private func shifts(row: Int) -> [SIMD2<Float>] {
        let (first, weights) = FlatteningMesh.place(of: row, among: size.height, flattening.rows)
        let pixels = SIMD2<Float>(Float(size.width), Float(size.height))
        return (0..<flattening.columns).map { column in
            Four(first, of: flattening.rows) { row in
                let shift = flattening.shifts[row * flattening.columns + column]
                return SIMD2(Float(shift.across), Float(shift.down)) * pixels
            }.mixed(weights)
        }
    }

    /// Fills in the source places of the pixels of a row.
    func fill(_ row: Int, _ places: SourcePlaces) {
        let shifts = shifts(row: row)
        var (place, four) = (0, Four(0, of: shifts.count) { shifts[$0] })
        for (x, column) in columns.enumerated() {
            if column.first != place {
                place = column.first
                four = Four(place, of: shifts.count) { shifts[$0] }
            }
            let shift = four.mixed(column.weights)
            places.across[x] = Double(x) + Double(shift.x)
            places.down[x] = Double(row) + Double(shift.y)
        }
    }

    /// Returns the number of raster rows over which a row is spread, and the steps back from one row to a later one.
    func spread() -> Int {
        var maximum: Double = 0
        var furthest: Double = 0
        for row in 0..<size.height {
            // Between its points a row exceeds them by at most a quarter of their difference.
            let down = shifts(row: row).map(\.y)
            let (low, high) = (Double(down.min() ?? 0), Double(down.max() ?? 0))
            let beyond = (high - low) / 4
            let (first, last) = (Double(row) + low - beyond, Double(row) + high + beyond)
            furthest = row == 0 ? last : max(furthest, last)
            maximum = max(maximum, furthest - first)
        }
        return Int(clamping: maximum.rounded(.up) + 2, to: 0...size.height)
    }
}
