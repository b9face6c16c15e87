internal import PageModel

/// Where the letters of a line stand, to know a running head by on other pages: print and binding wear it, but the
/// words stay.
struct LineShape: Hashable, Sendable {
    /// For each quarter of a letter's height along the line, how much ink stands there.
    let columns: [Float]

    init(_ blobs: [Blob], in box: Bounds, letter: Double) {
        let step = max(1, letter / 4)
        var columns = [Float](repeating: 0, count: Int(clamping: Double(box.width) / step, to: 0...100_000) + 1)
        for blob in blobs {
            let first = Int(clamping: Double(blob.box.left - box.left) / step, to: 0...columns.count - 1)
            let last = Int(clamping: Double(blob.box.right - 1 - box.left) / step, to: first...columns.count - 1)
            let share = Float(blob.area) / Float(last - first + 1)
            for column in first...last { columns[column] += share }
        }
        // Letters are set a little closer here and there.
        self.columns = columns.indices.map { place in
            let near = columns[max(0, place - 1)...min(columns.count - 1, place + 1)]
            return near.reduce(0, +) / Float(near.count)
        }
    }

    /// The columns stretched to a number of them.
    private func stretched(to count: Int) -> [Float] {
        (0..<count).map { columns[$0 * columns.count / count] }
    }

    /// Whether the same words may stand there: their ink is alike all along (correlation coefficient), at the best of some
    /// shifts.
    func isLike(_ other: LineShape) -> Bool {
        let (one, count) = (columns, other.columns.count)
        guard min(one.count, count) >= LineShape.leastColumns,
            100 * abs(one.count - count) <= 15 * max(one.count, count)
        else { return false }
        let reach = abs(one.count - count) + 3
        return [other.columns, other.stretched(to: one.count)].contains { two in
            (-reach...reach).contains { LineShape.correlation(one, two, shift: $0) >= LineShape.leastCorrelation }
        }
    }

    private static let leastColumns = 12
    private static let leastCorrelation: Float = 0.7

    private static func correlation(_ one: [Float], _ two: [Float], shift: Int) -> Float {
        let range = max(0, -shift)..<min(one.count, two.count - shift)
        guard range.count * 5 >= max(one.count, two.count) * 4 else { return 0 }
        let count = Float(range.count)
        var (sumOne, sumTwo, squaresOne, squaresTwo, products): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
        for place in range {
            let (a, b) = (one[place], two[place + shift])
            sumOne += a
            sumTwo += b
            squaresOne += a * a
            squaresTwo += b * b
            products += a * b
        }
        let spread = (squaresOne - sumOne * sumOne / count) * (squaresTwo - sumTwo * sumTwo / count)
        return spread > 0 ? (products - sumOne * sumTwo / count) / spread.squareRoot() : 0
    }
}

extension RasterReading {
    /// The first line of a page of text, as a number and a head: they may stand as near to the text as its lines do, so that
    /// only other pages tell whether it is one.
    ///
    /// - Parameter skew: how far the page's lines are turned counter-clockwise, in degrees.
    func firstLine(skew: Double) -> [Strip] {
        guard let company, let content else { return [] }
        let (letter, slope) = (company.letter, skew * .pi / 180)
        let middle = Double(content.left + content.right) / 2
        // Where each blob begins and ends, along the lines of the page.
        var blobs: [(index: Int, top: Double, bottom: Double)] = []
        for (index, blob) in ink.blobs.enumerated() where blob.group >= 0 {
            let shift = (Double(blob.box.left + blob.box.right) / 2 - middle) * slope
            let (top, bottom) = (Double(blob.box.top) + shift, Double(blob.box.bottom) + shift)
            blobs.append((index, top, bottom))
        }
        /// Rules and specks begin no line, though one may lie above it.
        func isLetter(_ blob: Blob) -> Bool {
            Double(blob.box.height) >= 0.45 * letter && Double(blob.box.width) <= 8 * letter
        }
        guard let first = blobs.filter({ isLetter(ink.blobs[$0.index]) }).map(\.top).min() else { return [] }
        var rows = [Int](repeating: 0, count: Int(clamping: 4 * letter, to: 8...100_000))
        for blob in blobs where isLetter(ink.blobs[blob.index]) && blob.top - first < Double(rows.count) {
            // A picture is no line.
            if blob.bottom - blob.top > 3 * letter { return [] }
            let start = Int(clamping: blob.top - first, to: 0...rows.count - 1)
            let end = Int(clamping: blob.bottom - first, to: start...rows.count)
            for row in start..<end { rows[row] += ink.blobs[blob.index].box.width }
        }
        var (most, end) = (0, -1)
        for (row, width) in rows.enumerated() {
            most = max(most, width)
            if Double(row) >= 0.6 * letter, 20 * width <= most {
                end = row
                break
            }
        }
        guard end > 0 else { return [] }
        let line = blobs.filter { ($0.top + $0.bottom) / 2 < first + Double(end) }.map(\.index)
        guard blobs.count - line.count >= RasterReading.leastRest else { return [] }
        return pieces(of: line, letter: letter, width: content.width)
    }

    /// A line cut at wide gaps: what is number-like at its ends, and the rest.
    private func pieces(of line: [Int], letter: Double, width: Int) -> [Strip] {
        var pieces: [Strip] = []
        let signs = line.filter { Double(ink.blobs[$0].box.width) <= 8 * letter }
        for index in signs.sorted(by: { ink.blobs[$0].box.left < ink.blobs[$1].box.left }) {
            let box = ink.blobs[index].box
            if let last = pieces.indices.last, Double(box.left - pieces[last].box.right) < 1.5 * letter {
                pieces[last].add(index, box)
            } else {
                pieces.append(Strip(members: [], box: box, blobCount: 1, isAtTop: true, blobs: [index]))
            }
        }
        let rules = line.filter { Double(ink.blobs[$0].box.width) > 8 * letter }
        var ends: [Strip] = []
        if pieces.count > 1, pieces[0].isNumberLike { ends.append(pieces.removeFirst()) }
        if pieces.count > 1, let last = pieces.last, last.isNumberLike { ends.append(pieces.removeLast()) }
        guard var head = pieces.first else { return ends }
        for piece in pieces.dropFirst() {
            for index in piece.blobs { head.add(index, ink.blobs[index].box) }
        }
        // A line as wide as the text is one of it.
        guard Double(head.box.width) <= RasterReading.widestHead * Double(width) else { return [] }
        head.shape = LineShape(head.blobs.map { ink.blobs[$0] }, in: head.box, letter: letter)
        for index in rules { head.add(index, ink.blobs[index].box) }
        return ends + [head]
    }

    /// The boxes of all that is printed but some strips.
    func boxes(without strips: [Strip]) -> [Bounds] {
        let apart = Set(strips.flatMap(\.members))
        let close = Set(strips.flatMap(\.blobs))
        let rest = groups.indices.filter { !apart.contains($0) }
        if close.isEmpty { return rest.map { groups[$0].box } }
        return ink.blobs.indices.filter {
            ink.blobs[$0].group >= 0 && !apart.contains(ink.blobs[$0].group) && !close.contains($0)
        }.map { ink.blobs[$0].box }
    }

    /// A page with fewer blobs beside the line is a title, or the end of a chapter.
    private static let leastRest = 20
    /// Of the width of all that is printed.
    private static let widestHead = 0.8
}
