internal import AdapterKit
internal import PageModel

/// The result of one page.
struct PageOutcome: Sendable {
    struct Finished: Sendable {
        let plan: PagePlan
        /// The page's content; nil if only the plan was requested.
        let result: PageResult?
        /// The pixels per inch of the page as it is shown, if known.
        let resolution: Resolution?
        /// The page's text and links, as far as the output can store them.
        var text: PlacedText?
        /// The page's attachment, which the sink made.
        var attachment: [UInt8]?
        /// The features of the page that the output cannot store.
        var lost: Set<SinkCapabilities.Feature> = []
        /// The contents of its document page that the output lacks; nil without a loss.
        var lostParts: LostParts?
        /// The digests; nil if none are requested.
        var digests: PageDigests?
        /// The effects of options on the page.
        var effects: Set<Effect> = []
    }

    let page: Page
    /// The finished page; nil if the page was skipped.
    var finished: Finished?
    var warnings: [Warning] = []
    /// The warnings about operations that were left out. They are not among `warnings`.
    var omissions: [Warning] = []
    /// The reason for skipping the page.
    var failure: AdapterError?

    /// The outcome with all its warnings.
    var withOmissions: PageOutcome {
        var copy = self
        copy.warnings += omissions
        copy.omissions = []
        return copy
    }
}

/// The image and the plans of a page.
struct PlannedPage: Sendable {
    /// The page, which remembers its image.
    let page: Page
    /// The examined image. The recorder watches it.
    let picture: Picture
    /// The recorder of the page's digests; nil if none are requested.
    let recorder: DigestRecorder?
    /// The allowed plans, the best first.
    let plans: [PagePlan]

    /// Plans a page.
    ///
    /// - Parameter digests: the digests to compute; nil for none.
    /// - Throws: the errors of the source and of the planner.
    init(_ page: Page, _ planner: Planner, _ digests: DigestRequest?) async throws {
        let examined = try await page.examine()
        recorder = digests.map(DigestRecorder.init)
        picture = recorder?.watching(examined, of: page.name) ?? examined
        plans = try planner.plans(for: page, picture)
        var page = page
        page.examine = { examined }
        self.page = page
    }

    /// Whether no operation of the plans was omitted meanwhile, for example on the other half of the page.
    var isCurrent: Bool { !plans.flatMap(\.omittable).contains { $0.omission.isOmitted } }
}

/// A page that is ready for the work on it.
struct PreparedPage: Sendable {
    let page: Page
    /// Whether the output shows its parts as a spread. An operation that is left out later does not change this.
    let isShownAsSpread: Bool
    /// Its parts, or the page itself, each with its plans. They are nil if the page cannot be examined, and in a dry run.
    var pages: [(page: Page, planned: PlannedPage?)]
}
