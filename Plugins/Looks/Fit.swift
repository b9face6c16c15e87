internal import Imaging
internal import PageModel

/// The scaling of a page into a box.
struct Fit: PageOperation {
    static let id = "fit"

    var frame: FitBox

    var options: [String] { frame.enlarges ? ["fit", "enlarge"] : ["fit"] }

    var box: FitBox? { frame }

    var note: Note { Note(.scaled) }

    func apply(to raster: Raster) throws(PictureFault) -> Raster { try raster.scaled(to: size(after: raster.size)) }
}
