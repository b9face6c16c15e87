/// Something visible that a page's content paints.
enum Mark {
    case picture(PaintedPicture)
    case inlinePicture
    case text
    case shape
    case shading
    case annotation

    /// What it is, for a report: "… lies over the picture".
    var description: String {
        switch self {
        case .picture: "another picture"
        case .inlinePicture: "an inline picture"
        case .text: "text"
        case .shape: "a drawn shape"
        case .shading: "a shading"
        case .annotation: "an annotation"
        }
    }
}

/// A picture that a page's content paints, and how.
struct PaintedPicture {
    let object: PDFObject
    let state: GraphicsState
    /// The resources whose Default colour spaces apply to it.
    let resources: PDFObject
}
