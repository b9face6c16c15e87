internal import Synchronization

/// The plans of pages for outputs that are written later. They show which images to keep, and each output then uses its
/// own.
final class LaterPlans: Sendable {
    private struct Key: Hashable {
        /// The page, as `Page.id`.
        let page: Int
        /// The number of outputs after the one of the plans.
        let outputsLeft: Int
    }

    private let plans = Mutex<[Key: PlannedPage]>([:])

    /// Returns the plans of a page for an output, and makes missing ones. Plans with an operation that was omitted
    /// meanwhile are made again. Nil if the page cannot be planned.
    func current(
        _ page: Int, _ outputsLeft: Int, _ make: () async throws -> PlannedPage
    ) async -> PlannedPage? {
        let key = Key(page: page, outputsLeft: outputsLeft)
        if let known = plans.withLock({ $0[key] }), known.isCurrent { return known }
        let planned = try? await make()
        plans.withLock { $0[key] = planned }
        return planned
    }

    /// Removes the plans of a page for an output, and returns them. Nil if an operation was omitted meanwhile.
    func take(_ page: Int, _ outputsLeft: Int) -> PlannedPage? {
        let planned = plans.withLock { $0.removeValue(forKey: Key(page: page, outputsLeft: outputsLeft)) }
        return planned.flatMap { $0.isCurrent ? $0 : nil }
    }
}
