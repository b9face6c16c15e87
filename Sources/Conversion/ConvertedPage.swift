package import AdapterKit
package import PageModel
package import Planning

/// A page as it is planned: its image, and the ways in which it can be converted.
struct PlannedPage: Sendable {
    /// The page. Once it is examined, it remembers its image.
    let page: Page
    /// Whether the output shows it as a part of a spread. An operation that is left out later does not change this.
    let isOfSpread: Bool
    /// The examined image; nil before the page is planned.
    private(set) var picture: Picture?
    /// The allowed plans, the best first.
    private(set) var plans: [PagePlan] = []
    /// The observer of its conversion; nil for none.
    private(set) var observer: (any PageObserver)?

    /// - Parameter page: a page that is not planned yet.
    init(_ page: Page, isOfSpread: Bool = false) {
        (self.page, self.isOfSpread) = (page, isOfSpread)
    }

    /// Returns the page with its plans. It is planned again if one of its operations was omitted meanwhile, for example on
    /// the other half of the page.
    ///
    /// - Parameter observe: returns the observer of the page; nil for none.
    /// - Throws: the errors of the source and of the planner.
    func planned(
        by planner: Planner, observedBy observe: (@Sendable () -> any PageObserver)?
    ) async throws -> PlannedPage {
        if picture != nil, !plans.flatMap(\.method.omittable).contains(where: { $0.omission.isOmitted }) { return self }
        let examined = try await page.examine()
        var page = page
        page.examine = { examined }
        var planned = PlannedPage(page, isOfSpread: isOfSpread)
        planned.observer = observe?()
        planned.picture = planned.observer?.observing(examined, of: page.name) ?? examined
        planned.plans = try planner.plans(for: page, planned.picture ?? examined)
        if isOfSpread, page.side != .single {
            let note = Note(.shownInSpread, ["side": page.side.rawValue])
            for index in planned.plans.indices {
                planned.plans[index].reason = planned.plans[index].reason.with(.detail, note)
            }
        }
        return planned
    }

    /// Returns the page planned without the overlays over its images; nil if the source cannot read the images so.
    ///
    /// - Throws: as `planned` does.
    func plannedWithoutOverlay(
        by planner: Planner, observedBy observe: (@Sendable () -> any PageObserver)?
    ) async throws -> PlannedPage? {
        guard let bare = try await page.examine().withoutOverlay else { return nil }
        var page = page
        page.examine = { bare }
        return try await PlannedPage(page, isOfSpread: isOfSpread).planned(by: planner, observedBy: observe)
    }
}

/// A page as it was converted, or would be in a dry run.
package struct ConvertedPage: Sendable {
    /// The page.
    package let page: Page
    /// Whether the output shows it as a part of a spread.
    package let isOfSpread: Bool
    /// Its image; nil if it was skipped.
    package var picture: Picture?
    /// The plan that was carried out; nil if the page was skipped.
    package var plan: PagePlan?
    /// Its content; nil in a dry run, and if it was skipped.
    package var result: PageResult?
    /// The text and links, as far as the output can store them.
    var text: PlacedText?
    /// The attachment, which the sink made.
    var attachment: [UInt8]?
    /// The observer's evidence; nil for none.
    package var evidence: (any Sendable)?
    package var warnings: [Warning] = []
    /// The reason for skipping the page.
    var failure: AdapterError?

    init(_ planned: PlannedPage) {
        (page, isOfSpread) = (planned.page, planned.isOfSpread)
    }
}

// The pages that become pages of an output: a merged page, or its parts.

extension Page {
    /// Returns whether the output shows the parts of this page as a spread, so that they need not be merged.
    ///
    /// The edits of the merged page must mean the same for each of its parts. A box to fit the spread into does not.
    func isShownAsSpread(in capabilities: SinkCapabilities) -> Bool {
        capabilities.showsSpreads && !parts.isEmpty && edits.withoutOmissions.allSatisfy(\.isSameForParts)
    }

    /// The parts of a merged page, each with the edits of the whole.
    var separateParts: [Page] {
        parts.map { part in
            var part = part
            part.edits += edits.withoutOmissions
            return part
        }
    }
}
