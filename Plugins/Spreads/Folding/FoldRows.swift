internal import PageModel

/// The rows of a scan that show the book, and not what it lies on.
enum FoldRows {
    /// What scanners darken at the top and bottom edges, as a share of the height.
    private static let edge = 0.02
    /// A row is as light as the lightest twentieth of it: margins are on every page, if it is not art to its edges.
    private static let lightest = 20
    /// What a book lies on is darker than this share of its paper.
    private static let darker = 0.88
    /// If less than this share of the rows seems to be the book, dark ones are its pages too.
    private static let least = 0.65
    /// So many rows and columns are looked at: more of them tell no more.
    private static let samples = 200

    static func book(_ raster: Raster) -> Range<Int> {
        let (width, height) = (raster.size.width, raster.size.height)
        let edge = Int(FoldRows.edge * Double(height))
        let all = edge..<height - edge
        let down = max(1, height / samples)
        let across = max(1, width / samples)
        let rows = Array(stride(from: all.lowerBound, to: all.upperBound, by: down))
        let share = (width + across - 1) / across / lightest
        var histogram = [Int](repeating: 0, count: 256)
        let levels = raster.samples.withUnsafeBufferPointer { samples in
            rows.map { row -> Int in
                for level in 0..<256 { histogram[level] = 0 }
                for place in stride(from: row * width, to: (row + 1) * width, by: across) {
                    histogram[Int(samples[place])] += 1
                }
                var (level, left) = (255, share)
                while level > 0, histogram[level] <= left {
                    left -= histogram[level]
                    level -= 1
                }
                return level
            }
        }
        guard !levels.isEmpty else { return all }
        let paper = Double(levels.sorted()[levels.count / 2])
        var (longest, start) = (0..<0, 0)
        for index in 0...levels.count where index == levels.count || Double(levels[index]) < darker * paper {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        guard Double(longest.count) >= least * Double(levels.count) else { return all }
        let end = longest.upperBound == levels.count ? all.upperBound : rows[longest.upperBound]
        return rows[longest.lowerBound]..<end
    }
}
