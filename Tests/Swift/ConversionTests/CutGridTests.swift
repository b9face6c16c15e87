import AdapterKit
import Imaging
import PageModel
import Testing

@testable import Conversion
@testable import Planning

@Suite struct CutGridTests {
    /// A cut begins on the grid exactly when nothing more has to be kept, however the picture is oriented.
    @Test(arguments: [0, 1, 2, 3], [0, 5]) func theGridIsThatOfTheSurgery(_ quarters: Int, _ inset: Int) throws {
        let size = PixelSize(width: 61, height: 83)
        let stored = PixelSize(width: 16, height: 8)
        let edits: [Edit] = [
            .crop(PixelRect(x: inset, y: inset, width: 61 - 2 * inset, height: 83 - 2 * inset)),
            .turn(quarters: quarters),
        ]
        let framing = try #require(Framing(size, edits: edits))
        let grid = PagePreviewer.cuts(stored, framing)
        let page = framing.rect.size
        for place in 0..<50 {
            let whole = try #require(
                Framing(
                    size, edits: edits + [.crop(PixelRect(x: place, y: place, width: 1, height: 1))]))
            let wider = JPEGSurgery.lossless(whole, grid: stored)
            let isOnGrid = (
                (place - grid.first.x).isMultiple(of: grid.step.width),
                (place - grid.first.y).isMultiple(of: grid.step.height)
            )
            #expect((wider?.rect.x == whole.rect.x) == isOnGrid.0 || wider == nil, "\(place) of \(page)")
            #expect((wider?.rect.y == whole.rect.y) == isOnGrid.1 || wider == nil, "\(place) of \(page)")
        }
    }
}
