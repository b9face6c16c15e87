/// The connected components of some cells of a grid.
struct GridComponents {
    /// For each cell, row by row, the number of its component; nil for a cell that is not a member. Components are in the
    /// order of their first cells.
    let numbers: [Int?]
    /// The number of components.
    let count: Int

    /// - Parameters:
    ///   - isMember: whether each cell counts, row by row.
    ///   - across: the number of cells in a row.
    init(_ isMember: [Bool], across: Int, _ neighborhood: Neighborhood) {
        var runs: [Run] = []
        for place in isMember.indices where isMember[place] {
            let (row, column) = (Int32(place / across), Int32(place % across))
            if let last = runs.indices.last, runs[last].row == row, runs[last].end == column {
                runs[last].end += 1
            } else {
                runs.append(Run(row: row, start: column, end: column + 1))
            }
        }
        let components = RunComponents(runs, neighborhood)
        var numbers = [Int?](repeating: nil, count: isMember.count)
        for (run, number) in zip(runs, components.numbers) {
            for column in Int(run.start)..<Int(run.end) { numbers[Int(run.row) * across + column] = Int(number) }
        }
        (self.numbers, count) = (numbers, components.count)
    }

    /// The cells of each component, row by row.
    var members: [[Int]] {
        var members = [[Int]](repeating: [], count: count)
        for (place, number) in numbers.enumerated() {
            if let number { members[number].append(place) }
        }
        return members
    }

    private struct Run: PixelRun {
        var row: Int32
        var start: Int32
        var end: Int32
    }
}
