internal import LayoutAnalysis

/// The areas of a page that show images and tones; the rest is print on paper.
///
/// Print shows paper next to its strokes. Where no paper is near and the page is not solid ink, it shows a tone. A coarse
/// screen shows paper between its dots: ink and paper change often there, along rows and along columns.
struct ToneAreas {
    let side: Int
    let across: Int
    let down: Int
    /// Whether each cell belongs to an image or a tone.
    private(set) var isTone: [Bool]

    init(_ cells: ToneCells) {
        (side, across, down) = (cells.side, cells.across, cells.down)
        isTone = ToneAreas.seeds(cells)
        clearEdges()
        close()
        fillHoles()
        select()
    }

    /// The share of the page that shows tones.
    var share: Double { Double(isTone.count { $0 }) / Double(max(1, isTone.count)) }

    /// Returns the cells in windows without paper.
    private static func seeds(_ cells: ToneCells) -> [Bool] {
        let (across, down, reach) = (cells.across, cells.down, ToneLimits.reach)
        let light = boxes(cells.light, across, down, reach) { max($0, $1) }
        func sums(_ values: [UInt16]) -> [UInt16] { boxes(values, across, down, reach) { $0 &+ $1 } }
        let (ink, rows, columns) = (sums(cells.ink), sums(cells.changes.across), sums(cells.changes.down))
        let colored = sums(cells.colored)
        var isSeed = [Bool](repeating: false, count: across * down)
        for y in 0..<down {
            let high = min(down, y + reach + 1) - max(0, y - reach)
            for x in 0..<across {
                let wide = min(across, x + reach + 1) - max(0, x - reach)
                let (place, area) = (y * across + x, Double(high * wide * cells.side * cells.side))
                let hasPaper = light[place] >= ToneLimits.paper
                let isSolid = Double(ink[place]) >= ToneLimits.solid * area
                let isScreen = Double(min(rows[place], columns[place])) >= ToneLimits.changes * area
                let isColored = Double(colored[place]) >= ToneLimits.coloredShare * area
                isSeed[place] = !hasPaper && !isSolid || isScreen || isColored
            }
        }
        // A window without paper consists of tones, not only its middle.
        return boxes(isSeed.map { $0 ? 1 : 0 as UInt8 }, across, down, reach) { max($0, $1) }.map { $0 == 1 }
    }

    /// Returns for each cell the combination of the values in the window around it.
    private static func boxes<Value>(
        _ values: [Value], _ across: Int, _ down: Int, _ reach: Int, _ join: (Value, Value) -> Value
    ) -> [Value] {
        func pass(_ values: [Value], _ count: Int, _ step: Int, _ lines: Int, _ lineStep: Int) -> [Value] {
            var result = values
            for line in 0..<lines {
                for place in 0..<count {
                    let (low, high) = (max(0, place - reach), min(count - 1, place + reach))
                    var value = values[line * lineStep + low * step]
                    for other in low + 1..<high + 1 { value = join(value, values[line * lineStep + other * step]) }
                    result[line * lineStep + place * step] = value
                }
            }
            return result
        }
        return pass(pass(values, across, 1, down, across), down, across, across, 1)
    }

    /// Drops the tones from each edge of the page to the first paper, if that is near: the bed of the scanner, and other
    /// leaves.
    private mutating func clearEdges() {
        let all = isTone
        func clear(_ first: Int, _ step: Int, _ count: Int) {
            let run = (0..<count).first { !all[first + $0 * step] } ?? count
            guard Double(run) <= ToneLimits.edge * Double(count) else { return }
            for place in 0..<run { isTone[first + place * step] = false }
        }
        for y in 0..<down {
            clear(y * across, 1, across)
            clear((y + 1) * across - 1, -1, across)
        }
        for x in 0..<across {
            clear(x, across, down)
            clear((down - 1) * across + x, -across, down)
        }
    }

    /// Joins tones that are near each other.
    private mutating func close() {
        let reach = ToneLimits.joint
        let grown = ToneAreas.boxes(isTone.map { $0 ? 1 : 0 as UInt8 }, across, down, reach) { max($0, $1) }
        let closed = ToneAreas.boxes(grown, across, down, reach) { min($0, $1) }
        isTone = closed.map { $0 == 1 }
    }

    /// Adds the paper that tones surround.
    private mutating func fillHoles() {
        let isHole = PixelMask(width: across, height: down, isTone.map { !$0 }).withoutEdges.isSet
        guard 2 * isHole.count(where: { $0 }) <= isTone.count(where: { $0 }) else { return }
        for place in isTone.indices where isHole[place] { isTone[place] = true }
    }

    /// The cells of a connected area.
    private struct Area {
        var cells: [Int] = []
        var (left, top, right, bottom) = (Int.max, Int.max, 0, 0)

        mutating func add(_ place: Int, _ x: Int, _ y: Int) {
            cells.append(place)
            (left, right) = (min(left, x), max(right, x + 1))
            (top, bottom) = (min(top, y), max(bottom, y + 1))
        }
    }

    /// Drops small areas and the edges of scans, and makes rectangles of areas that nearly are.
    private mutating func select() {
        var sets = DisjointSets(count: isTone.count)
        for place in isTone.indices where isTone[place] {
            if place % across > 0, isTone[place - 1] { sets.join(place, place - 1) }
            if place >= across, isTone[place - across] { sets.join(place, place - across) }
        }
        var areas: [Int: Area] = [:]
        for place in isTone.indices where isTone[place] {
            areas[sets.root(of: place), default: Area()].add(place, place % across, place / across)
        }
        isTone = [Bool](repeating: false, count: isTone.count)
        for area in areas.values where area.cells.count >= ToneLimits.minimumCells {
            let box = (area.right - area.left) * (area.bottom - area.top)
            if Double(area.cells.count) >= ToneLimits.rectangle * Double(box) {
                for y in area.top..<area.bottom {
                    for x in area.left..<area.right { isTone[y * across + x] = true }
                }
            } else {
                for cell in area.cells { isTone[cell] = true }
            }
        }
        let margin = ToneLimits.margin
        isTone = ToneAreas.boxes(isTone.map { $0 ? 1 : 0 as UInt8 }, across, down, margin) { max($0, $1) }
            .map { $0 == 1 }
    }
}
