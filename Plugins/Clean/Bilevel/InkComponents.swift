internal import LayoutAnalysis

/// The connected parts of a page's ink, with the evidence that each is print.
struct InkComponents {
    /// A run of ink in a row.
    private struct Run {
        let row: Int32
        let start: Int32
        let end: Int32
    }

    /// The measures of a component, or of a run of it.
    private struct Measure {
        var area = 0
        /// The number of pixels of its outline, and of those near a strong edge.
        var outline = 0
        var nearEdge = 0
        /// The sum of the strengths of the outline, in levels.
        var strength = 0.0

        mutating func add(_ other: Measure) {
            area += other.area
            outline += other.outline
            nearEdge += other.nearEdge
            strength += other.strength
        }

        /// - Parameter usual: the usual strength of edges.
        func isPrint(_ usual: Int) -> Bool {
            area >= BilevelLimits.minimumArea && Double(nearEdge) >= BilevelLimits.minimumEdge * Double(outline)
                && strength >= BilevelLimits.minimumStrength * Double(usual) * Double(outline)
        }
    }

    private let width: Int
    private let height: Int
    private var runs: [Run] = []
    private var sets = DisjointSets(count: 0)
    private var measures: [Measure] = []

    init(_ ink: InkField, _ field: EdgeField) {
        (width, height) = (ink.width, ink.height)
        findRuns(ink)
        join()
        measures = [Measure](repeating: Measure(), count: runs.count)
        for (index, run) in runs.enumerated() {
            measures[sets.root(of: index)].add(InkComponents.measure(run, ink, field))
        }
    }

    private mutating func findRuns(_ ink: InkField) {
        ink.labels.withUnsafeBufferPointer { labels in
            for y in 0..<height {
                let row = ink.place(0, y)
                var x = 0
                while x < width {
                    guard labels[row &+ x] > 0 else {
                        x &+= 1
                        continue
                    }
                    let start = x
                    // The border is not ink.
                    while labels[row &+ x] > 0 { x &+= 1 }
                    runs.append(Run(row: Int32(y), start: Int32(start), end: Int32(x)))
                }
            }
        }
    }

    /// Joins the runs that touch, also at their corners.
    private mutating func join() {
        sets = DisjointSets(count: runs.count)
        var above = 0
        for index in runs.indices {
            let run = runs[index]
            while runs[above].row < run.row - 1 || runs[above].row == run.row - 1 && runs[above].end < run.start {
                above += 1
            }
            var other = above
            while runs[other].row == run.row - 1, runs[other].start <= run.end {
                sets.join(index, other)
                other += 1
            }
        }
    }

    private static func measure(_ run: Run, _ ink: InkField, _ field: EdgeField) -> Measure {
        var measure = Measure(area: Int(run.end - run.start))
        let y = Int(run.row)
        for x in Int(run.start)..<Int(run.end) {
            let place = ink.place(x, y)

            guard
                ink.labels[place - 1] < 0 || ink.labels[place + 1] < 0 || ink.labels[place - ink.stride] < 0
                    || ink.labels[place + ink.stride] < 0
            else { continue }
            measure.outline += 1
            measure.strength += field.strength(at: y * field.width + x)
            func isEdge(_ middle: Int) -> Bool {
                ink.isEdge[middle - 1] || ink.isEdge[middle] || ink.isEdge[middle + 1]
            }
            if isEdge(place - ink.stride) || isEdge(place) || isEdge(place + ink.stride) {
                measure.nearEdge += 1
            }
        }
        return measure
    }

    /// Returns one bit a pixel: 0 for the components that are print, 1 for paper.
    ///
    /// - Parameter strength: the usual strength of edges.
    mutating func bits(strength: Int) -> [UInt8] {
        let bytesPerRow = (width + 7) / 8
        var bits = [UInt8](repeating: UInt8.max, count: bytesPerRow * height)
        for (index, run) in runs.enumerated() where measures[sets.root(of: index)].isPrint(strength) {
            let row = Int(run.row) * bytesPerRow
            for x in Int(run.start)..<Int(run.end) { bits[row + x >> 3] &= ~(0x80 >> UInt8(x & 7)) }
        }
        return bits
    }
}
