internal import Marks
internal import PageModel

/// A run of adjacent dark pixels in one row.
struct ForegroundRun: Sendable {
    var row: Int32
    var start: Int32
    /// The first pixel after it.
    var end: Int32
    var blob: Int32
    /// The difference between the paper and its darkest pixel, in levels.
    var contrast: UInt8
    /// The number of levels by which the image changes over three pixels at both its ends, or above and below it, in total.
    var rise: Int16

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
struct ForegroundMask: Sendable {
    private typealias Vector = SIMD16<UInt8>

    private(set) var runs: [ForegroundRun] = []
    private(set) var blobs: [ConnectedComponent] = []

    /// - Parameter edge: the depth to which scanners darken the page's edges, in pixels.
    init(_ raster: Raster, _ paper: PaperTone, edge: Int) {
        let (width, height) = (raster.size.width, raster.size.height)
        findRuns(raster, paper)
        let parents = ForegroundMask.link(runs)
        var numbers = [Int32](repeating: -1, count: parents.count)
        for index in runs.indices {
            let run = runs[index]
            let root = Int(parents[Int(run.blob)])
            let (row, start, end) = (Int(run.row), Int(run.start), Int(run.end))
            let isDeepRow = row >= edge && row < height - edge
            let deep = isDeepRow ? max(0, min(end, width - edge) - max(start, edge)) : 0
            if numbers[root] < 0 {
                numbers[root] = Int32(blobs.count)
                blobs.append(ConnectedComponent(run, deepArea: deep))
            } else {
                blobs[Int(numbers[root])].add(run, deepArea: deep)
            }
            runs[index].blob = numbers[root]
        }
    }

    mutating func setGroup(_ group: Int, of blob: Int) {
        blobs[blob].group = group
    }

    /// Returns, for each of some blobs, the indexes of its runs in `runs`.
    func runs(of blobs: [Int]) -> [[Int]] {
        var numbers = [Int](repeating: -1, count: self.blobs.count)
        for (number, blob) in blobs.enumerated() { numbers[blob] = number }
        var places = [[Int]](repeating: [], count: blobs.count)
        for (place, run) in runs.enumerated() where numbers[Int(run.blob)] >= 0 {
            places[numbers[Int(run.blob)]].append(place)
        }
        return places
    }

    /// Returns the parts of a blob when only its pale runs are kept.
    ///
    /// - Parameter runs: the indexes of its runs.
    func paleParts(_ runs: [Int], contrast: Int) -> [[Int]] {
        let pale = runs.filter { self.runs[$0].contrast <= contrast }
        let parents = ForegroundMask.link(pale.map { self.runs[$0] })
        return Dictionary(grouping: pale.indices) { parents[$0] }.values.map { $0.map { pale[$0] } }
    }

    /// Returns the parts of a blob when only its dark runs are kept.
    ///
    /// - Parameter runs: the indexes of its runs.
    func darkParts(_ runs: [Int], contrast: Int) -> [[Int]] {
        let dark = runs.filter { self.runs[$0].contrast >= contrast }
        let parents = ForegroundMask.link(dark.map { self.runs[$0] })
        return Dictionary(grouping: dark.indices) { parents[$0] }.values.map { $0.map { dark[$0] } }
    }

    /// Turns the dark parts of some blobs into separate blobs. Returns whether there are any.
    mutating func splitDarkParts(of mixed: [Int], contrast: Int) -> Bool {
        let before = blobs.count
        for all in runs(of: mixed) {
            let parts = darkParts(all, contrast: contrast)
            if parts.count == 1, parts[0].count.isMore(than: ForegroundMaskLimits.wholeBlob, of: all.count) { continue }
            for part in parts { split(part, from: all) }
        }
        return blobs.count > before
    }

    /// Turns the inner part of blobs that run along the edges into separate blobs. A woodcut may reach into the binding's shadow.
    ///
    /// - Parameter edge: the depth to which scanners darken the page's edges. It is in pixels.
    /// - Returns: whether any such part exists.
    mutating func splitFromEdges(_ size: PixelSize, edge: Int) -> Bool {
        let before = blobs.count
        let mixed = blobs.indices.filter {
            blobs[$0].box.touchesEdge(of: size)
                && blobs[$0].deepArea >= size.area / ForegroundMaskLimits.maximumAreaRatio
        }
        for places in runs(of: mixed) {
            var inside: [Int] = []
            for place in places {
                let run = runs[place]
                let (start, end) = (max(run.start, Int32(edge)), min(run.end, Int32(size.width - edge)))
                guard edge..<size.height - edge ~= Int(run.row), start < end else { continue }
                if run.start < start { runs.append(run.between(run.start, start)) }
                if end < run.end { runs.append(run.between(end, run.end)) }
                runs[place] = run.between(start, end)
                inside.append(place)
            }
            let parents = ForegroundMask.link(inside.map { runs[$0] })
            let parts = Dictionary(grouping: inside.indices) { parents[$0] }.sorted { $0.key < $1.key }
            for part in parts.map({ $0.value.map { inside[$0] } }) {
                let area = part.reduce(0) { $0 + Int(runs[$1].end - runs[$1].start) }
                if area >= size.area / ForegroundMaskLimits.maximumAreaRatio / 2 { split(part, from: places) }
            }
        }
        return blobs.count > before
    }

    /// Adds the darkest parts of some blobs, pixel by pixel, as separate blobs. The blobs themselves stay as they are.
    ///
    /// - Parameters:
    ///   - contrast: the minimum difference from the paper, in levels. All pixels of a part have it.
    ///   - isWanted: whether a part may become a blob.
    /// - Returns: whether there are any.
    mutating func addDarkest(
        of mixed: [Int], _ raster: Raster, _ paper: PaperTone, contrast: Int,
        where isWanted: (ConnectedComponent) -> Bool
    ) -> Bool {
        let before = blobs.count
        let limit = UInt8(max(0, min(255, paper.level - contrast)))
        raster.samples.withUnsafeBufferPointer { samples in
            for places in runs(of: mixed) {
                var dark: [ForegroundRun] = []
                for place in places {
                    let run = runs[place]
                    let (row, end) = (Int(run.row), Int(run.end))
                    let first = row * raster.size.width
                    var x = Int(run.start)
                    while x < end {
                        guard samples[first + x] < limit else {
                            x += 1
                            continue
                        }
                        let part = ForegroundMask.run(
                            samples, raster.size, row: row, from: x, to: end, blob: dark.count
                        ) {
                            _, level in
                            level < limit
                        } contrast: { darkest in
                            UInt8(max(0, paper.level - Int(darkest)))
                        }
                        x = Int(part.end)
                        dark.append(part)
                    }
                }
                let parents = ForegroundMask.link(dark)
                let parts = Dictionary(grouping: dark.indices) { parents[$0] }
                for part in parts.sorted(by: { $0.key < $1.key }).map(\.value) {
                    let blob = ConnectedComponent(
                        part.map { dark[$0] }, deepArea: part.reduce(0) { $0 + Int(dark[$1].end - dark[$1].start) })
                    guard isWanted(blob) else { continue }
                    for place in part {
                        dark[place].blob = Int32(blobs.count)
                        runs.append(dark[place])
                    }
                    blobs.append(blob)
                }
            }
        }
        return blobs.count > before
    }

    /// Turns a part of a blob into a separate blob. It becomes the last one.
    ///
    /// - Parameters:
    ///   - part: the indexes of the part's runs.
    ///   - all: the indexes of all the blob's runs.
    mutating func split(_ part: [Int], from all: [Int]) {
        let blob = Int(runs[part[0]].blob)
        for place in part { runs[place].blob = Int32(blobs.count) }
        let rest = all.filter { runs[$0].blob == Int32(blob) }
        blobs.append(ConnectedComponent(part.map { runs[$0] }, deepArea: blobs[blob].deepArea))
        if !rest.isEmpty { blobs[blob] = ConnectedComponent(rest.map { runs[$0] }, deepArea: blobs[blob].deepArea) }
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
    private static func run(
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

    /// Returns for each run the index of the first run of its blob.
    private static func link(_ runs: [ForegroundRun]) -> [Int32] {
        var parents = [Int32](runs.indices.map { Int32($0) })
        parents.withUnsafeMutableBufferPointer { parents in
            func root(_ index: Int32) -> Int32 {
                var index = index
                while parents[Int(index)] != index {
                    parents[Int(index)] = parents[Int(parents[Int(index)])]
                    index = parents[Int(index)]
                }
                return index
            }
            var above = 0
            for index in runs.indices {
                let run = runs[index]
                while above < index,
                    runs[above].row < run.row - 1 || runs[above].row == run.row - 1 && runs[above].end < run.start
                {
                    above += 1
                }
                var other = above
                while other < index, runs[other].row == run.row - 1, runs[other].start <= run.end {
                    let (one, two) = (root(Int32(index)), root(Int32(other)))
                    if one != two { parents[Int(max(one, two))] = min(one, two) }
                    other += 1
                }
            }
            for index in runs.indices { parents[index] = root(Int32(index)) }
        }
        return Array(parents)
    }
}
