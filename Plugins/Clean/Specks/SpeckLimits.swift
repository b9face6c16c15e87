/// The limits of the search for specks. A unit is a 620th of the page's shorter side: 0.17 mm on a page of a paperback.
///
/// Chosen so that no mark in a line of text is a speck on the pages with marked lines in `Benchmarks/README.md`. Dust
/// between the lines therefore stays.
enum SpeckLimits {
    /// The number of units in the page's shorter side.
    static let unitsAcross = 620
    /// The maximum size of a speck, in units.
    static let maximumSize = 4.0
    /// The minimum of that size in pixels. On smaller pages, jisui searches for no specks.
    static let minimumPixels = 2.0
    /// The distance to print that a speck has at least, in units: about the height of a line. Dots and accents are nearer.
    static let distance = 18
    /// The maximum number of other specks within that distance: more are a leader of dots, a pattern or a screentone.
    static let maximumNeighbors = 1
    /// The maximum area around a speck, within that distance, of pixels half as dark as it, relative to its own area.
    static let maximumSurroundings = 2
    /// The number of pixels around a speck that its blurred edge covers.
    static let blur = 2
    /// The maximum number of specks on a page: more are its texture.
    static let maximumCount = 2_000
}
