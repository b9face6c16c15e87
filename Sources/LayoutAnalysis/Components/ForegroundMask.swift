package import PageModel

/// A run of adjacent dark pixels in one row.
package struct ForegroundRun: PixelRun, Sendable {
    package internal(set) var row: Int32
    package internal(set) var start: Int32
    /// The first pixel after it.
    package internal(set) var end: Int32
    package internal(set) var blob: Int32
    /// The difference between the paper and its darkest pixel, in levels.
    package internal(set) var contrast: UInt8
    /// The number of levels by which the image changes over three pixels at both its ends, or above and below it, in total.
    package internal(set) var rise: Int16

    /// Returns a part of it.
    func between(_ start: Int32, _ end: Int32) -> ForegroundRun {
        var part = self
        (part.start, part.end) = (start, end)
        return part
    }
}

/// The limits of the foreground mask.
///
/// Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`; no separate measurement of these values is
/// recorded.
enum ForegroundMaskLimits {
    /// The share of a blob's runs that a dark part has more than if it is the whole blob, which need not be split.
    static let wholeBlob = Ratio(9, 10)
    /// The maximum ratio of the page's area to that of an image worth finding.
    static let maximumAreaRatio = 25
    /// The length of a long run in pixels of the preview: strokes of letters are shorter.
    static let longRun = 12
}

/// The foreground of a page: runs of pixels darker than the paper, and the blobs that they form.
///
/// Runs that touch, also by their corners, belong to one blob (union-find over the runs of neighboring rows).
package struct ForegroundMask: Sendable {
    private typealias Vector = SIMD16<UInt8>

    package internal(set) var runs: [ForegroundRun] = []
    package internal(set) var blobs: [ConnectedComponent] = []

    /// - Parameter edge: the depth to which scanners darken the page's edges, in pixels.
    package init(_ raster: Raster, _ paper: PaperTone, edge: Int) {
        let (width, height) = (raster.size.width, raster.size.height)
        findRuns(raster, paper)
        let components = RunComponents(runs)
        blobs.reserveCapacity(components.count)
        for (index, number) in components.numbers.enumerated() {
            let run = runs[index]
            let (row, start, end) = (Int(run.row), Int(run.start), Int(run.end))
            let isDeepRow = row >= edge && row < height - edge
            let deep = isDeepRow ? max(0, min(end, width - edge) - max(start, edge)) : 0
            if Int(number) == blobs.count {
                blobs.append(ConnectedComponent(run, deepArea: deep))
            } else {
                blobs[Int(number)].add(run, deepArea: deep)
            }
            runs[index].blob = number
        }
    }

    /// Fills `runs` from the top down; each is a separate blob at first.
    private mutating func findRuns(_ raster: Raster, _ paper: PaperTone) {
        let (width, height) = (raster.size.width, raster.size.height)
        var runs: [ForegroundRun] = []
        var limits = [UInt8](repeating: 0, count: width)
        raster.samples.withUnsafeBufferPointer { samples in
            for y in 0..<height {
                if y.isMultiple(of: paper.block) {
                    let first = y / paper.block * paper.blocksAcross
                    for x in 0..<width { limits[x] = paper.thresholds[first + x / paper.block] }
                }
                let row = y * width
                limits.withUnsafeBufferPointer { limits in
                    var x = 0
                    while x < width {
                        if samples[row + x] >= limits[x] {
                            // Most of a page is paper, which is skipped many pixels at a time.
                            x += 1
                            while x + Vector.scalarCount <= width, isPaper(samples, row + x, limits, x) {
                                x += Vector.scalarCount
                            }
                            // The next dark pixel is near: letters are closer to each other than a vector is long.
                            while x < width, samples[row + x] >= limits[x] { x += 1 }
                            continue
                        }
                        let run = ForegroundMask.run(samples, raster.size, row: y, from: x, to: width, blob: runs.count)
                        {
                            column, level in
                            level < limits[column]
                        } contrast: { [x] darkest in
                            paper.contrast(of: darkest, below: limits[x])
                        }
                        x = Int(run.end)
                        runs.append(run)
                    }
                }
            }
        }
        self.runs = runs
    }

    /// Returns the run that begins at a dark pixel. It ends at `end` at the latest.
    ///
    /// - Parameters:
    ///   - isDark: whether a pixel of the row belongs to it. The arguments are its column and its level.
    ///   - contrast: the contrast of the darkest level.
    @inline(__always)
    static func run(
        _ samples: UnsafeBufferPointer<UInt8>, _ size: PixelSize, row: Int, from start: Int, to end: Int, blob: Int,
        isDark: (Int, UInt8) -> Bool, contrast: (UInt8) -> UInt8
    ) -> ForegroundRun {
        let first = row * size.width
        var (x, darkest) = (start, UInt8.max)
        while x < end, isDark(x, samples[first + x]) {
            darkest = min(darkest, samples[first + x])
            x += 1
        }
        return ForegroundRun(
            row: Int32(row), start: Int32(start), end: Int32(x), blob: Int32(blob), contrast: contrast(darkest),
            rise: rise(samples, size, row: row, from: start, to: x))
    }

    /// Returns the number of levels by which the image changes over three pixels at both ends of a run, in total.
    ///
    /// For a run so long that it must be part of a rule or a bar, the change above or below it counts.
    @inline(__always)
    private static func rise(
        _ samples: UnsafeBufferPointer<UInt8>, _ size: PixelSize, row: Int, from start: Int, to end: Int
    ) -> Int16 {
        let first = row * size.width
        func level(_ x: Int) -> Int16 { Int16(samples[first + x]) }
        let ends =
            level(max(0, start - 2)) - level(min(start + 1, end - 1)) + level(min(size.width - 1, end + 1))
            - level(max(end - 2, start))
        guard end - start >= ForegroundMaskLimits.longRun else { return ends }
        let middle = (start + end) / 2
        let above = Int16(samples[max(0, row - 2) * size.width + middle]) - level(middle)
        let below = Int16(samples[min(size.height - 1, row + 2) * size.width + middle]) - level(middle)
        return max(ends, 2 * max(above, below))
    }

    /// Whether the pixels of a vector are all light enough to be paper.
    @inline(__always)
    private func isPaper(
        _ samples: UnsafeBufferPointer<UInt8>, _ place: Int, _ limits: UnsafeBufferPointer<UInt8>, _ column: Int
    ) -> Bool {
        let seen = UnsafeRawBufferPointer(samples).loadUnaligned(fromByteOffset: place, as: Vector.self)
        let limit = UnsafeRawBufferPointer(limits).loadUnaligned(fromByteOffset: column, as: Vector.self)
        return all(seen .>= limit)
    }
}
