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
    ///   - tell: gets what happens: pages begin, end and are finished.
    /// - Returns: what is wrong with each page, half a sentence each.
    /// - Throws: `CancellationError`.
    public func defects(
        of pages: [Page], width: Int, tell: @escaping @Sendable (ConversionEvent) -> Void
    ) async throws -> [[String]] {
        var defects: [[String]] = []
        try await forEachInOrder(pages, width: width, within: MemoryBudget(limits, width: width)) { page in
            try await worker.prepared(page)
        } work: { page in
            tell(.began(page: page.name))
            defer { tell(.ended(page: page.name)) }
            let outcome = try await worker.work(on: page)[0]
            if let failure = outcome.failure { return [failure.explanation] }
            return outcome.warnings.filter(\.isOfDamage).map {
                String($0.message.trimmingPrefix("\(page.name): "))
            }
        } body: { found in
            defects.append(found)
            tell(.finished(pages: defects.count))
        }
        return defects
    }
}
