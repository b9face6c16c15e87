/// The outcomes of all books of journals, and their sums.
public struct JournalSummary: Sendable {
    public let bookCount: Int
    public let failed: [JournalEntry]
    public let withWarnings: [JournalEntry]
    /// The numbers of pages by their treatment.
    public private(set) var treatments: [String: Int] = [:]
    public private(set) var pages = 0
    /// The bytes of the inputs and outputs of the books that are done.
    public private(set) var inputBytes = 0
    public private(set) var outputBytes = 0
    public private(set) var processorSeconds = 0.0
    /// The books that took most time, the slowest first.
    public let slowest: [JournalEntry]

    static let slowestCount = 5

    public init(_ entries: some Collection<JournalEntry>) {
        bookCount = entries.count
        let inOrder = { (one: JournalEntry, other: JournalEntry) in one.name < other.name }
        failed = entries.filter { $0.outcome == .failed }.sorted(by: inOrder)
        withWarnings = entries.filter { $0.outcome == .warnings }.sorted(by: inOrder)
        slowest = Array(
            entries.sorted { $0.seconds != $1.seconds ? $0.seconds > $1.seconds : $0.name < $1.name }
                .prefix(JournalSummary.slowestCount))
        for entry in entries {
            processorSeconds += entry.processorSeconds
            guard entry.outcome != .failed else { continue }
            pages += entry.pages
            inputBytes += entry.inputs.reduce(0) { $0 + ($1.bytes ?? 0) }
            outputBytes += entry.output.bytes ?? 0
            treatments.merge(entry.treatments) { $0 + $1 }
        }
    }
}

extension JournalLines {
    /// The last lines about all books, in the order of their inputs.
    public var sorted: [JournalEntry] {
        entries.values.sorted { $0.name != $1.name ? $0.name < $1.name : $0.output.path < $1.output.path }
    }
}
