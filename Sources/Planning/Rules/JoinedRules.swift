internal import AdapterKit
internal import PageModel

/// An image that is joined from several pages.
struct JoinedCandidate: Sendable {
    let planner: Planner
    let joined: JoinedPicture
    let page: Page
    /// The plan that places the pages next to each other; nil if the output cannot do that.
    let together: PagePlan?
    /// The plan that keeps the JPEGs' coefficients, or the reason that they cannot be kept.
    private let joining: Result<PagePlan, Planner.JoinBlocker>

    static let rules: [PlanRule<JoinedCandidate>] = [
        PlanRule(
            name: "Place the pages next to each other",
            condition: "The output can show several images on one page. No option changes the pages as a whole, "
                + "except options that mean the same for each page.",
            treatments: Treatment.allCases,
            applies: { $0.together != nil },
            plans: { candidate, _ in [candidate.together].compactMap { $0 } }),
        PlanRule(
            name: "Join the coefficients of the JPEGs",
            condition: "The JPEGs have the same tables and fit on the MCU grid. No quality is requested.",
            treatments: .moving,
            next: .fallback { _ in nil },
            applies: { $0.coefficients != nil && !$0.isForSize },
            blocker: { $0.lossOfJoining },
            plans: { candidate, _ in [candidate.coefficients].compactMap { $0 } }),
        PlanRule(
            name: "Join the pixels, or the coefficients if not larger",
            condition: "The same, and a quality is requested.",
            treatments: [.lossless, .encoded],
            fallback: "join the coefficients",
            applies: { $0.coefficients != nil && $0.isForSize },
            plans: { candidate, _ throws(AdapterError) in try candidate.smaller() }),
        PlanRule(
            name: "Join the pixels",
            condition: "Always.",
            treatments: [.lossless, .encoded, .drawn],
            applies: { _ in true },
            plans: { candidate, blocker throws(AdapterError) in
                [try candidate.planner.compose(candidate.joined, candidate.page, because: blocker)]
            }),
    ]

    /// - Throws: `.usage` if the output cannot show requested edits of pages copied unchanged.
    init(_ planner: Planner, _ joined: JoinedPicture, of page: Page) throws(AdapterError) {
        self.planner = planner
        self.joined = joined
        self.page = page
        together = try planner.layTogether(joined, page)
        // Nothing is joined in an output that shows the pages together.
        joining = together == nil ? planner.join(joined, page) : .failure(Planner.JoinBlocker(nil))
    }

    /// The plan that keeps the JPEGs' coefficients.
    private var coefficients: PagePlan? { try? joining.get() }

    /// The reason that the coefficients cannot be kept. A requested quality is the reason for other encodings.
    private var lossOfJoining: Note? {
        guard case .failure(let blocker) = joining else { return nil }
        return planner.request.quality == nil ? blocker.note : nil
    }

    /// Whether the image is encoded to save space: a quality requests smaller pages.
    private var isForSize: Bool { planner.request.quality != nil && !planner.capabilities.takesRasters }

    /// Returns the plan that joins the pixels, with one that keeps the coefficients of pages that would not become
    /// smaller.
    private func smaller() throws(AdapterError) -> [PagePlan] {
        let composed = try planner.compose(joined, page, because: nil)
        guard let coefficients, let format = composed.encoding else { return [composed] }
        return coefficients.following(composed, as: format)
    }
}
