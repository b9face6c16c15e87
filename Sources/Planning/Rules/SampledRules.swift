internal import AdapterKit
internal import PageModel

/// An image that is available as exact samples.
struct SampledCandidate: Sendable {
    let planner: Planner
    let sampled: SampledPicture
    let operations: PixelOperations

    static let rules: [PlanRule<SampledCandidate>] = [
        PlanRule(
            name: "Store the samples",
            condition: "Always.",
            treatments: .decoding,
            applies: { _ in true },
            plans: { candidate, blocker in [candidate.stored(after: blocker)] })
    ]

    /// - Throws: `.usage` if the edits leave nothing.
    init(_ planner: Planner, _ sampled: SampledPicture, of page: Page) throws(AdapterError) {
        self.planner = planner
        self.sampled = sampled
        operations = try Planner.operations(
            sampled.size, .upright, sampled.pending.map(PageEdit.move) + page.edits, page,
            isGray: sampled.format?.isGray ?? false)
    }

    private func stored(after blocker: Note?) -> PagePlan {
        let capabilities = planner.capabilities
        let parameters = EncodingParameters(
            planner.request, own: nil, isLossy: false, isDithered: operations.isDithered, formats: capabilities.formats
        ).storing(operations, in: capabilities)
        let basis = Reason(sampled.overlayNote ?? Note(.samples, ["compression": sampled.compression]))
        let stored =
            capabilities.takesRasters ? basis : basis.with(.result, parameters.note(from: nil, in: capabilities))
        return planner.rendering(.sampled(sampled), operations, parameters, stored.with(operations), .aside, blocker)
    }
}

extension PixelFormat {
    var isGray: Bool {
        if case .gray = self { true } else { false }
    }
}
