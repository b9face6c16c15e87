internal import LayoutAnalysis
internal import PageModel

/// The dark band along one side of a page, line by line.
struct EdgeBand {
    /// The band in one line.
    private struct Line {
        /// The first pixel of the band, the first one after it, and the first one after the shadow next to it.
        var (start, end, shadow) = (0, 0, 0)
        var kind = Kind.empty
        /// The number of pixels that differ from their neighbors.
        var textured = 0
    }

    private enum Kind {
        /// No band; that of another side; one that ends at paper; one that ends in a shadow; another.
        case empty, crossed, clear, interrupted, other
    }

    private let side: EdgeLines
    private var lines: [Line] = []
    /// The greatest depth of the parts that are borders of a scan, in pixels.
    private(set) var markedDepth = 0
    /// The lengths in pixels.
    private let (shadow, clearance, depth, distance): (Int, Int, Int, Int)

    /// - Parameters:
    ///   - dark: the dark pixels without strokes.
    ///   - unit: the shorter side of the page, in pixels.
    ///   - distance: the maximum distance of a band from the edge, in pixels.
    init(
        _ side: EdgeLines, _ levels: [UInt8], _ dark: PixelMask, _ textured: PixelMask, unit: Int, distance: Int
    ) {
        self.side = side
        func pixels(_ share: Double, _ whole: Int) -> Int {
            Int(clamping: (share * Double(whole)).rounded(), to: 1...max(1, whole))
        }
        (shadow, clearance) = (pixels(BorderLimits.shadow, unit), pixels(BorderLimits.clearance, unit))
        (depth, self.distance) = (pixels(BorderLimits.depth, side.length), min(distance, side.length - 1))
        levels.withUnsafeBufferPointer { levels in
            dark.isSet.withUnsafeBufferPointer { dark in
                textured.isSet.withUnsafeBufferPointer { textured in
                    lines = (0..<side.count).map { line($0, levels, dark, textured) }
                }
            }
        }
    }

    private func line(
        _ line: Int, _ levels: UnsafeBufferPointer<UInt8>, _ dark: UnsafeBufferPointer<Bool>,
        _ textured: UnsafeBufferPointer<Bool>
    ) -> Line {
        var found = Line()
        guard let start = (0..<distance).first(where: { dark[side.place(line, $0)] }) else { return found }
        var end = start
        while end < side.length, dark[side.place(line, end)] { end += 1 }
        (found.start, found.end, found.shadow) = (start, end, end)
        guard end <= depth else {
            found.kind = .crossed
            return found
        }
        for place in start..<max(start, end - BorderLimits.edge) where textured[side.place(line, place)] {
            found.textured += 1
        }
        // The shadow gets lighter without a texture, after the soft edge of the band.
        var (place, level) = (end, levels[side.place(line, end - 1)])
        while place < min(side.length, end + shadow) {
            let own = levels[side.place(line, place)]
            if own >= BorderLimits.light { break }
            let isSoft = place - end < BorderLimits.edge || !textured[side.place(line, place)]
            guard isSoft, Int(own) >= Int(level) - Int(BorderLimits.grain) else {
                found.kind = place - end > 2 * BorderLimits.edge ? .interrupted : .other
                found.shadow = max(end, place - BorderLimits.edge)
                return found
            }
            level = max(level, own)
            place += 1
        }
        guard place < end + shadow else {
            // The shadow of another side, along which this line runs.
            (found.kind, found.shadow) = (.interrupted, min(end + BorderLimits.edge, side.length))
            return found
        }
        let beyond = place..<min(side.length, place + clearance)
        let light = beyond.count { levels[side.place(line, $0)] >= BorderLimits.light }
        found.kind = !beyond.isEmpty && 10 * light >= 9 * beyond.count ? .clear : .other
        // Print may begin right after the band.
        found.shadow = found.kind == .clear ? min(place + BorderLimits.edge, side.length) : end
        return found
    }

    /// Marks the pixels of the parts that are borders of a scan.
    ///
    /// - Parameter needsSkew: whether exact rectangles do not count.
    /// - Returns: the number of parts.
    mutating func mark(_ pixels: inout PixelMask, needsSkew: Bool) -> Int {
        var (count, line) = (0, 0)
        while line < lines.count {
            let first = line
            while line < lines.count, lines[line].kind != .empty { line += 1 }
            if line > first, mark(first..<line, &pixels, needsSkew: needsSkew) { count += 1 }
            line += 1
        }
        return count
    }

    private mutating func mark(_ part: Range<Int>, _ pixels: inout PixelMask, needsSkew: Bool) -> Bool {
        let own = part.filter { lines[$0].kind != .crossed }
        guard Double(own.count) >= BorderLimits.length * Double(side.count) else { return false }
        let reach = max(
            1, Int(clamping: BorderLimits.reach * Double(side.count), to: 1...max(1, side.count)))
        let ends = own.map { lines[$0].end }
        let medians = ends.runningMedians(reach)
        let clear = own.count { lines[$0].kind == .clear }
        let other = own.count { lines[$0].kind == .other }
        let smooth = zip(ends, medians).count { abs($0 - $1) <= BorderLimits.deviation }
        let (textured, all) = own.reduce((0, 0)) { ($0.0 + lines[$1].textured, $0.1 + lines[$1].end - lines[$1].start) }
        guard Double(clear) >= BorderLimits.clear * Double(clear + other),
            Double(clear) >= BorderLimits.seen * Double(own.count),
            Double(smooth) >= BorderLimits.smooth * Double(own.count),
            Double(textured) <= BorderLimits.texture * Double(all),
            !needsSkew || medians.isSkewed(by: BorderLimits.skew)
        else { return false }
        markedDepth = max(markedDepth, (medians.max() ?? 0) + BorderLimits.deviation)
        var nearest = 0
        for line in part {
            while nearest + 1 < own.count, abs(own[nearest + 1] - line) <= abs(own[nearest] - line) { nearest += 1 }
            let limit = medians[nearest] + BorderLimits.deviation
            let found = lines[line]
            // Print that touches the border is deeper than the lines around it.
            let end =
                switch found.kind {
                case .crossed, .other: min(found.end, limit)
                case .clear, .interrupted: found.end <= limit ? found.shadow : limit
                case .empty: 0
                }
            for place in found.start..<max(found.start, min(end, side.length)) {
                let index = side.place(line, place)
                pixels[index % pixels.width, index / pixels.width] = true
            }
        }
        return true
    }
}

extension [Int] {
    /// Returns the median of the values within a distance of each one.
    fileprivate func runningMedians(_ reach: Int) -> [Int] {
        guard let greatest = self.max() else { return [] }
        var counts = [Int](repeating: 0, count: greatest + 1)
        var (first, next) = (0, 0)
        return indices.map { place in
            while next < Swift.min(count, place + reach + 1) {
                counts[self[next]] += 1
                next += 1
            }
            while first < place - reach {
                counts[self[first]] -= 1
                first += 1
            }
            return counts.place(ofShare: 1, of: 2)
        }
    }

    /// Whether most of the values do not have one value, as the edge of a rectangle has.
    fileprivate func isSkewed(by difference: Int) -> Bool {
        let sorted = sorted()
        return sorted[sorted.count * 19 / 20] - sorted[sorted.count / 20] >= difference
    }
}
