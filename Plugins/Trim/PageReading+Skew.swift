internal import PageModel

extension PageReading {
    /// How far the lines of text are turned counter-clockwise, in degrees within ±5; nil where there is too little text.
    ///
    /// The angle at which the profile of the ink, projected along the lines, is most uneven (Postl, "Detection of
    /// linear oblique structures and skew scan in digitized documents", 1986), tried for horizontal and vertical lines.
    var skew: Double? {
        let largest = Int(45 * unit)
        let least = Int(3 * unit)
        var points: [(x: Double, y: Double, weight: Double)] = []
        var count = 0
        for run in ink.runs {
            let blob = ink.blobs[Int(run.blob)]
            guard blob.group >= 0, blob.box.extent <= largest, blob.box.extent >= least else { continue }
            count += 1
            points.append((Double(run.start + run.end) / 2, Double(run.row), Double(run.end - run.start)))
        }
        guard count >= 1000, let content else { return nil }
        // A few thousand runs say it as well as all of them.
        let step = max(1, count / 3000)
        if step > 1 { points = stride(from: 0, to: count, by: step).map { points[$0] } }
        let middle = (x: Double(content.left + content.right) / 2, y: Double(content.top + content.bottom) / 2)
        let reach = Int(Double(content.width + content.height)) + 8
        var bins = [Double](repeating: 0, count: 2 * reach)

        func unevenness(_ degrees: Double, _ isVertical: Bool, _ width: Double) -> Double {
            let slope = degreesToSlope(degrees)
            for index in bins.indices { bins[index] = 0 }
            for point in points {
                let (dx, dy) = (point.x - middle.x, point.y - middle.y)
                let place = (isVertical ? dx - dy * slope : dy + dx * slope) / width + Double(reach)
                let bin = Int(place)
                let part = place - Double(bin)
                guard bin >= 0, bin + 1 < bins.count else { continue }
                bins[bin] += point.weight * (1 - part)
                bins[bin + 1] += point.weight * part
            }
            return bins.reduce(0) { $0 + $1 * $1 }
        }

        func best(_ isVertical: Bool) -> (angle: Double, gain: Double) {
            let coarse = stride(from: -5.0, through: 5.0, by: 0.25).map { ($0, unevenness($0, isVertical, 2 * unit)) }
            let usual = coarse.map(\.1).sorted()[coarse.count / 2]
            guard let top = coarse.max(by: { $0.1 < $1.1 }), usual > 0 else { return (0, 0) }
            let fine = stride(from: top.0 - 0.3, through: top.0 + 0.3, by: 0.05).map {
                ($0, unevenness($0, isVertical, unit))
            }
            // The middle of the peak's upper half, which is steadier than its highest point.
            let high = fine.map(\.1).max() ?? 0
            let low = fine.map(\.1).min() ?? 0
            let upper = fine.filter { $0.1 > low + 0.5 * (high - low) }
            let weight = upper.reduce(0) { $0 + $1.1 - low }
            guard weight > 0 else { return (top.0, top.1 / usual) }
            return (upper.reduce(0) { $0 + $1.0 * ($1.1 - low) } / weight, top.1 / usual)
        }
        let (across, down) = (best(false), best(true))
        let found = across.gain >= down.gain ? across : down
        // Drawings have slanted lines too: little ink must be very even to be text.
        return found.gain > (count >= 3000 ? 1.3 : 1.7) && abs(found.angle) < 4.9
            ? (found.angle * 100).rounded() / 100 : nil
    }

    /// The tangent by its series: within ±6° the error is less than 1e-6, and no C library is needed.
    private func degreesToSlope(_ degrees: Double) -> Double {
        let angle = degrees * .pi / 180
        return angle + angle * angle * angle / 3 + angle * angle * angle * angle * angle * 2 / 15
    }
}
