import PageModel
import Testing

/// A finding on one rendition of a page applies to the others.
@Suite struct KeepTests {
    private let keep = Edit.keep(PixelRect(x: 11, y: 20, width: 31, height: 40), of: PixelSize(width: 100, height: 200))

    @Test func itIsACropWhereTheSizeIsTheSame() {
        let framing = Framing(PixelSize(width: 100, height: 200), edits: [keep])
        #expect(framing?.rect == PixelRect(x: 11, y: 20, width: 31, height: 40))
    }

    /// Nothing is lost to rounding.
    @Test(arguments: [
        (PixelSize(width: 50, height: 100), PixelRect(x: 5, y: 10, width: 16, height: 20)),
        (PixelSize(width: 99, height: 201), PixelRect(x: 10, y: 20, width: 32, height: 41)),
        (PixelSize(width: 1, height: 1), PixelRect(x: 0, y: 0, width: 1, height: 1)),
    ])
    func itIsTheSamePartOfAnotherSize(_ size: PixelSize, _ rect: PixelRect) {
        #expect(Framing(size, edits: [keep])?.rect == rect)
        #expect(keep.applied(to: size) == rect.size)
    }

    @Test func areaRefersToThePictureAfterEarlierEdits() {
        let framing = Framing(PixelSize(width: 200, height: 100), edits: [.turn(quarters: 1), keep])
        #expect(framing?.rect == PixelRect(x: 11, y: 20, width: 31, height: 40))
    }

    @Test func areaOutsideThePictureCannotBeKept() {
        let beyond = Edit.keep(PixelRect(x: 90, y: 0, width: 20, height: 10), of: PixelSize(width: 100, height: 200))
        #expect(Framing(PixelSize(width: 100, height: 200), edits: [beyond]) == nil)
    }
}
