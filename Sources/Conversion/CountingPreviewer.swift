internal import AdapterKit
internal import PageModel
internal import Planning
internal import Synchronization

/// A previewer that reports every page when it is first analyzed, and records why pages cannot be analyzed.
final class CountingPreviewer: PreviewProvider {
    private let previewer: PagePreviewer
    private let total: Int
    private let step: (number: Int, count: Int)
    private let onEvent: @Sendable (ConversionEvent) -> Void
    private let seen = Mutex<Set<Int>>([])
    private let failures = Mutex<[Int: Warning]>([:])

    /// - Parameter step: the number of this analysis, from 1, and the number of all that may take place.
    init(
        _ previewer: PagePreviewer, of total: Int, step: (number: Int, count: Int),
        _ onEvent: @escaping @Sendable (ConversionEvent) -> Void
    ) {
        self.previewer = previewer
        self.total = total
        self.step = step
        self.onEvent = onEvent
    }

    func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview {
        onEvent(.began(page: page.name))
        defer { onEvent(.ended(page: page.name)) }
        let preview: PagePreview
        do {
            preview = try await previewer.preview(of: page, pixels: pixels, as: meaning)
        } catch let error as AdapterError where error.code != .damaged {
            let warning = Warning(code: "page-not-analyzed", page, "not analyzed", because: error)
            failures.withLock { $0[page.id] = warning }
            throw error
        }
        // Reported under the lock, so that the numbers come in order.
        seen.withLock { seen in
            if seen.isEmpty { onEvent(.analyzing(step: step.number, of: step.count, pages: total)) }
            if seen.insert(page.id).inserted { onEvent(.previewed(pages: min(seen.count, total), of: total)) }
        }
        return preview
    }

    /// A warning for each page that could not be analyzed although its data is not known to be damaged. Transforms leave
    /// such a page unchanged. If the run can copy it, only this warning explains its different treatment. Findings report
    /// damaged data.
    var previewWarnings: [Warning] { failures.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }
}
