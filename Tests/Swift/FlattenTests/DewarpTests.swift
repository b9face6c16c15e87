import PageModel
import Testing

@testable import Flatten

@Suite struct DewarpTests {
    @Test func meshesAreOfPages() {
        func mesh(_ columns: Int, _ rows: Int, _ count: Int, _ shift: Double) -> Flattening? {
            let point = Flattening.Shift(across: shift, down: 0)
            return Flattening(columns: columns, rows: rows, shifts: [Flattening.Shift](repeating: point, count: count))
        }
        #expect(mesh(2, 2, 4, 0.25) != nil && mesh(64, 2, 128, -0.1) != nil)
        #expect(mesh(1, 4, 4, 0) == nil && mesh(65, 2, 130, 0) == nil && mesh(3, 2, 5, 0) == nil)
        #expect(mesh(2, 2, 4, 0.26) == nil && mesh(2, 2, 4, .nan) == nil)
    }

    @Test func dewarpingKeepsTheSize() throws {
        let shifts = [Flattening.Shift](repeating: Flattening.Shift(across: 0.01, down: -0.02), count: 6)
        let dewarp = Dewarp(mesh: try #require(Flattening(columns: 3, rows: 2, shifts: shifts)))
        let size = PixelSize(width: 30, height: 20)
        #expect(dewarp.size(after: size) == size && !dewarp.isNoOp(on: size, isGray: false))
    }

    @Test func dewarpingUndoesTheMesh() throws {
        let shifts = (0..<25).map { index in
            let (x, y) = (Double(index % 5) / 4, Double(index / 5) / 4)
            return Flattening.Shift(across: 0.03 * x * (1 - y), down: 0.05 * x * x)
        }
        let mesh = try #require(Flattening(columns: 5, rows: 5, shifts: shifts))
        var map = PageMap(PixelSize(width: 200, height: 100))
        map.append(.change(Dewarp(mesh: mesh)))
        for across in stride(from: 0.05, to: 0.95, by: 0.1) {
            let flat = PagePoint(across: across, down: 0.4)
            let shift = mesh.shift(at: flat)
            let curved = PagePoint(across: flat.across + shift.across, down: flat.down + shift.down)
            let found = map.place(of: curved)
            #expect(abs(found.across - flat.across) < 1e-9 && abs(found.down - flat.down) < 1e-9)
        }
    }
}
