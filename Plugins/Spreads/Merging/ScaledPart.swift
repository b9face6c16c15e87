internal import Imaging
internal import PageModel

/// The scaling of a page to the height of the page next to it.
struct ScaledPart: PageOperation {
    static let id = "align"

    var frame: FitBox

    var box: FitBox? { frame }

    var note: Note { Note(.scaled) }

    func apply(to raster: Raster) throws(PictureFault) -> Raster { try raster.scaled(to: size(after: raster.size)) }
}
