internal import PageModel

/// The rows of blobs of equal height, one after the other: the letters of a word or line.
///
/// Each is joined with its nearest neighbors to the right and below, if their gap, heights and levels are those of letters. The
/// method is from O'Gorman, "The document spectrum for page layout analysis", 1993.
struct Rows: Sendable {
    /// For each blob the number of blobs in its row, itself included; 0 for a blob that is not a letter.
    private(set) var length: [Int]
    /// For each blob the number of its row; any two of a row have the same.
    private(set) var number: [Int]

    init(_ blobs: [ConnectedComponent], _ isFree: [Bool], size: PixelSize, unit: Double) {
        var parents = Array(blobs.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        let letters = blobs.indices.filter {
            let box = blobs[$0].box
            return isFree[$0] && Double(box.height) >= 3.5 * unit && Double(box.extent) <= 70 * unit
                && box.width <= 12 * box.height && box.height <= 8 * box.width
        }
        let cell = max(4, Int(12 * unit))
        let (across, down) = (size.width / cell + 1, size.height / cell + 1)
        var cells = [[Int32]](repeating: [], count: across * down)
        for index in letters {
            let box = blobs[index].box
            for y in box.top / cell...(box.bottom - 1) / cell {
                for x in box.left / cell...(box.right - 1) / cell { cells[y * across + x].append(Int32(index)) }
            }
        }
        for index in letters {
            let box = blobs[index].box
            func search(_ window: Bounds, _ isLike: (Bounds) -> Bool) {
                for y in max(0, window.top) / cell...min(size.height - 1, window.bottom - 1) / cell {
                    for x in max(0, window.left) / cell...min(size.width - 1, window.right - 1) / cell {
                        for other in cells[y * across + x] where Int(other) != index {
                            if isLike(blobs[Int(other)].box) { parents[root(Int(other))] = root(index) }
                        }
                    }
                }
            }
            let right = box.right + box.height * 3 / 2 + 1
            search(Bounds(left: box.right - 1, top: box.top, right: right, bottom: box.bottom)) { other in
                let gap = other.left - box.right
                let (smaller, larger) = (min(box.height, other.height), max(box.height, other.height))
                let overlap = min(box.bottom, other.bottom) - max(box.top, other.top)
                return other.left >= box.left && 2 * gap <= 3 * smaller && 5 * larger <= 12 * smaller
                    && 5 * overlap >= 2 * smaller
            }
            // Downwards, for lines in that direction.
            guard box.height <= 2 * box.width else { continue }
            let bottom = box.bottom + box.width / 2 + 1
            search(Bounds(left: box.left, top: box.bottom - 1, right: box.right, bottom: bottom)) { other in
                let gap = other.top - box.bottom
                let (smaller, larger) = (min(box.width, other.width), max(box.width, other.width))
                let overlap = min(box.right, other.right) - max(box.left, other.left)
                return other.top >= box.top && 2 * gap <= smaller && 2 * larger <= 3 * smaller
                    && 5 * overlap >= 3 * smaller
                    && other.height <= 2 * other.width
            }
        }
        var counts = [Int](repeating: 0, count: blobs.count)
        for index in letters { counts[root(index)] += 1 }
        number = blobs.indices.map { root($0) }
        length = [Int](repeating: 0, count: blobs.count)
        for index in letters { length[index] = counts[root(index)] }
    }

    /// Makes a blob an isolated one.
    mutating func leave(_ blob: Int) { length[blob] = 1 }
}
