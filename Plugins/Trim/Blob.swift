/// Dark pixels that touch each other.
struct Blob: Sendable {
    var box: Box
    /// In pixels.
    var area: Int
    /// How many of its pixels lie further from every edge of the page than scanners darken.
    var deepArea: Int
    /// How much darker than the paper its darkest pixel is.
    var contrast: Int
    /// The group it belongs to; -1 when it is no content.
    var group = -1
}
