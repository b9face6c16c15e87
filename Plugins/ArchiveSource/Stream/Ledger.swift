internal import AdapterKit

/// Counts what an archive unpacks to, and stops it when that becomes absurd.
struct Ledger {
    private let archiveBytes: Int
    private let limits: Limits
    private var kept = 0
    private var passed = 0

    /// No pictures grow this many times; bombs do.
    private static let greatestGrowth = 1000
    private static let harmlessCount = 10 << 20

    /// - Parameter archiveBytes: the size of the archive, all parts together.
    init(archiveBytes: Int, limits: Limits) {
        self.archiveBytes = archiveBytes
        self.limits = limits
    }

    /// Notes bytes that were unpacked and are kept.
    ///
    /// - Throws: `.tooLarge`.
    mutating func keep(_ count: Int) throws(AdapterError) {
        kept += count
        guard kept <= limits.totalBytes else {
            throw AdapterError(.tooLarge, "unpacks to more than the \(limits.totalBytes) bytes allowed")
        }
        try pass(count)
    }

    /// Notes bytes that have to be unpacked although nobody wants them.
    ///
    /// - Throws: `.tooLarge`.
    mutating func pass(_ count: Int) throws(AdapterError) {
        passed = passed.addingReportingOverflow(count).overflow ? .max : passed + count
        guard passed <= Ledger.harmlessCount || passed / Ledger.greatestGrowth <= archiveBytes else {
            throw AdapterError(.tooLarge, "would grow more than \(Ledger.greatestGrowth) times when unpacked")
        }
    }
}
