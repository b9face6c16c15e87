import PageModel
import Testing

/// An operation that scales a page, and moves its points to the right.
struct Shifted: PageOperation {
    static let id = "shift"

    var across: Double
    var frame: FitBox?

    var box: FitBox? { frame }

    var note: Note { Note(.operation, ["name": Shifted.id], text: "shifted") }

    func place(of point: PagePoint, on size: PixelSize) -> PagePoint {
        PagePoint(across: point.across + across, down: point.down)
    }

    func apply(to raster: Raster) -> Raster { raster }
}

@Suite struct PageEditTests {
    private let size = PixelSize(width: 30, height: 20)

    @Test func editsAreComparedByTheirValues() {
        let edits: [PageEdit] = [
            .move(.mirror), .move(.turn(quarters: 1)), .change(Shifted(across: 0)), .change(Shifted(across: 1)),
        ]
        for (index, one) in edits.enumerated() {
            for (place, other) in edits.enumerated() { #expect((one == other) == (index == place)) }
        }
        #expect(Set(edits + edits).count == edits.count)
    }

    @Test func onlyTheEditsBeforeAnOperationLead() {
        let edits: [PageEdit] = [.move(.mirror), .change(Shifted(across: 0)), .move(.turn(quarters: 1))]
        #expect(edits.leadingMoves == [.mirror])
        #expect(edits.map(\.keepsPixels) == [true, false, true])
        #expect(edits.applied(to: size) == PixelSize(width: 20, height: 30))
    }

    @Test func anOperationIsIdleIfItsBoxChangesNothing() {
        #expect(Shifted(across: 0, frame: FitBox(width: 40, height: 40)).isNoOp(on: size, isGray: false))
        #expect(!Shifted(across: 0, frame: FitBox(width: 10, height: 10)).isNoOp(on: size, isGray: false))
        #expect(!Shifted(across: 0).isNoOp(on: size, isGray: false))
    }
}
