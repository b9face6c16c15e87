/// What of the graphics state decides how a picture looks (ISO 32000-1, 8.4).
struct GraphicsState {
    /// The part of the plane that may be painted.
    enum Clip {
        /// Nothing is clipped away.
        case open
        case box(PDFBox)
        /// A shape that is no box.
        case shape

        func narrowed(to other: Clip) -> Clip {
            switch (self, other) {
            case (.open, _): other
            case (_, .open): self
            case (.box(let one), .box(let two)): .box(one.intersection(two))
            default: .shape
            }
        }
    }

    var matrix = Matrix.identity
    var clip = Clip.open
    var hasSoftMask = false
    var fillAlpha = 1.0
    var strokeAlpha = 1.0
    /// Whether paint is blended with what is below by anything but covering it.
    var blends = false
    /// Whether the colour that fills shapes and stencils is black.
    var fillsBlack = true
    var textMode = 0

    /// Whether what is below shows through.
    var isTranslucent: Bool { hasSoftMask || fillAlpha < 1 || strokeAlpha < 1 || blends }
}
