public import PageModel

/// The pixels of a page that are darker than their surroundings, as runs in rows and connected components.
public struct Strokes: Sendable {
    /// A run of adjacent dark pixels.
    public struct Run: Sendable {
        public var row: Int32
        public var start: Int32
        /// The column after the last one.
        public var end: Int32
        /// The index in `blobs`.
        public var blob: Int32

        public init(row: Int32, start: Int32, end: Int32, blob: Int32) {
            (self.row, self.start, self.end, self.blob) = (row, start, end, blob)
        }
    }

    /// The box around runs that touch, including at corners.
    public struct ConnectedComponent: Sendable {
        public var left: Int32
        public var top: Int32
        public var right: Int32
        public var bottom: Int32
        /// The number of pixels.
        public var area: Int32 = 0

        public var width: Int { Int(right - left) }
        public var height: Int { Int(bottom - top) }
    }

    public private(set) var runs: [Run] = []
    public private(set) var blobs: [ConnectedComponent] = []

    /// The side of the square with which a pixel is compared, as a fraction of the raster's shorter side.
    private static let surroundings = 20
    /// The minimum contrast of a stroke with its surroundings, in hundredths.
    private static let contrast = 16
    /// The minimum contrast in levels.
    private static let minimumContrast = 10

    /// Compares each pixel with the mean of those around it (Bradley and Roth, "Adaptive thresholding using the integral image",
    /// 2007).
    ///
    /// So shadows at the binding make no difference.
    ///
    /// - Parameter raster: gray of 8 bits.
    public init(_ raster: Raster) {
        let (width, height) = (raster.size.width, raster.size.height)
        let reach = max(4, min(width, height) / Strokes.surroundings / 2)
        // The sums of the rows around the current one, column by column.
        var sums = [Int32](repeating: 0, count: width)
        var parents: [Int32] = []
        var above = 0..<0
        raster.samples.withUnsafeBufferPointer { samples in
            for row in 0..<min(reach, height) {
                for x in 0..<width { sums[x] += Int32(samples[row * width + x]) }
            }
            for row in 0..<height {
                let (next, last) = (row + reach, row - reach - 1)
                if next < height { for x in 0..<width { sums[x] += Int32(samples[next * width + x]) } }
                if last >= 0 { for x in 0..<width { sums[x] -= Int32(samples[last * width + x]) } }
                let rows = min(height - 1, next) - max(0, row - reach) + 1
                let found = Strokes.dark(samples, row, sums, rows, reach, width)
                let first = runs.count
                runs += found.map {
                    Run(row: Int32(row), start: Int32($0.lowerBound), end: Int32($0.upperBound), blob: 0)
                }
                above = connect(first..<runs.count, with: above, &parents)
            }
        }
        number(parents)
    }

    /// Returns the dark stretches of a row.
    private static func dark(
        _ samples: UnsafeBufferPointer<UInt8>, _ row: Int, _ sums: [Int32], _ rows: Int, _ reach: Int, _ width: Int
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = -1
        var sum = 0
        for x in 0..<min(reach, width) { sum += Int(sums[x]) }
        for x in 0..<width {
            if x + reach < width { sum += Int(sums[x + reach]) }
            if x - reach > 0 { sum -= Int(sums[x - reach - 1]) }
            let count = (min(width - 1, x + reach) - max(0, x - reach) + 1) * rows
            let level = Int(samples[row * width + x]) * count
            let isDark = level * 100 < sum * (100 - contrast) && sum - level > minimumContrast * count
            if isDark, start < 0 { start = x }
            if !isDark, start >= 0 {
                found.append(start..<x)
                start = -1
            }
        }
        if start >= 0 { found.append(start..<width) }
        return found
    }

    /// Finds the runs of a row that touch those of the row above, diagonally as well.
    ///
    /// - Returns: the row's runs, for the next.
    private mutating func connect(_ current: Range<Int>, with above: Range<Int>, _ parents: inout [Int32]) -> Range<Int>
    {
        func root(_ index: Int32) -> Int32 {
            var index = index
            while parents[Int(index)] != index {
                parents[Int(index)] = parents[Int(parents[Int(index)])]
                index = parents[Int(index)]
            }
            return index
        }
        var first = above.lowerBound
        for index in current {
            parents.append(Int32(index))
            while first < above.upperBound, runs[first].end < runs[index].start { first += 1 }
            var other = first
            while other < above.upperBound, runs[other].start <= runs[index].end {
                let (one, two) = (root(Int32(other)), root(Int32(index)))
                if one != two { parents[Int(max(one, two))] = min(one, two) }
                other += 1
            }
        }
        return current
    }

    /// Combines runs that touch to blobs.
    private mutating func number(_ parents: [Int32]) {
        var numbers = [Int32](repeating: -1, count: parents.count)
        for index in runs.indices {
            // A parent always comes before.
            let parent = Int(parents[index])
            numbers[index] = parent == index ? Int32(blobs.count) : numbers[parent]
            let run = runs[index]
            if parent == index {
                blobs.append(ConnectedComponent(left: run.start, top: run.row, right: run.end, bottom: run.row + 1))
            }
            let blob = Int(numbers[index])
            blobs[blob].left = min(blobs[blob].left, run.start)
            blobs[blob].right = max(blobs[blob].right, run.end)
            blobs[blob].bottom = run.row + 1
            blobs[blob].area += run.end - run.start
            runs[index].blob = numbers[index]
        }
    }
}
