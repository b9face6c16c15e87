internal import Imaging
internal import PageModel

/// The scaling of a page into a box.
struct Fit: PageOperation {
    static let id = "fit"

    var frame: FitBox
    /// The strength of sharpening after scaling, in percent; nil for none.
    var sharpening: Int?

    var options: [String] {
        (frame.enlarges ? ["fit", "enlarge"] : ["fit"]) + (sharpening == nil ? [] : ["sharpen"])
    }

    var box: FitBox? { frame }

    var note: Note { Note(.scaled) }

    /// Sharpening holds the scaled image and the result.
    var workingCopies: Int { sharpening == nil ? 0 : 1 }

    func apply(to raster: Raster) throws(PictureFault) -> Raster {
        apply(toScaled: try raster.fitted(to: size(after: raster.size)))
    }

    func apply(toScaled raster: Raster) -> Raster { sharpening.map { raster.sharpened(percent: $0) } ?? raster }
}
