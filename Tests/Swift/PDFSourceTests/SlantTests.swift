import Testing

@testable import PDFSource

@Suite struct SlantTests {
    /// A scan in each of the eight orientations, slanted by 2 degrees, gets the orientation without the slant.
    @Test(arguments: 0..<8)
    func straighteningKeepsOrientationSizeAndMiddle(_ orientation: Int) throws {
        let sides = Matrix(a: 300, d: 200, e: -150, f: -100)
        let quarter = Matrix(a: 0, b: -1, c: 1, d: 0)
        var upright = orientation < 4 ? sides : Matrix(a: -1, e: 1).then(sides)
        for _ in 0..<orientation % 4 { upright = upright.then(quarter) }
        // 2 degrees clockwise.
        let (sine, cosine) = (0.0348995, 0.9993908)
        let moved = Matrix(e: 400, f: 500)
        let slanted = upright.then(Matrix(a: cosine, b: -sine, c: sine, d: cosine)).then(moved)
        let expected = upright.then(moved)
        let straight = try #require(slanted.straightened())
        #expect(abs(straight.slant - 2) < 1e-4)
        let (found, wanted) = (straight.matrix, expected)
        let differences = [
            found.a - wanted.a, found.b - wanted.b, found.c - wanted.c, found.d - wanted.d, found.e - wanted.e,
            found.f - wanted.f,
        ]
        #expect(differences.allSatisfy { abs($0) < 1e-3 })
        #expect(expected.straightened() == nil)
    }
}
