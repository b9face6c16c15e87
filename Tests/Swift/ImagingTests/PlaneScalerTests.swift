import Testing

@testable import Imaging

/// A scaler whose source rows are in a ring.
@Suite struct PlaneScalerTests {
    /// Scales a column with several kernels: a target row is made when all of them have its source rows.
    private static func scaled(_ column: [Float], with weights: [ScalingWeights], _ ends: [Int]) -> [[Float]] {
        let across = ScalingWeights(.lanczos, from: 1, to: 1)
        let room = ends.indices.map { place in ends[place] - (weights.map { $0.first[place] }.min() ?? 0) }.max() ?? 1
        let rows = SampleRows(width: 1, padding: PlaneScaler.padding(across), room: room)
        let scalers = weights.map { PlaneScaler(across, $0, width: 1) }
        var results = weights.map { _ in [Float]() }
        for (row, value) in column.enumerated() {
            rows.row(row)[0] = value
            while results[0].count < ends.count, ends[results[0].count] <= row + 1 {
                let place = results[0].count
                for (number, scaler) in scalers.enumerated() {
                    scaler.scale(rows, to: place, columns: 0..<1)
                    results[number].append(scaler.target[0])
                }
            }
        }
        return results
    }

    @Test func aPartHasTheSamplesOfTheWholeRow() {
        let weights = ScalingWeights(.lanczos, from: 100, to: 60)
        let rows = SampleRows(width: 100, padding: PlaneScaler.padding(weights), room: 100)
        for row in 0..<100 {
            for column in 0..<100 { rows.row(row)[column] = Float((row * 31 + column * 17) % 256) }
        }
        let (whole, part) = (PlaneScaler(weights, weights, width: 100), PlaneScaler(weights, weights, width: 100))
        for place in 0..<60 {
            whole.scale(rows, to: place, columns: 0..<60)
            for columns in [0..<7, 7..<8, 30..<60] {
                part.scale(rows, to: place, columns: columns)
                #expect(columns.allSatisfy { part.target[$0] == whole.target[$0] }, "row \(place), \(columns)")
            }
        }
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
