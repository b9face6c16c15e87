/// The weights of the features in `SeamEvidence`, in log odds for each unit of the feature.
///
/// Measured on: they were found by logistic regression over synthetic comics of `Benchmarks/make_joins.py` and split
/// real pages. Neither those pages nor their number was recorded. `Benchmarks/seam_evidence.py` fits such weights, and
/// prints the declarations of this file.
enum SeamWeights {
    /// The log odds of a pair whose features are all zero.
    ///
    /// The fitted value was lowered by 1.3, because books have fewer such pairs than the set that was fitted.
    static let base: Float = -9.5
    static let strokes: Float = 1.25
    static let middle: Float = 0.34
    static let large: Float = 1.3
    static let slants: Float = 0.58
    static let slantPeak: Float = 0.99
    static let closeness: Float = 1.9
    static let places: Float = 0.83
    static let sum: Float = 0.13
}
