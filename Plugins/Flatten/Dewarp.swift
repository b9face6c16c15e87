internal import PageModel

/// The dewarping of a page. The size stays, and areas from outside the image get the color of the paper.
struct Dewarp: PageOperation {
    static let id = "flatten"

    var mesh: Flattening

    var note: Note { Note(Note.Code("flattened", "flattened")) }

    var fillsCorners: Bool { true }

    func place(of point: PagePoint, on size: PixelSize) -> PagePoint { mesh.flatPlace(of: point) }

    func apply(to raster: Raster) -> Raster { raster.laidFlat(by: mesh) }
}
