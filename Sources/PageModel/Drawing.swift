/// What a source drew or decompressed, and what went wrong while it did.
public struct Drawing: Sendable {
    public var raster: Raster
    /// Faults that were met and passed over: the picture may lack something.
    public var complaints: [String]
    /// What its samples lost on the way into the raster, which cannot hold them as they are stored; a half sentence
    /// like "CMYK made RGB". Nil when they are those of the file.
    public var loss: String?

    public init(raster: Raster, complaints: [String] = [], loss: String? = nil) {
        self.raster = raster
        self.complaints = complaints
        self.loss = loss
    }
}
