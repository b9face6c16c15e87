internal import Imaging
internal import PageModel

/// The conversion of a page to grayscale.
struct Gray: PageOperation {
    static let id = "gray"

    /// Whether another operation needs gray pixels, and no option requests them.
    var isImplied = false

    var options: [String] { isImplied ? [] : [Gray.id] }

    var note: Note { Note(.gray) }

    var makesGray: Bool { true }

    var isSameForParts: Bool { true }

    func isNoOp(on size: PixelSize, isGray: Bool) -> Bool { isGray }

    func apply(to raster: Raster) -> Raster { raster.gray() }
}
