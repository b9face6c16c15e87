import AdapterKit
import PageModel

@testable import Adjustments
@testable import Flatten
@testable import Trim

/// A transform that requests the same edits of every page, as options do.
struct CommonEdits: PageTransform {
    let descriptor = AdapterDescriptor(id: "edits", summary: "test", extensions: [])
    private let edits: [PageEdit]

    init(_ edits: [PageEdit]) { self.edits = edits }

    func passes(_ settings: Settings) -> [Pass] {
        [Pass(.turn, edits: edits.filter(\.keepsPixels)), Pass(.tone, edits: edits.filter { !$0.keepsPixels })]
    }
}

extension PageEdit {
    static let gray = PageEdit.change(Gray())

    static func crop(_ rect: PixelRect) -> PageEdit { .move(.crop(rect)) }

    static func turn(quarters: Int) -> PageEdit { .move(.turn(quarters: quarters)) }

    static func keep(_ rect: PixelRect, of size: PixelSize) -> PageEdit { .move(.keep(rect, of: size)) }

    static func inset(_ insets: Insets) -> PageEdit { .move(.inset(insets)) }

    static func deskew(degrees: Double) -> PageEdit { .change(Deskew(degrees: degrees)) }

    static func flatten(_ mesh: Flattening) -> PageEdit { .change(Dewarp(mesh: mesh)) }

    static func fit(_ box: FitBox) -> PageEdit { .change(Fit(frame: box)) }

    static func levels(black: Double, white: Double) -> PageEdit { .change(Levels(black: black, white: white)) }

    static func shades(bits: Int) -> PageEdit { .change(Shades(levels: 1 << bits)) }
}
