/// The codes of notes that several modules report.
extension Note.Code {
    /// A reason in the words of a source.
    public static let text = Note.Code("text") { $0.words }
    /// Samples that an output's format or a change made into others.
    public static let loss = Note.Code("loss", isLoss: true) { $0.words }

    // The changes to the pixels of a page.
    public static let kept = Note.Code("kept", "kept whole")
    public static let turned = Note.Code("rotated", "rotated")
    public static let scaled = Note.Code("scaled", "scaled")
    public static let gray = Note.Code("gray", "made gray")
    /// Another operation, which `name` names and the text describes.
    public static let operation = Note.Code("operation") { $0.words }

    // The text of a page.
    /// Its `language` is tesseract's code, and `languageFrom` the place from which it is known.
    public static let textRecognized = Note.Code("text-recognized", "with recognized text")
    /// Its `sample` is the beginning of that text.
    public static let ownText = Note.Code("own-text", "with its own text")

    public static let keptCMYK = Note.Code("kept-cmyk", "in its own CMYK")

    // The reasons why JPEGs cannot be joined without loss.
    public static let losslessIfJoinable = Note.Code("lossless-if-joinable", "without loss if the pages go together")
    public static let encodedDifferently = Note.Code("encoded-differently", "the JPEGs were not encoded alike")
    public static let profilesDiffer = Note.Code("profiles-differ", "the JPEGs have different color profiles")
    public static let offGrid = Note.Code("off-grid") { note in
        note.remedy.map { "the pages lie off the JPEG's grid (with \($0) they are joined without loss)" }
            ?? "the pages do not end where the JPEG's grid does"
    }
    public static let noColorForGaps = Note.Code("no-color-for-gaps", "a gray JPEG has no color for empty areas")
    public static let partIsChanged = Note.Code("part-is-changed") { "\($0.page) is \($0.notes.message)" }
    public static let partNotJPEG = Note.Code("part-not-jpeg") { note in
        note.values["format"] == nil ? "\(note.page) is not a JPEG" : "\(note.page) is \(note.format), not JPEG"
    }
}
