internal import PageModel

/// A clockwise rotation by a few degrees about the center, at most 45 in either direction.
///
/// The size stays, and corners from outside the image get the color of the paper.
struct Deskew: PageOperation {
    static let id = "deskew"

    var degrees: Double

    var note: Note { Note(Note.Code("deskewed", "deskewed")) }

    var fillsCorners: Bool { true }

    func place(of point: PagePoint, on size: PixelSize) -> PagePoint {
        point.rotated(degrees: degrees, on: size)
    }

    func isNoOp(on size: PixelSize, isGray: Bool) -> Bool { degrees == 0 }

    func apply(to raster: Raster) -> Raster { raster.deskewed(by: degrees) }
}
