// Written by `Benchmarks/seam_evidence.py fit --write`. `make lint` checks that it is what that writes.

/// The weights of the features in `SeamEvidence`, in log odds for each unit of the feature.
///
/// Measured on: they were found by logistic regression over 1420 pairs of pages, and 370 pairs share a drawing.
/// They are from 36 books: synthetic comics of `Benchmarks/make_joins.py`, and halves of public pages.
/// `Benchmarks/seams` has their features, and `Benchmarks/README.md` the scores on other books.
enum SeamWeights {
    /// The log odds of a pair whose features are all zero.
    ///
    /// The fitted value was lowered by 1.3, because books have fewer such pairs than the set that was fitted.
    static let base: Float = -6.28
    static let strokes: Float = 0.703
    static let middle: Float = 0.538
    static let large: Float = 1.69
    static let slants: Float = 0.533
    static let slantPeak: Float = 0.951
    static let closeness: Float = 1.8
    static let places: Float = 0.76
    static let sum: Float = -0.138
}
