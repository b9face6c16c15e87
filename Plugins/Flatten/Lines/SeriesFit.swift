internal import PageModel

/// A fit of a sum of functions to several series of values; each series may be higher or lower by a constant of its own.
///
/// Outliers count little, and in the end nothing. Values are first weighted for the least sum of absolute differences, then with
/// Tukey's biweight (Beaton and Tukey, "The fitting of power series", 1974).
struct SeriesFit {
    /// A value and those of the functions at its place.
    struct Sample {
        /// The functions that are not 0 there, with their values.
        var functions: [(index: Int, value: Double)]
        var value: Double
    }

    /// The weight of each function in the sum.
    private(set) var coefficients: [Double]
    /// The constant of each series.
    private(set) var levels: [Double] = []
    /// The weight of each value of each series, 0 to 1.
    private(set) var weights: [[Double]] = []

    /// - Parameters:
    ///   - count: the number of functions.
    ///   - penalty: a symmetric matrix, row by row. For each value, its quadratic form in the coefficients is added to the
    ///     minimized sum.
    ///   - scale: the deviation at which values stop counting.
    init(_ series: [[Sample]], count: Int, penalty: [Double], scale: Double) {
        coefficients = [Double](repeating: 0, count: count)
        for round in 0..<FlattenLimits.Fit.absoluteRounds + FlattenLimits.Fit.biweightRounds {
            let residuals = series.map { samples in
                samples.map { sample in
                    var residual = sample.value
                    for function in sample.functions { residual -= function.value * coefficients[function.index] }
                    return residual
                }
            }
            levels = zip(residuals, weights.isEmpty ? residuals : weights).map { residuals, weights in
                round < FlattenLimits.Fit.absoluteRounds
                    ? residuals.median : SeriesFit.mean(residuals, weights)
            }
            weights = zip(residuals, levels).map { residuals, level in
                residuals.map { residual in
                    let off = abs(residual - level) / scale
                    if round < FlattenLimits.Fit.absoluteRounds {
                        return 1 / max(1, FlattenLimits.Fit.partsOfScale * off)
                    }
                    return off < 1 ? (1 - off * off) * (1 - off * off) : 0
                }
            }
            guard let better = SeriesFit.solution(series, weights, penalty, count) else { return }
            coefficients = better
        }
    }

    private static func mean(_ values: [Double], _ weights: [Double]) -> Double {
        let sum = weights.reduce(0, +)
        return sum > 0 ? zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 } / sum : values.median
    }

    /// Returns the least squares solution. Each series' constant is eliminated by measuring it from its weighted mean.
    private static func solution(
        _ series: [[Sample]], _ weights: [[Double]], _ penalty: [Double], _ count: Int
    ) -> [Double]? {
        var matrix = [Double](repeating: 0, count: count * count)
        var right = [Double](repeating: 0, count: count)
        var total: Double = 0
        for (samples, weights) in zip(series, weights) {
            var (sum, value): (Double, Double) = (0, 0)
            var sums = [Double](repeating: 0, count: count)
            for (sample, weight) in zip(samples, weights) where weight > 0 {
                sum += weight
                value += weight * sample.value
                for one in sample.functions {
                    let part = weight * one.value
                    sums[one.index] += part
                    right[one.index] += part * sample.value
                    for other in sample.functions where other.index <= one.index {
                        matrix[one.index * count + other.index] += part * other.value
                    }
                }
            }
            guard sum > 0 else { continue }
            total += sum
            for row in 0..<count where sums[row] != 0 {
                right[row] -= sums[row] * value / sum
                for column in 0...row { matrix[row * count + column] -= sums[row] * sums[column] / sum }
            }
        }
        for row in 0..<count {
            for column in 0...row { matrix[row * count + column] += total * penalty[row * count + column] }
        }
        return solved(matrix, right)
    }

    /// Returns the solution of a system with a symmetric matrix, given by its lower half, by Cholesky decomposition.
    ///
    /// Returns nil unless the solution is unique.
    static func solved(_ matrix: [Double], _ right: [Double]) -> [Double]? {
        let count = right.count
        var (lower, result) = (matrix, right)
        for column in 0..<count {
            for row in column..<count {
                var sum = lower[row * count + column]
                for index in 0..<column { sum -= lower[row * count + index] * lower[column * count + index] }
                if row == column {
                    guard sum > FlattenLimits.Fit.minimumPivot else { return nil }
                    lower[row * count + column] = sum.squareRoot()
                } else {
                    lower[row * count + column] = sum / lower[column * count + column]
                }
            }
        }
        for row in 0..<count {
            for index in 0..<row { result[row] -= lower[row * count + index] * result[index] }
            result[row] /= lower[row * count + row]
        }
        for row in (0..<count).reversed() {
            for index in row + 1..<count { result[row] -= lower[index * count + row] * result[index] }
            result[row] /= lower[row * count + row]
        }
        return result
    }
}
