/// A run of adjacent pixels of one row.
protocol PixelRun {
    var row: Int32 { get }
    var start: Int32 { get }
    /// The first pixel after it.
    var end: Int32 { get }
}

/// The pixels around a pixel that are connected with it.
enum Neighborhood {
    /// The four pixels that share a side with it.
    case sides
    /// These, and the four that share a corner.
    case sidesAndCorners
}

/// The connected components of runs: the one search for components of all pages, grids and parts of marks.
///
/// Each run is joined with the runs of the row above that it touches (union-find).
struct RunComponents {
    /// For each run the number of its component. Components are in the order of their first runs.
    let numbers: [Int32]
    /// The number of components.
    let count: Int

    /// - Parameter runs: from the top down, and from left to right in a row.
    init(_ runs: [some PixelRun], _ neighborhood: Neighborhood = .sidesAndCorners) {
        var sets = DisjointSets(count: runs.count)
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
                // All of these touch at least at a corner.
                if neighborhood == .sidesAndCorners || runs[other].start < run.end && run.start < runs[other].end {
                    sets.join(index, other)
                }
                other += 1
            }
        }
        var numbers = [Int32](repeating: 0, count: runs.count)
        var count = 0
        for index in runs.indices {
            // The lowest index stands for a set, so that it has its number already.
            let root = sets.root(of: index)
            if root == index {
                numbers[index] = Int32(count)
                count += 1
            } else {
                numbers[index] = numbers[root]
            }
        }
        (self.numbers, self.count) = (numbers, count)
    }

    /// The indexes of the runs of each component.
    var members: [[Int]] {
        var members = [[Int]](repeating: [], count: count)
        for (index, number) in numbers.enumerated() { members[Int(number)].append(index) }
        return members
    }
}
