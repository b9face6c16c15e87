internal import Imaging
internal import PageModel

/// The treatment of a page for a screen under a filter of color cells, such as Kaleido.
struct ColorFilter: PageOperation {
    static let id = "color-filter"

    /// The pixels of the screen. An app scales a smaller page, so that the treatment would be in vain.
    var screen: FitBox

    var note: Note { Note(.filtered) }

    /// The page without screentone, and the sharpened one.
    var workingCopies: Int { 2 }

    func isNoOp(on size: PixelSize, isGray: Bool) -> Bool {
        size.width != screen.width && size.height != screen.height
    }

    func apply(to raster: Raster) -> Raster { raster.forColorFilter() }

    /// A preview has other pixels than the screen.
    func preview(of raster: Raster) -> Raster { raster }
}

extension Note.Code {
    static let filtered = Note.Code("filtered", "adapted to the color filter")
}
