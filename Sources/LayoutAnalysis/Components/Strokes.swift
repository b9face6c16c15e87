package import PageModel

/// The limits of the comparison of pixels with their surroundings.
///
/// No measurement of these values is recorded.
enum StrokeLimits {
    /// The side of the square with which a pixel is compared: the raster's shorter side divided by this.
    static let surroundings = 20
    /// The minimum distance in pixels from a pixel to the sides of that square.
    static let minimumReach = 4
    /// The level that a stroke has less than, in parts of the mean level of its surroundings.
    static let maximumLevel = 84
    /// The number of parts of the mean level.
    static let parts = 100
    /// The minimum contrast in levels.
    static let minimumContrast = 10
}

/// The pixels of a page that are darker than their surroundings, as runs in rows and connected components.
package struct Strokes: Sendable {
    /// A run of adjacent dark pixels.
    package struct Run: PixelRun, Sendable {
        package var row: Int32
        package var start: Int32
        /// The column after the last one.
        package var end: Int32
        /// The index in `blobs`.
        package var blob: Int32

        package init(row: Int32, start: Int32, end: Int32, blob: Int32) {
            (self.row, self.start, self.end, self.blob) = (row, start, end, blob)
        }
    }

    /// Runs that touch, including at corners.
    package struct ConnectedComponent: Sendable {
        package internal(set) var box: Bounds
        /// The number of pixels.
        package internal(set) var area: Int
    }

    package private(set) var runs: [Run] = []
    package private(set) var blobs: [ConnectedComponent] = []

    /// Compares each pixel with the mean of those around it (Bradley and Roth, "Adaptive thresholding using the integral image",
    /// 2007).
    ///
    /// So shadows at the binding make no difference.
    ///
    /// - Parameter raster: gray of 8 bits.
    package init(_ raster: Raster) {
        let (width, height) = (raster.size.width, raster.size.height)
        let reach = max(StrokeLimits.minimumReach, min(width, height) / StrokeLimits.surroundings / 2)
        // The sums of the rows around the current one, column by column.
        var sums = [Int32](repeating: 0, count: width)
        raster.samples.withUnsafeBufferPointer { samples in
            for row in 0..<min(reach, height) {
                for x in 0..<width { sums[x] += Int32(samples[row * width + x]) }
            }
            for row in 0..<height {
                let (next, last) = (row + reach, row - reach - 1)
                if next < height { for x in 0..<width { sums[x] += Int32(samples[next * width + x]) } }
                if last >= 0 { for x in 0..<width { sums[x] -= Int32(samples[last * width + x]) } }
                let rows = min(height - 1, next) - max(0, row - reach) + 1
                runs += Strokes.dark(samples, row, sums, rows, reach, width).map {
                    Run(row: Int32(row), start: Int32($0.lowerBound), end: Int32($0.upperBound), blob: 0)
                }
            }
        }
        let components = RunComponents(runs)
        blobs.reserveCapacity(components.count)
        for (index, number) in components.numbers.enumerated() {
            runs[index].blob = number
            add(runs[index])
        }
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
            let isDark =
                level * StrokeLimits.parts < sum * StrokeLimits.maximumLevel
                && sum - level > StrokeLimits.minimumContrast * count
            if isDark, start < 0 { start = x }
            if !isDark, start >= 0 {
                found.append(start..<x)
                start = -1
            }
        }
        if start >= 0 { found.append(start..<width) }
        return found
    }

    /// Adds a run to its component. Components begin in the order of their numbers.
    private mutating func add(_ run: Run) {
        let box = Bounds(left: Int(run.start), top: Int(run.row), right: Int(run.end), bottom: Int(run.row) + 1)
        let blob = Int(run.blob)
        if blob == blobs.count {
            blobs.append(ConnectedComponent(box: box, area: box.width))
        } else {
            blobs[blob].box = blobs[blob].box.union(box)
            blobs[blob].area += box.width
        }
    }
}
