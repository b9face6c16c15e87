/// What a source drew or decompressed, and what went wrong while it did.
public struct Drawing: Sendable {
    public var raster: Raster
    /// Faults that were met and passed over: the picture may lack something.
    public var complaints: [String]

    public init(raster: Raster, complaints: [String] = []) {
        self.raster = raster
        self.complaints = complaints
    }
}
