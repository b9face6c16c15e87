internal import Imaging
internal import PageModel

/// The reduction of gray samples to a few bits by dithering.
struct Shades: PageOperation {
    static let id = "shades"

    /// The number of bits: 1, 2 or 4.
    var bits: Int

    var note: Note { Note(.dithered, "shades", 1 << bits) }

    var makesGray: Bool { true }

    var grayLevels: Int? { 1 << bits }

    var isSameForParts: Bool { true }

    func apply(to raster: Raster) throws(PictureFault) -> Raster {
        let opaque = raster.format.hasAlpha ? raster.flattened(on: .white) : raster
        return try opaque.gray().dithered(toBits: bits)
    }
}

extension Note.Code {
    fileprivate static let dithered = Note.Code("dithered") { note in
        note.values["shades"].map { "dithered to \($0) gray levels" } ?? "dithered to few shades"
    }
}
