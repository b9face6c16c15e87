/// The constants of the adaptive threshold. Lengths are pixels of a scan of 200 to 300 dpi.
///
/// Chosen on the 20 pages of DIBCO 2009 and 2010; `Benchmarks/clean_accuracy.py` measures them there.
enum BilevelLimits {
    /// The halves of a Gaussian of 0.6 px, from the middle: 1024ths.
    static let blur: [Int32] = [680, 169, 3]
    /// The scale of gradients: 32 is a slope of one level over two pixels.
    static let unit = 32
    /// The low and the high threshold of weak edges, by which the usual strength of edges is found, in levels.
    static let (weakLow, weakHigh) = (2, 4)
    /// The high threshold of strong edges, as a multiple of their usual strength, and the low one as a share of the high one.
    static let (strong, hysteresis) = (1.4, 0.35)
    /// The maximum of the high threshold, as a share of the greatest strength on the page.
    static let attained = 0.8
    /// The ratio of the greatest and the median strength of edges of grain alone (Rayleigh distribution): one in
    /// two million exceeds it. The maximum median in levels: dense print has a higher one.
    static let (grain, maximumGrain) = (4.6, 12.0)
    /// The threshold at an edge pixel, as a share of the way from the darkest to the lightest of the nine pixels around it.
    static let level: Float = 0.6
    /// The share of edge pixels at which a level of the pyramid is half believed, and the maximum number of levels.
    static let (belief, levels): (Float, Int) = (0.02, 8)
    /// The bias toward paper and the weight of a neighbor, in twentieths of the usual strength of edges.
    static let (bias, neighbor): (Int32, Int32) = (7, 120)
    static let twentieth: Int32 = 20
    /// The minimum area of a component, in square pixels.
    static let minimumArea = 6
    /// The minimum share of a component's outline that is near a strong edge. The minimum strength of its outline, as a
    /// multiple of the usual one. Stains and show-through have softer outlines.
    static let (minimumEdge, minimumStrength) = (0.55, 0.75)
}
