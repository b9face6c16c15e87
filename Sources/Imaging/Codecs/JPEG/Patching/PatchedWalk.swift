/// A walk through a scan with parts of other scans in place of some of its MCUs.
struct PatchedWalk {
    private(set) var walk: ScanWalk
    /// The number of MCUs in a row.
    private let width: Int
    /// For each component, the first coefficient of the last block that was read.
    private var last: [Int]

    /// - Parameter walk: a walk at the beginning of a row.
    init(_ walk: ScanWalk, width: Int) {
        self.walk = walk
        self.width = width
        last = walk.averages
    }

    /// Goes to the beginning of a row that follows unchanged blocks.
    mutating func move(to start: ScanWalk) {
        walk = start
        last = start.averages
    }

    /// Reads a row symbol by symbol.
    mutating func readRow<Sink: SymbolSink>(into sink: inout Sink) throws(ScanWalk.Fault) {
        try read(width, into: &sink)
    }

    /// Reads the rows of a part symbol by symbol, next to the image's MCUs.
    mutating func readRows<Sink: SymbolSink>(of part: PatchPart, into sink: inout Sink) throws(ScanWalk.Fault) {
        try part.withWalk { walk throws(ScanWalk.Fault) in
            for row in 0..<part.rows.count {
                try read(part.columns.lowerBound, into: &sink)
                try part.forEachRun(inRow: row) { count, isTouched throws(ScanWalk.Fault) in
                    if isTouched {
                        try read(count, of: &walk, into: &sink)
                    } else {
                        try read(count, into: &sink)
                        try walk.skip(count)
                    }
                }
                try read(width - part.columns.upperBound, into: &sink)
            }
        }
    }

    private mutating func read<Sink: SymbolSink>(_ count: Int, into sink: inout Sink) throws(ScanWalk.Fault) {
        var rest = count
        while rest > 0 {
            let now = try begin(rest, into: &sink)
            try walk.read(now, into: &sink, after: &last)
            rest -= now
        }
    }

    private mutating func read<Sink: SymbolSink>(
        _ count: Int, of part: inout ScanWalk, into sink: inout Sink
    ) throws(ScanWalk.Fault) {
        var rest = count
        while rest > 0 {
            let now = try begin(rest, into: &sink)
            try part.read(now, into: &sink, after: &last)
            try walk.skip(now)
            rest -= now
        }
    }

    /// Returns how many of some MCUs the restart interval has. At its end the next one begins.
    private mutating func begin<Sink: SymbolSink>(_ count: Int, into sink: inout Sink) throws(ScanWalk.Fault) -> Int {
        if walk.left == 0 {
            try walk.beginInterval()
            sink.endInterval()
            for index in last.indices { last[index] = 0 }
        }
        return min(count, walk.left)
    }
}
