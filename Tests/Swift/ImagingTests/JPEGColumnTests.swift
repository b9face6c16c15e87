import Imaging
import PageModel
import Testing

/// JPEGs one below the other, without decoding.
@Suite struct JPEGColumnTests {
    private static let grid = PixelSize(width: 16, height: 16)

    /// The column of parts of a JPEG that is 40 pixels wide and 100 high, by their rows.
    private static func column(_ parts: [Range<Int>]) -> JPEGRow? {
        let whole = PixelSize(width: 40, height: 100)
        var y = 0
        let placed = parts.map { rows in
            let rect = PixelRect(x: 0, y: rows.lowerBound, width: 40, height: rows.count)
            defer { y += rows.count }
            return JPEGRow.Part(
                framing: Framing(whole).keeping(rect), grid: grid,
                place: PixelRect(x: 0, y: y, width: 40, height: rows.count))
        }
        return JPEGRow(column: placed, size: PixelSize(width: 40, height: y))
    }

    @Test func partsOnTheGridKeepTheirRows() throws {
        let column = try #require(Self.column([64..<96, 0..<20]))
        #expect(column.size == PixelSize(width: 40, height: 52) && column.drift == 0)
        #expect(column.pieces.map(\.place.y) == [0, 32] && column.pieces.map(\.place.height) == [32, 20])
        #expect(Self.column([16..<100]) != nil)
    }

    /// A row would show more than it should.
    @Test func partsOffTheGridAreNotJoined() {
        #expect(Self.column([20..<52]) == nil)
        #expect(Self.column([0..<20, 0..<32]) == nil)
    }
}
