/// Two consecutive pages over which one drawing may run.
struct ArtPair: Hashable, Sendable {
    /// The index of the page that is read first.
    let first: Int
    /// That the drawing runs on, 0 to 1.
    let confidence: Double
}
