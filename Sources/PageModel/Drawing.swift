/// What a source drew, and what went wrong while it did.
public struct Drawing: Sendable {
    public var raster: Raster
    /// Faults the renderer met and drew past: the picture may lack something.
    public var complaints: [String]

    public init(raster: Raster, complaints: [String] = []) {
        self.raster = raster
        self.complaints = complaints
    }
}
