internal import Imaging
internal import PageModel

/// The reduction of gray samples to a few levels, by dithering or by rounding.
struct Shades: PageOperation {
    static let id = "shades"

    /// The number of levels: 2, 4, 8 or 16.
    var levels: Int
    /// Whether patterns of these levels imitate the others.
    var dithers = true

    var options: [String] { dithers ? [Shades.id] : [Shades.id, "dither"] }

    var note: Note { Note(dithers ? .dithered : .rounded, "shades", levels) }

    var makesGray: Bool { true }

    var grayLevels: Int? { levels }

    var isSameForParts: Bool { true }

    /// The levels are of 8 bits before they are packed.
    var workingCopies: Int { 1 }

    func apply(to raster: Raster) -> Raster {
        let opaque = raster.format.hasAlpha ? raster.flattened(on: .white) : raster
        return opaque.gray().withGrayLevels(levels, dithers: dithers)
    }
}

extension Note.Code {
    fileprivate static let dithered = Note.Code("dithered") { "dithered to \($0.value("shades")) gray levels" }

    fileprivate static let rounded = Note.Code("rounded") { "rounded to \($0.value("shades")) gray levels" }
}
