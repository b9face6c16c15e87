internal import LayoutAnalysis
internal import PageModel

/// The ambiguous marks, which are certainly neither print nor dirt.
extension TextContextClassifier {
    /// Finds rows of symbols paler than the text: pencil or a stamp. If there are more of them, they are show-through.
    mutating func findFaintRows() {
        var members: [Int: [Int]] = [:]
        for index in blobs.indices
        where isFree[index] && roles[index] == .noise && rows.length[index] >= FaintRowLimits.minimumRow {
            let height = Double(blobs[index].box.height)
            if strength(index) >= DarknessLimits.faint, sharpness(index) >= SharpnessLimits.faint,
                height >= FaintRowLimits.minimumHeight * letter
            {
                members[rows.number[index], default: []].append(index)
            }
        }
        // In the order of the page, so that the same page always gives the same result.
        let faint = members.values.sorted { $0[0] < $1[0] }.filter {
            $0.count.isAtLeast(FaintRowLimits.minimumShare, of: rows.length[$0[0]])
        }
        guard faint.count <= FaintRowLimits.maximumRows else { return }
        for index in faint.joined() { roles[index] = .punctuation }
        // Words of such a row are further from each other than its letters.
        for row in faint {
            guard let line = Bounds.union(row.map { blobs[$0].box }) else { continue }
            let reach = line.grown(Int(clamping: FaintRowLimits.wordDistance * letter, to: 0...size.width), 0)
            for index in blobs.indices where isFree[index] && roles[index] == .noise {
                let box = blobs[index].box
                if box.intersects(reach), strength(index) >= DarknessLimits.faint,
                    sharpness(index) >= SharpnessLimits.faint,
                    FaintRowLimits.heights.scaled(by: letter).contains(Double(box.height))
                {
                    roles[index] = .punctuation
                }
            }
        }
    }

    /// Finds marks in clusters like those of words: handwritten notes in a margin. Stains and show-through have softer edges.
    mutating func findHandwriting() {
        let marks = blobs.indices.filter { index in
            let box = blobs[index].box
            return isFree[index] && roles[index] == .noise && strength(index) >= DarknessLimits.faint
                && HandwritingLimits.sizes.scaled(by: letter).contains(Double(box.extent))
        }
        for cluster in clusters(of: marks) where cluster.count >= HandwritingLimits.minimumCluster {
            let mean = cluster.reduce(0) { $0 + sharpness($1) } / Double(cluster.count)
            let isInRows =
                cluster.count >= HandwritingLimits.minimumClusterInRows
                && cluster.contains { rows.length[$0] >= HandwritingLimits.minimumRow }
            guard mean >= (isInRows ? SharpnessLimits.wordsInRows : SharpnessLimits.isolatedWords), !isOfBars(cluster)
            else {
                continue
            }
            for index in cluster { roles[index] = .punctuation }
        }
    }

    /// Whether most of a cluster's ink is in long bars: those of the paper's edge or of the gutter's shadow.
    private func isOfBars(_ cluster: [Int]) -> Bool {
        let bars = cluster.filter { index in
            let box = blobs[index].box
            return Double(box.extent) >= HandwritingLimits.barLength * letter
                && box.extent >= HandwritingLimits.barRatio * min(box.width, box.height)
        }
        func area(_ some: [Int]) -> Int { some.reduce(0) { $0 + blobs[$1].area } }
        return 2 * area(bars) > area(cluster)
    }

    /// Combines marks less than two letters apart, or less than one above or below.
    private func clusters(of marks: [Int]) -> [[Int]] {
        let cell = max(1, letter / 2)
        var places: [PixelSize: [Int]] = [:]
        func cells(_ box: Bounds) -> [PixelSize] {
            func number(_ place: Int) -> Int {
                Int(clamping: (Double(place) / cell).rounded(.down), to: HandwritingLimits.cells)
            }
            let columns = number(box.left) - 2...number(box.right) + 2
            let rows = number(box.top) - 1...number(box.bottom) + 1
            return rows.flatMap { row in columns.map { PixelSize(width: $0, height: row) } }
        }
        for (number, index) in marks.enumerated() {
            for place in cells(blobs[index].box) { places[place, default: []].append(number) }
        }
        var isSeen = [Bool](repeating: false, count: marks.count)
        var clusters: [[Int]] = []
        for first in marks.indices where !isSeen[first] {
            isSeen[first] = true
            var (cluster, next) = ([first], 0)
            while next < cluster.count {
                for place in cells(blobs[marks[cluster[next]]].box) {
                    for other in places.removeValue(forKey: place) ?? [] where !isSeen[other] {
                        isSeen[other] = true
                        cluster.append(other)
                    }
                }
                next += 1
            }
            clusters.append(cluster.map { marks[$0] })
        }
        return clusters
    }

    /// Finds symbols that are isolated, but not at a place for a number. Among more of them some repeat by chance.
    mutating func findAmbiguousMarks(_ candidates: [Int]) {
        let symbols = candidates.filter { index in
            roles[index] == .noise && strength(index) >= DarknessLimits.ambiguous
                && sharpness(index) >= SharpnessLimits.ambiguous
                && !isNearEdge(blobs[index].box, TextContextLimits.noPrintMargin)
        }
        guard symbols.count <= AmbiguousMarkLimits.maximumMarks else { return }
        ambiguous = Dictionary(grouping: symbols) { rows.number[$0] }.sorted { $0.key < $1.key }
            .compactMap { _, row in Bounds.union(row.map { blobs[$0].box }) }
    }

    /// Returns the boxes of dirt that could be pencil, a stamp or a faded line, the likeliest first.
    func unlikelyMarks() -> [Bounds] {
        let marks = blobs.indices.filter { index in
            let extent = Double(blobs[index].box.extent)
            return isFree[index] && roles[index] == .noise
                && AmbiguousMarkLimits.unlikelySizes.scaled(by: letter).contains(extent)
                && strength(index) >= DarknessLimits.faint && sharpness(index) >= SharpnessLimits.unlikely
                && !isNearEdge(blobs[index].box, TextContextLimits.noPrintMargin)
        }
        // Pencil and faded lines have several marks; a single one is a speck.
        let cell = Int(clamping: 2 * letter, to: AmbiguousMarkLimits.cellPixels)
        var counts: [PixelSize: Int] = [:]
        for index in marks {
            let box = blobs[index].box
            for y in box.top / cell - 2...box.bottom / cell + 2 {
                for x in box.left / cell - 2...box.right / cell + 2 {
                    counts[PixelSize(width: x, height: y), default: 0] += 1
                }
            }
        }
        func isAlone(_ index: Int) -> Bool {
            let box = blobs[index].box
            let middle = PixelSize(width: (box.left + box.right) / 2 / cell, height: (box.top + box.bottom) / 2 / cell)
            return counts[middle, default: 0] < 2
        }
        func likelihood(_ index: Int) -> Double {
            min(1, strength(index)) * min(1, sharpness(index)) * min(2, Double(blobs[index].box.extent) / letter)
        }
        return marks.filter { !isAlone($0) }.sorted { (likelihood($0), -$0) > (likelihood($1), -$1) }.map {
            blobs[$0].box
        }
    }

    /// The blobs in which letters may have merged with a paler area: a stain, a crease, the shadow of an edge.
    var mixed: [Int] {
        blobs.indices.filter { index in
            isFree[index] && roles[index] == .noise && strength(index) >= DarknessLimits.clear
                && Double(blobs[index].box.extent) > AmbiguousMarkLimits.mixedSize * letter
                && !isNearEdge(blobs[index].box, TextContextLimits.edgeMargin)
        }
    }

    /// The blobs along the edge of the image or of the paper that may contain letters: handwriting that runs into its shadow.
    var edges: [Int] {
        blobs.indices.filter { index in
            let box = blobs[index].box
            return roles[index] == .noise && strength(index) >= DarknessLimits.clear
                && Double(box.extent) > AmbiguousMarkLimits.edgeSize * letter
                && isNearEdge(box, TextContextLimits.edgeMargin)
        }
    }

    /// Whether a part of such a blob is continued by known print: handwriting is, and a shadow along an edge is not.
    func isWriting(_ part: ConnectedComponent, near print: DistanceMap) -> Bool {
        !part.box.touchesEdge(of: size)
            && HandwritingLimits.partSizes.scaled(by: letter).contains(Double(part.box.extent))
            && part.sharpness >= SharpnessLimits.symbol * sharpness
            && print.distance(part.box) <= HandwritingLimits.partDistance * letter
    }

    /// Returns the distances of all places from the lines of letters, each continued by `HandwritingLimits.partDistance`.
    func nearLines() -> DistanceMap {
        let reach = Int(clamping: HandwritingLimits.partDistance * letter, to: 0...size.width)
        let letters = blobs.indices.filter { roles[$0] == .letter && rows.length[$0] >= TextContextLimits.longRow }
        return DistanceMap(
            size, cell: cell, boxes: letters.map { blobs[$0].box.grown(reach, 0).clamped(to: size) })
    }

    /// Whether a part of such a blob is next to a line, as its last letters are. Dirt above the text is not.
    func isLevel(_ part: ConnectedComponent, with lines: DistanceMap) -> Bool { lines.distance(part.box) == 0 }
}
