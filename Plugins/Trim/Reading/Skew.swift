internal import Glibc
internal import PageModel

extension RasterReading {
    /// How far the lines of text are turned counter-clockwise, in degrees within ±5; nil where there is too little
    /// text.
    ///
    /// It is the angle at which the profile of the ink, projected along the lines, is most uneven (Postl, "Detection of
    /// linear oblique structures and skew scan in digitized documents", 1986). Horizontal and vertical lines are tried.
    var skew: Double? {
        let largest = Int(45 * unit)
        let least = Int(3 * unit)
        var runs: [InkRun] = []
        for run in ink.runs {
            let blob = ink.blobs[Int(run.blob)]
            guard blob.group >= 0, blob.box.extent <= largest, blob.box.extent >= least else { continue }
            runs.append(run)
        }
        let count = runs.count
        guard count >= 1000, let content else { return nil }
        // A few thousand runs say it as well as all of them.
        let middle = (x: Double(content.left + content.right) / 2, y: Double(content.top + content.bottom) / 2)
        let points = stride(from: 0, to: count, by: max(1, count / 3000)).map { index in
            let run = runs[index]
            return InkProfile.Point(
                across: Double(run.row) - middle.y, along: Double(run.start + run.end) / 2 - middle.x,
                weight: Double(run.end - run.start))
        }
        let level = InkProfile(points)
        let upright = InkProfile(
            points.map { InkProfile.Point(across: $0.along, along: -$0.across, weight: $0.weight) })
        let (across, down) = (slant(of: level), slant(of: upright))
        let found = across.gain >= down.gain ? across : down
        // Drawings have slanted lines too: little ink must be very even to be text.
        guard found.gain > (count >= 3000 ? 1.3 : 1.7) else { return nil }
        let angle = refined(found.angle, across.gain >= down.gain ? level : upright)
        return abs(angle) <= 5.1 ? (angle * 100).rounded() / 100 : nil
    }

    /// The angle at which a profile is most uneven, to a quarter of a degree, and how much more than it usually is.
    private func slant(of profile: InkProfile) -> (angle: Double, gain: Double) {
        let coarse = stride(from: -5.5, through: 5.5, by: 0.25).map {
            ($0, profile.unevenness(slope: degreesToSlope($0), width: 2 * unit))
        }
        // Angles a little beyond are tried only so that a peak at the end is known to be none.
        let within = coarse.filter { abs($0.0) <= 5 }.map(\.1).sorted()
        let usual = within[within.count / 2]
        guard let top = coarse.max(by: { $0.1 < $1.1 }), usual > 0 else { return (0, 0) }
        return (top.0, top.1 / usual)
    }

    private func refined(_ angle: Double, _ profile: InkProfile) -> Double {
        let fine = stride(from: angle - 0.3, through: angle + 0.3, by: 0.05).map {
            ($0, profile.unevenness(slope: degreesToSlope($0), width: unit))
        }
        // The middle of the peak's upper half, which is steadier than its highest point.
        let high = fine.map(\.1).max() ?? 0
        let low = fine.map(\.1).min() ?? 0
        let upper = fine.filter { $0.1 > low + 0.5 * (high - low) }
        let weight = upper.reduce(0) { $0 + $1.1 - low }
        return weight > 0 ? upper.reduce(0) { $0 + $1.0 * ($1.1 - low) } / weight : angle
    }

    /// How far a line that is turned by `degrees` rises for each pixel across.
    private func degreesToSlope(_ degrees: Double) -> Double { tan(degrees * .pi / 180) }
}

/// The ink of a page projected along its lines of text: how much of it lies at each height of the page.
struct InkProfile {
    /// One run of ink, from the middle of the text.
    struct Point {
        /// Across the lines of text, and along them, in pixels.
        var across: Double
        var along: Double
        var weight: Double
    }

    private let points: [Point]
    /// How far from the middle a point lies at most, across and along.
    private let reach: Double

    init(_ points: [Point]) {
        self.points = points
        reach = points.reduce(0) { max($0, abs($1.across), abs($1.along)) }
    }

    /// How uneven the profile is along lines that rise by `slope`: the sum of its squares, in bins of `width` pixels.
    func unevenness(slope: Double, width: Double) -> Double {
        let middle = Int(reach * (1 + abs(slope)) / width) + 1
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * middle + 2) { bins in
            bins.initialize(repeating: 0)
            let scale = 1 / width
            for point in points {
                let place = (point.across + point.along * slope) * scale + Double(middle)
                let bin = Int(place)
                let part = (place - Double(bin)) * point.weight
                bins[bin] += point.weight - part
                bins[bin + 1] += part
            }
            var sum = 0.0
            for bin in bins { sum += bin * bin }
            return sum
        }
    }
}
