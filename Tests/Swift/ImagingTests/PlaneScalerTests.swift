import Testing

@testable import Imaging

/// Scalers that keep the target rows that wait for another kernel.
@Suite struct PlaneScalerTests {
    /// Scales a column with several kernels: a target row is read when all of them have completed it.
    private static func scaled(_ column: [Float], with weights: [ScalingWeights], _ ends: [Int]) -> [[Float]] {
        let across = ScalingWeights(.lanczos, from: 1, to: 1)
        let scalers = weights.map { PlaneScaler(across, $0, readAfter: ends) }
        var results = weights.map { _ in [Float]() }
        for (row, value) in column.enumerated() {
            let line = [value] + [Float](repeating: 0, count: across.taps)
            for scaler in scalers { scaler.add(line, row: row) }
            while results[0].count < ends.count, ends[results[0].count] <= row + 1 {
                let place = results[0].count
                for number in scalers.indices { results[number].append(scalers[number].row(place)[0]) }
            }
        }
        return results
    }

    @Test(arguments: [ScalingKernel.spline, .mitchell])
    func rowsWaitForTheWidestKernel(_ tone: ScalingKernel) {
        for source in stride(from: 65, to: 700, by: 17) {
            let column = (0..<source).map { Float(($0 * 7919) % 256) }
            for target in [source * 15 / 16, source * 7 / 10, source * 3 / 8, source / 9] {
                let weights = [ScalingKernel.lanczos, tone].map { ScalingWeights($0, from: source, to: target) }
                let ends = (0..<target).map { row in weights.map { $0.first[row] + $0.counts[row] }.max() ?? 0 }
                for (own, result) in zip(weights, Self.scaled(column, with: weights, ends)) {
                    let expected = (0..<target).map { row in
                        (0..<own.counts[row]).reduce(Float(0)) {
                            $0 + own.weights[row * own.taps + $1] * column[own.first[row] + $1]
                        }
                    }
                    let isSame = zip(expected, result).allSatisfy { abs($0 - $1) < 0.01 }
                    #expect(isSame && result.count == target, "\(source) rows to \(target)")
                }
            }
        }
    }
}
