/// A walk through a scan with parts of other scans in place of some of its MCUs.
struct PatchedWalk {
    /// A part in place of a rectangle of MCUs.
    struct Part {
        let columns: Range<Int>
        let rows: Range<Int>
        /// A walk through the part's own scan, which has no restart markers.
        var walk: ScanWalk
    }

    private(set) var walk: ScanWalk
    private var parts: [Part]
    /// The number of MCUs in a row.
    private let width: Int
    /// For each component, the first coefficient of the last block that was read.
    private var last: [Int]

    /// - Parameter walk: a walk at the beginning of a row.
    init(_ walk: ScanWalk, width: Int, parts: [Part] = []) {
        self.walk = walk
        self.parts = parts
        self.width = width
        last = walk.averages
    }

    /// Goes to the beginning of a row that follows unchanged blocks.
    mutating func move(to start: ScanWalk) {
        walk = start
        last = start.averages
    }

    /// Reads a row symbol by symbol. The rows of each part must be read in order.
    mutating func readRow<Sink: SymbolSink>(_ row: Int, into sink: inout Sink) throws(ScanWalk.Fault) {
        let part = parts.firstIndex { $0.rows.contains(row) }
        let columns = part.map { parts[$0].columns } ?? width..<width
        try read(columns.lowerBound, into: &sink)
        try read(columns.count, of: part, into: &sink)
        try read(width - columns.upperBound, into: &sink)
    }

    private mutating func read<Sink: SymbolSink>(
        _ count: Int, of part: Int? = nil, into sink: inout Sink
    ) throws(ScanWalk.Fault) {
        var rest = count
        while rest > 0 {
            if walk.left == 0 {
                try walk.beginInterval()
                sink.endInterval()
                for index in last.indices { last[index] = 0 }
            }
            let now = min(rest, walk.left)
            if let part {
                try parts[part].walk.read(now, into: &sink, after: &last)
                try walk.skip(now)
            } else {
                try walk.read(now, into: &sink, after: &last)
            }
            rest -= now
        }
    }
}
