internal import PageModel

/// The notes on pages in a strip.
extension Note.Code {
    static let laidIntoStrip = Note.Code("laid-into-strip") { note in
        note.values["encoded"] == nil
            ? "laid into a \(note.format) strip" : "laid into a \(note.format) strip and encoded"
    }
    static let cutIntoTiles = Note.Code("cut-into-tiles") { note in
        note.values["encoded"] == nil ? "cut into \(note.format) tiles" : "cut into \(note.format) tiles and encoded"
    }
    static let joinedIntoStrip = Note.Code(
        "joined-into-strip", "joined with the others in a JPEG strip without loss")
    static let joinedIntoSlices = Note.Code(
        "joined-into-slices", "cut and joined with the others into JPEG slices without loss")
    static let slicedIfJoinable = Note.Code(
        "sliced-if-joinable", "or joined into JPEG slices without loss if the pages are JPEGs that go together")
    /// Its only note is the reason.
    static let notJoinable = Note.Code("not-joinable") { note in
        note.notes.first.map { "because \($0.message)" } ?? "because the JPEGs do not go together without loss"
    }
    static let someAreScaled = Note.Code("some-are-scaled", "some pages are scaled")

    // The losses.
    static let scaledWhereNarrower = Note.Code("scaled-where-narrower", "scaled where it is narrower")
    static let scaledToWidest = Note.Code("scaled-to-widest", "scaled to the widest")
    static let reducedToEightBits = Note.Code("reduced-to-eight-bits", isLoss: true, "with 8 bits per sample")
    static let transparencyFlattened = Note.Code(
        "transparency-flattened", isLoss: true, "with its transparency laid on the background")
    static let colorsConverted = Note.Code(
        "colors-converted", isLoss: true, "with its colors converted to sRGB")
}
