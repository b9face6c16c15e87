internal import PageModel

/// The ambiguous marks, which are certainly neither print nor dirt.
extension TextContextClassifier {
    /// Finds rows of symbols paler than the text: pencil or a stamp. If there are more of them, they are show-through.
    mutating func findFaintRows() {
        var members: [Int: [Int]] = [:]
        for index in blobs.indices where isFree[index] && roles[index] == .noise && rows.length[index] >= 5 {
            let height = Double(blobs[index].box.height)
            if strength(index) >= 0.2, sharpness(index) >= Sharpness.faint, height >= 0.5 * letter {
                members[rows.number[index], default: []].append(index)
            }
        }
        // In the order of the page, so that the same page always gives the same result.
        let faint = members.values.sorted { $0[0] < $1[0] }.filter { 5 * $0.count >= 4 * rows.length[$0[0]] }
        guard faint.count <= 3 else { return }
        for index in faint.joined() { roles[index] = .punctuation }
        // Words of such a row are further from each other than its letters.
        for row in faint {
            guard let line = Bounds.union(row.map { blobs[$0].box }) else { continue }
            let reach = line.grown(Int(clamping: 8 * letter, to: 0...size.width), 0)
            for index in blobs.indices where isFree[index] && roles[index] == .noise {
                let box = blobs[index].box
                if box.intersects(reach), strength(index) >= 0.2, sharpness(index) >= Sharpness.faint,
                    (0.5 * letter...3 * letter).contains(Double(box.height))
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
            return isFree[index] && roles[index] == .noise && strength(index) >= 0.2
                && (0.5 * letter...12 * letter).contains(Double(box.extent))
        }
        for cluster in clusters(of: marks) where cluster.count >= 4 {
            let mean = cluster.reduce(0) { $0 + sharpness($1) } / Double(cluster.count)
            let isInRows = cluster.count >= 6 && cluster.contains { rows.length[$0] >= 4 }
            guard mean >= (isInRows ? Sharpness.words.inRows : Sharpness.words.isolated), !isOfBars(cluster) else {
                continue
            }
            for index in cluster { roles[index] = .punctuation }
        }
    }

    /// Whether most of a cluster's ink is in long bars: those of the paper's edge or of the gutter's shadow.
    private func isOfBars(_ cluster: [Int]) -> Bool {
        let bars = cluster.filter { index in
            let box = blobs[index].box
            return Double(box.extent) >= 4 * letter && box.extent >= 6 * min(box.width, box.height)
        }
        func area(_ some: [Int]) -> Int { some.reduce(0) { $0 + blobs[$1].area } }
        return 2 * area(bars) > area(cluster)
    }

    /// Combines marks less than two letters apart, or less than one above or below.
    private func clusters(of marks: [Int]) -> [[Int]] {
        let cell = max(1, letter / 2)
        var places: [PixelSize: [Int]] = [:]
        func cells(_ box: Bounds) -> [PixelSize] {
            func number(_ place: Int) -> Int { Int(clamping: (Double(place) / cell).rounded(.down), to: 0...1 << 24) }
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
            roles[index] == .noise && strength(index) >= 0.7 && sharpness(index) >= 0.7
                && !isNearEdge(blobs[index].box, TextContextClassifier.noPrintMargin)
        }
        guard symbols.count <= TextContextClassifier.maximumAmbiguousMarks else { return }
        ambiguous = Dictionary(grouping: symbols) { rows.number[$0] }.sorted { $0.key < $1.key }
            .compactMap { _, row in Bounds.union(row.map { blobs[$0].box }) }
    }

    /// The maximum number of such symbols on a page; more of them are specks.
    private static let maximumAmbiguousMarks = 12

    /// The boxes of dirt that could be pencil, a stamp or a faded line, the likeliest first.
    var unlikely: [Bounds] {
        let marks = blobs.indices.filter { index in
            let extent = Double(blobs[index].box.extent)
            return isFree[index] && roles[index] == .noise && (0.6 * letter...12 * letter).contains(extent)
                && strength(index) >= 0.2 && sharpness(index) >= 0.2
                && !isNearEdge(blobs[index].box, TextContextClassifier.noPrintMargin)
        }
        // Pencil and faded lines have several marks; a single one is a speck.
        let cell = Int(clamping: 2 * letter, to: 4...1_000_000)
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
            isFree[index] && roles[index] == .noise && strength(index) >= 0.8
                && Double(blobs[index].box.extent) > 2.5 * letter
                && !isNearEdge(blobs[index].box, TextContextClassifier.edgeMargin)
        }
    }

    /// The blobs along the edge of the image or of the paper that may contain letters: handwriting that runs into its shadow.
    var edges: [Int] {
        blobs.indices.filter { index in
            let box = blobs[index].box
            return roles[index] == .noise && strength(index) >= 0.8 && Double(box.extent) > 8 * letter
                && isNearEdge(box, TextContextClassifier.edgeMargin)
        }
    }

    /// Whether a part of such a blob is continued by known print: handwriting is, and a shadow along an edge is not.
    func isWriting(_ part: ConnectedComponent, near print: DistanceMap) -> Bool {
        !part.box.touchesEdge(of: size) && (0.5 * letter...8 * letter).contains(Double(part.box.extent))
            && part.sharpness >= Sharpness.symbol * sharpness && print.distance(part.box) <= 1.5 * letter
    }
}
