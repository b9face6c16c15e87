import Glibc
import Imaging
import PageModel
import Testing

@testable import Flatten

@Suite struct RasterFlattenTests {
    private static func mesh(
        columns: Int = 9, rows: Int = 7, _ shift: (_ x: Double, _ y: Double) -> (Double, Double)
    ) throws -> Flattening {
        let shifts = (0..<rows * columns).map { index in
            let (across, down) = shift(
                Double(index % columns) / Double(columns - 1), Double(index / columns) / Double(rows - 1))
            return Flattening.Shift(across: across, down: down)
        }
        return try #require(Flattening(columns: columns, rows: rows, shifts: shifts))
    }

    private static let size = PixelSize(width: 200, height: 160)

    private static func picture(_ sample: (Double, Double) -> Double) -> Raster {
        let samples = (0..<size.area).map { index in
            UInt8(sample(Double(index % size.width), Double(index / size.width)).rounded())
        }
        return Raster(size: size, format: .gray(bits: 8), samples: samples)
    }

    /// Against waves whose every value is known anywhere, by a bend that a cubic goes through nearly everywhere.
    @Test func pixelsFollowTheMesh() throws {
        func wave(_ x: Double, _ y: Double) -> Double { 128 + 50 * sin(x / 9) + 50 * cos(y / 7) }
        func bend(_ x: Double, _ y: Double) -> (Double, Double) { (0.02 * y * (1 - x), 0.08 * x * x * (y - 0.4)) }
        let flat = Self.picture(wave).laidFlat(by: try Self.mesh(columns: 17, rows: 13, bend))
        var worst = 0.0
        for y in 20..<Self.size.height - 20 {
            for x in 10..<Self.size.width - 10 {
                let place = ((Double(x) + 0.5) / 200, (Double(y) + 0.5) / 160)
                let (across, down) = bend(place.0, place.1)
                let expected = wave(Double(x) + 200 * across, Double(y) + 160 * down)
                worst = max(worst, abs(expected - Double(flat.samples[y * Self.size.width + x])))
            }
        }
        #expect(worst <= 3)
    }

    @Test func aMeshThatMovesNothingChangesNothing() throws {
        let bits = Raster(
            size: PixelSize(width: 10, height: 3), format: .gray(bits: 1), samples: [0xA5, 0x40, 1, 0, 0xFF, 0xC0])
        #expect(bits.laidFlat(by: try Self.mesh { _, _ in (0, 0) }) == bits)
    }

    @Test func uniformPictureStaysUniformInEveryFormat() throws {
        let mesh = try Self.mesh { x, y in (0.1 * y, 0.2 * x - 0.1) }
        for format: PixelFormat in [.gray(bits: 1), .gray(bits: 8), .gray(bits: 16), .rgb(bits: 8), .rgba(bits: 8)] {
            let bytes = Raster.bytesPerRow(width: 50, format: format) * 40
            let raster = Raster(
                size: PixelSize(width: 50, height: 40), format: format, samples: [UInt8](repeating: 255, count: bytes),
                resolution: Resolution(300))
            let flat = raster.laidFlat(by: mesh)
            #expect(flat.size == raster.size && flat.resolution == Resolution(300) && Set(flat.samples) == [255])
        }
    }

    /// Rows that come from far apart, and in the order of neither: nothing is read that is not there.
    @Test func aWildMeshIsFollowed() throws {
        let mesh = try Self.mesh(columns: 4, rows: 5) { x, y in
            (0.25 * sin(40 * x), (Int(y * 4) % 2 == 0 ? -0.25 : 0.25) * cos(9 * x))
        }
        let raster = Self.picture { _, y in y }
        let flat = raster.laidFlat(by: mesh)
        // At a point of the mesh it is known from where a pixel comes.
        let middle = flat.samples[80 * Self.size.width]
        #expect(abs(Double(middle) - (80 - 0.25 * 160)) <= 3)
        for side in [1, 2, 3] {
            let small = Raster(
                size: PixelSize(width: side, height: side), format: .gray(bits: 8),
                samples: [UInt8](repeating: 7, count: side * side))
            #expect(Set(small.laidFlat(by: mesh).samples) == [7])
        }
    }
}
