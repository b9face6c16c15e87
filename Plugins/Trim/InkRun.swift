/// Dark pixels side by side in one row.
struct InkRun: Sendable {
    var row: Int32
    var start: Int32
    /// The first pixel after it.
    var end: Int32
    var blob: Int32
    /// How much darker than the paper its darkest pixel is.
    var contrast: UInt8
}
