internal import PageModel

/// What is neither surely print nor surely dirt.
extension Company {
    /// Rows of signs that are paler than the text are pencil, or a stamp; more of them are print of the other side.
    mutating func findFaintRows() {
        var members: [Int: [Int]] = [:]
        for index in blobs.indices where isFree[index] && roles[index] == .dirt && rows.length[index] >= 5 {
            let height = Double(blobs[index].box.height)
            if strength(index) >= 0.2, sharpness(index) >= Sharpness.faint, height >= 0.5 * letter {
                members[rows.number[index], default: []].append(index)
            }
        }
        // In the order of the page, so that the same page is always read in the same way.
        let faint = members.values.sorted { $0[0] < $1[0] }.filter { 5 * $0.count >= 4 * rows.length[$0[0]] }
        guard faint.count <= 3 else { return }
        for index in faint.joined() { roles[index] = .companion }
        // Words of such a row lie further from each other than its letters.
        for row in faint {
            guard let line = Bounds.union(row.map { blobs[$0].box }) else { continue }
            let reach = line.grown(Int(clamping: 8 * letter, to: 0...size.width), 0)
            for index in blobs.indices where isFree[index] && roles[index] == .dirt {
                let box = blobs[index].box
                if box.intersects(reach), strength(index) >= 0.2, sharpness(index) >= Sharpness.faint,
                    (0.5 * letter...3 * letter).contains(Double(box.height))
                {
                    roles[index] = .companion
                }
            }
        }
    }

    /// Signs that stand clear, but where no number is expected. Among more of them some come back by chance.
    mutating func findDoubtful(_ candidates: [Int]) {
        let signs = candidates.filter { index in
            roles[index] == .dirt && strength(index) >= 0.7 && sharpness(index) >= 0.7
                && !isAtRim(blobs[index].box, Company.brim)
        }
        guard signs.count <= Company.mostDoubtful else { return }
        doubtful = Dictionary(grouping: signs) { rows.number[$0] }.sorted { $0.key < $1.key }
            .compactMap { _, row in Bounds.union(row.map { blobs[$0].box }) }
    }

    /// On a page with more of them they are specks.
    private static let mostDoubtful = 12

    /// What is dirt rather than print, but could be pencil, a stamp or a faded line, the likeliest first.
    var unlikely: [Bounds] {
        let marks = blobs.indices.filter { index in
            let extent = Double(blobs[index].box.extent)
            return isFree[index] && roles[index] == .dirt && (0.6 * letter...12 * letter).contains(extent)
                && strength(index) >= 0.2 && sharpness(index) >= 0.2 && !isAtRim(blobs[index].box, Company.brim)
        }
        // Pencil and faded lines are of several marks; one by itself is a speck.
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

    /// Blobs in which something as dark as letters may have run into something paler: a stain, a crease, the shade of an edge.
    var mixed: [Int] {
        blobs.indices.filter { index in
            isFree[index] && roles[index] == .dirt && strength(index) >= 0.8
                && Double(blobs[index].box.extent) > 2.5 * letter
                && !isAtRim(blobs[index].box, Company.rim)
        }
    }
}
