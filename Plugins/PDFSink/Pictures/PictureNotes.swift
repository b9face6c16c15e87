internal import PageModel

extension Note.Code {
    /// The image is stored in another compression without loss.
    static let recompressed = Note.Code("recompressed") { "recompressed as \($0.value("compression"))" }
}
