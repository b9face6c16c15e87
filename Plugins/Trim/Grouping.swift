internal import PageModel

/// Puts blobs that are near each other into groups, over a grid of cells: blobs in cells that touch are together.
struct Grouping {
    private(set) var groups: [Group] = []

    /// - Parameters:
    ///   - ink: its content blobs are numbered with their groups.
    ///   - isContent: for each blob, whether it takes part.
    ///   - cell: the side of a cell, in pixels: gaps up to that are bridged, wider than twice that never.
    init(_ ink: inout Ink, _ isContent: [Bool], size: PixelSize, cell: Int) {
        let across = (size.width + cell - 1) / cell
        let down = (size.height + cell - 1) / cell
        // 0: empty; -1: ink without a group yet; else the group's number and one.
        var cells = [Int32](repeating: 0, count: across * down)
        for run in ink.runs where isContent[Int(run.blob)] {
            let row = Int(run.row) / cell * across
            for column in Int(run.start) / cell...Int(run.end - 1) / cell { cells[row + column] = -1 }
        }
        var count: Int32 = 0
        var stack: [Int] = []
        for index in cells.indices where cells[index] == -1 {
            count += 1
            cells[index] = count
            stack.append(index)
            while let place = stack.popLast() {
                let (x, y) = (place % across, place / across)
                for nextY in max(0, y - 1)...min(down - 1, y + 1) {
                    for nextX in max(0, x - 1)...min(across - 1, x + 1) where cells[nextY * across + nextX] == -1 {
                        cells[nextY * across + nextX] = count
                        stack.append(nextY * across + nextX)
                    }
                }
            }
        }
        var numbers = [Int](repeating: -1, count: Int(count) + 1)
        var isSeen = [Bool](repeating: false, count: ink.blobs.count)
        for run in ink.runs where isContent[Int(run.blob)] && !isSeen[Int(run.blob)] {
            isSeen[Int(run.blob)] = true
            let label = Int(cells[Int(run.row) / cell * across + Int(run.start) / cell])
            let blob = ink.blobs[Int(run.blob)]
            if numbers[label] < 0 {
                numbers[label] = groups.count
                groups.append(Group(blob))
            } else {
                groups[numbers[label]].add(blob)
            }
            ink.setGroup(numbers[label], of: Int(run.blob))
        }
    }
}
