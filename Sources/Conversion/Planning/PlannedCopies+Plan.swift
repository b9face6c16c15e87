internal import AdapterKit
internal import PageModel

extension PlannedCopies {
    /// Adds the document pages that the plan for a page copies.
    mutating func add(_ plan: PagePlan) {
        if plan.reason.parts.contains(where: { $0.note.code == .textRecognized }) { hasNewText = true }
        add(plan.step)
    }

    private mutating func add(_ step: PagePlan.Step) {
        switch step {
        case .copyDocument(let page, let framing): pages.append((page, framing))
        case .layTogether(let spread):
            staysPages = false
            for part in spread.parts { add(part.plans[0].step) }
        case .copy, .operate, .pack, .restore, .render, .join, .compose: showsOthers = true
        }
    }
}
