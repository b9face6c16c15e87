public import AdapterKit
public import PageModel

/// Reads pages as a conversion does that keeps them as they are, and tells what is wrong with them.
///
/// Stored pictures are read to their end, with the checksums that they and their archive have; what would have to be decoded
/// or drawn is.
public struct PageCheck: Sendable {
    private let worker: PageWorker
    private let limits: Limits

    public init(limits: Limits = Limits()) {
        self.limits = limits
        worker = PageWorker(
            planner: Planner(SinkCapabilities(formats: nil)), limits: limits, isDryRun: false, isLossless: false,
            targets: LinkTargets([]), companionMemory: { _ in 0 })
    }

    /// Reads pages, several at a time as far as there is memory for it.
    ///
    /// - Parameters:
    ///   - width: how many pages may be read at once.
    ///   - body: gets each page in order, with what is wrong with it, half a sentence each.
    /// - Throws: `CancellationError`, and what `body` throws.
    public func check(
        _ pages: [Page], width: Int, body: (Page, _ defects: [String]) async throws -> Void
    ) async throws {
        try await forEachInOrder(pages, width: width, within: MemoryBudget(limits, width: width)) { page in
            try await worker.prepared(page)
        } work: { page in
            let outcome = try await worker.work(on: page)[0]
            if let failure = outcome.failure { return (page, [failure.explanation]) }
            // The warning begins with the page's name.
            return (
                page,
                outcome.warnings.filter(\.isOfDamage).map {
                    $0.message.replacing("\(page.name): ", with: "", maxReplacements: 1)
                }
            )
        } body: { page, defects in
            try await body(page, defects)
        }
    }
}
